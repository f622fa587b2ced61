/** What was answered, by the endpoint's account, against what was kept, by the logs of a set. */
import { join } from "node:path";
import { listRuns, readEntries } from "../../../src/records/index.ts";
import type { Account } from "../../endpoint/scripted/index.ts";
import { wordOf } from "../../endpoint/scripted/wire.ts";

/** The serials of the answers in each run's log, in order. */
export async function serialsIn(set: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const serials = new Map<string, readonly string[]>();
  for (const { path } of await listRuns(set)) {
    const kept: string[] = [];
    for await (const entry of readEntries(join(path, "log.jsonl")))
      if (entry.kind === "answer") kept.push(wordOf(entry.message["serial"]));
    serials.set(path, kept);
  }
  return serials;
}

/** Answers that left the endpoint whole, with the one each goes on from. */
export function answeredIn(accounts: readonly Account[]): readonly Account[] {
  return accounts.filter(({ full }) => full);
}

/**
 * Requests that were asked although their answer was kept: after the answer that a log holds at a place, another one to
 * the same conversation was given. First requests look alike in every run and are left to the counts.
 */
export function askedAgain(accounts: readonly Account[], kept: ReadonlySet<string>): readonly string[] {
  const answers = answeredIn(accounts).filter(({ after }) => after !== null);
  const keptAfter = new Map(
    answers.flatMap(({ serial, after, number }) => (kept.has(String(serial)) ? [[after, number] as const] : [])),
  );
  return answers
    .filter(({ after, number }) => number > (keptAfter.get(after) ?? Number.POSITIVE_INFINITY))
    .map(({ serial, after }) => `${serial} after ${after}`);
}
