import { entitiesOf } from "../../src/runtime/state/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetsFrom } from "../../src/runtime/budget.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { bytesOf } from "../../src/runtime/page.ts";
import type { MaintenanceSession } from "../../src/runtime/maintenance/session.ts";
import { openSession } from "../../src/runtime/session.ts";
import type { ContextAnswer } from "../../src/runtime/tool-answers.ts";
import { HELP_TOPICS } from "../../src/runtime/maintenance/help.ts";
import { call, errorOf, go, heat, play, toyScenario, toySession } from "./toy-world.ts";

function context(session: MaintenanceSession, input: unknown = {}): ContextAnswer {
  const { answer } = call(session, "get_context", input);
  if (!answer.ok || !("narrative" in answer)) throw new Error(JSON.stringify(answer));
  expect(bytesOf(answer)).toBeLessThanOrEqual(8_192);
  return answer;
}

/** The whole of an instalment, read page by page. */
function readThrough(
  session: MaintenanceSession,
  input: { round?: number },
): { readonly text: string; readonly pages: number } {
  let { narrative } = context(session, input);
  let text = narrative.text;
  let pages = 1;
  while (narrative.cursor !== undefined) {
    ({ narrative } = context(session, { ...input, cursor: narrative.cursor }));
    text += narrative.text;
    pages += 1;
  }
  return { text, pages };
}

const long = Array.from(
  { length: 200 },
  (_, i) => `Sentence ${i} of a “long” evening — with tea. ${i % 7 === 0 ? "\n\n" : ""}`,
).join("");

describe("get_context", () => {
  it("RT41 gives the newest instalment in full, where the run stands and what is left", () => {
    const session = play(
      toySession("easy", {
        narratives: ["One.", "Two.", "Three."],
        budgets: budgetsFrom([
          { steps: 1, calls: 1 },
          { steps: 2, calls: 3 },
          { steps: 9, calls: 9 },
        ]),
      }),
      [
        ["commit_step", { triggers: [go("ana", "kitchen")] }],
        ["end_round", {}],
        ["commit_step", { advance: 4 }],
      ],
    );
    const refused = call(session, "commit_step", { triggers: [heat("ben", "kettle")] }).session;
    expect(context(refused)).toEqual({
      ok: true,
      case: "toy_001",
      tier: "easy",
      round: 2,
      step: 2,
      rejected: 1,
      clock: 5,
      unit: "minute",
      budgets: {
        roundSteps: { allowed: 18, used: 2, left: 16 },
        roundCalls: { allowed: 76, used: 3, left: 73 },
        runCalls: { allowed: 256, used: 5, left: 251 },
      },
      earlierRounds: { first: 1, last: 1 },
      narrative: { round: 2, text: "Two." },
    });
  });

  it("RT41 gives earlier instalments again, and none that has not begun", () => {
    const session = play(toySession("easy"), [["end_round", {}]]);
    expect(context(session, { round: 1 }).narrative).toEqual({ round: 1, text: "Ana heats the kettle." });
    expect(context(session, { round: 1 }).round).toBe(2);
    expect(errorOf(call(session, "get_context", { round: 3 }).answer)).toEqual({
      code: "unknown_round",
      message: "round 3 has not begun",
      path: "round",
      hint: "rounds 1 to 2 have",
    });
    expect(errorOf(call(toySession("easy"), "get_context", { round: 2 }).answer).hint).toBe(
      "round 1 is the first and only one so far",
    );
  });

  it("RT38 pages an instalment that is longer than an answer, between sentences, and says so", () => {
    const session = toySession("easy", { narratives: [long, "Short."] });
    const { narrative } = context(session);
    expect(narrative.note).toMatch(
      /^cut after \d+ of \d+ characters: get_context with \{"round": 1, "cursor": "[^"]+"\} reads on$/,
    );
    expect(narrative.text).toMatch(/\n\n$|\. $/);
    const { text, pages } = readThrough(session, {});
    expect([text, pages > 1]).toEqual([long, true]);
    const next = call(session, "end_round").session;
    expect(readThrough(next, { round: 1 }).text).toBe(long);
  });

  it("RT40 joins to the whole whatever the text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", minLength: 200, maxLength: 1_500 }), { minLength: 1, maxLength: 12 }),
        (parts) => {
          const text = parts.join(" ").replaceAll(/\p{Surrogate}/gu, "");
          expect(readThrough(toySession("easy", { narratives: [text] }), {}).text).toBe(text);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("RT79 refuses the cursor of another round or tool", () => {
    const session = play(toySession("easy", { narratives: [long, long] }), [["end_round", {}]]);
    const { cursor } = context(session, { round: 1 }).narrative;
    expect(errorOf(call(session, "get_context", { round: 2, cursor }).answer).code).toBe("bad_cursor");
    expect(errorOf(call(session, "read_data", { from: "entities", cursor }).answer).code).toBe("bad_cursor");
    expect(call(session, "get_context", { round: 1, cursor }).answer.ok).toBe(true);
  });

  it("RT38 comes with end_round as much as fits, with the cursor to read on", () => {
    const { answer, session } = call(toySession("easy", { narratives: ["Short.", long] }), "end_round");
    expect(bytesOf(answer)).toBeLessThanOrEqual(8_192);
    expect(answer).toMatchObject({ ok: true, next: context(session).narrative });
  });
});

describe("what is sealed", () => {
  const calls: readonly (readonly [string, unknown])[] = [
    ...HELP_TOPICS.map((topic): readonly [string, unknown] => ["help", { topic }]),
    ["help", { topic: "rounds" }],
    ["get_context", {}],
    ["get_context", { round: 3 }],
    ["get_context", { round: 99 }],
    ["read_data", { from: "entities", limit: 2 }],
    ["read_data", { from: "entities", limit: 2, cursor: "nonsense" }],
    ["commit_step", { triggers: [go("ana", "kitchen")] }],
    ["commit_step", { triggers: [go("ana", "nowhere")] }],
    ["read_data", { from: "log", limit: 1 }],
    ["construct", {}],
    ["end_round", {}],
    ["get_context", {}],
    ["get_context", { round: 1 }],
    ["get_context", { round: 4 }],
  ];

  function answersOf(session: MaintenanceSession): readonly string[] {
    let now = session;
    return calls.map(([tool, input]) => {
      const turn = call(now, tool, input);
      now = turn.session;
      return JSON.stringify(turn.answer);
    });
  }

  it("RT41 shows nowhere: scenarios that differ in later rounds alone give byte-equal answers from all tools", () => {
    const counts = [
      { steps: 3, calls: 9 },
      { steps: 4, calls: 9 },
    ];
    const short = toyScenario("easy", {
      narratives: ["One.", "Two.", "Three."],
      budgets: budgetsFrom([...counts, { steps: 1, calls: 1 }]),
    });
    const rest = Array.from({ length: 5 }, (_, i) => `A wholly different round ${i}.`);
    const other = toyScenario("easy", {
      narratives: ["One.", "Two.", ...rest],
      budgets: budgetsFrom([...counts, ...rest.map(() => ({ steps: 50, calls: 90 }))]),
    });
    expect(answersOf(openSession(other))).toEqual(answersOf(openSession(short)));
  });

  it("RT47 does not depend on the order in which the parts of a world were written", () => {
    const flipped = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(flipped)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, member]) => [key, flipped(member)]),
            )
          : value;
    const { world } = toyScenario("easy");
    const entities = Object.fromEntries(
      entitiesOf(world.entities)
        .toReversed()
        .map((entity) => [entity.id, entity]),
    );
    const parts = { types: flipped(world.types), entities: flipped(entities), map: flipped(world.map) } as Pick<
      typeof world,
      "types" | "map"
    > & { entities: typeof entities };
    const capabilities = flipped(toyScenario("easy").world.capabilities) as Record<string, { version?: number }>;
    for (const capability of Object.values(capabilities)) delete capability.version;
    const other = toySession("easy", { parts: { ...parts, capabilities } as never });
    const reads: readonly (readonly [string, unknown])[] = [
      ...calls,
      ["read_data", { from: "types" }],
      ["read_data", { from: "capabilities" }],
      ["read_data", { from: "map" }],
      ["read_data", { from: "entities" }],
    ];
    let one = toySession("easy");
    let two = other;
    for (const [tool, input] of reads) {
      const a = call(one, tool, input);
      const b = call(two, tool, input);
      expect(JSON.stringify(b.answer)).toBe(JSON.stringify(a.answer));
      [one, two] = [a.session, b.session];
    }
  });
});

describe("reads", () => {
  it("RT39 in any mix leave every later answer as it was, but for the count of calls", () => {
    const cursor = context(toySession("easy", { narratives: [long, "Two."] })).narrative.cursor;
    const someRead = fc.constantFrom<readonly [string, unknown]>(
      ["help", {}],
      ["help", { topic: "nothing" }],
      ["get_context", {}],
      ["get_context", { round: 1, cursor }],
      ["get_context", { round: 7 }],
      ["read_data", { from: "entities", where: "it.at == yard", limit: 1 }],
      ["read_data", { from: "entities", where: "it.at = yard" }],
      ["read_data", { from: "log" }],
      ["read_data", { from: "capabilities", fields: ["id"] }],
      ["read_data", {}],
      ["no_tool", {}],
    );
    const steps: readonly (readonly [string, unknown])[] = [
      ["commit_step", { triggers: [go("ana", "kitchen")] }],
      ["commit_step", { triggers: [go("ana", "kitchen")] }],
      ["commit_step", { triggers: [heat("ana", "kettle")] }],
      ["read_data", { from: "log" }],
      ["end_round", {}],
      ["read_data", { from: "entities" }],
    ];
    const playWith = (reads: readonly (readonly (readonly [string, unknown])[])[]): string => {
      let session = toySession("easy", { narratives: [long, "Two."] });
      const kept = steps.map(([tool, input], i) => {
        for (const [name, query] of reads[i] ?? []) session = call(session, name, query).session;
        const turn = call(session, tool, input);
        session = turn.session;
        return [turn.answer, turn.record ?? null];
      });
      return canonicalJson(kept);
    };
    const plain = playWith([]);
    fc.assert(
      fc.property(fc.array(fc.array(someRead, { maxLength: 5 }), { minLength: 6, maxLength: 6 }), (reads) => {
        expect(playWith(reads)).toBe(plain);
      }),
      { numRuns: 60 },
    );
  });
});
