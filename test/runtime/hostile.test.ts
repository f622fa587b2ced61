import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitCall, admitText } from "../../src/runtime/admit.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { bytesOf } from "../../src/runtime/page.ts";
import type { MaintenanceSession } from "../../src/runtime/maintenance/session.ts";
import { callTool } from "../../src/runtime/session.ts";
import { TOOL_NAMES } from "../../src/runtime/tools.ts";
import { call, errorOf, essenceOf, go, heat, play, sweep, toySession } from "./toy-world.ts";

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => ({ x: inner }), 1);
}

function withAccessor(onRead: () => void): object {
  return Object.defineProperty({}, "from", {
    enumerable: true,
    get: () => {
      onRead();
      return "log";
    },
  });
}

class Fancy {
  readonly from = "log";
}

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;
const wide = Array.from({ length: 18 }).reduce<unknown>((inner) => [inner, inner], 1);
const sparse: unknown[] = [];
sparse.length = 10;
const huge: unknown[] = [];
huge.length = 2 ** 31;

/** Input of a process that is no plain JSON data of bounded size, and the code it is refused with. */
const BAD_DATA: readonly (readonly [name: string, tool: unknown, input: unknown, code: string])[] = [
  ["an unknown tool", "commit_steps", {}, "unknown_tool"],
  ["a tool that is no text", 7, {}, "unknown_tool"],
  ["a tool called __proto__", "__proto__", {}, "unknown_tool"],
  ["a tool called toString", "toString", {}, "unknown_tool"],
  ["a tool with half a surrogate pair", "\ud800", {}, "unknown_tool"],
  ["a list", "help", [], "malformed_input"],
  ["a text that holds an object", "read_data", '{"from":"log"}', "malformed_input"],
  ["a number", "help", 5, "malformed_input"],
  ["a function", "help", () => 1, "malformed_input"],
  ["a bigint", "commit_step", { advance: 1n }, "malformed_input"],
  ["undefined inside", "commit_step", { advance: undefined }, "malformed_input"],
  ["a symbol as a key", "help", { [Symbol("topic")]: "x" }, "malformed_input"],
  ["a class", "read_data", new Fancy(), "malformed_input"],
  ["a Date", "read_data", { from: new Date(0) }, "malformed_input"],
  ["a Map", "read_data", new Map([["from", "log"]]), "malformed_input"],
  ["a proxy", "read_data", new Proxy({}, {}), "malformed_input"],
  ["half a surrogate pair", "read_data", { from: "log", where: "\udc00" }, "malformed_input"],
  ["a list with gaps", "commit_step", { triggers: sparse }, "malformed_input"],
  ["a list of two thousand million gaps", "commit_step", { triggers: huge }, "input_too_large"],
  ["NaN", "commit_step", { advance: Number.NaN }, "invalid_value"],
  ["Infinity", "commit_step", { advance: Number.POSITIVE_INFINITY }, "invalid_value"],
  ["a key constructor", "read_data", { constructor: 1 }, "forbidden_id"],
  [
    "a key prototype deep inside",
    "commit_step",
    { triggers: [{ capability: "go", args: { prototype: "ana" } }] },
    "forbidden_id",
  ],
  ["an input 1 MB long", "read_data", { from: "log", where: "x".repeat(1_000_000) }, "input_too_large"],
  [
    "many small things",
    "read_data",
    { from: "log", fields: Array.from({ length: 40_000 }, () => "a") },
    "input_too_large",
  ],
  ["an input nested 1,000 deep", "commit_step", nested(1_000), "input_too_deep"],
  ["a circle", "commit_step", cyclic, "input_too_deep"],
  ["a small object that unfolds into a quarter of a million", "commit_step", { triggers: wide }, "input_too_large"],
];

/** Raw texts, and the code each is refused with. */
const BAD_TEXT: readonly (readonly [name: string, text: unknown, code: string])[] = [
  ["no JSON", "from: log", "malformed_input"],
  ["JSON that is cut", '{"from": "lo', "malformed_input"],
  ["two objects", "{}{}", "malformed_input"],
  ["a list", "[]", "malformed_input"],
  ["a text in quotes", '"log"', "malformed_input"],
  ["no text at all", 5, "malformed_input"],
  ["a number too large to be held", '{"from": "log", "limit": 1e400}', "invalid_value"],
  ["a key __proto__", '{"from": "log", "__proto__": {"limit": 1}}', "forbidden_id"],
  ["a key __proto__ deep inside", '{"from": "log", "fields": [{"__proto__": []}]}', "forbidden_id"],
  ["brackets 30,000 deep", "[".repeat(30_000) + "]".repeat(30_000), "input_too_deep"],
  ["brackets 1,000 deep in an object", `{"from": ${"[".repeat(1_000)}${"]".repeat(1_000)}}`, "input_too_deep"],
  ["a text 1 MB long", `{"from": "${"x".repeat(1_000_000)}"}`, "input_too_large"],
  ["1 MB of blanks", " ".repeat(1_000_000), "input_too_large"],
  ["an escaped half of a surrogate pair", '{"from": "\\ud800"}', "malformed_input"],
];

/** Calls of the right shape that must still be refused, in the tier where they are tried. */
const BAD_CALLS: readonly (readonly [
  name: string,
  tier: "easy" | "hard" | "extreme",
  tool: string,
  input: unknown,
  code: string,
])[] = [
  ["a construct in easy", "easy", "construct", { op: "create", capability: { id: "x" } }, "not_permitted"],
  ["a construct in easy, whatever its shape", "easy", "construct", { nonsense: true }, "not_permitted"],
  ["an entity in hard", "hard", "construct", { op: "create", entity: { id: "x", type: "person" } }, "not_permitted"],
  ["a type in hard", "hard", "construct", { op: "create", type: { id: "x" } }, "not_permitted"],
  [
    "the deletion of an entity in hard",
    "hard",
    "construct",
    { op: "delete", level: "entity", id: "ana" },
    "not_permitted",
  ],
  ["an id __proto__", "hard", "construct", { op: "create", capability: { id: "__proto__" } }, "forbidden_id"],
  ["an id constructor", "hard", "construct", { op: "create", capability: { id: "constructor" } }, "forbidden_id"],
  [
    "a parameter called clock",
    "hard",
    "construct",
    { op: "create", capability: { id: "x", params: { clock: {} } } },
    "forbidden_id",
  ],
  [
    "an unknown capability",
    "easy",
    "commit_step",
    { triggers: [{ capability: "hasOwnProperty" }] },
    "unknown_capability",
  ],
  [
    "an unknown argument",
    "easy",
    "commit_step",
    { triggers: [{ capability: "go", args: { toString: "ana" } }] },
    "unknown_parameter",
  ],
  ["an entity called valueOf", "easy", "commit_step", { triggers: [go("valueOf", "kitchen")] }, "unknown_entity"],
  ["an empty step", "easy", "commit_step", {}, "empty_step"],
  ["a cursor that is none", "easy", "read_data", { from: "entities", cursor: "x" }, "bad_cursor"],
  ["an empty cursor", "easy", "read_data", { from: "entities", cursor: "" }, "bad_cursor"],
  ["a type called constructor", "easy", "read_data", { from: "entities", type: "person_" }, "unknown_type"],
  ["a field called __proto__", "easy", "read_data", { from: "entities", fields: ["__proto__"] }, "unknown_field"],
  ["an entry called __proto__", "easy", "read_data", { from: "types", id: "__proto__" }, "unknown_type"],
  [
    "a where with a call of a method",
    "easy",
    "read_data",
    { from: "entities", where: "it.constructor()" },
    "expression_forbidden",
  ],
  [
    "a where with a regular expression",
    "easy",
    "read_data",
    { from: "entities", where: 'it.name.matches("(a+)+")' },
    "expression_forbidden",
  ],
  ["a round that has not begun", "easy", "get_context", { round: 2 }, "unknown_round"],
];

function inTheMiddle(tier: "easy" | "hard" | "extreme"): MaintenanceSession {
  if (tier !== "easy")
    return play(toySession(tier), [
      ["help", {}],
      ["commit_step", { advance: 2 }],
    ]);
  const begun = play(toySession("easy"), [
    ["commit_step", { triggers: [go("ana", "kitchen")] }],
    ["commit_step", { triggers: [heat("ana", "kettle"), sweep("ben", "yard_floor")] }],
  ]);
  return call(begun, "commit_step", { triggers: [heat("ben", "kettle")] }).session;
}

function expectNothingChanged(before: MaintenanceSession, after: MaintenanceSession): void {
  expect(essenceOf(after)).toBe(essenceOf(before));
  expect(after.used.runCalls).toBe(before.used.runCalls + 1);
}

describe("hostile input", () => {
  it.each(BAD_DATA)(
    "RT36 RT48 %s is refused at the border, and leaves digest, log and later answers as they were",
    (_name, tool, input, code) => {
      const before = inTheMiddle("easy");
      const admitted = admitCall(tool, input);
      const turn = callTool(before, admitted);
      expect([errorOf(turn.answer).code, turn.record]).toEqual([code, undefined]);
      expect(bytesOf(turn.answer)).toBeLessThan(1_000);
      expectNothingChanged(before, turn.session);
      // what the log keeps of a refused call is plain data, and replays to the same answer
      const replayed = callTool(before, JSON.parse(canonicalJson(admitted)));
      expect(canonicalJson(replayed.answer)).toBe(canonicalJson(turn.answer));
    },
  );

  it.each(BAD_TEXT)("RT48 %s is refused as the text of an input", (_name, text, code) => {
    const before = inTheMiddle("easy");
    const turn = callTool(before, admitText("read_data", text));
    expect(errorOf(turn.answer).code).toBe(code);
    expectNothingChanged(before, turn.session);
  });

  it.each(BAD_CALLS)(
    "RT36 %s in %s is refused and changes nothing but what is counted",
    (_name, tier, tool, input, code) => {
      const before = inTheMiddle(tier);
      const turn = call(before, tool, input);
      expect(errorOf(turn.answer).code).toBe(code);
      if (tool !== "commit_step") return expectNothingChanged(before, turn.session);
      // a refused step is one more line of the log, and nothing else
      expect(turn.record).toMatchObject({ kind: "rejected", step: `r${before.rejected + 1}` });
      expect(turn.session.world).toBe(before.world);
      expect(turn.session.steps.length).toBe(before.steps.length + 1);
      return undefined;
    },
  );

  it("RT48 never runs an accessor", () => {
    let reads = 0;
    expect(
      admitCall(
        "read_data",
        withAccessor(() => (reads += 1)),
      ),
    ).toMatchObject({ ok: false, error: { code: "malformed_input", path: "from" } });
    expect(reads).toBe(0);
  });

  it("admits text that is empty, blank, null or missing as the empty input", () => {
    const empty = { ok: true, tool: "help", input: {} };
    for (const text of ["", " \n\t", "null", "{}", null, undefined]) expect(admitText("help", text)).toEqual(empty);
    for (const input of [null, undefined, {}]) expect(admitCall("help", input)).toEqual(empty);
  });

  it("RT46 RT48 admits an input of exactly 64 KB and refuses one of a byte more", () => {
    const of = (bytes: number) => ({ from: "log", where: "x".repeat(bytes - '{"from":"log","where":""}'.length) });
    expect(bytesOf(of(65_536))).toBe(65_536);
    expect(admitCall("read_data", of(65_536)).ok).toBe(true);
    expect(admitCall("read_data", of(65_537))).toMatchObject({ ok: false, error: { code: "input_too_large" } });
  });

  it("RT46 RT48 admits 20 levels and refuses 21", () => {
    expect(admitCall("help", nested(20)).ok).toBe(true);
    expect(admitCall("help", nested(21))).toMatchObject({ ok: false, error: { code: "input_too_deep" } });
  });

  it("keeps a copy: what the caller does to its input afterwards shows nowhere", () => {
    const input = { from: "log", fields: ["id"] };
    const admitted = admitCall("read_data", input);
    input.fields.push("round");
    expect(admitted).toEqual({ ok: true, tool: "read_data", input: { fields: ["id"], from: "log" } });
  });

  it("RT36 names the nearest tool", () => {
    expect(errorOf(call(toySession("easy"), "comit_step").answer).hint).toBe('did you mean "commit_step"?');
  });

  it("RT36 RT38 never throws, whatever JSON a call holds, and never answers with more than 8 KB", () => {
    const sessions = (["easy", "hard", "extreme"] as const).map(inTheMiddle);
    fc.assert(
      fc.property(
        fc.constantFrom(...TOOL_NAMES),
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom(...sessions),
        (tool, input, session) => {
          const { answer } = callTool(session, admitCall(tool, input));
          expect(bytesOf(answer)).toBeLessThanOrEqual(8_192);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("RT36 never throws for near misses of real calls", () => {
    const word = fc.constantFrom(
      "ana",
      "kettle",
      "kitchen",
      "go",
      "heat",
      "__proto__",
      "constructor",
      "",
      "it",
      "clock",
      "person",
      "at",
      "x.y",
      "who.at",
    );
    const junk = fc.oneof(
      word,
      fc.integer({ min: -2, max: 3 }),
      fc.constant(null),
      fc.boolean(),
      fc.array(word, { maxLength: 2 }),
    );
    const near = fc.oneof(
      fc.record(
        {
          triggers: fc.array(fc.record({ capability: word, args: fc.dictionary(word, junk, { maxKeys: 3 }) }), {
            maxLength: 3,
          }),
          advance: junk,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          op: fc.constantFrom("create", "update", "delete"),
          level: fc.constantFrom("type", "entity", "capability"),
          id: word,
          capability: fc.record({
            id: word,
            params: fc.dictionary(word, fc.dictionary(fc.constantFrom("type", "kind"), word), { maxKeys: 2 }),
            requires: fc.array(fc.record({ expr: word }), { maxLength: 2 }),
            effects: fc.array(fc.dictionary(fc.constantFrom("set", "value", "expr", "create", "destroy", "id"), word), {
              maxLength: 2,
            }),
          }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          from: fc.constantFrom("map", "types", "entities", "log"),
          id: word,
          type: word,
          where: word,
          fields: fc.array(word, { maxLength: 2 }),
          cursor: word,
        },
        { requiredKeys: [] },
      ),
    );
    const sessions = (["easy", "hard", "extreme"] as const).map(inTheMiddle);
    fc.assert(
      fc.property(fc.constantFrom(...TOOL_NAMES), near, fc.constantFrom(...sessions), (tool, input, session) => {
        const { answer } = callTool(session, admitCall(tool, input));
        expect(typeof answer.ok).toBe("boolean");
      }),
      { numRuns: 1_000 },
    );
  });
});
