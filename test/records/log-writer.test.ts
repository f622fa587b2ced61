import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkLog,
  diskIo,
  FIRST_PREV,
  openLogWriter,
  verifyLine,
  withoutTime,
  type LogBody,
  type LogEntry,
  type RecordIo,
} from "../../src/records/index.ts";
import { DIGEST_A, failingIo, linesOf, manifest, sampleBodies, tempFolder, thrown, writeLog } from "./fixtures.ts";

const first: LogBody = { kind: "manifest", manifest: withoutTime(manifest) };
const note: LogBody = { kind: "note", text: "after" };

describe("appending", () => {
  it("RC3 a line is written in one piece and synced before append returns", async () => {
    const calls: string[] = [];
    const io: RecordIo = {
      ...diskIo,
      writeSync: ((fd: number, bytes: Buffer) => {
        calls.push(`write ${bytes.at(-1) === 0x0a} ${bytes.toString().split("\n").length}`);
        return diskIo.writeSync(fd, bytes);
      }) as RecordIo["writeSync"],
      fdatasyncSync: (fd) => {
        calls.push("sync");
        diskIo.fdatasyncSync(fd);
      },
    };
    const path = join(tempFolder(), "log.jsonl");
    const log = await openLogWriter(path, { io });
    log.append(first);
    expect(calls).toEqual(["write true 2", "sync"]);
    expect(linesOf(readFileSync(path))).toHaveLength(1);
    log.close();
    log.close();
  });

  it("goes on where an earlier writer stopped, with the chain one writer would have made", async () => {
    const bodies = sampleBodies(8);
    const folder = tempFolder();
    const whole = await writeLog(join(folder, "whole.jsonl"), bodies);
    const path = join(folder, "log.jsonl");
    for (const body of [first, ...bodies]) {
      const log = await openLogWriter(path, { sync: false });
      expect(log.repair).toBeUndefined();
      log.append(body);
      log.close();
    }
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  it("a body that is not JSON leaves the log as it was, and usable", async () => {
    const path = join(tempFolder(), "log.jsonl");
    const log = await openLogWriter(path, { sync: false });
    log.append(first);
    await thrown("not_json", () => log.append({ kind: "outcome", outcome: "limit", detail: NaN }));
    await thrown("bad_entry", () => log.append({ kind: "gossip" } as unknown as LogBody));
    log.append(note);
    log.close();
    expect(await checkLog(path)).toMatchObject({ entries: 2, faults: [] });
  });

  it("a line that could not be read again is refused", async () => {
    const path = join(tempFolder(), "log.jsonl");
    const log = await openLogWriter(path, { sync: false });
    log.append(first);
    const error = await thrown("line_too_long", () =>
      log.append({ kind: "message", role: "user", text: "x".repeat(4 * 1024 * 1024) }),
    );
    expect(error.facts).toMatchObject({ most: 4 * 1024 * 1024 });
    const fits =
      4 * 1024 * 1024 - Buffer.byteLength(JSON.stringify(log.append({ kind: "message", role: "user", text: "" }))) - 1;
    log.append({ kind: "message", role: "user", text: "x".repeat(fits) });
    log.close();
    expect(await checkLog(path)).toMatchObject({ entries: 3, faults: [] });
  });

  it("RC2 a closed log and a sealed log take no more lines, now or when opened again", async () => {
    const path = join(tempFolder(), "log.jsonl");
    const log = await openLogWriter(path, { sync: false });
    log.append(first);
    expect(log.seal()).toMatchObject({ kind: "seal", lines: 1, seq: 1 });
    await thrown("log_sealed", () => log.append(note));
    log.close();
    await thrown("log_sealed", () => openLogWriter(path));
    writeFileSync(path, "torn", { flag: "a" });
    await thrown("log_sealed", () => openLogWriter(path));

    const other = await openLogWriter(join(tempFolder(), "log.jsonl"), { sync: false });
    other.close();
    await thrown("log_closed", () => other.append(first));
  });
});

describe("a process killed at any byte", () => {
  it("RC3 leaves a prefix that is found, cut, reported, and gone on from", async () => {
    const path = join(tempFolder(), "log.jsonl");
    const notes = Array.from({ length: 13 }, (_, i): LogBody => ({ kind: "note", text: `${i}` }));
    const bytes = await writeLog(path, [...sampleBodies(6), ...notes]);
    const ends = [0, ...[...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1)];
    const hashes = [FIRST_PREV, ...linesOf(bytes).map((line) => (JSON.parse(line) as LogEntry).hash)];
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length));
      const log = await openLogWriter(path, { sync: false });
      const lines = ends.filter((end) => end <= length).length - 1;
      const end = ends[lines] as number;
      const { at, bytes: cut, fault } = log.repair ?? {};
      const repair = length === end ? [] : [end, length - end, "torn", lines + 1];
      expect([log.lines, at, cut, fault?.kind, fault?.line].filter((fact) => fact !== undefined)).toEqual([
        lines,
        ...repair,
      ]);
      log.append(lines === 0 ? first : note);
      log.close();
      // The prefix byte for byte as it was, and one line more that follows it: the whole log verifies.
      const after = readFileSync(path);
      const added = after.subarray(end, -1).toString();
      const intact = after.subarray(0, end).equals(bytes.subarray(0, end)) && after.at(-1) === 0x0a;
      expect([intact, verifyLine(added, lines, hashes[lines] as string).ok]).toEqual([true, true]);
    }
  }, 120_000);

  it("while it seals leaves a log that can be sealed again", async () => {
    const path = join(tempFolder(), "log.jsonl");
    const bytes = await writeLog(path, sampleBodies(2), true);
    const sealAt = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
    for (let length = sealAt; length < bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length));
      const log = await openLogWriter(path, { sync: false });
      log.seal();
      log.close();
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }
  });

  it("RC3 a last complete line that fails the chain is cut too", async () => {
    const path = join(tempFolder(), "log.jsonl");
    const bytes = await writeLog(path, sampleBodies(3));
    writeFileSync(path, `${"\0".repeat(100)}\n`, { flag: "a" });
    const log = await openLogWriter(path);
    expect(log.repair).toMatchObject({ bytes: 101, at: bytes.length, fault: { line: 5, kind: "not_json" } });
    log.close();
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("a fault with lines after it is no torn end: nothing is cut, and the line is named", async () => {
    const path = join(tempFolder(), "log.jsonl");
    const bytes = await writeLog(path, sampleBodies(6));
    const damaged = Buffer.from(bytes);
    damaged[bytes.indexOf('"page":0') + 7] = 0x37;
    writeFileSync(path, damaged);
    const error = await thrown("log_damaged", () => openLogWriter(path));
    expect(error.message).toMatch(
      /log\.jsonl:2: the log is damaged \(wrong_hash\): expected hash [0-9a-f]{64} by its content, seen hash [0-9a-f]{64}\. /,
    );
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });
});

describe("a disk that refuses", () => {
  const wrongs: readonly (readonly [keyof RecordIo, string, "disk_full" | "io_failed"])[] = [
    ["writeSync", "ENOSPC", "disk_full"],
    ["writeSync", "EIO", "io_failed"],
    ["fdatasyncSync", "EIO", "io_failed"],
  ];
  it.each(wrongs)(
    "%s with %s surfaces, and the log takes no further line until it is opened again",
    async (call, errno, code) => {
      const path = join(tempFolder(), "log.jsonl");
      const log = await openLogWriter(path, { io: failingIo(call, errno, 2) });
      log.append(first);
      const size = statSync(path).size;
      const error = await thrown(code, () => log.append(note));
      expect(error.message).toContain(`${path}:2: the line could not be written`);
      expect(await thrown(code, () => log.append(note))).toBe(error);
      expect(statSync(path).size).toBe(size);
      log.close();
      const again = await openLogWriter(path);
      expect([again.lines, again.repair]).toEqual([1, undefined]);
      again.append(note);
      again.close();
      expect(await checkLog(path)).toMatchObject({ entries: 2, faults: [] });
    },
  );

  it("a half-written line is cut off again; where that fails too, the next opening does it", async () => {
    const path = join(tempFolder(), "log.jsonl");
    let writes = 0;
    const half = ((fd: number, bytes: Buffer) => {
      writes += 1;
      return diskIo.writeSync(fd, writes === 1 ? bytes : bytes.subarray(0, 10));
    }) as RecordIo["writeSync"];
    const log = await openLogWriter(path, { io: { ...failingIo("ftruncateSync", "EIO"), writeSync: half } });
    log.append(first);
    const size = statSync(path).size;
    expect((await thrown("disk_full", () => log.append(note))).cause).toMatchObject({
      message: expect.stringMatching(/^only 10 of \d+ bytes were written$/) as string,
    });
    log.close();
    expect(statSync(path).size).toBe(size + 10);
    const again = await openLogWriter(path);
    expect(again.repair).toMatchObject({ bytes: 10, at: size });
    again.close();
    expect(statSync(path).size).toBe(size);
  });

  it.each([
    ["EACCES", "no_permission"],
    ["EROFS", "read_only"],
  ] as const)("opening it for writing with %s is one clear error", async (errno, code) => {
    const path = join(tempFolder(), "log.jsonl");
    await writeLog(path, sampleBodies(2));
    const error = await thrown(code, () => openLogWriter(path, { io: failingIo("openSync", errno) }));
    expect(error.message).toContain("the log could not be opened for writing");
  });

  it("an empty log begins at 64 zeros", async () => {
    const path = join(tempFolder(), "log.jsonl");
    writeFileSync(path, "");
    truncateSync(path, 0);
    const log = await openLogWriter(path);
    expect([log.lines, log.lastHash]).toEqual([0, FIRST_PREV]);
    log.close();
    expect(DIGEST_A).toHaveLength(64);
  });
});
