import { readRunFolder } from "../../records/index.ts";
import { escapeText } from "../../report/index.ts";
import { isRunFolder, replayRecord } from "../../tracks/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { print, printJson } from "../output.ts";
import { requirePath } from "../paths.ts";
import { caseRoots, casesOfRuns } from "../cases/of-track.ts";
import { UserError } from "../user-error.ts";

export interface ReplayArguments {
  readonly run: string;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Answers every call of one run again and compares. Ends with 1 where anything differs. */
export async function replay(args: ReplayArguments): Promise<ExitCode> {
  requirePath(args.run, "folder", "give the folder of one run: runs/NAME/RUN");
  if (!isRunFolder(args.run)) throw new UserError(`${args.run} is no run's folder`, "give one run: runs/NAME/RUN");
  const record = await readRunFolder(args.run);
  const case_ = casesOfRuns(caseRoots(args.casesDir), [record.manifest.case]).get(record.manifest.case);
  if (case_ === undefined) throw new UserError(`there is no case ${record.manifest.case}`);
  const { run, ok, calls, differences } = await replayRecord(case_, record);
  if (args.json) printJson({ ok, runs: [{ run, ok, calls, differences }] });
  else {
    const found = ok ? "all as logged" : `${differences.length} differences`;
    print([
      `${run}: ${calls} calls replayed, ${found}`,
      ...differences.map(({ kind, where, expected, seen }) =>
        escapeText(`  ${kind} at ${where}: expected ${expected}, seen ${seen}`),
      ),
    ]);
  }
  return ok ? EXIT.done : EXIT.failed;
}
