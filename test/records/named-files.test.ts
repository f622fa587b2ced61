import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { judgmentSchema, type Judgment } from "../../src/contracts/index.ts";
import {
  listJudgmentSets,
  listScores,
  readJudgments,
  readScore,
  writeJudgments,
  writeScore,
  type JudgmentHeader,
  type JudgmentSet,
} from "../../src/records/index.ts";
import { DIGEST_A, DIGEST_B, failingIo, tempFolder, thrown } from "./fixtures.ts";

const header: JudgmentHeader = {
  v: 1,
  kind: "judgments",
  judge: { name: "exact", marks: 2 },
  case: "mill_001",
  worldDigest: DIGEST_A,
  contractDigest: DIGEST_B,
  log: DIGEST_A,
};
const judgment = (item: string, more: object = {}): Judgment =>
  judgmentSchema.parse({
    v: 1,
    item,
    kind: "E",
    round: 1,
    verdict: "pass",
    triggers: ["t1_1"],
    constructions: [],
    reason: "It did.",
    ...more,
  });
const judgments = [
  judgment("gate_shut"),
  judgment("key_given", { verdict: "fail", triggers: [] }),
  judgment("gate_shut", { vote: 2, surplus: [["t2_1"]] }),
];
const set: JudgmentSet = { header, judgments };

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});

describe("a file of judgments", () => {
  it("reads back as it was written: a header, then a line each", async () => {
    expect(writeJudgments(folder, set)).toBe(join(folder, "judgments.jsonl"));
    expect(await readJudgments(folder)).toEqual(set);
    const lines = readFileSync(join(folder, "judgments.jsonl"), "utf8").split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      `{"case":"mill_001","contractDigest":"${DIGEST_B}","judge":{"marks":2,"name":"exact"},"kind":"judgments","log":"${DIGEST_A}","v":1,"worldDigest":"${DIGEST_A}"}`,
    );
  });

  it("of a name lies beside the unnamed one; what is not there is undefined", async () => {
    expect(await readJudgments(folder)).toBeUndefined();
    writeJudgments(folder, { header, judgments: [] }, "model-2");
    expect(listJudgmentSets(folder)).toEqual(["model-2"]);
    writeJudgments(folder, set);
    writeJudgments(folder, set, "a");
    writeFileSync(join(folder, "judgments.NOT OURS.jsonl"), "");
    expect(listJudgmentSets(folder)).toEqual([undefined, "a", "model-2"]);
    expect(await readJudgments(folder, "model-2")).toEqual({ header, judgments: [] });
  });

  it("RC7 is written again with the same bytes, never with others", async () => {
    writeJudgments(folder, set);
    writeJudgments(folder, set);
    const before = readFileSync(join(folder, "judgments.jsonl"));
    const error = await thrown("set_exists", () => writeJudgments(folder, { header, judgments: judgments.slice(1) }));
    expect(error.message).toBe(
      `${join(folder, "judgments.jsonl")}: it exists and holds something else. Judge into another set (--as NAME); nothing that was judged is overwritten.`,
    );
    expect(readFileSync(join(folder, "judgments.jsonl")).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(["judgments.jsonl"]);
  });

  it("refuses a vote that comes twice, a judgment that is none, and a secret, before it writes", async () => {
    const twice = { header, judgments: [...judgments, judgment("key_given")] };
    expect((await thrown("bad_file", () => writeJudgments(folder, twice))).message).toContain(
      "judgments.jsonl:5: vote 1 on key_given comes twice",
    );
    const wrong = { header, judgments: [{ ...judgments[0], verdict: "maybe" } as unknown as Judgment] };
    expect((await thrown("bad_file", () => writeJudgments(folder, wrong))).message).toContain(
      "judgments.jsonl:2: it is no judgment: verdict",
    );
    const leaky = { header: { ...header, judge: { name: "model", apiKey: "hidden" } }, judgments };
    expect((await thrown("bad_file", () => writeJudgments(folder, leaky))).message).not.toContain("hidden");
    const half = { header, judgments: [judgment("gate_shut", { reason: "\ud800" })] };
    await thrown("bad_file", () => writeJudgments(folder, half));
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that was spoilt is refused with the line", async () => {
    const path = writeJudgments(folder, set);
    const lines = readFileSync(path, "utf8").split("\n");
    const spoilt: readonly (readonly [readonly string[], string])[] = [
      [lines.slice(1), "jsonl:1: the header of judgments is wrong"],
      [[lines[0] as string, "{", ...lines.slice(1)], "jsonl:2: it is not JSON"],
      [[...lines.slice(0, 2), lines[0] as string, ""], "jsonl:3: it is no judgment"],
      [[...lines.slice(0, 2), lines[1] as string, ""], "jsonl:3: vote 1 on gate_shut comes twice"],
      [[...lines.slice(0, 2), "torn"], "jsonl:3: expected a line that ends with a newline"],
      [[], "jsonl: it is empty"],
    ];
    for (const [text, says] of spoilt) {
      writeFileSync(path, text.join("\n"));
      expect((await thrown("bad_file", () => readJudgments(folder))).message).toContain(says);
    }
  });
});

describe("a file of a score", () => {
  it("is sorted, indented JSON that reads back", () => {
    expect(writeScore(folder, { relation: null, completion: { passed: 1, of: 2 } })).toBe(join(folder, "score.json"));
    expect(readFileSync(join(folder, "score.json"), "utf8")).toBe(
      '{\n  "completion": {\n    "of": 2,\n    "passed": 1\n  },\n  "relation": null\n}\n',
    );
    expect(readScore(folder)).toEqual({ relation: null, completion: { passed: 1, of: 2 } });
    expect(readScore(folder, "other")).toBeUndefined();
  });

  it("RC7 equal scores are equal bytes whatever the order of their keys; another score needs another name", async () => {
    writeScore(folder, { a: 1, b: 2 });
    writeScore(folder, { b: 2, a: 1 });
    await thrown("set_exists", () => writeScore(folder, { a: 1, b: 3 }));
    writeScore(folder, { a: 1, b: 3 }, "fixed");
    expect(listScores(folder)).toEqual([undefined, "fixed"]);
    expect([readScore(folder), readScore(folder, "fixed")]).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ]);
  });

  it("refuses NaN with its path, and a file that is not JSON", async () => {
    expect((await thrown("not_json", () => writeScore(folder, { E: { rate: NaN } }))).message).toContain(
      "score.json: E.rate is NaN",
    );
    writeFileSync(join(folder, "score.json"), "{");
    await thrown("bad_file", () => readScore(folder));
  });

  it("names that could leave the folder or hide are refused", async () => {
    for (const name of ["", "..", "../x", "a/b", "A", "a.b", "-a", "_a", "a b", "x".repeat(42), "a\n"]) {
      await thrown("bad_name", () => writeScore(folder, 1, name));
      await thrown("bad_name", () => readJudgments(folder, name));
    }
    writeScore(folder, 1, `0${"x".repeat(40)}`);
    expect(readdirSync(folder)).toEqual([`score.0${"x".repeat(40)}.json`]);
  });

  it("is whole or not there when the disk refuses, and no scrap is left", async () => {
    for (const call of ["openSync", "writeSync", "fsyncSync"] as const) {
      await thrown("disk_full", () => writeScore(folder, { a: 1 }, undefined, failingIo(call, "ENOSPC")));
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it("is written where files cannot be linked, and a racing writer's file is not overwritten where they can", async () => {
    writeScore(folder, { a: 1 }, "unlinked", failingIo("linkSync", "EPERM"));
    expect(readScore(folder, "unlinked")).toEqual({ a: 1 });
    const racing = (text: string) => {
      const io = failingIo("linkSync", "EEXIST");
      return { ...io, linkSync: (from: string, to: string) => (writeFileSync(to, text), io.linkSync(from, to)) };
    };
    await thrown("set_exists", () => writeScore(folder, { a: 1 }, undefined, racing("other") as never));
    expect(readFileSync(join(folder, "score.json"), "utf8")).toBe("other");
    writeScore(folder, 1, "same", racing("1\n") as never);
    expect(readdirSync(folder)).toEqual(["score.json", "score.same.json", "score.unlinked.json"]);
  });

  it("of a folder that is not there is one clear error", async () => {
    const error = await thrown("missing", () => writeScore(join(folder, "none"), 1));
    expect(error.message).toBe(
      `${join(folder, "none", "score.json")}: it could not be written: it does not exist. Check the path.`,
    );
    await thrown("missing", () => listScores(join(folder, "none")));
    writeFileSync(join(folder, "file"), "");
    await thrown("not_a_directory", () => writeScore(join(folder, "file"), 1));
    await thrown("not_a_directory", () => readScore(join(folder, "file")));
  });
});
