import { dirname } from "node:path";
import { errnoOf, explainFsError } from "./error.ts";
import { diskIo, type RecordIo } from "./io.ts";

/**
 * Makes a folder and what is missing above it; one that is there is fine. Not `recursive: true`: Node 20 then tries for
 * ever where a file system answers ENOENT to the making of a folder whose parent is there, as /proc does. Throws RecordError.
 */
export function makeFolders(path: string, io: RecordIo = diskIo): void {
  const error = tryToMake(path, io);
  if (error === undefined) return;
  const parent = dirname(path);
  if (errnoOf(error) !== "ENOENT" || parent === path) throw explainFsError(error, path, "the folder could not be made");
  makeFolders(parent, io);
  const again = tryToMake(path, io);
  if (again !== undefined) throw explainFsError(again, path, "the folder could not be made");
}

/** undefined where the folder is there now. Whether it is a folder that stands there shows when it is used. */
function tryToMake(path: string, io: RecordIo): unknown {
  try {
    io.mkdirSync(path);
    return undefined;
  } catch (error) {
    return errnoOf(error) === "EEXIST" ? undefined : error;
  }
}
