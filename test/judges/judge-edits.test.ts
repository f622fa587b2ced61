import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadCase, type Case } from "../../src/cases/index.ts";
import type { Asked, ChatRequest, Endpoint } from "../../src/endpoint/index.ts";
import { modelSettingsSchema } from "../../src/endpoint/index.ts";
import {
  judgeEdits,
  judgeSettings,
  NO_CACHE,
  openCache,
  type AnswerCache,
  type Voice,
} from "../../src/judges/index.ts";
import { putEdit } from "../../src/judges/calibration/judge-edits.ts";
import { knownEdits, type KnownEdit } from "../../src/tracks/index.ts";

const loaded = loadCase(join(import.meta.dirname, "../fixtures/cases/horn"));
if (!loaded.ok) throw new Error("the horn fixture has faults");
const horn: Case = loaded.value;
const edits: readonly KnownEdit[] = [...knownEdits(horn, "hard", { perKind: 3 })];

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const settings = judgeSettings({
  name: "model",
  model: modelSettingsSchema.parse({ model: "m" }),
  host: "here",
  path: "/v1",
  format: "plain",
  votes: 1,
});

/** Which edit a prompt was made of: each prompt is another, so that a judge can be told the truth by it. */
const byPrompt = new Map(
  edits.map((edit) => {
    const put = putEdit(horn, edit, settings.prompt);
    return [JSON.stringify(put.messages), { edit, trigger: [...put.known.triggers][0] }] as const;
  }),
);

type Say = (edit: KnownEdit) => "pass" | "fail" | "gibberish" | "fault";

function judgeThatSays(say: Say): { readonly endpoint: Endpoint; readonly asked: () => number } {
  let asked = 0;
  const ask = (request: ChatRequest): Promise<Asked> => {
    asked += 1;
    const found = byPrompt.get(JSON.stringify(request.messages.slice(0, 2)));
    if (found === undefined) throw new Error("a prompt that no edit makes");
    const said = say(found.edit);
    if (said === "fault") {
      const fault = { kind: "server_error", status: 500, code: null, message: "down" } as const;
      return Promise.resolve({ kind: "failed", fault, attempts: [] });
    }
    // Who passes an event names what realised it; who fails a probe, what broke it.
    const triggers = (said === "pass") !== (found.edit.kind === "P") ? [found.trigger] : [];
    const answer = { verdict: said, triggers, constructions: [], citations: [], reason: "So it is." };
    const content = said === "gibberish" ? "I would rather not say" : JSON.stringify(answer);
    const usage = { input: 10, cachedInput: 0, output: 5, reasoning: 0, total: 15 };
    const reply = { message: { role: "assistant", content }, finish: "stop", model: "m", usage };
    return Promise.resolve({ kind: "answered", reply: { ...reply, tolerated: [], attempts: [], adapted: [] } });
  };
  return { endpoint: { host: "here", path: "/v1", ask, inFlight: () => [] }, asked: () => asked };
}

function voiceOf(endpoint: Endpoint, cache: AnswerCache = NO_CACHE): Voice {
  return { settings, endpoint, cache, adapted: [], underWay: new Map() };
}

const options = { votes: 1, concurrency: 4, stop: new AbortController().signal, mayAsk: () => true };

describe("a judge asked about known edits", () => {
  it("is asked about each edit by a prompt of its own", () => {
    expect(byPrompt.size).toBe(edits.length);
  });

  it("that sees everything is credited with it, by kind and in all", async () => {
    const { endpoint } = judgeThatSays(({ truth }) => truth);
    const judged = await judgeEdits(horn, edits, voiceOf(endpoint), options);
    const broken = edits.filter(({ truth }) => truth === "fail").length;
    expect(judged.all.brokenSeen).toMatchObject({ count: broken, n: broken, rate: 1 });
    expect(judged.all.satisfiedSeen.rate).toBe(1);
    expect(judged.all.agreement.kappa.value).toBe(1);
    for (const kind of ["E", "A", "P"] as const) expect(judged.byKind[kind].brokenSeen.rate).toBe(1);
    expect(judged.unanswered).toBe(0);
  });

  it("that passes everything sees nothing that is broken, and its kappa is 0", async () => {
    const { endpoint } = judgeThatSays(() => "pass");
    const { all } = await judgeEdits(horn, edits, voiceOf(endpoint), options);
    expect([all.brokenSeen.rate, all.satisfiedSeen.rate, all.agreement.kappa.value]).toEqual([0, 1, 0]);
  });

  it("whose answers cannot be read is undecided, in no rate", async () => {
    const { endpoint, asked } = judgeThatSays(() => "gibberish");
    const { all, unanswered } = await judgeEdits(horn, edits, voiceOf(endpoint), options);
    expect(all.agreement).toMatchObject({ decided: 0, undecided: edits.length });
    expect([all.brokenSeen.rate, unanswered]).toEqual([null, 0]);
    expect(asked()).toBe(edits.length * settings.attempts);
  });

  it("whose endpoint is down leaves votes unanswered, which are no verdicts", async () => {
    const { endpoint } = judgeThatSays(({ kind }) => (kind === "P" ? "fault" : "fail"));
    const judged = await judgeEdits(horn, edits, voiceOf(endpoint), options);
    expect(judged.unanswered).toBe(edits.filter(({ kind }) => kind === "P").length);
    expect(judged.byKind.P.agreement).toMatchObject({ decided: 0, undecided: 0 });
  });

  it("is not asked again what the cache holds, and each vote is asked by itself", async () => {
    const folder = mkdtempSync(join(tmpdir(), "calibrate-"));
    folders.push(folder);
    const { endpoint, asked } = judgeThatSays(({ truth }) => truth);
    const twice = { ...options, votes: 2 };
    const first = await judgeEdits(horn, edits, voiceOf(endpoint, openCache(folder)), twice);
    expect(asked()).toBe(2 * edits.length);
    const again = await judgeEdits(horn, edits, voiceOf(endpoint, openCache(folder)), twice);
    expect(asked()).toBe(2 * edits.length);
    expect(again).toEqual(first);
    expect(first.all.selfAgreement).toMatchObject({ rate: 1, n: edits.length });
    // Two votes on a play are one verdict on it: they make no interval narrower.
    expect(first.all.agreement.accuracy).toMatchObject({ count: edits.length, n: edits.length });
  });

  it("stops asking when the budget is spent, and says so", async () => {
    const { endpoint, asked } = judgeThatSays(({ truth }) => truth);
    let left = 5;
    const mayAsk = (): boolean => left > 0;
    const onAnswer = (): void => {
      left -= 1;
    };
    const judged = await judgeEdits(horn, edits, voiceOf(endpoint), { ...options, concurrency: 1, mayAsk, onAnswer });
    expect([asked(), judged.votes.length, judged.stopped]).toEqual([5, 5, "budget"]);
  });
});
