/**
 * Holds a run's folder for one process.
 *
 * A lock is a file `lock.<n>`, made with the flag `wx`. To take over from a dead holder of `lock.1` one makes `lock.2`:
 * of several who try, the file system lets one. Deleting the dead file first and making it again would not do: a slow
 * second process could delete the fresh lock of a quick first one. Whoever has made a file then looks at the folder once
 * more and holds the lock only if every other lock file there is a dead process's; of two who made files of different
 * numbers, the one that looked later sees the other.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { canonicalJson } from "../runtime/index.ts";
import { errnoOf, explainFsError, RecordError } from "./error.ts";
import { isAlive, startOfProcess } from "./process-identity.ts";

/** What a lock file holds. */
const holderSchema = z.strictObject({
  host: z.string(),
  /** Tells two locks of one process apart. */
  nonce: z.string(),
  pid: z.int().min(1),
  started: z.string().nullable(),
});
type Holder = z.infer<typeof holderSchema>;

/** A folder that this process holds. */
export interface Lock {
  readonly path: string;
  /** Lets go of the folder. Twice does nothing. */
  readonly release: () => void;
}

interface LockFile {
  readonly path: string;
  readonly number: number;
  /** Undefined where it was made but not yet written, or is gone. */
  readonly holder: Holder | undefined;
}

const LOCK_NAME = /^lock\.([1-9][0-9]{0,8})$/;
const ATTEMPTS = 50;
const PAUSE_MS = 20;

/**
 * Takes the lock of a folder, which must exist. Throws `locked`, naming the file and the process, where a living
 * process (this one included) or one on another machine holds it.
 */
export function acquireLock(folder: string): Lock {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const others = listLocks(folder);
    const living = others.find((lock) => lives(lock, attempt));
    if (living?.holder !== undefined) throw lockedBy(living.path, living.holder);
    if (living === undefined) {
      const lock = tryLock(folder, Math.max(0, ...others.map((other) => other.number)) + 1);
      if (lock !== undefined) return lock;
    }
    // Several processes are at it, or one is between making its file and writing it. Random, so that they part.
    pause(PAUSE_MS * (0.5 + Math.random()));
  }
  throw new RecordError("locked", {
    where: folder,
    what: "other processes kept taking its lock",
    remedy: "Try again when they have ended",
  });
}

/** A file not yet written is somebody's who is just starting; one that stays so is dead. Its maker looks again and yields. */
function lives(lock: LockFile, attempt: number): boolean {
  if (lock.holder === undefined) return attempt <= ATTEMPTS / 2;
  // Another machine's processes cannot be seen from here.
  return lock.holder.host !== hostname() || isAlive(lock.holder.pid, lock.holder.started);
}

function tryLock(folder: string, number: number): Lock | undefined {
  const path = join(folder, `lock.${number}`);
  const me: Holder = { host: hostname(), nonce: randomUUID(), pid: process.pid, started: startOfProcess(process.pid) };
  try {
    fs.writeFileSync(path, `${canonicalJson(me)}\n`, { flag: "wx" });
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return undefined;
    throw explainFsError(error, path, "the lock could not be made");
  }
  const all = listLocks(folder);
  const others = all.filter((lock) => lock.path !== path);
  const mineIsThere = all.some((lock) => lock.holder?.nonce === me.nonce);
  if (!mineIsThere || others.some((other) => other.number > number || lives(other, ATTEMPTS))) {
    removeIfMine(path, me.nonce);
    return undefined;
  }
  for (const dead of others) fs.rmSync(dead.path, { force: true });
  return hold(path, me.nonce);
}

const held = new Map<string, () => void>();

function hold(path: string, nonce: string): Lock {
  if (held.size === 0) process.on("exit", releaseAll);
  const release = (): void => {
    if (!held.delete(nonce)) return;
    if (held.size === 0) process.off("exit", releaseAll);
    removeIfMine(path, nonce);
  };
  held.set(nonce, release);
  return { path, release };
}

function releaseAll(): void {
  // Each release takes itself out of the map, which a walk over a map allows.
  for (const release of held.values()) release();
}

function removeIfMine(path: string, nonce: string): void {
  if (readHolder(path)?.nonce === nonce) fs.rmSync(path, { force: true });
}

function listLocks(folder: string): readonly LockFile[] {
  let names: readonly string[];
  try {
    names = fs.readdirSync(folder);
  } catch (error) {
    throw explainFsError(error, folder, "the run's folder could not be read");
  }
  return names.flatMap((name) => {
    const number = LOCK_NAME.exec(name)?.[1];
    const path = join(folder, name);
    return number === undefined ? [] : [{ path, number: Number(number), holder: readHolder(path) }];
  });
}

function readHolder(path: string): Holder | undefined {
  try {
    const parsed = holderSchema.safeParse(JSON.parse(fs.readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || errnoOf(error) === "ENOENT") return undefined;
    throw explainFsError(error, path, "the lock could not be read");
  }
}

function lockedBy(path: string, holder: Holder): RecordError {
  const here = holder.host === hostname();
  const who =
    holder.pid === process.pid && here
      ? "this process already"
      : `process ${holder.pid}${here ? "" : ` on ${holder.host}`}`;
  const remedy = here
    ? "Wait until it ends, or end it"
    : `Wait until it ends; if nothing runs on ${holder.host} any more, delete the lock file`;
  return new RecordError("locked", {
    where: path,
    what: `the run is held by ${who}`,
    remedy,
    facts: { pid: holder.pid, host: holder.host, file: path },
  });
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
