import { statSync } from "node:fs";
import { RecordError } from "./error.ts";

/**
 * Throws `not_a_file` where something else than a file stands at `path`: a pipe or a device would be read for ever.
 * What is not there is the reader's to say.
 */
export function requireRegularFile(path: string): void {
  if (!isSpecial(path)) return;
  throw new RecordError("not_a_file", {
    where: path,
    what: "a pipe, a device or a socket stands where a file should",
    remedy: "Check the path, or move it away",
  });
}

function isSpecial(path: string): boolean {
  try {
    const found = statSync(path);
    return !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
}
