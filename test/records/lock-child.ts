/** A process for the lock's tests: takes a folder's lock on `take`, lets go on `drop`, ends as told. One answer a line. */
import { createInterface } from "node:readline";
import { acquireLock, RecordError, type Lock } from "../../src/records/index.ts";

const folder = process.argv[2] as string;
let lock: Lock | undefined;

function take(): string {
  try {
    lock = acquireLock(folder);
    return "won";
  } catch (error) {
    if (error instanceof RecordError) return error.code;
    return String(error);
  }
}

process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "exit") process.exit(0);
  if (line === "take") process.stdout.write(`${take()}\n`);
  if (line === "drop") {
    lock?.release();
    lock = undefined;
    process.stdout.write("dropped\n");
  }
}
