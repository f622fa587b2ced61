/** Appends lines to an open file: one write of line and newline, on disk before it counts as written. */
import { MAX_LINE_BYTES } from "./entry.ts";
import { explainFsError, RecordError } from "./error.ts";
import { diskIo, type RecordIo } from "./io.ts";

export interface LineAppenderOptions {
  readonly sync?: boolean;
  readonly io?: RecordIo;
}

/** Synchronous on purpose: without an await no second line can slip between a line and its sync. */
export class LineAppender {
  readonly #path: string;
  readonly #fd: number;
  readonly #io: RecordIo;
  readonly #sync: boolean;
  #bytes: number;
  #open = true;
  #failure: RecordError | undefined;

  /** Takes a file that is open for appending and has `bytes` bytes, all of them whole lines. */
  constructor(path: string, fd: number, bytes: number, options: LineAppenderOptions) {
    this.#path = path;
    this.#fd = fd;
    this.#bytes = bytes;
    this.#io = options.io ?? diskIo;
    this.#sync = options.sync ?? true;
  }

  /** Appends a text without newlines. Throws `line_too_long`, `log_closed`, or where the disk refuses, for good then. */
  append(text: string): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#open) {
      throw new RecordError("log_closed", {
        where: this.#path,
        what: "the file was closed",
        remedy: "This is a fault of the program",
      });
    }
    const bytes = Buffer.from(`${text}\n`);
    if (bytes.length > MAX_LINE_BYTES) {
      throw new RecordError("line_too_long", {
        where: this.#path,
        what: `a line would take ${bytes.length} bytes; at most ${MAX_LINE_BYTES} can be read again`,
        remedy: "This is a fault of the program: what it keeps in one line has bounds",
        facts: { bytes: bytes.length, most: MAX_LINE_BYTES },
      });
    }
    this.#write(bytes);
    this.#bytes += bytes.length;
  }

  /** Closes the file. Twice does nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#io.closeSync(this.#fd);
  }

  #write(bytes: Buffer): void {
    try {
      const count = this.#io.writeSync(this.#fd, bytes);
      if (count !== bytes.length)
        throw Object.assign(new Error(`only ${count} of ${bytes.length} bytes were written`), { code: "ENOSPC" });
      if (this.#sync) this.#io.fdatasyncSync(this.#fd);
    } catch (error) {
      this.#failure = explainFsError(error, this.#path, "a line could not be written");
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
