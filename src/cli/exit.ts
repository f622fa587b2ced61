/** What an exception comes to: a line and an exit code. */
import { escapeText } from "../report/index.ts";
import { RecordError, type RecordErrorCode } from "../records/index.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { note } from "./output.ts";
import { UserError } from "./user-error.ts";

export { EXIT, type ExitCode };

/** What no other words of the command would have mended: the disk, or another command that is at it. */
const NO_WRONG_USE: ReadonlySet<RecordErrorCode> = new Set(["disk_full", "read_only", "io_failed", "locked"]);

/** Says what went wrong on stderr and returns the code to end with. */
export function explain(error: unknown): ExitCode {
  if (error instanceof UserError) {
    note(`worldagent: ${escapeText(error.message)}`);
    for (const detail of error.details) note(escapeText(detail));
    return EXIT.wrongUse;
  }
  if (error instanceof RecordError) {
    note(`worldagent: ${escapeText(error.message)}`);
    debug(error);
    return NO_WRONG_USE.has(error.code) ? EXIT.failed : EXIT.wrongUse;
  }
  note(
    `worldagent: internal error: ${escapeText(error instanceof Error ? error.message : String(error))} (WORLDAGENT_DEBUG=1 shows where)`,
  );
  debug(error);
  return EXIT.failed;
}

/** The stack of an exception, where somebody asked for stacks. */
export function debug(error: unknown): void {
  if (process.env["WORLDAGENT_DEBUG"] === "1" && error instanceof Error) note(error.stack ?? error.message);
}
