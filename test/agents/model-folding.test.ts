import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOP_DEFAULTS } from "../../src/agents/model/defaults.ts";
import { foldLine } from "../../src/agents/model/fold-line.ts";
import { foldable, foldsForOverflow, foldsForWindow, roomOf } from "../../src/agents/model/folding.ts";
import { modelAgent } from "../../src/agents/index.ts";
import { modelSettingsSchema, type Asked, type ChatRequest, type JsonObject } from "../../src/endpoint/index.ts";
import type { FoldBody } from "../../src/records/index.ts";
import type { Json } from "../../src/runtime/index.ts";
import { byTurn, calls, fails, fakeEndpoint, type Policy } from "./fake-endpoint.ts";
import { outcomeIn, playInMemory, type MemoryRun } from "./memory-run.ts";

const HELP = calls(["help", {}]);
const CONTEXT = calls(["get_context", {}]);
const END = calls(["end_round", {}]);

function answer(number: number, frees: number, story?: string) {
  return { number, frees, story };
}

describe("which answers are folded", () => {
  it("AG43 the oldest, never the last six and never the story", () => {
    const answers = [answer(1, 50, "1"), answer(2, 40), answer(3, 0), answer(4, 30), answer(5, 20), answer(6, 10)];
    expect(foldable(answers, 10, 6).map(({ number }) => number)).toEqual([2, 4]);
  });

  it("a part of the story that stands again further down goes after everything else, and its last telling never", () => {
    const answers = [answer(1, 50, "1"), answer(2, 40), answer(3, 50, "1"), answer(4, 30)];
    expect(foldable(answers, 10, 6).map(({ number }) => number)).toEqual([2, 4, 1]);
  });

  it("none while the conversation is below 85 % of the room, then as many as bring it below 60 %", () => {
    const candidates = [answer(1, 100), answer(2, 100), answer(3, 100), answer(4, 100)];
    expect(foldsForWindow(850, 1000, candidates, LOOP_DEFAULTS)).toEqual([]);
    expect(foldsForWindow(851, 1000, candidates, LOOP_DEFAULTS)).toEqual([1, 2, 3]);
  });

  it("after an overflow at least half of what can be folded, down to the last one", () => {
    expect(foldsForOverflow([answer(1, 10), answer(2, 10), answer(3, 10)], LOOP_DEFAULTS)).toEqual([1, 2]);
    expect(foldsForOverflow([answer(1, 1)], LOOP_DEFAULTS)).toEqual([1]);
    expect(foldsForOverflow([], LOOP_DEFAULTS)).toEqual([]);
  });

  it("the room is the window less what is kept free for an answer, which is never more than half", () => {
    const room = (settings: object) => roomOf(modelSettingsSchema.parse({ model: "m", ...settings }), LOOP_DEFAULTS);
    expect(room({})).toBeUndefined();
    expect(room({ contextTokens: 32_000 })).toBe(32_000 - 4096);
    expect(room({ contextTokens: 32_000, maxTokens: 1000 })).toBe(31_000);
    expect(room({ contextTokens: 2000 })).toBe(1000);
  });
});

describe("the line in place of an answer", () => {
  it.each([
    [
      "read_data",
      { from: "entities" },
      { ok: true, entries: [{}, {}] },
      "read_data entities, 2 entries; ask again if needed",
    ],
    [
      "read_data",
      { from: "log", id: "12" },
      { ok: true, entries: [{}] },
      "read_data log 12, 1 entry; ask again if needed",
    ],
    [
      "read_data",
      { from: "map" },
      { ok: true, entries: [{}], cursor: "x" },
      "read_data map, 1 entries and more; ask again if needed",
    ],
    ["help", { topic: "steps" }, { ok: true, topic: "steps", text: "…" }, "help steps; ask again if needed"],
    [
      "construct",
      {},
      { ok: true, construction: 1, op: "create", level: "capability", id: "heat", version: 1 },
      "construct create capability heat, done",
    ],
    [
      "commit_step",
      {},
      { ok: true, step: 3, start: 4, clock: 7 },
      "commit_step, step 3 accepted, clock 4 to 7; read_data from log shows it",
    ],
    ["commit_step", {}, { ok: false, error: { code: "conflict" } }, "commit_step, refused: conflict"],
    ["get_context", {}, { ok: true }, "get_context; its instalment stands again in a later answer"],
  ])("says what %s was, and how to see it again", (tool, input, given, said) => {
    expect(foldLine(tool, input as Json, given as Json)).toBe(`(folded: ${said})`);
  });

  it("is one short line whatever the model wrote", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.jsonValue(),
        fc.jsonValue(),
        (tool, input, given) => {
          const line = foldLine(tool, input as Json, given as Json);
          expect(line.length).toBeLessThan(400);
          expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        },
      ),
    );
  });
});

interface Played extends MemoryRun {
  readonly asked: readonly (readonly JsonObject[])[];
  readonly folds: readonly FoldBody[];
}

async function playWith(policy: Policy, settings: object): Promise<Played> {
  const endpoint = fakeEndpoint(policy);
  const model = modelSettingsSchema.parse({ model: "tiny-1", ...settings });
  const agent = modelAgent({ name: "model", model, endpoint, lane: { name: "x", concurrency: 1 } });
  const run = await playInMemory(agent);
  return {
    ...run,
    asked: endpoint.requests.map((text) => (JSON.parse(text) as ChatRequest).messages),
    folds: run.log.filter((line) => line.kind === "fold"),
  };
}

/** Refuses what is longer than so many characters, as a server whose window nobody stated. */
function limited(characters: number, answers: readonly Asked[]): Policy {
  const policy = byTurn(answers);
  return (request, asked) =>
    JSON.stringify(request.messages).length > characters
      ? fails("context_overflow", { status: 400 })
      : policy(request, asked);
}

function contentsOf(messages: readonly JsonObject[] | undefined): readonly string[] {
  return (messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content as string);
}

describe("a conversation that nears the end of its window", () => {
  const answers = [CONTEXT, ...Array.from({ length: 14 }, () => HELP), END];

  it("AG43 is folded before the next request, with a line in the log, and the run goes on to its end", async () => {
    const run = await playWith(byTurn(answers), { contextTokens: 20_000 });
    expect(outcomeIn(run)).toBe("finished");
    expect(run.folds.length).toBeGreaterThan(0);
    expect(run.folds.every(({ why }) => why === "window")).toBe(true);
    const last = contentsOf(run.asked.at(-1));
    expect(last[0]).toContain('"narrative"');
    expect(last[1]).toBe("(folded: help overview; ask again if needed)");
    expect(last.slice(-6).every((content) => content.startsWith("{"))).toBe(true);
    expect(run.asked.at(-1)?.[0]).toEqual(run.asked[0]?.[0]);
  });

  it("is left alone where no window is stated and none is passed", async () => {
    const run = await playWith(byTurn(answers), {});
    expect(run.folds).toEqual([]);
    expect(contentsOf(run.asked.at(-1)).every((content) => content.startsWith("{"))).toBe(true);
  });

  it("an answer is folded once: no number comes twice", async () => {
    const { folds } = await playWith(byTurn([...answers.slice(0, -1), ...answers]), { contextTokens: 20_000 });
    const numbers = folds.flatMap(({ calls: folded }) => folded);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe("an endpoint that says its window is passed", () => {
  it("AG43 is asked a smaller request each time, until it answers", async () => {
    const run = await playWith(limited(35_000, [CONTEXT, ...Array.from({ length: 14 }, () => HELP), END]), {});
    expect(outcomeIn(run)).toBe("finished");
    expect(run.folds[0]?.why).toBe("overflow");
    const at = run.log.findIndex(({ kind }) => kind === "fault");
    expect(run.log.slice(at, at + 3).map(({ kind }) => kind)).toEqual(["fault", "fold", "answer"]);
    expect(run.log[at + 2]).toMatchObject({ request: (run.log[at] as { request: number }).request + 1 });
  });

  it("AG43 ends the run as context_overflow where nothing is left to fold", async () => {
    const run = await playWith(limited(20_000, [CONTEXT, ...Array.from({ length: 14 }, () => HELP), END]), {});
    expect(run.end).toEqual({
      outcome: "context_overflow",
      detail: { kind: "context_overflow", status: 400, message: "a fault: context_overflow" },
    });
    expect(run.log.at(-1)?.kind).toBe("fault");
  });

  it("ends the run at the first request where even that is too long", async () => {
    const run = await playWith(limited(10, [HELP]), {});
    expect(run.end?.outcome).toBe("context_overflow");
    expect(run.folds).toEqual([]);
  });

  it("never loses the story: a part that is told twice is folded but for its last telling", async () => {
    const run = await playWith(limited(30_000, [...Array.from({ length: 12 }, () => CONTEXT), END]), {});
    for (const messages of run.asked.slice(2)) {
      expect(contentsOf(messages).some((content) => content.includes('"narrative"'))).toBe(true);
    }
    expect(outcomeIn(run)).toBe("finished");
  });
});
