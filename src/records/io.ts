/** The file-system calls that change something, as one port: tests put faults of a disk in their place. */
import fs from "node:fs";

export type RecordIo = Pick<
  typeof fs,
  | "closeSync"
  | "fdatasyncSync"
  | "fsyncSync"
  | "ftruncateSync"
  | "linkSync"
  | "mkdirSync"
  | "openSync"
  | "renameSync"
  | "unlinkSync"
  | "writeSync"
>;

export const diskIo: RecordIo = fs;
