import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  checkLog,
  describeLogFault,
  FIRST_PREV,
  MAX_LINE_BYTES,
  readEntries,
  readLog,
  recoverLog,
  sealLine,
  type LogBody,
  type LogEntry,
} from "../../src/records/index.ts";
import { collect, linesOf, sampleBodies, tempFolder, thrown, writeLog } from "./fixtures.ts";

let path: string;
let bytes: Buffer;
let lines: readonly string[];
beforeEach(async () => {
  path = join(tempFolder(), "log.jsonl");
  bytes = await writeLog(path, [...sampleBodies(12), { kind: "outcome", outcome: "finished" }], true);
  lines = linesOf(bytes);
});

/** The faults of a log of these lines, as `line kind`. */
async function faultsOf(changed: readonly string[] | Buffer): Promise<readonly string[]> {
  writeFileSync(path, Buffer.isBuffer(changed) ? changed : changed.map((line) => `${line}\n`).join(""));
  const { faults } = await checkLog(path);
  return faults.map((fault) => `${fault.line} ${fault.kind}`);
}
const without = (k: number): readonly string[] => lines.filter((_, i) => i !== k);
const replaced = (k: number, text: string): readonly string[] => lines.map((line, i) => (i === k ? text : line));
/** The line k with its hash made right again after `edit`. */
function forged(k: number, edit: (body: LogBody) => LogBody): string {
  const { seq, prev, hash: _, ...body } = JSON.parse(lines[k] as string) as LogEntry;
  return sealLine(edit(body), seq, prev).text;
}

describe("a sound log", () => {
  it("yields every entry, in order, with no fault", async () => {
    const entries: LogEntry[] = [];
    const check = await checkLog(path, (entry) => entries.push(entry));
    expect(check).toEqual({ entries: 15, lastHash: entries.at(-1)?.hash, sealed: true, faults: [] });
    expect(entries.map((entry) => entry.seq)).toEqual(lines.map((_, i) => i));
    expect(await collect(readEntries(path))).toEqual(entries);
  });

  it("is recovered whole", async () => {
    const last = JSON.parse(lines.at(-1) as string) as LogEntry;
    expect(await recoverLog(path)).toEqual({ lines: 15, bytes: bytes.length, lastHash: last.hash, sealed: true });
  });

  it("reads the same where lines lie across the chunks in which a file is read", async () => {
    const big: LogBody = { kind: "message", role: "user", text: "é".repeat(50_000) };
    const other = join(tempFolder(), "log.jsonl");
    await writeLog(other, [big, ...sampleBodies(3), big, big, ...sampleBodies(400)]);
    expect(await checkLog(other)).toMatchObject({ entries: 407, faults: [] });
  });

  it("may be empty, which is a log that was not begun", async () => {
    expect(await faultsOf(Buffer.alloc(0))).toEqual([]);
    expect(await recoverLog(path)).toEqual({ lines: 0, bytes: 0, lastHash: FIRST_PREV, sealed: false });
  });
});

describe("tampering is named by line", () => {
  it("RC2 a removed line: at the line that stands in its place, and nowhere else", async () => {
    for (let k = 0; k < lines.length - 1; k++) expect(await faultsOf(without(k))).toEqual([`${k + 1} wrong_seq`]);
  });

  it("RC2 two swapped lines: at both, and nowhere else", async () => {
    for (let k = 0; k < lines.length - 1; k++) {
      const swapped = lines.map((line, i) =>
        i === k ? (lines[k + 1] as string) : i === k + 1 ? (lines[k] as string) : line,
      );
      expect(await faultsOf(swapped)).toEqual([`${k + 1} wrong_seq`, `${k + 2} wrong_seq`]);
    }
  });

  it("a repeated line: at the repetition", async () => {
    expect(await faultsOf([...lines.slice(0, 5), lines[4] as string, ...lines.slice(5)])).toEqual(["6 wrong_seq"]);
  });

  it("RC2 an edited value: at its line", async () => {
    expect(await faultsOf(replaced(1, (lines[1] as string).replace('"page":0', '"page":1')))).toEqual(["2 wrong_hash"]);
  });

  it("an edited value with its hash made right: at the line after it, which names another", async () => {
    const edited = forged(6, (body) => ({ ...body, text: "another" }) as LogBody);
    expect(await faultsOf(replaced(6, edited))).toEqual(["8 wrong_prev"]);
    const { faults } = await checkLog(path);
    expect(faults.map(describeLogFault)[0]).toBe(
      `log.jsonl:8: wrong_prev: expected prev ${(JSON.parse(edited) as LogEntry).hash}, seen prev ${(JSON.parse(lines[6] as string) as LogEntry).hash} (the line before was another when this one was written)`,
    );
  });

  it("a foreign line put between: where it is no entry, at that line alone", async () => {
    expect(await faultsOf([...lines.slice(0, 5), "hello", ...lines.slice(5)])).toEqual(["6 not_json"]);
    expect(await faultsOf([...lines.slice(0, 5), "", ...lines.slice(5)])).toEqual(["6 not_json"]);
  });

  it("lines removed beside an unreadable one are missed all the same", async () => {
    expect(await faultsOf([...lines.slice(0, 5), "hello", ...lines.slice(6)])).toEqual(["6 not_json"]);
    expect(await faultsOf([...lines.slice(0, 5), "hello", ...lines.slice(8)])).toEqual(["6 not_json", "7 wrong_seq"]);
  });

  it("RC2 a line after the seal", async () => {
    const seal = JSON.parse(lines.at(-1) as string) as LogEntry;
    const more = sealLine({ kind: "note", text: "one more thing" }, seal.seq + 1, seal.hash).text;
    expect(await faultsOf([...lines, more])).toEqual(["16 misplaced"]);
  });

  it("every fault of a log is found, not only the first", async () => {
    const broken = [...without(10)];
    broken[2] = (broken[2] as string).replace("user", "uses");
    broken[4] = "{";
    expect(await faultsOf(broken)).toEqual(["3 wrong_hash", "5 not_json", "11 wrong_seq"]);
  });

  it("a cut file: its last line is torn; cut between lines, it is a log without a seal", async () => {
    expect(await faultsOf(bytes.subarray(0, -1))).toEqual(["15 torn"]);
    expect(await faultsOf(lines.slice(0, 9))).toEqual([]);
    expect(await checkLog(path)).toMatchObject({ sealed: false, entries: 9 });
  });

  it("bytes that are no UTF-8, a byte-order mark and NULs", async () => {
    const at = bytes.indexOf("note 5");
    const line = bytes.subarray(0, at).toString().split("\n").length;
    const broken = Buffer.from(bytes);
    broken[at] = 0xff;
    expect(await faultsOf(broken)).toEqual([`${line} not_json`]);
    expect(await faultsOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toEqual(["1 not_json"]);
    expect(await faultsOf(Buffer.concat([bytes, Buffer.alloc(4096)]))).toEqual(["16 torn"]);
  });

  it("RC2 any bit of a newline flipped: the lines it joined are one fault, and the next is sound", async () => {
    for (const [at, byte] of bytes.subarray(0, -1).entries()) {
      if (byte !== 0x0a) continue;
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[at] = 0x0a ^ (1 << bit);
        expect(await faultsOf(flipped)).toHaveLength(1);
      }
    }
  });

  it("one flipped bit anywhere: on its own line, and it makes no other line faulty", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        const line = bytes.subarray(0, at).toString("latin1").split("\n").length;
        const faults = await faultsOf(flipped);
        // A newline made or lost changes how many lines there are; each piece is unreadable by itself.
        const pieces = flipped[at] === 0x0a ? [line, line + 1] : [line];
        expect(faults.map((fault) => Number(fault.split(" ")[0]))).toEqual(pieces);
      }),
      { numRuns: 600 },
    );
  });
});

describe("recovery", () => {
  it("RC3 returns the prefix before a fault in the middle, and that it is not a torn end", async () => {
    writeFileSync(
      path,
      replaced(6, "{}")
        .map((line) => `${line}\n`)
        .join(""),
    );
    const visited: number[] = [];
    const prefix = await recoverLog(path, (entry) => visited.push(entry.seq));
    expect(prefix).toMatchObject({
      lines: 6,
      sealed: false,
      end: { torn: false, fault: { line: 7, kind: "unknown_shape" } },
    });
    expect(prefix.bytes).toBe(
      Buffer.byteLength(
        lines
          .slice(0, 6)
          .map((line) => `${line}\n`)
          .join(""),
      ),
    );
    expect(visited).toEqual([0, 1, 2, 3, 4, 5]);
    const error = await thrown("log_damaged", () => collect(readEntries(path)));
    expect(error.facts).toMatchObject({ line: 7, kind: "unknown_shape" });
    expect(error.message).not.toContain("\n");
  });

  it("takes a last complete line that fails the chain as a torn end", async () => {
    writeFileSync(path, `${lines.slice(0, 6).join("\n")}\n{"half":\n`);
    expect(await recoverLog(path)).toMatchObject({
      lines: 6,
      end: { torn: true, fault: { line: 7, kind: "not_json" } },
    });
    expect(await collect(readEntries(path))).toHaveLength(6);
  });
});

describe("bounds", () => {
  it("a line above the bound is a fault and is passed over; the next one reads", async () => {
    const items = await collect(readLog(path, { maxLineBytes: 400 }));
    const longLines = lines.flatMap((line, i) => (Buffer.byteLength(line) + 1 > 400 ? [i + 1] : []));
    expect(longLines.length).toBeGreaterThan(1);
    const tooLong = items.filter((item) => item.kind === "fault");
    expect(tooLong.map((item) => item.line)).toEqual(longLines);
    expect(tooLong.every((item) => item.kind === "fault" && item.fault.kind === "too_long")).toBe(true);
    expect(items).toHaveLength(lines.length);
  });

  it("a line of exactly the bound reads, one byte more does not", async () => {
    const longest = Math.max(...lines.map((line) => Buffer.byteLength(line) + 1));
    expect((await checkLog(path, undefined, { maxLineBytes: longest })).faults).toEqual([]);
    expect((await checkLog(path, undefined, { maxLineBytes: longest - 1 })).faults).not.toEqual([]);
  });

  it("an endless line does not fill the memory", async () => {
    const flood = Buffer.alloc(1024 * 1024, "x");
    writeFileSync(path, "");
    for (let i = 0; i < 64; i++) writeFileSync(path, flood, { flag: "a" });
    writeFileSync(path, `\n${lines[0]}\n`, { flag: "a" });
    const before = process.memoryUsage().arrayBuffers;
    const { faults } = await checkLog(path);
    expect(faults[0]).toMatchObject({ kind: "too_long", seen: `${64 * 1024 * 1024 + 1} bytes` });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
    expect(MAX_LINE_BYTES).toBe(4 * 1024 * 1024);
  });

  it("a log that is not there, or is a folder, is one clear error", async () => {
    expect((await thrown("missing", () => checkLog(join(path, "..", "none.jsonl")))).message).toContain(
      "it does not exist",
    );
    await thrown("not_a_file", () => checkLog(join(path, "..")));
  });
});
