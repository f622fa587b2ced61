/**
 * Writes a log: one writer, append-only, one write of line and newline, on disk before anyone sees the effect.
 *
 * The calls are synchronous on purpose. A line must be durable before its answer is shown, so the caller waits in
 * any case; and without an await there is no moment in which a second append could slip between a line and its sync.
 */
import { existsSync, fstatSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./atomic-file.ts";
import { FIRST_PREV, sealLine } from "./chain.ts";
import { MAX_LINE_BYTES, type LogBody, type LogEntry } from "./entry.ts";
import { explainFsError, RecordError } from "./error.ts";
import { diskIo, type RecordIo } from "./io.ts";
import { damagedLog, recoverLog, type LogFault, type LogPrefix } from "./log-reader.ts";

/** What was cut off a log when it was opened: the torn end that a killed process left. */
export interface LogRepair {
  readonly fault: LogFault;
  /** Bytes cut, from byte `at`. */
  readonly bytes: number;
  readonly at: number;
}

export interface LogWriterOptions {
  /** Whether a line is on disk before `append` returns. Default true; false only where losing the run does not matter. */
  readonly sync?: boolean;
  readonly io?: RecordIo;
}

export class LogWriter {
  readonly path: string;
  /** What opening it cut, where it cut something. */
  readonly repair: LogRepair | undefined;
  readonly #fd: number;
  readonly #io: RecordIo;
  readonly #sync: boolean;
  #lines: number;
  #bytes: number;
  #lastHash: string;
  #sealed = false;
  #open = true;
  #failure: RecordError | undefined;

  /** Use openLogWriter: this takes a file that is already checked and cut to `prefix`. */
  constructor(path: string, fd: number, prefix: LogPrefix, repair: LogRepair | undefined, options: LogWriterOptions) {
    this.path = path;
    this.repair = repair;
    this.#fd = fd;
    this.#io = options.io ?? diskIo;
    this.#sync = options.sync ?? true;
    this.#lines = prefix.lines;
    this.#bytes = prefix.bytes;
    this.#lastHash = prefix.lastHash;
  }

  /** Lines written so far, which is the `seq` of the next one. */
  get lines(): number {
    return this.#lines;
  }

  /** The hash of the last line; 64 zeros before the first. */
  get lastHash(): string {
    return this.#lastHash;
  }

  /**
   * Appends one line and returns it once it is on disk. Throws RecordError: for a body that is not JSON or of no known
   * shape (nothing is written, the log stays usable), or where the disk refuses (the log then takes no further line:
   * what was written of the line is cut off again, here or when the log is next opened).
   */
  append(body: LogBody): LogEntry {
    this.#requireOpen();
    const { text, hash, entry } = sealLine(body, this.#lines, this.#lastHash);
    const bytes = Buffer.from(`${text}\n`);
    if (bytes.length > MAX_LINE_BYTES) {
      throw new RecordError("line_too_long", {
        where: `${this.path}:${this.#lines + 1}`,
        what: `a line of kind ${body.kind} would take ${bytes.length} bytes; at most ${MAX_LINE_BYTES} can be read again`,
        remedy: "This is a fault of the program: what it keeps in one line has bounds",
        facts: { bytes: bytes.length, most: MAX_LINE_BYTES },
      });
    }
    this.#write(bytes);
    this.#lines += 1;
    this.#bytes += bytes.length;
    this.#lastHash = hash;
    this.#sealed = body.kind === "seal";
    return entry;
  }

  /** Appends the seal; nothing can follow it. */
  seal(): LogEntry {
    return this.append({ kind: "seal", lines: this.#lines });
  }

  /** Closes the file. Closing twice does nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#io.closeSync(this.#fd);
  }

  #requireOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#sealed) throw sealedLog(this.path);
    if (this.#open) return;
    throw new RecordError("log_closed", {
      where: this.path,
      what: "the log was closed",
      remedy: "This is a fault of the program",
    });
  }

  #write(bytes: Buffer): void {
    try {
      const count = this.#io.writeSync(this.#fd, bytes);
      if (count !== bytes.length) {
        throw Object.assign(new Error(`only ${count} of ${bytes.length} bytes were written`), { code: "ENOSPC" });
      }
      if (this.#sync) this.#io.fdatasyncSync(this.#fd);
    } catch (error) {
      this.#failure = explainFsError(error, `${this.path}:${this.#lines + 1}`, "the line could not be written");
      this.#cutBack();
      throw this.#failure;
    }
  }

  /** Takes a half-written line off again. Where even that fails, the next opening does it. */
  #cutBack(): void {
    try {
      this.#io.ftruncateSync(this.#fd, this.#bytes);
    } catch {
      // The failure that led here is what the caller must see; it is thrown by #write.
    }
  }
}

function sealedLog(path: string): RecordError {
  return new RecordError("log_sealed", {
    where: path,
    what: "the log is sealed",
    remedy: "A finished run takes no more lines; play another with a higher --repeats",
  });
}

/**
 * Opens a log for appending, and makes it where there is none. A torn end is cut and reported in `repair`: the bytes
 * after the last complete line, or a last complete line that fails the chain. Throws `log_sealed`, `log_damaged`
 * (a fault with sound lines after it, which is not what a killed process leaves) or a fault of the file system.
 * The caller holds the run's lock.
 */
export async function openLogWriter(path: string, options: LogWriterOptions = {}): Promise<LogWriter> {
  const io = options.io ?? diskIo;
  const isNew = !existsSync(path);
  const prefix: LogPrefix = isNew
    ? { lines: 0, bytes: 0, lastHash: FIRST_PREV, sealed: false }
    : await recoverLog(path);
  if (prefix.sealed) throw sealedLog(path);
  if (prefix.end !== undefined && !prefix.end.torn) throw damagedLog(path, prefix.end.fault);
  let fd: number;
  try {
    fd = io.openSync(path, "a");
  } catch (error) {
    throw explainFsError(error, path, "the log could not be opened for writing");
  }
  try {
    const repair = prefix.end === undefined ? undefined : cutTail(fd, prefix.bytes, prefix.end.fault, options);
    if (isNew) syncFolder(dirname(path), io);
    return new LogWriter(path, fd, prefix, repair, options);
  } catch (error) {
    io.closeSync(fd);
    throw explainFsError(error, path, "the log could not be opened for writing");
  }
}

function cutTail(fd: number, at: number, fault: LogFault, options: LogWriterOptions): LogRepair {
  const io = options.io ?? diskIo;
  const bytes = fstatSync(fd).size - at;
  io.ftruncateSync(fd, at);
  if (options.sync ?? true) io.fsyncSync(fd);
  return { fault, bytes, at };
}
