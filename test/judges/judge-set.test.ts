import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelSettingsSchema } from "../../src/endpoint/index.ts";
import {
  estimateRun,
  judgeSet,
  type JudgedSet,
  type JudgeSetOptions,
  type ModelJudge,
} from "../../src/judges/index.ts";
import {
  auditRun,
  readAnswers,
  readJudgments,
  type EndpointFault,
  type JudgeAnswer,
  type Attempt,
} from "../../src/records/index.ts";
import { MODEL_AUDITORS } from "../../src/judges/auditor.ts";
import { solutionOf } from "../../src/cases/index.ts";
import { horn, tempFolder } from "../tracks/run-fixture.ts";
import {
  contentOf,
  fakeEndpoint,
  faultOf,
  isTrial,
  itemAnswer,
  oracleOf,
  ownIdCalls,
  playForJudge,
  referenceCalls,
  savedScore,
  subjectOf,
  type PlayedForJudge,
  type Reply,
} from "./judge-fixture.ts";

const judge: ModelJudge = { name: "model", model: modelSettingsSchema.parse({ model: "judge-1" }), votes: 1 };
const clock = { nowMs: () => 0, after: () => () => {} };

type Fake = ReturnType<typeof fakeEndpoint>;

async function judged(
  played: readonly PlayedForJudge[],
  fake: Fake,
  more: Partial<JudgeSetOptions> = {},
): Promise<JudgedSet> {
  const { endpoint } = fake;
  return await judgeSet(played, { judge, endpoint, as: "model", concurrency: 3, clock, sync: false, ...more });
}

const resultOf = (set: JudgedSet) => set.runs[0]?.result;
const scoreOf = (set: JudgedSet) => {
  const result = resultOf(set);
  if (result?.kind !== "judged") throw new Error(`it is ${JSON.stringify(result)}`);
  return result.score;
};
const answersOf = async (played: PlayedForJudge, as = "model"): Promise<readonly JudgeAnswer[]> =>
  (await readAnswers(played.record.path, as))?.answers ?? [];

/** Everything but the trial of the format. */
const questions = ({ requests }: Fake): number =>
  requests.filter(({ messages }) => !isTrial(contentOf(messages.at(-1)))).length;

describe("AG50 AG54 Judging a run", () => {
  it("asks one question an item and scores what a knowing judge says as the exact judge does", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const fake = fakeEndpoint(oracle);
    const set = await judged([played], fake);
    expect(scoreOf(set)).toMatchObject({
      judge: "model",
      completion: { rate: 1 },
      relation: { rate: 1 },
      undecided: 0,
    });
    expect(questions(fake)).toBe(15);
    expect(set).toMatchObject({
      stop: undefined,
      format: "json_schema",
      spent: { answers: 16, tokens: 16_000, unpriced: 16 },
    });
    expect(resultOf(set)).toMatchObject({ asked: 15, cached: 0 });
  });

  it("settles who is who first in a world with ids of the agent's own, once for the run", async () => {
    const played = await playForJudge(ownIdCalls(), "extreme");
    const oracle = await oracleOf();
    const fake = fakeEndpoint(oracle);
    const set = await judged([played], fake);
    expect(scoreOf(set)).toMatchObject({ completion: { rate: 1 }, relation: { rate: 1 } });
    const asked = (await answersOf(played)).map(({ question }) => question.split(" ")[0]);
    expect(asked.lastIndexOf("identity")).toBe(9);
    expect(asked.indexOf("item")).toBe(10);
    const judgments = await readJudgments(played.record.path, "model");
    expect(judgments?.identities?.map(({ entity, is }) => [entity, is])).toContainEqual(["ilka", "own_ilka"]);
    const prompt = fake.requests
      .map(({ messages }) => contentOf(messages[1]))
      .find((text) => subjectOf(text).includes("lays her iron knife"));
    expect(prompt).toContain('{"name":"Ilka","id":"own_ilka"}');
  });

  it("asks each vote by itself and says how they fell", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    let no = 0;
    const fake = fakeEndpoint((prompt) =>
      subjectOf(prompt).includes("lays her iron knife") && ++no === 2
        ? itemAnswer({ verdict: "fail" })
        : oracle(prompt),
    );
    const set = await judged([played], fake, { judge: { ...judge, votes: 3 } });
    expect(questions(fake)).toBe(45);
    expect(scoreOf(set).completion.rate).toBe(1);
    expect((await savedScore(played)).items.find(({ id }) => id === "knife_left")?.reason).toMatch(/^2 of 3 votes: /);
  });

  it("feeds the fault of an answer back, and gives up after three", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const fake = fakeEndpoint((prompt, { messages }) => {
      if (subjectOf(prompt).includes("lays her iron knife")) return "I cannot say.";
      if (subjectOf(prompt).includes("lines the ram's horn") && messages.length === 2)
        return itemAnswer({ verdict: "pass", triggers: ["t99_1"] });
      return oracle(prompt);
    });
    const set = await judged([played], fake);
    const items = new Map((await savedScore(played)).items.map((one) => [one.id as string, one]));
    expect(items.get("horn_lined")).toMatchObject({ status: "pass" });
    expect(items.get("knife_left")).toMatchObject({
      status: "undecided",
      reason: expect.stringMatching(/^no answer could be read: the answer holds no JSON/),
    });
    expect(scoreOf(set)).toMatchObject({ undecided: 1, judgeFaults: 0 });
    const lines = (await answersOf(played)).filter(({ question }) => question === "item knife_left");
    expect(lines.map(({ attempt, raw }) => [attempt, raw])).toEqual([1, 2, 3].map((n) => [n, "I cannot say."]));
    const second = fake.requests.find(
      ({ messages }) => messages.length === 4 && contentOf(messages[2]).includes("t99_1"),
    );
    expect(second?.messages[3]?.["content"]).toContain(
      '"t99_1" is no accepted trigger of this round: ids look like t1_1, t1_2, t2_1',
    );
  });

  it("counts what the judge's endpoint refuses apart from what could not be read", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const refusals: Readonly<Record<string, Reply>> = {
      "lays her iron knife": faultOf("blocked"),
      "lines the ram's horn": faultOf("context_overflow"),
      "takes the white hound": { reply: { finish: "content_filter" } },
      "draws the bolt": { reply: { message: { role: "assistant", content: null, refusal: "I will not." } } },
    };
    const fake = fakeEndpoint((prompt) => {
      const [, refusal] = Object.entries(refusals).find(([words]) => subjectOf(prompt).includes(words)) ?? [];
      return refusal ?? oracle(prompt);
    });
    const set = await judged([played], fake);
    expect(scoreOf(set)).toMatchObject({ judgeFaults: 4, judge: "model" });
    expect(questions(fake)).toBe(15);
    expect((await savedScore(played)).items.find(({ id }) => id === "gate_opened")?.reason).toBe(
      "the judge's endpoint gave no answer (blocked): I will not.",
    );
  });

  it("asks nobody about a run in which nothing was done", async () => {
    const played = await playForJudge([{ tool: "end_round", input: {} }], "extreme");
    const fake = fakeEndpoint(() => "never");
    const set = await judged([played], fake);
    expect(questions(fake)).toBe(0);
    expect(scoreOf(set)).toMatchObject({ completion: { passed: 0 }, relation: { passed: 0 }, undecided: 0 });
    expect(await auditRun(horn, played.record, MODEL_AUDITORS)).toMatchObject({ ok: true, differences: [] });
  });

  it("falls back from a schema to a JSON object to words, and keeps to what it found", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const fake = fakeEndpoint((prompt, { responseFormat }) =>
      responseFormat === undefined ? oracle(prompt) : faultOf("bad_request"),
    );
    const set = await judged([played], fake);
    expect(set.format).toBe("plain");
    expect(scoreOf(set).completion.rate).toBe(1);
    expect(fake.requests.map(({ responseFormat }) => responseFormat !== undefined).filter(Boolean)).toHaveLength(2);
    const dropped = fakeEndpoint((prompt) => ({
      reply: {
        message: { role: "assistant", content: oracle(prompt) },
        adapted: [{ parameter: "response_format", sentAs: null }],
      },
    }));
    expect((await judged([played], dropped, { as: "other", useCache: false })).format).toBe("plain");
  });
});

describe("AG57 Looking again at what the exact judge failed (exact+model)", () => {
  it("asks about those events and structures alone, and counts what it flips", async () => {
    const calls = solutionOf(horn, "hard").flat();
    const without = calls.filter(({ input }) => !JSON.stringify(input).includes('"capability":"lay_down"'));
    const played = await playForJudge(without, "hard");
    const fake = fakeEndpoint((prompt) =>
      isTrial(prompt) ? "{}" : itemAnswer({ verdict: "pass", triggers: ["t2_1"] }),
    );
    const set = await judged([played], fake, { judge: { ...judge, name: "exact+model" }, as: "exact-model" });
    const saved = await readJudgments(played.record.path, "exact-model");
    const again = saved?.judgments.filter(({ by }) => by === "model") ?? [];
    expect(questions(fake)).toBe(again.length);
    expect(again.every(({ kind }) => kind !== "P")).toBe(true);
    expect(saved?.judgments).toHaveLength(15);
    expect(scoreOf(set)).toMatchObject({ judge: "exact+model", flips: expect.any(Object) });
    expect(await auditRun(horn, played.record, MODEL_AUDITORS)).toMatchObject({ ok: true, differences: [] });
  });

  it("does not judge a world whose ids are the agent's own", async () => {
    const played = await playForJudge(ownIdCalls(), "extreme");
    const fake = fakeEndpoint(() => "{}");
    const set = await judged([played], fake, { judge: { ...judge, name: "exact+model" }, as: "exact-model" });
    expect(resultOf(set)).toMatchObject({ kind: "left", why: expect.stringContaining("ids of its own") });
  });
});

describe("AG55 What was paid for", () => {
  it("is not asked for again, wherever the judge was stopped", async () => {
    const oracle = await oracleOf();
    const calls = ownIdCalls();
    const whole = await playForJudge(calls, "extreme");
    await judged([whole], fakeEndpoint(oracle), { useCache: false });
    const expected = readFileSync(join(whole.record.path, "judgments.model.jsonl"), "utf8");
    for (let stopAt = 1; stopAt <= 24; stopAt += 5) {
      const played = await playForJudge(calls, "extreme");
      const stop = new AbortController();
      const first = fakeEndpoint((prompt, _, asked) => {
        if (asked === stopAt + 1) stop.abort();
        return oracle(prompt);
      });
      const halted = await judged([played], first, { useCache: false, stop: stop.signal });
      expect(halted.stop).toEqual({ kind: "interrupted" });
      expect(existsSync(join(played.record.path, "judgments.model.jsonl"))).toBe(false);
      // A process that was killed while it wrote leaves half a line.
      const path = join(played.record.path, "answers.model.jsonl");
      if (existsSync(path)) writeFileSync(path, `${readFileSync(path, "utf8")}{"attempt":1,"cached":fal`);
      const second = fakeEndpoint(oracle);
      const done = await judged([played], second, { useCache: false });
      expect(resultOf(done)).toMatchObject({ kind: "judged" });
      expect(questions(first) + questions(second)).toBe(25);
      expect(readFileSync(join(played.record.path, "judgments.model.jsonl"), "utf8")).toBe(expected);
    }
  });

  it("is found in the cache by another set, marked and free; a second vote is not", async () => {
    const set = tempFolder();
    const played = await playForJudge(referenceCalls("hard"), "hard", { set });
    const oracle = await oracleOf(horn, "hard");
    await judged([played], fakeEndpoint(oracle));
    const again = fakeEndpoint(oracle);
    const second = await judged([played], again, { as: "again", judge: { ...judge, votes: 2 }, costOf: () => 1 });
    expect(questions(again)).toBe(15);
    expect(resultOf(second)).toMatchObject({ asked: 15, cached: 15 });
    expect(second.spent).toMatchObject({ answers: 15, costUsd: 15 });
    const lines = await answersOf(played, "again");
    expect(new Set(lines.map(({ vote, cached }) => `${vote} ${cached}`))).toEqual(new Set(["1 true", "2 false"]));
  });

  it("is asked again where its cache file is damaged, and where no cache is wanted", async () => {
    const set = tempFolder();
    const played = await playForJudge(referenceCalls("hard"), "hard", { set });
    const oracle = await oracleOf(horn, "hard");
    await judged([played], fakeEndpoint(oracle));
    const cache = join(set, "judge-cache");
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    // An answer a file, and one for how JSON is asked for.
    expect(files).toHaveLength(16);
    const broken = ["", "{", '{"v":1}'];
    files.forEach(({ parentPath, name }, i) => writeFileSync(join(parentPath, name), broken[i % 3] as string));
    const damaged = fakeEndpoint(oracle);
    await judged([played], damaged, { as: "damaged" });
    expect(damaged.requests).toHaveLength(16);
    const none = fakeEndpoint(oracle);
    await judged([played], none, { as: "none", useCache: false });
    expect(questions(none)).toBe(15);
  });

  it("is never an answer that could not be taken: each attempt is really asked, and so is a later command", async () => {
    const set = tempFolder();
    const played = await playForJudge(referenceCalls("hard"), "hard", { set });
    const garbage = fakeEndpoint((prompt) => (isTrial(prompt) ? "{}" : "garbage"));
    expect(scoreOf(await judged([played], garbage))).toMatchObject({ undecided: 15 });
    expect(questions(garbage)).toBe(45);
    expect((await answersOf(played)).filter(({ cached }) => cached)).toEqual([]);
    const mended = fakeEndpoint(await oracleOf(horn, "hard"));
    expect(scoreOf(await judged([played], mended, { as: "second" })).completion.rate).toBe(1);
    expect(questions(mended)).toBe(15);
  });

  it("is waited for by whoever would ask the same, and asked for again where it brought nothing", async () => {
    const set = tempFolder();
    const calls = referenceCalls("hard");
    const runs = [];
    for (const name of ["one", "two", "three"]) runs.push(await playForJudge(calls, "hard", { set, name }));
    const oracle = await oracleOf(horn, "hard");
    const seen = new Map<string, number>();
    const fake = fakeEndpoint(async (prompt) => {
      await Promise.resolve();
      const times = (seen.get(prompt) ?? 0) + 1;
      seen.set(prompt, times);
      return isTrial(prompt) || times > 1 ? oracle(prompt) : "garbage";
    });
    const all = await judged(runs, fake, { concurrency: 60 });
    expect(all.runs.map(({ result }) => result.kind)).toEqual(["judged", "judged", "judged"]);
    for (const run of runs) expect((await savedScore(run)).completion.rate).toBe(1);
    // Garbage first; then one run sends it back (garbage again, then an answer), and one of the others asks for all.
    expect(questions(fake)).toBe(15 * 4);
  });

  it("shows once how an endpoint is asked for JSON: no later command and no other name tries it again", async () => {
    const set = tempFolder();
    const played = await playForJudge(referenceCalls("hard"), "hard", { set });
    const oracle = await oracleOf(horn, "hard");
    const onlyWords = () =>
      fakeEndpoint((prompt, { responseFormat }) =>
        responseFormat === undefined ? oracle(prompt) : faultOf("bad_request"),
      );
    const trials = ({ requests }: Fake): number =>
      requests.filter(({ messages }) => isTrial(contentOf(messages.at(-1)))).length;
    const first = onlyWords();
    expect(await judged([played], first)).toMatchObject({ format: "plain", spent: { answers: 16 } });
    expect(trials(first)).toBe(3);
    const second = onlyWords();
    expect(await judged([played], second, { as: "second" })).toMatchObject({ format: "plain", spent: { answers: 0 } });
    expect(second.requests).toHaveLength(0);
    // Of another model or other settings nothing is known.
    const other = onlyWords();
    const settings = { ...judge, model: modelSettingsSchema.parse({ model: "judge-1", temperature: 1 }) };
    await judged([played], other, { as: "other", judge: settings });
    expect(trials(other)).toBe(3);
  });

  it("is asked for once by runs that would ask the same at the same time", async () => {
    const set = tempFolder();
    const calls = referenceCalls("hard");
    const one = await playForJudge(calls, "hard", { set, name: "one" });
    const two = await playForJudge(calls, "hard", { set, name: "two" });
    const oracle = await oracleOf(horn, "hard");
    const fake = fakeEndpoint(async (prompt) => {
      await Promise.resolve();
      return oracle(prompt);
    });
    const both = await judged([one, two], fake, { concurrency: 40 });
    expect(both.runs.map(({ result }) => result.kind)).toEqual(["judged", "judged"]);
    expect(questions(fake)).toBe(15);
  });

  it("is left as it is where the set is judged already", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    await judged([played], fakeEndpoint(oracle));
    const nobody = fakeEndpoint(() => "never");
    expect(resultOf(await judged([played], nobody))).toMatchObject({ kind: "judged", asked: 0 });
    expect(nobody.requests).toHaveLength(0);
    const other = await judged([played], nobody, { judge: { ...judge, votes: 3 } });
    expect(resultOf(other)).toMatchObject({
      kind: "fault",
      why: expect.stringContaining("it has judgments named model of other settings: votes is 1 there and 3 now"),
    });
  });
});

describe("AG56 A set stops", () => {
  it.each<[string, Partial<JudgeSetOptions>, string, number]>([
    ["tokens", { budgets: { tokens: 5000 } }, "set_tokens", 5000],
    ["cost", { budgets: { costUsd: 0.5 }, costOf: () => 0.1 }, "set_cost", 0.5],
  ])("at its budget of %s, and goes on from there when it is raised", async (_, more, which, setting) => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const first = fakeEndpoint(oracle);
    const halted = await judged([played], first, { ...more, concurrency: 1, useCache: false });
    expect(halted.stop).toEqual({ kind: "budget", which, setting, measured: expect.closeTo(setting, 6) });
    expect(first.requests).toHaveLength(5);
    expect(resultOf(halted)).toEqual({ kind: "open", left: 11 });
    const same = fakeEndpoint(oracle);
    const still = await judged([played], same, { ...more, concurrency: 1, useCache: false });
    // The trial was not kept, so that one more question may be asked.
    expect(same.requests.length).toBeLessThanOrEqual(1);
    expect(still.stop?.kind).toBe("budget");
    expect(resultOf(await judged([played], fakeEndpoint(oracle)))).toMatchObject({ kind: "judged" });
  });

  it("at its budget between two attempts at one question: what failed ones told is spent", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const usage = { input: 1000, cachedInput: 0, output: 0, reasoning: 0, total: 1000 };
    const fault = { kind: "bad_answer", status: 200, code: null, message: "no choices", tokens: 1000, usage } as const;
    let attempts = 0;
    const fake = fakeEndpoint((prompt, request) => {
      if (isTrial(prompt)) return oracle(prompt);
      const failed: Attempt[] = [];
      do {
        attempts += 1;
        failed.push({ fault, waitMs: 0 });
      } while (request.mayRetry?.(failed) !== false);
      return fault;
    });
    const halted = await judged([played], fake, { budgets: { tokens: 5000 }, concurrency: 1, useCache: false });
    // 1,000 of the trial and four attempts.
    expect(attempts).toBe(4);
    expect(halted.stop).toEqual({ kind: "budget", which: "set_tokens", setting: 5000, measured: 5000 });
  });

  it("at its wall time, by the clock it is given", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    let fire = (): void => {};
    let now = 0;
    const fake = fakeEndpoint((prompt, _, asked) => {
      if (asked === 4) {
        now = 61_000;
        fire();
      }
      return oracle(prompt);
    });
    const timer = {
      nowMs: () => now,
      after: (ms: number, then: () => void) => ((fire = then), expect(ms).toBe(60_000), () => {}),
    };
    const halted = await judged([played], fake, { clock: timer, budgets: { wallMs: 60_000 }, concurrency: 1 });
    expect(halted.stop).toEqual({ kind: "budget", which: "set_wall", setting: 60_000, measured: 61_000 });
    expect(await answersOf(played)).toHaveLength(3);
  });

  it.each<EndpointFault["kind"]>(["auth", "quota", "unknown_model", "not_an_api"])(
    "at once where every question would meet the same fault (%s)",
    async (kind) => {
      const set = tempFolder();
      const calls = referenceCalls("hard");
      const runs = [
        await playForJudge(calls, "hard", { set, name: "a" }),
        await playForJudge(calls, "hard", { set, name: "b" }),
      ];
      const oracle = await oracleOf(horn, "hard");
      const fake = fakeEndpoint((prompt, _, asked) => (asked > 4 ? faultOf(kind) : oracle(prompt)));
      const halted = await judged(runs, fake, { concurrency: 1 });
      expect(halted.stop).toEqual({ kind: "fault", fault: faultOf(kind) });
      expect(fake.requests).toHaveLength(5);
      const atOnce = fakeEndpoint(() => faultOf(kind));
      expect((await judged(runs, atOnce, { as: "other", useCache: false })).stop).toEqual({
        kind: "fault",
        fault: faultOf(kind),
      });
      expect(atOnce.requests).toHaveLength(1);
    },
  );

  it("leaves a run open whose questions met a passing fault, and asks those alone the next time", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const first = fakeEndpoint((prompt) =>
      /bolt|hound/.test(subjectOf(prompt)) ? faultOf("server_error") : oracle(prompt),
    );
    const open = await judged([played], first, { useCache: false });
    expect(resultOf(open)).toEqual({ kind: "open", left: 2, fault: faultOf("server_error") });
    const second = fakeEndpoint(oracle);
    const done = await judged([played], second, { useCache: false });
    expect(questions(second)).toBe(2);
    expect(scoreOf(done)).toMatchObject({ completion: { rate: 1 }, judgeFaults: 0 });
    expect(
      (await answersOf(played)).filter(({ question }) => question === "item gate_opened").map(({ attempt }) => attempt),
    ).toEqual([1, 2]);
    expect(await auditRun(horn, played.record, MODEL_AUDITORS)).toMatchObject({ ok: true, differences: [] });
  });

  it("when ten questions in a row bring no answer", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const fake = fakeEndpoint((prompt) => (isTrial(prompt) ? "{}" : faultOf("connection")));
    const halted = await judged([played], fake, { concurrency: 1 });
    expect(halted.stop).toEqual({ kind: "fault", fault: faultOf("connection") });
    expect(questions(fake)).toBe(10);
  });
});

describe("AG59 Before anything is sent", () => {
  it("says what would be asked and what it costs, and what is answered already", async () => {
    const played = await playForJudge(ownIdCalls(), "extreme");
    const options = {
      judge: { ...judge, votes: 2 },
      host: "judge.test:443",
      path: "/v1",
      as: "model",
      costOf: () => 0.25,
    };
    const fresh = await estimateRun(played, options);
    expect(fresh).toMatchObject({
      kind: "estimate",
      identities: 10,
      items: { event: 9 },
      requests: 50,
      settled: 0,
      answerTokens: 12_500,
      costUsd: 0.25,
    });
    const oracle = await oracleOf();
    await judged([played], fakeEndpoint(oracle), { judge: options.judge });
    expect(await estimateRun(played, options)).toMatchObject({ requests: 0, settled: 50, promptTokens: 0 });
    expect(await estimateRun(played, { ...options, as: "new", costOf: () => null })).toMatchObject({
      requests: 50,
      costUsd: null,
    });
  });

  it("estimates no fewer tokens than the prompts have", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const oracle = await oracleOf(horn, "hard");
    const fake = fakeEndpoint(oracle);
    const estimate = await estimateRun(played, {
      judge,
      host: "judge.test:443",
      path: "/v1",
      as: "model",
      costOf: () => null,
    });
    await judged([played], fake);
    const bytes = fake.requests
      .slice(1)
      .reduce((sum, { messages }) => sum + Buffer.byteLength(messages.map(contentOf).join("\n")), 0);
    expect(estimate).toMatchObject({ promptTokens: expect.closeTo(bytes / 3, -2) });
  });
});

describe("A name that no set can have", () => {
  it("is refused before anything is asked", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const fake = fakeEndpoint(() => "{}");
    await expect(judged([played], fake, { as: "No/Set" })).rejects.toMatchObject({ code: "bad_name" });
    expect(fake.requests).toHaveLength(0);
    rmSync(played.set, { recursive: true });
  });
});
