import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  acquireLock,
  addPlanned,
  addSetAgent,
  createRunFolder,
  forgetAgent,
  readPlanned,
  readSetAgents,
  requireRunId,
  type LogBody,
} from "../../src/records/index.ts";
import { answerBody, manifest, sampleBodies, tempFolder, thrown } from "./fixtures.ts";

const FAULT: LogBody = {
  kind: "fault",
  request: 1,
  fault: { kind: "unknown_model", status: 404, code: null, message: 'no model "typo": {"kind":"answer"}' },
  attempts: [],
};
const OUTCOME: LogBody = { kind: "outcome", outcome: "endpoint_fault" };

/** A set of two agents with two planned runs each; the first run of each was begun with these lines. */
async function setOf(lines: readonly LogBody[]): Promise<string> {
  const set = join(tempFolder(), "set");
  const runs = ["good", "typo"].flatMap((name) => [1, 2].map((n) => requireRunId(`mill_001.hard.${name}.${n}`)));
  addPlanned(set, runs);
  for (const name of ["good", "typo"]) {
    addSetAgent(set, { name, settings: {}, preflight: null });
    const run = await createRunFolder(set, { ...manifest, agent: { name, settings: {} } }, { sync: false });
    for (const line of lines) run.log.append(line);
    run.close();
  }
  return set;
}

describe("RC17 an agent of which nothing was heard can be forgotten", () => {
  it("with its planned runs, its file and the runs that brought nothing; the others stay as they are", async () => {
    const set = await setOf([{ kind: "message", role: "user", text: "Begin." }, FAULT, OUTCOME]);
    const other = readFileSync(join(set, "mill_001.hard.good.1/log.jsonl"), "utf8");
    expect(await forgetAgent(set, "typo")).toEqual({ planned: 2, removed: 1 });
    expect(readPlanned(set)).toEqual(["mill_001.hard.good.1", "mill_001.hard.good.2"]);
    expect(readSetAgents(set).map(({ name }) => name)).toEqual(["good"]);
    expect(existsSync(join(set, "mill_001.hard.typo.1"))).toBe(false);
    expect(readFileSync(join(set, "mill_001.hard.good.1/log.jsonl"), "utf8")).toBe(other);
    expect(await forgetAgent(set, "typo")).toBeUndefined();
  });

  it.each([
    ["an answer", answerBody(1, null)],
    ["a call", sampleBodies(3).find(({ kind }) => kind === "call") as LogBody],
  ])("but not where a run of it holds %s, which is named; nothing is changed then", async (_what, line) => {
    const set = await setOf([line]);
    const error = await thrown("run_exists", () => forgetAgent(set, "typo"));
    expect(error.message).toBe(
      `${join(set, "mill_001.hard.typo.1/log.jsonl")}:2: a run of typo was played: only an agent of which nothing was heard can be forgotten. To leave its runs out all the same, begin a new set (--out DIR).`,
    );
    expect(readPlanned(set)).toHaveLength(4);
    expect(readSetAgents(set)).toHaveLength(2);
    // It is held no longer.
    acquireLock(join(set, "mill_001.hard.typo.1")).release();
  });

  it("nor where a run of it is finished, is being played, or holds what no run writes", async () => {
    const sealed = await setOf([]);
    const log = join(sealed, "mill_001.hard.typo.1/log.jsonl");
    writeFileSync(log, `${readFileSync(log, "utf8")}{"kind":"seal","lines":1}\n`);
    await thrown("run_exists", () => forgetAgent(sealed, "typo"));

    const held = await setOf([]);
    const lock = acquireLock(join(held, "mill_001.hard.typo.1"));
    await thrown("locked", () => forgetAgent(held, "typo"));
    lock.release();

    writeFileSync(join(held, "mill_001.hard.typo.1/notes.txt"), "mine");
    expect((await thrown("run_exists", () => forgetAgent(held, "typo"))).message).toContain("it holds notes.txt");
    expect([readPlanned(sealed).length, readPlanned(held).length]).toEqual([4, 4]);
  });

  it("a name that differs in its end alone is another agent", async () => {
    const set = await setOf([]);
    expect(await forgetAgent(set, "typ")).toBeUndefined();
    await thrown("bad_name", () => forgetAgent(set, "../typo"));
    expect(readPlanned(set)).toHaveLength(4);
  });
});
