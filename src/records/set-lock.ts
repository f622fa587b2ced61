/** A set's ledger is amended by one process at a time; each takes a moment, so the others wait. */
import { RecordError } from "./error.ts";
import { acquireLock, type Lock } from "./lock.ts";

const ATTEMPTS = 250;
const PAUSE_MS = 20;

/**
 * Reads and amends what a set keeps beside its runs, while no other process does. The set's folder must be there.
 * Throws `locked` where another holds it for longer than any amendment takes.
 */
export function amendSet<T>(setFolder: string, amend: () => T): T {
  const lock = waitForLock(setFolder);
  try {
    return amend();
  } finally {
    lock.release();
  }
}

function waitForLock(setFolder: string): Lock {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return acquireLock(setFolder);
    } catch (error) {
      if (!(error instanceof RecordError) || error.code !== "locked") throw error;
      if (attempt === ATTEMPTS) throw heldTooLong(setFolder, error);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function heldTooLong(setFolder: string, { where, facts }: RecordError): RecordError {
  const who = `process ${String(facts["pid"])} on ${String(facts["host"])}`;
  return new RecordError("locked", {
    where: setFolder,
    what: `${who} keeps amending the set`,
    remedy: `Try again when it has ended; if it is gone, delete ${where}`,
    facts,
  });
}
