import { judgeRecord, type JudgedRun } from "../../tracks/index.ts";
import { escapeText } from "../../report/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
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

/** Judges every finished run of a set with the exact judge. */
export async function judge(args: JudgeArguments): Promise<ExitCode> {
  if (args.judge !== "exact") throw new UserError(`there is no judge "${args.judge}"`, "there is: exact");
  const { set, cases } = await openSet(args.set, args.casesDir);
  const judged: JudgedRun[] = [];
  for (const record of set.records) {
    judged.push(
      await judgeRecord(cases.get(record.manifest.case), record, args.as === undefined ? {} : { as: args.as }),
    );
  }
  for (const { run, status, why } of judged)
    if (status !== "judged") note(escapeText(`${run} is not judged: ${why ?? ""}`));
  const count = judged.filter(({ status }) => status === "judged").length;
  if (args.json) printJson({ judge: "exact", as: args.as ?? null, judged: count, runs: judged });
  else
    print([
      `Judge: exact. ${count} judged of ${judged.length} runs. To score them: worldagent score ${args.set}${args.as === undefined ? "" : ` --as ${args.as}`}`,
    ]);
  return judged.some(({ status }) => status === "fault") ? EXIT.wrongUse : EXIT.done;
}
