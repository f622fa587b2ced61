/** The file of a judge's answers: nothing that was paid for is lost, nothing comes twice. */
import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  judgeAnswerSchema,
  listAnswerSets,
  openAnswers,
  readAnswers,
  type AnswerHeader,
  type JudgeAnswer,
} from "../../src/records/index.ts";
import { DIGEST_A, DIGEST_B, failingIo, tempFolder, thrown } from "./fixtures.ts";

const header: AnswerHeader = {
  v: 1,
  kind: "answers",
  judge: { name: "model", model: "some-model", votes: 2 },
  case: "mill_001",
  worldDigest: DIGEST_A,
  contractDigest: DIGEST_B,
  log: DIGEST_A,
};

function answer(question: string, more: Partial<JudgeAnswer> = {}): JudgeAnswer {
  return judgeAnswerSchema.parse({
    v: 1,
    question,
    vote: 1,
    attempt: 1,
    prompt: DIGEST_B,
    raw: `{"verdict":"pass"} “ça va” 𝄞`,
    finish: "stop",
    model: "some-model-0613",
    usage: null,
    cached: false,
    fault: null,
    ...more,
  });
}

const three = [
  answer("identity odile"),
  answer("item gate_shut", { raw: "well…" }),
  answer("item gate_shut", { attempt: 2 }),
];

let folder: string;
let path: string;
beforeEach(() => {
  folder = tempFolder();
  path = join(folder, "answers.jsonl");
});

async function write(answers: readonly JudgeAnswer[], name?: string): Promise<void> {
  const file = await openAnswers(folder, header, name);
  for (const one of answers) file.append(one);
  file.close();
}

describe("a file of answers", () => {
  it("RC1 reads back as it was written, line by line, beside sets of other names", async () => {
    expect(await readAnswers(folder)).toBeUndefined();
    await write(three);
    await write([], "second");
    expect(await readAnswers(folder)).toEqual({ header, answers: three });
    expect(await readAnswers(folder, "second")).toEqual({ header, answers: [] });
    expect(listAnswerSets(folder)).toEqual([undefined, "second"]);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(5);
    expect(readdirSync(folder).filter((file) => file.startsWith("lock"))).toEqual([]);
  });

  it("RC3 holds each answer when append returns", async () => {
    const file = await openAnswers(folder, header);
    for (const [i, one] of three.entries()) {
      file.append(one);
      expect((await readAnswers(folder))?.answers).toEqual(three.slice(0, i + 1));
    }
    file.close();
    file.close();
    await thrown("log_closed", () => file.append(answer("item late")));
  });

  it("RC3 killed at any byte leaves its whole lines: the torn end is cut, said, and written anew", async () => {
    await write(three);
    const whole = readFileSync(path);
    const ends = [...whole.keys()].filter((i) => whole[i] === 0x0a).map((i) => i + 1);
    // Every end of a line with its neighbours, and some bytes between.
    const cuts = [...whole.keys(), whole.length].filter(
      (i) => i % 37 === 0 || ends.some((end) => Math.abs(i - end) < 2),
    );
    for (const cut of cuts) {
      writeFileSync(path, whole.subarray(0, cut));
      const lines = ends.filter((end) => end <= cut).length;
      const kept = three.slice(0, Math.max(0, lines - 1));
      const before = await readAnswers(folder);
      const torn = cut - (ends[lines - 1] ?? 0);
      const end = torn === 0 ? {} : { tornBytes: torn };
      expect(before).toEqual(lines === 0 ? undefined : { header, answers: kept, ...end });
      const file = await openAnswers(folder, header, undefined, { sync: false });
      expect([file.answers, file.cutBytes]).toEqual([kept, torn === 0 ? undefined : torn]);
      for (const one of three.slice(kept.length)) file.append(one);
      file.close();
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
  });

  it("RC19 takes a question, vote and attempt once, in one process or over several", async () => {
    await write(three);
    const file = await openAnswers(folder, header);
    const error = await thrown("bad_entry", () => file.append(answer("item gate_shut", { attempt: 2, raw: "other" })));
    expect(error.message).toContain("attempt 2 of vote 1 on item gate_shut is there already");
    file.append(answer("item gate_shut", { vote: 2 }));
    await thrown("bad_entry", () => file.append(answer("item gate_shut", { vote: 2 })));
    file.close();
    appendFileSync(path, readFileSync(path, "utf8").split("\n")[1] + "\n");
    expect((await thrown("bad_file", () => readAnswers(folder))).message).toContain(
      `${path}:6: attempt 1 of vote 1 on identity odile comes twice`,
    );
  });

  it("RC9 is one process's at a time", async () => {
    const file = await openAnswers(folder, header);
    const error = await thrown("locked", () => openAnswers(folder, header, "second"));
    expect(error.message).toContain("the run is held by this process already");
    file.close();
    (await openAnswers(folder, header, "second")).close();
  });

  it("RC7 is of one judge, log and contract: another is refused, with what differs, and nothing is changed", async () => {
    await write(three);
    const before = readFileSync(path);
    const other = { ...header, judge: { ...header.judge, model: "other-model" }, log: DIGEST_B };
    const error = await thrown("set_exists", () => openAnswers(folder, other));
    expect(error.message).toContain('judge.model is "some-model" there and "other-model" now');
    expect(error.message).toContain("--as NAME");
    expect(readFileSync(path).equals(before)).toBe(true);
    // The folder is free again.
    (await openAnswers(folder, header)).close();
  });

  it.each<[string, string, string]>([
    ["no JSON", "{", ":3: it is not JSON"],
    ["no answer", "{}", ":3: it is no answer of a judge: v: "],
    [
      "a question of no known kind",
      JSON.stringify({ ...three[0], question: "what now" }),
      ":3: it is no answer of a judge",
    ],
    [
      "half a character",
      JSON.stringify({ ...three[0], question: "item a", raw: "\ud834" }),
      ":3: raw is a text with half",
    ],
  ])("RC19 with a line that is %s is named by line", async (_, line, says) => {
    await write(three.slice(0, 1));
    appendFileSync(path, `${line}\n`);
    expect((await thrown("bad_file", () => readAnswers(folder))).message).toContain(says);
    await thrown("bad_file", () => openAnswers(folder, header));
  });

  it("refuses a header that holds a secret, and one that is none", async () => {
    const leaky = { ...header, judge: { ...header.judge, apiKey: "hidden-0123456789" } };
    expect((await thrown("bad_file", () => openAnswers(folder, leaky))).message).not.toContain("hidden");
    writeFileSync(path, "{}\n");
    await thrown("bad_file", () => readAnswers(folder));
    expect(readdirSync(folder)).toEqual(["answers.jsonl"]);
  });

  it("refuses what no reader could take, and stays as it was", async () => {
    const file = await openAnswers(folder, header);
    await thrown("bad_entry", () => file.append({ ...answer("item a"), vote: 0 }));
    await thrown("not_json", () => file.append({ ...answer("item a"), raw: "\ud834" }));
    await thrown("line_too_long", () => file.append({ ...answer("item a"), raw: "x".repeat(4 * 1024 * 1024) }));
    file.append(answer("item a"));
    file.close();
    expect((await readAnswers(folder))?.answers).toEqual([answer("item a")]);
  });

  it("RC3 takes no further line once the disk refused one, and what was written of it is cut", async () => {
    await write(three.slice(0, 1));
    const file = await openAnswers(folder, header, undefined, { io: failingIo("fdatasyncSync", "ENOSPC") });
    await thrown("disk_full", () => file.append(three[1] as JudgeAnswer));
    await thrown("disk_full", () => file.append(three[2] as JudgeAnswer));
    file.close();
    expect(await readAnswers(folder)).toEqual({ header, answers: three.slice(0, 1) });
  });

  it("lets go of the folder where it cannot be opened", async () => {
    await thrown("no_permission", () =>
      openAnswers(folder, header, undefined, { io: failingIo("openSync", "EACCES") }),
    );
    expect(existsSync(path)).toBe(false);
    await thrown("bad_name", () => openAnswers(folder, header, "../elsewhere"));
    await write(three);
    truncateSync(path, 0);
    expect(await readAnswers(folder)).toBeUndefined();
  });
});
