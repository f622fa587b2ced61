/** How far a run has come, from the end of its log alone: listing a thousand runs must not read a thousand logs. */
import { open, type FileHandle } from "node:fs/promises";
import { entryOf, readLoneLine } from "./chain.ts";
import { isPlay, type LogEntry } from "./entry.ts";
import { errnoOf, explainFsError } from "./error.ts";
import { decodeUtf8 } from "./lines.ts";
import type { Outcome } from "./outcome.ts";
import { requireRegularFile } from "./regular-file.ts";

/**
 * `begun`: no outcome, or the run was played on after it; `ended`: an outcome, not sealed; `sealed`: final.
 * Says nothing of whether the log is sound: that is the audit's to find.
 */
export type LogProgress =
  | { readonly state: "begun" }
  | { readonly state: "ended"; readonly outcome: Outcome }
  | { readonly state: "sealed"; readonly outcome?: Outcome };

const FIRST_READ_BYTES = 64 * 1024;

/** Reads how far a log has come. A log that is not there has begun with nothing. */
export async function readProgress(path: string): Promise<LogProgress> {
  requireRegularFile(path);
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { state: "begun" };
    throw explainFsError(error, path, "it could not be read");
  }
  try {
    const { size } = await file.stat();
    for (let length = Math.min(size, FIRST_READ_BYTES); ; length = Math.min(size, length * 8)) {
      const progress = progressOf(await readEnd(file, size, length), length === size);
      if (progress !== undefined) return progress;
      if (length === size) return { state: "begun" };
    }
  } catch (error) {
    throw explainFsError(error, path, "it could not be read");
  } finally {
    await file.close();
  }
}

async function readEnd(file: FileHandle, size: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, size - length + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Goes back over the complete lines of `bytes`; undefined where they do not settle it. */
function progressOf(bytes: Buffer, fromStart: boolean): LogProgress | undefined {
  let sealed = false;
  // After the last newline is a torn line, before the first (unless it is line 0) a part of one.
  let end = bytes.lastIndexOf(0x0a);
  while (end > 0) {
    const newline = bytes.lastIndexOf(0x0a, end - 1);
    if (newline === -1 && !fromStart) break;
    const entry = entryIn(bytes.subarray(newline + 1, end));
    if (entry?.kind === "outcome") return { state: sealed ? "sealed" : "ended", outcome: entry.outcome };
    if (entry?.kind === "seal") sealed = true;
    else if (entry !== undefined && isPlay(entry)) return { state: sealed ? "sealed" : "begun" };
    end = newline;
  }
  return fromStart ? { state: sealed ? "sealed" : "begun" } : undefined;
}

function entryIn(bytes: Buffer): LogEntry | undefined {
  const text = decodeUtf8(bytes);
  const entry = text === undefined ? undefined : entryOf(readLoneLine(text));
  return entry?.ok === true ? entry.value : undefined;
}
