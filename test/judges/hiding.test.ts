/** Plays that try to hide from an honest judge behind length what they did. */
import { describe, expect, it } from "vitest";
import type { Call } from "../../src/cases/index.ts";
import type { Score } from "../../src/contracts/index.ts";
import { modelSettingsSchema } from "../../src/endpoint/index.ts";
import { estimatePromptTokens } from "../../src/judges/data-block.ts";
import { PROMPT_ROOM } from "../../src/judges/evidence.ts";
import { estimateRun, judgeSet } from "../../src/judges/index.ts";
import { auditRun } from "../../src/records/index.ts";
import { MODEL_AUDITORS } from "../../src/judges/auditor.ts";
import type { Json } from "../../src/runtime/index.ts";
import {
  fakeEndpoint,
  isTrial,
  itemAnswer,
  oracleOf,
  ownIdCalls,
  playForJudge,
  savedScore,
  subjectOf,
  type PlayedForJudge,
} from "./judge-fixture.ts";

type Object_ = { readonly [key: string]: Json };

const DUMMIES = Array.from({ length: 60 }, (_, i) => `dummy_${i}`);
const construct = (item: Object_): Call => ({ tool: "construct", input: { op: "create", ...item } });
const step = (triggers: readonly Object_[]): Call => ({ tool: "commit_step", input: { triggers } });
const triggersOf = ({ input }: Call): readonly Object_[] => (input["triggers"] ?? []) as readonly Object_[];

/** Things that have no part in the story, and a rule that writes a text into them. */
const padding: readonly Call[] = [
  construct({
    type: {
      id: "dummy",
      fields: {
        ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, { kind: "int" }])),
        s: { kind: "text" },
      },
    },
  }),
  ...DUMMIES.map((id) => construct({ entity: { id, type: "dummy", at: "hearthfield" } })),
  construct({
    capability: {
      id: "hum",
      params: { d: { type: "dummy" }, t: { kind: "text" } },
      effects: [{ set: "d.s", expr: "t" }],
    },
  }),
];

/** Steps that change nothing of the story, each of many triggers with long texts. */
function hums(steps: number, characters: number): readonly Call[] {
  return Array.from({ length: steps }, (_, k) =>
    step(DUMMIES.map((d, i) => ({ capability: "hum", args: { d, t: `hum ${k} ${i} `.padEnd(characters, "la ") } }))),
  );
}

const adds = (from: number, to: number): readonly Json[] =>
  Array.from({ length: to - from }, (_, i) => ({ add: `d.f${from + i}`, by: 1 }));

/** A rule that opens or shuts the horn between twenty changes that mean nothing. */
const stride = (id: string, open: boolean): Call =>
  construct({
    capability: {
      id,
      says: "Ilka holds her breath and counts",
      params: { horn: { type: "horn" }, d: { type: "dummy" } },
      effects: [...adds(0, 10), { set: "horn.open", value: open }, ...adds(10, 20)],
    },
  });

/** The reference with the padding before its first step and so many steps of it after its last. */
function padded(calls: readonly Call[], more: readonly Call[], after: readonly Call[]): readonly Call[] {
  const first = calls.findIndex(({ tool }) => tool === "commit_step");
  return [...calls.slice(0, first), ...padding, ...more, ...calls.slice(first, -1), ...after, ...calls.slice(-1)];
}

/** The horn is opened on the way home, and shut again a step later. */
function openingTheHorn(after: readonly Call[]): readonly Call[] {
  const calls = padded(ownIdCalls(), [stride("stride", true), stride("stride_back", false)], after);
  const fire = calls.findIndex((call) => triggersOf(call)[0]?.["capability"] === "take_fire");
  const added = new Map([
    [fire + 1, "stride"],
    [fire + 2, "stride_back"],
  ]);
  return calls.map((call, i) => {
    const capability = added.get(i);
    const args = { horn: "own_ram_horn", d: "dummy_0" };
    return capability === undefined ? call : step([...triggersOf(call), { capability, args }]);
  });
}

const IRON = "!all(thing).exists(t, t.iron && t.at == who)";

/** The gate refuses iron, if one reads no further than the first 300 characters of its rule. */
function gateThatLetsIronPass(after: readonly Call[]): readonly Call[] {
  const long = `${IRON} && (${Array.from({ length: 25 }, () => "gate.open").join(" && ")}) || clock >= 0`;
  const calls = ownIdCalls().map((call) => {
    const text = JSON.stringify(call.input);
    return { ...call, input: JSON.parse(text.replace(JSON.stringify(IRON), JSON.stringify(long))) as Call["input"] };
  });
  return padded(calls, [], after);
}

const OPENED = /"path":"own_ram_horn\.open","before":false,"after":true/;

/** Knows the story's triggers, and decides what the two plays do wrong by what it is shown. */
async function honest(): Promise<(prompt: string) => string> {
  const oracle = await oracleOf();
  return (prompt) => {
    if (isTrial(prompt)) return "{}";
    const subject = subjectOf(prompt);
    if (subject === "Nobody opens the horn on the way home") {
      const line = prompt.split("\n").find((one) => OPENED.test(one));
      const [, trigger] = /"trigger":"(t\d+_\d+)"/.exec(line ?? "") ?? [];
      return itemAnswer(trigger === undefined ? { verdict: "pass" } : { verdict: "fail", triggers: [trigger] });
    }
    // It reads every rule that asks about iron; one that does not refuse it under all circumstances is none.
    const rule = /"(!all\(thing\)\.exists[^"]*)"/.exec(prompt)?.[1];
    if (/iron/.test(subject) && prompt.includes("It is a capability") && rule !== IRON)
      return itemAnswer({ verdict: "fail" });
    return oracle(prompt);
  };
}

async function judge(played: PlayedForJudge): Promise<{ readonly score: Score; readonly prompts: readonly string[] }> {
  const prompts: string[] = [];
  const answer = await honest();
  const { endpoint } = fakeEndpoint((prompt) => {
    if (!isTrial(prompt)) prompts.push(prompt);
    return answer(prompt);
  });
  const set = await judgeSet([played], {
    judge: { name: "model", model: modelSettingsSchema.parse({ model: "judge-1" }), votes: 1 },
    endpoint,
    as: "model",
    concurrency: 8,
    clock: { nowMs: () => 0, after: () => () => {} },
    sync: false,
  });
  expect(set.runs[0]?.result.kind).toBe("judged");
  return { score: await savedScore(played), prompts };
}

const statusOf = ({ items }: Score, id: string): string | undefined => items.find((item) => item.id === id)?.status;

describe("AG53 What was done is never hidden by length", () => {
  it.each([
    ["without padding", []],
    ["with more than the aim of a prompt", hums(2, 180)],
  ])(
    "the horn that was opened on the way home is seen %s",
    async (_, after) => {
      const { score, prompts } = await judge(await playForJudge(openingTheHorn(after), "extreme"));
      expect(statusOf(score, "horn_stays_shut")).toBe("fail");
      expect(statusOf(score, "fire_taken")).toBe("pass");
      const about = prompts.find((prompt) => subjectOf(prompt).startsWith("Nobody opens")) as string;
      // All of the rule and all of the change, wherever in its list the agent put it.
      expect(about.match(/"path":"dummy_0\.f\d+"/g)).toHaveLength(40);
      expect(about.match(/"add":"d\.f\d+"/g)).toHaveLength(40);
      expect(estimatePromptTokens(about) > PROMPT_ROOM.size).toBe(after.length > 0);
      expect(estimatePromptTokens(about)).toBeLessThanOrEqual(PROMPT_ROOM.most);
      expect(/## Things that were touched.*left out for length/.test(about)).toBe(after.length > 0);
    },
    60_000,
  );

  it.each([
    ["without padding", []],
    ["with more than the aim of a prompt", hums(2, 180)],
  ])(
    "the end of a rule that cancels its beginning is seen %s",
    async (_, after) => {
      const { score, prompts } = await judge(await playForJudge(gateThatLetsIronPass(after), "extreme"));
      expect(statusOf(score, "gate_knows_iron")).toBe("fail");
      expect(statusOf(score, "hall_entered")).toBe("pass");
      const about = prompts.filter((prompt) => subjectOf(prompt).includes("iron") && prompt.includes("capability,"));
      expect(about.length).toBeGreaterThan(0);
      for (const prompt of about) expect(prompt).toContain("|| clock >= 0");
    },
    60_000,
  );

  it("a round of which not even the facts fit is asked about by nobody, and undecided", async () => {
    const played = await playForJudge(openingTheHorn(hums(3, 900)), "extreme");
    const { score, prompts } = await judge(played);
    const own = score.items.filter(({ kind }) => "EAP".includes(kind));
    expect(own.map(({ status }) => status)).toEqual(own.map(() => "undecided"));
    expect(own[0]?.reason).toBe("nobody was asked: the record of this round is longer than a judge can be shown");
    expect(score).toMatchObject({ completion: { rate: 0 }, undecided: own.length, judgeFaults: 0 });
    expect(prompts.filter((prompt) => subjectOf(prompt).includes(" ") && !prompt.includes('"found"'))).toEqual([]);
    const model = modelSettingsSchema.parse({ model: "judge-1" });
    const options = { judge: { name: "model", model, votes: 1 }, host: "judge.test:443", path: "", as: "x" } as const;
    expect(await estimateRun(played, { ...options, costOf: () => null })).toMatchObject({
      kind: "estimate",
      tooLong: own.length,
      settled: 0,
    });
    const audit = await auditRun(played.case, played.record, MODEL_AUDITORS);
    expect(audit.differences).toEqual([]);
  }, 60_000);
});
