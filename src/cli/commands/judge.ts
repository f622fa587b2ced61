import { setImmediate } from "node:timers/promises";
import { judgeRecord, type JudgedRun } from "../../tracks/index.ts";
import { escapeText } from "../../report/index.ts";
import { sayCommand } from "../called-as.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { openSet } from "../open-set.ts";
import { note, print, printJson } from "../output.ts";
import { UserError } from "../user-error.ts";

export interface JudgeArguments {
  readonly set: string;
  readonly judge: string;
  readonly as?: string | undefined;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/**
 * Judges every finished run of a set with the exact judge; one that was judged before is judged again, which changes
 * nothing. Ends with 1 where a fault kept a run from being judged, and where none could be.
 */
export async function judge(args: JudgeArguments): Promise<ExitCode> {
  if (args.judge !== "exact") throw new UserError(`there is no judge "${args.judge}"`, "there is: exact");
  const { set, cases } = await openSet(args.set, args.casesDir);
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
