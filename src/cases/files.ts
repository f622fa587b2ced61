import { readFileSync, statSync } from "node:fs";
import { succeed, type Result } from "../runtime/index.ts";
import { MAX_FILE_BYTES } from "./source.ts";

/** The text of a UTF-8 file of at most 1 MB; the error is what is wrong with it: `is missing`, `is not UTF-8 text`. */
export function readText(file: string): Result<string, string> {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return { ok: false, error: "is not a file" };
    if (stat.size > MAX_FILE_BYTES) return { ok: false, error: `has ${stat.size} bytes, more than ${MAX_FILE_BYTES}` };
    return succeed(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: false, error: "is missing" };
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return { ok: false, error: "is not UTF-8 text" };
    if (code === "EACCES") return { ok: false, error: "may not be read" };
    throw error;
  }
}
