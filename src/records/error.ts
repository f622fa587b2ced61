/** The one exception of this folder: what a file, a folder or a caller did wrong, in one line a user can act on. */

export const RECORD_ERROR_CODES = [
  // the file system
  "missing",
  "not_a_directory",
  "not_a_file",
  "no_permission",
  "read_only",
  "disk_full",
  "io_failed",
  // what was to be written
  "not_json",
  "bad_entry",
  "line_too_long",
  "log_sealed",
  "log_closed",
  // what was read
  "log_damaged",
  "bad_file",
  "bad_manifest",
  // runs and sets
  "bad_name",
  "locked",
  "run_exists",
  "other_case",
  "other_manifest",
  "other_agent",
  "not_a_set",
  "duplicate_run",
  "misnamed_run",
  "set_exists",
  // judging
  "unknown_judge",
] as const;
export type RecordErrorCode = (typeof RECORD_ERROR_CODES)[number];

/** Faults of the disk: they meet every later write in the same place too. */
const OF_THE_DISK: ReadonlySet<RecordErrorCode> = new Set([
  "disk_full",
  "read_only",
  "no_permission",
  "not_a_directory",
  "io_failed",
]);

export function isDiskFault({ code }: Pick<RecordError, "code">): boolean {
  return OF_THE_DISK.has(code);
}

/** Facts of an error, for programs: plain values by name. */
export type Facts = Readonly<Record<string, string | number | null | readonly string[]>>;

/** What an error is made of: where (a path, or path:line), what was seen there, and how to mend it. */
export interface RecordErrorParts {
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
  readonly facts?: Facts;
  readonly cause?: unknown;
}

/** A fault of a record's files. `code` is stable; the message is `where: what. remedy.` in one line. */
export class RecordError extends Error {
  readonly code: RecordErrorCode;
  readonly where: string;
  readonly facts: Facts;

  constructor(code: RecordErrorCode, parts: RecordErrorParts) {
    super(`${parts.where}: ${parts.what}. ${parts.remedy}.`.replaceAll(/\s+/g, " "), { cause: parts.cause });
    this.name = "RecordError";
    this.code = code;
    this.where = parts.where;
    this.facts = parts.facts ?? {};
  }
}

/** The system's code of a file-system fault (`ENOENT`), where it has one. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : undefined;
}

const BY_ERRNO: Readonly<Record<string, readonly [RecordErrorCode, string, string]>> = {
  ENOENT: ["missing", "it does not exist", "Check the path"],
  ENOTDIR: ["not_a_directory", "a file stands where a folder should", "Check the path, or move that file away"],
  EISDIR: ["not_a_file", "a folder stands where a file should", "Check the path, or move that folder away"],
  EACCES: ["no_permission", "this user may not do that", "Change the permissions, or choose another folder"],
  EPERM: ["no_permission", "this user may not do that", "Change the permissions, or choose another folder"],
  EROFS: ["read_only", "the file system is read-only", "Choose a folder that can be written"],
  ENOSPC: ["disk_full", "the disk is full", "Make room and give the same command again"],
  EDQUOT: ["disk_full", "the disk quota is used up", "Make room and give the same command again"],
};

/** Turns a file-system fault into a RecordError; `doing` says what was tried ("could not be read"). Others pass unchanged. */
export function explainFsError(error: unknown, where: string, doing: string): RecordError {
  if (error instanceof RecordError) return error;
  const errno = errnoOf(error);
  const known = errno === undefined ? undefined : BY_ERRNO[errno];
  const [code, why, remedy] = known ?? [
    "io_failed",
    error instanceof Error ? error.message : String(error),
    "Check the disk and give the same command again",
  ];
  return new RecordError(code, {
    where,
    what: `${doing}: ${why}`,
    remedy,
    facts: { errno: errno ?? null },
    cause: error,
  });
}
