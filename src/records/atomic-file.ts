/** Files that are there in full or not at all, whenever the process dies. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errnoOf, explainFsError } from "./error.ts";
import { diskIo, type RecordIo } from "./io.ts";
import { requireRegularFile } from "./regular-file.ts";

let written = 0;

/** Makes the entries of a folder durable. Some systems cannot open a folder for that; then there is nothing to do. */
export function syncFolder(folder: string, io: RecordIo = diskIo): void {
  let fd: number;
  try {
    fd = io.openSync(folder, "r");
  } catch (error) {
    if (process.platform === "win32") return;
    throw explainFsError(error, folder, "the folder could not be opened");
  }
  try {
    io.fsyncSync(fd);
  } catch (error) {
    if (errnoOf(error) !== "EINVAL" && errnoOf(error) !== "EPERM")
      throw explainFsError(error, folder, "the folder could not be made durable");
  } finally {
    io.closeSync(fd);
  }
}

/** Writes a durable file beside `path` and returns its path, for a rename or link into place. */
function writeBeside(path: string, bytes: Buffer, io: RecordIo): string {
  written += 1;
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}-${written}.tmp`);
  const fd = io.openSync(beside, "w");
  try {
    for (let from = 0; from < bytes.length;) from += io.writeSync(fd, bytes, from);
    io.fsyncSync(fd);
  } catch (error) {
    io.closeSync(fd);
    io.unlinkSync(beside);
    throw error;
  }
  io.closeSync(fd);
  return beside;
}

/** Puts `text` at `path`, in place of what is there. */
export function replaceFile(path: string, text: string, io: RecordIo = diskIo): void {
  try {
    io.renameSync(writeBeside(path, Buffer.from(text), io), path);
  } catch (error) {
    throw explainFsError(error, path, "it could not be written");
  }
  syncFolder(dirname(path), io);
}

/**
 * Puts `text` at `path` unless something is there: `written`, `same` where the same bytes are there already,
 * `different` where others are (nothing is changed then).
 */
export function writeOnce(path: string, text: string, io: RecordIo = diskIo): "written" | "same" | "different" {
  const bytes = Buffer.from(text);
  const before = compareWith(path, bytes);
  if (before !== "absent") return before;
  let beside: string | undefined;
  try {
    beside = writeBeside(path, bytes, io);
    placeNew(beside, path, io);
  } catch (error) {
    if (beside !== undefined) io.unlinkSync(beside);
    const after = errnoOf(error) === "EEXIST" ? compareWith(path, bytes) : "absent";
    if (after !== "absent") return after;
    throw explainFsError(error, path, "it could not be written");
  }
  syncFolder(dirname(path), io);
  return "written";
}

/** A link fails where the name is taken, even by a racing process; a rename would overwrite. Not every file system links. */
function placeNew(beside: string, path: string, io: RecordIo): void {
  try {
    io.linkSync(beside, path);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw error;
    io.renameSync(beside, path);
    return;
  }
  io.unlinkSync(beside);
}

function compareWith(path: string, bytes: Buffer): "same" | "different" | "absent" {
  requireRegularFile(path);
  try {
    return readFileSync(path).equals(bytes) ? "same" : "different";
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "absent";
    throw explainFsError(error, path, "it could not be read");
  }
}

/** The text of a file; undefined where there is none. */
export function readIfThere(path: string): string | undefined {
  requireRegularFile(path);
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw explainFsError(error, path, "it could not be read");
  }
}
