import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { acquireLock } from "../../src/records/index.ts";
import { isAlive, startOfProcess } from "../../src/records/process-identity.ts";
import { tempFolder, thrown } from "./fixtures.ts";

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ask: (what: string) => Promise<string>;
  readonly ended: Promise<void>;
}

/** Starts a process that can take the lock of `folder`, and waits until it is ready. */
async function startChild(folder: string): Promise<Child> {
  const script = fileURLToPath(new URL("lock-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, folder]);
  children.push(child);
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  expect(await next()).toBe("ready");
  const ask = async (what: string): Promise<string> => {
    child.stdin.write(`${what}\n`);
    return await next();
  };
  return { process: child, ask, ended };
}

/** A lock file as another process would have left it. */
function writeLock(
  folder: string,
  number: number,
  holder: { pid: number; started?: string | null; host?: string },
): string {
  const path = join(folder, `lock.${number}`);
  const { pid, started = null, host = hostname() } = holder;
  writeFileSync(path, `${JSON.stringify({ host, nonce: `n${number}`, pid, started })}\n`);
  return path;
}

/** The pid of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid;
const locksIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.startsWith("lock"));

describe("a lock", () => {
  it("names its holder while it is held, and leaves nothing when released, even twice", async () => {
    const folder = tempFolder();
    const lock = acquireLock(folder);
    expect(JSON.parse(readFileSync(lock.path, "utf8"))).toMatchObject({
      pid: process.pid,
      started: startOfProcess(process.pid),
      host: hostname(),
    });
    const error = await thrown("locked", () => acquireLock(folder));
    expect(error.message).toBe(`${lock.path}: the run is held by this process already. Wait until it ends, or end it.`);
    lock.release();
    lock.release();
    expect(locksIn(folder)).toEqual([]);
    acquireLock(folder).release();
  });

  it("RC9 held by a living process is refused with its pid and the file", async () => {
    const folder = tempFolder();
    const path = writeLock(folder, 1, { pid: process.ppid, started: startOfProcess(process.ppid) });
    const error = await thrown("locked", () => acquireLock(folder));
    expect(error.facts).toEqual({ pid: process.ppid, host: hostname(), file: path });
    expect(error.message).toContain(`held by process ${process.ppid}`);
    expect(locksIn(folder)).toEqual(["lock.1"]);
  });

  it("RC9 of a process that is gone is taken over", () => {
    const folder = tempFolder();
    writeLock(folder, 1, { pid: deadPid(), started: "1" });
    writeLock(folder, 2, { pid: deadPid() });
    const lock = acquireLock(folder);
    expect(locksIn(folder)).toEqual(["lock.3"]);
    lock.release();
    expect(locksIn(folder)).toEqual([]);
  });

  it.runIf(existsSync("/proc/self/stat"))("whose pid belongs to another process now is taken over", () => {
    const folder = tempFolder();
    writeLock(folder, 1, { pid: process.pid, started: `${Number(startOfProcess(process.pid)) - 1}` });
    acquireLock(folder).release();
    expect(locksIn(folder)).toEqual([]);
  });

  it("of another machine is never taken over: its processes cannot be seen", async () => {
    const folder = tempFolder();
    const path = writeLock(folder, 1, { pid: deadPid(), host: "elsewhere.example" });
    expect((await thrown("locked", () => acquireLock(folder))).message).toBe(
      `${path}: the run is held by process ${JSON.parse(readFileSync(path, "utf8")).pid} on elsewhere.example. Wait until it ends; if nothing runs on elsewhere.example any more, delete the lock file.`,
    );
  });

  it("a dead process's newer file does not hide a living holder's older one", async () => {
    const folder = tempFolder();
    writeLock(folder, 1, { pid: process.ppid, started: startOfProcess(process.ppid) });
    writeLock(folder, 2, { pid: deadPid() });
    await thrown("locked", () => acquireLock(folder));
    expect(locksIn(folder)).toEqual(["lock.1", "lock.2"]);
  });

  it("that was made and never written is waited for, then taken over", () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "lock.1"), "");
    acquireLock(folder).release();
    expect(locksIn(folder)).toEqual([]);
  });

  it("that somebody else took from under it is not removed by its release", () => {
    const folder = tempFolder();
    const lock = acquireLock(folder);
    rmSync(lock.path);
    writeLock(folder, 1, { pid: process.ppid });
    lock.release();
    expect(locksIn(folder)).toEqual(["lock.1"]);
  });

  it("of a folder that is not there, or is a file, is one clear error", async () => {
    const folder = tempFolder();
    expect((await thrown("missing", () => acquireLock(join(folder, "none")))).where).toBe(join(folder, "none"));
    writeFileSync(join(folder, "file"), "");
    await thrown("not_a_directory", () => acquireLock(join(folder, "file")));
  });
});

describe("processes", () => {
  it("a process that is gone is not alive; one that runs is, unless its start is another", () => {
    expect(isAlive(deadPid(), null)).toBe(false);
    expect(isAlive(process.pid, null)).toBe(true);
    expect(isAlive(process.pid, startOfProcess(process.pid))).toBe(true);
    expect(startOfProcess(deadPid())).toBeNull();
  });

  it("RC9 a second process is refused while the first holds the folder, and let in when it exits", async () => {
    const folder = tempFolder();
    const child = await startChild(folder);
    expect(await child.ask("take")).toBe("won");
    expect((await thrown("locked", () => acquireLock(folder))).facts).toMatchObject({ pid: child.process.pid ?? null });
    child.process.stdin.write("exit\n");
    await child.ended;
    expect(locksIn(folder)).toEqual([]);
    acquireLock(folder).release();
  });

  it("a killed process's lock is taken over", async () => {
    const folder = tempFolder();
    const child = await startChild(folder);
    expect(await child.ask("take")).toBe("won");
    child.process.kill("SIGKILL");
    await child.ended;
    expect(locksIn(folder)).toEqual(["lock.1"]);
    acquireLock(folder).release();
    expect(locksIn(folder)).toEqual([]);
  });

  it("RC9 of several that race for a stale lock, or for none, exactly one wins", async () => {
    const folder = tempFolder();
    const racers = await Promise.all([0, 1, 2, 3].map(() => startChild(folder)));
    const pid = deadPid();
    for (let round = 0; round < 60; round++) {
      if (round % 3 !== 2) writeLock(folder, 1 + (round % 4), { pid });
      const answers = await Promise.all(racers.map((racer) => racer.ask("take")));
      expect([...answers].sort()).toEqual(["locked", "locked", "locked", "won"]);
      expect(locksIn(folder)).toHaveLength(1);
      await Promise.all(racers.map((racer) => racer.ask("drop")));
      expect(locksIn(folder)).toEqual([]);
    }
  });
});
