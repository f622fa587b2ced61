import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitCall } from "../../src/runtime/admit.ts";
import { bytesOf } from "../../src/runtime/page.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import type { DeductionSession } from "../../src/runtime/deduction/session.ts";
import { callTool } from "../../src/runtime/session.ts";
import { TOOL_NAMES } from "../../src/runtime/tools.ts";
import { ask, CANARY, emptyAnswer, OTHER_SEALING, pond, SEALING } from "./toy-dynamics.ts";

type Call = readonly [tool: string, input: unknown];

const path = fc.oneof(
  fc.constantFrom(
    ..."mara.energy jon.at ada.energy weir.level weir.murk mara.loyal mara.secret old_letter letter_6 letter_12 letter_6.read mara.seal jon.seal ada.sael seal old_letter.at mara".split(
      " ",
    ),
  ),
  fc.string({ maxLength: 12 }),
);
const value = fc.oneof(
  fc.constantFrom<unknown>("mill", "pond", "letter", "destroyed", "cross", "", null, true, false, 0, 3, 9.5, 21, -1),
  fc.constant(["letter_6"]),
  fc.string({ maxLength: 8 }),
);
const list = fc.array(fc.record({ path, value }), { maxLength: 4 });
const action = fc.oneof(
  fc.constantFrom<unknown>(
    { action: "wait" },
    { action: "rest" },
    { action: "go", args: { to: "pond" } },
    { action: "go", args: { to: "tower" } },
    { action: "nudge", args: { who: "jon" } },
    { action: "nudge", args: { who: "ada" } },
    { action: "seal" },
  ),
);
const submission = fc.record(
  {
    action,
    predict: fc.record(
      {
        segment: list,
        interval: list,
        lookahead: list,
        counterfactuals: fc.record({ action: list, happening: list }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
    fires: fc.array(fc.constantFrom("tiring", "sealing", "aaa_sealing", "zzz", "writing"), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const query = fc.record(
  {
    from: fc.constantFrom("map", "types", "entities", "capabilities", "processes", "schedule", "log", "seals"),
    id: fc.constantFrom("mara", "ada", "person", "sealing", "aaa_sealing", "1", "2", "nudge"),
    type: fc.constantFrom("person", "weir", "sealed"),
    where: fc.constantFrom(
      "it.seal > 0",
      "it.energy > 3",
      "mara.seal == 1",
      "all(person).exists(p, p.seal > 2)",
      'it.secret != "x"',
      "it.at != mill",
      "it.from > 3",
    ),
    fields: fc.constantFrom(["seal"], ["energy", "secret"], ["fields"], ["effects"], ["unseen"]),
    limit: fc.integer({ min: 0, max: 4 }),
    cursor: fc.constantFrom("x", ""),
  },
  { requiredKeys: ["from"] },
);
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(fc.constant("commit_step"), submission),
  fc.tuple(fc.constant("commit_step"), fc.constant("EMPTY")),
  fc.tuple(fc.constant("read_data"), query),
  fc.tuple(fc.constant("get_context"), fc.constant({})),
  fc.tuple(fc.constant("end_round"), fc.constant({})),
  fc.tuple(
    fc.constant("help"),
    fc.record({ topic: fc.constantFrom("overview", "time", "seal") }, { requiredKeys: [] }),
  ),
  fc.tuple(fc.constantFrom(...TOOL_NAMES, "seal"), fc.jsonValue({ maxDepth: 3 })),
);

/** All answers to the calls, as text. `EMPTY` stands for a whole answer in which nothing changes. */
function transcriptOf(start: DeductionSession, calls: readonly Call[]): readonly string[] {
  let session = start;
  return calls.map(([tool, input]) => {
    const turn = ask(session, tool, input === "EMPTY" ? emptyAnswer(session) : input);
    session = turn.session;
    expect(bytesOf(turn.answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
    return JSON.stringify(turn.answer);
  });
}

const playing = fc.record({
  mode: fc.constantFrom("M1" as const, "M2" as const),
  condition: fc.constantFrom("open" as const, "naming" as const),
  calls: fc.array(call, { minLength: 1, maxLength: 30 }),
});

describe("the information barrier of deduction", () => {
  it("DD59 gives byte-equal transcripts of worlds that differ in what is sealed alone", () => {
    fc.assert(
      fc.property(playing, fc.integer({ min: 0, max: 99 }), ({ mode, condition, calls }, seal) => {
        const one = pond({ mode, condition, seal: 1, sealing: SEALING });
        const other = pond({ mode, condition, seal, sealing: OTHER_SEALING });
        expect(transcriptOf(other, calls)).toEqual(transcriptOf(one, calls));
      }),
      { numRuns: 40, seed: 7 },
    );
  });

  it("DD59 holds for a whole run in which every round is answered, every question of it included", () => {
    for (const mode of ["M1", "M2"] as const) {
      const calls = Array.from({ length: 6 }, (): readonly Call[] => [
        ["get_context", {}],
        ["read_data", { from: "entities" }],
        ["commit_step", "EMPTY"],
        ["end_round", {}],
        ["read_data", { from: "log" }],
      ]).flat();
      const one = transcriptOf(pond({ mode, seal: 1, sealing: SEALING }), calls);
      expect(transcriptOf(pond({ mode, seal: 50, sealing: OTHER_SEALING }), calls)).toEqual(one);
      expect(one.join()).not.toContain("seal");
    }
  });

  it("DD60 never shows a hidden text in M2, whatever is asked", () => {
    fc.assert(
      fc.property(playing, ({ condition, calls }) => {
        const answers = transcriptOf(pond({ mode: "M2", condition }), calls);
        expect(answers.join()).not.toContain(CANARY);
      }),
      { numRuns: 40, seed: 8 },
    );
  });

  it("DD60 differs in M2 for no hidden or unseen value before it shows in what is seen", () => {
    // Ada is in the tower, out of sight; whom she trusts, nobody sees, and nothing turns on it
    const calls = Array.from({ length: 4 }, (): readonly Call[] => [
      ["get_context", {}],
      ["read_data", { from: "entities" }],
      ["read_data", { from: "entities", where: "it.loyal || !it.loyal" }],
      ["commit_step", { action: { action: "nudge", args: { who: "ada" } }, predict: { interval: [], lookahead: [] } }],
      ["commit_step", "EMPTY"],
      ["end_round", {}],
    ]).flat();
    const loyal = transcriptOf(pond(), calls);
    const disloyal = transcriptOf(pond({ disloyal: "ada" }), calls);
    expect(disloyal).toEqual(loyal);
  });

  it("DD67 throws for nothing that a call may hold", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("M1" as const, "M2" as const),
        fc.array(fc.tuple(fc.oneof(fc.constantFrom(...TOOL_NAMES), fc.string()), fc.anything()), { maxLength: 12 }),
        (mode, calls) => {
          let session = pond({ mode });
          for (const [tool, input] of calls) {
            const turn = callTool(session, admitCall(tool, input));
            expect(typeof turn.answer.ok).toBe("boolean");
            expect(bytesOf(turn.answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
            session = turn.session;
          }
        },
      ),
      { numRuns: 80, seed: 9 },
    );
  });
});
