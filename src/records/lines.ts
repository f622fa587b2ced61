/** Reads a file line by line as bytes, in flat memory whatever its size. */
import { open } from "node:fs/promises";
import type { LineFault } from "./chain.ts";
import { MAX_LINE_BYTES } from "./entry.ts";
import { explainFsError } from "./error.ts";
import { requireRegularFile } from "./regular-file.ts";

/** One line: its number (from 1), the bytes [start, end) it takes with its newline, and its text or why it has none. */
export interface FileLine {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text?: string;
  readonly fault?: LineFault;
  /** What can still be read of a line that is not UTF-8. */
  readonly remains?: string;
}

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
// ignoreBOM keeps the mark in the text: else bytes put before a line would not show.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes; undefined where they are none. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Yields the lines of a file. Bytes at the end without a newline come as a `torn` fault, a line above `maxLineBytes`
 * as `too_long` (without being held), one that is not UTF-8 as `not_json`. Throws RecordError where it cannot be read.
 */
export async function* readLines(
  path: string,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<FileLine, void, undefined> {
  requireRegularFile(path);
  const file = await open(path, "r").catch((error: unknown) => {
    throw explainFsError(error, path, "it could not be read");
  });
  try {
    let line = 1;
    let start = 0;
    let position = 0;
    let parts: Uint8Array[] = [];
    let held = 0;
    const take = (end: number): FileLine => {
      const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
      const taken = { line, start, end, ...contentOf(bytes, end - start, maxLineBytes) };
      parts = [];
      held = 0;
      line += 1;
      start = end;
      return taken;
    };
    const hold = (bytes: Uint8Array): void => {
      if (held + bytes.length >= maxLineBytes) parts = [];
      else parts.push(bytes);
      held += bytes.length;
    };
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position).catch((error: unknown) => {
        throw explainFsError(error, path, "it could not be read");
      });
      if (bytesRead === 0) break;
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < bytesRead; at = chunk.indexOf(NEWLINE, from)) {
        hold(chunk.subarray(from, at));
        from = at + 1;
        yield take(position + from);
      }
      hold(chunk.subarray(from, bytesRead));
      position += bytesRead;
    }
    if (position > start) {
      const seen = `${position - start} bytes without a newline`;
      yield { line, start, end: position, fault: { kind: "torn", expected: "a line that ends with a newline", seen } };
    }
  } finally {
    await file.close();
  }
}

function contentOf(
  bytes: Uint8Array,
  length: number,
  maxLineBytes: number,
): Pick<FileLine, "text" | "fault" | "remains"> {
  if (length > maxLineBytes) {
    return {
      fault: { kind: "too_long", expected: `a line of at most ${maxLineBytes} bytes`, seen: `${length} bytes` },
    };
  }
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text };
  const fault: LineFault = { kind: "not_json", expected: "UTF-8 text", seen: "bytes that are not UTF-8" };
  return { fault, remains: Buffer.from(bytes).toString("latin1") };
}
