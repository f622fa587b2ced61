import { setImmediate } from "node:timers/promises";
import { suggest } from "../../runtime/index.ts";
import { judgeRecord, type JudgedRun } from "../../tracks/index.ts";
import { escapeText } from "../../report/index.ts";
import { sayCommand } from "../called-as.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import type { ModelJudgeFlags } from "../judge/model.ts";
import { requireJudgeable } from "../judge/judgeable.ts";
import { openSet } from "../open-set.ts";
import { note, print, printJson } from "../output.ts";
import { UserError } from "../user-error.ts";

export interface JudgeArguments extends ModelJudgeFlags {
  readonly judge: string;
}

const JUDGES = ["exact", "model", "exact+model"] as const;

/** What only a judge that is a model goes by. */
const MODEL_FLAGS = [
  "model",
  "baseUrl",
  "votes",
  "prices",
  "budgetTokens",
  "budgetCost",
  "budgetMinutes",
  "concurrency",
  "noCache",
  "dryRun",
  "reparse",
] as const satisfies readonly (keyof JudgeArguments)[];

function sayFlag(flag: string): string {
  return `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Judges every finished run of a set. */
export async function judge(args: JudgeArguments): Promise<ExitCode> {
  const name = JUDGES.find((one) => one === args.judge);
  if (name === undefined) throw new UserError(`there is no judge "${args.judge}"`, suggest(args.judge, JUDGES));
  // The client of endpoints takes a moment to load, and the exact judge needs none.
  if (name !== "exact") return await (await import("../judge/model.ts")).judgeByModel(name, args);
  const stray = MODEL_FLAGS.find((flag) => args[flag] !== undefined && args[flag] !== false);
  if (stray !== undefined)
    throw new UserError(
      `${sayFlag(stray)} is given, and the exact judge asks no model`,
      "add --judge model, or --judge exact+model",
    );
  return await judgeExactly(args);
}

/**
 * Judges every finished run of a set with the exact judge; one that was judged before is judged again, which changes
 * nothing. Ends with 1 where a fault kept a run from being judged, and where none could be.
 */
async function judgeExactly(args: JudgeArguments): Promise<ExitCode> {
  const { set, cases } = await openSet(args.set, args.casesDir);
  requireJudgeable(set.records, args.set);
  const judged: JudgedRun[] = [];
  for (const record of set.records) {
    judged.push(
      await judgeRecord(cases.get(record.manifest.case), record, args.as === undefined ? {} : { as: args.as }),
    );
    // Lets the event loop turn: else Ctrl-C would be heard only after the last run.
    await setImmediate();
  }
  for (const { run, status, why, cause } of judged) {
    if (status !== "judged") note(escapeText(`${run} is not judged: ${why ?? ""}`));
    debug(cause);
  }
  const count = judged.filter(({ status }) => status === "judged").length;
  if (args.json) {
    const runs = judged.map(({ run, status, why }) => ({ run, status, ...(why === undefined ? {} : { why }) }));
    printJson({ judge: "exact", as: args.as ?? null, judged: count, runs });
  } else {
    const named = args.as === undefined ? [] : ["--as", args.as];
    const next = count === 0 ? "" : ` To score them: ${sayCommand(["score", args.set, ...named], args.casesDir)}`;
    print([`Judge: exact. ${count} judged of ${judged.length} runs.${next}`]);
  }
  return count === 0 || judged.some(({ status }) => status === "fault") ? EXIT.failed : EXIT.done;
}
