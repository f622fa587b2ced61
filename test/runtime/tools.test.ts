import { describe, expect, it } from "vitest";
import { z } from "zod";
import { admitCall } from "../../src/runtime/admit.ts";
import { callTool } from "../../src/runtime/session.ts";
import { TOOL_NAMES, toolJsonSchemas, TOOLS } from "../../src/runtime/tools.ts";
import { call, errorOf, go, heat, play, toySession } from "./toy-world.ts";

/** Every object node of a JSON Schema. */
function objectsIn(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof node !== "object" || node === null) return [];
  const inside = Object.values(node).flatMap(objectsIn);
  return "properties" in node ? [{ ...node }, ...inside] : inside;
}

describe("the six tools", () => {
  it("RT35 have short plain names and descriptions under 2 KB", () => {
    expect(TOOL_NAMES).toEqual(["help", "get_context", "read_data", "construct", "commit_step", "end_round"]);
    for (const { description } of toolJsonSchemas()) expect(Buffer.byteLength(description)).toBeLessThan(2_048);
  });

  it("RT35 show a model one object at the root, without alternatives there", () => {
    for (const { inputSchema } of toolJsonSchemas()) {
      expect(inputSchema["type"]).toBe("object");
      expect(
        Object.keys(inputSchema).filter((key) => ["oneOf", "anyOf", "allOf", "$ref", "$schema"].includes(key)),
      ).toEqual([]);
    }
  });

  it("RT35 RT37 refuse unknown keys in every object of their input", () => {
    for (const { inputSchema } of toolJsonSchemas()) {
      for (const node of objectsIn(inputSchema)) expect(node["additionalProperties"]).toBe(false);
    }
  });

  it("RT35 describe every top-level key of their input", () => {
    for (const { name, inputSchema } of toolJsonSchemas()) {
      const properties = inputSchema["properties"] as Record<string, { description?: string }>;
      const bare = Object.keys(properties).filter((key) => properties[key]?.description === undefined);
      expect([name, bare]).toEqual([name, []]);
    }
  });

  it("RT35 quote examples that their own schemas accept", () => {
    for (const tool of Object.values(TOOLS)) {
      for (const example of tool.examples) expect(tool.input.safeParse(example).error).toBeUndefined();
    }
  });

  it("RT35 RT36 answer in the shape of their answer schemas, refusals included", () => {
    let session = toySession("hard");
    const calls: readonly (readonly [keyof typeof TOOLS, unknown])[] = [
      ["help", {}],
      ["get_context", {}],
      ["construct", { op: "create", capability: { id: "rest", params: { who: { type: "person" } }, effects: [] } }],
      ["commit_step", { triggers: [{ capability: "rest", args: { who: "ana" } }] }],
      ["read_data", { from: "log" }],
      ["end_round", {}],
      ["commit_step", { triggers: [{ capability: "rest", args: { who: "anna" } }] }],
    ];
    const shapes = z.union([
      z.strictObject({ ok: z.literal(false), error: z.looseObject({ code: z.string() }) }),
      ...Object.values(TOOLS).map(({ answer }) => answer),
    ]);
    const seen = calls.map(([tool, input]) => {
      const turn = call(session, tool, input);
      session = turn.session;
      expect((turn.answer.ok ? TOOLS[tool].answer : shapes).safeParse(turn.answer).error).toBeUndefined();
      return turn.answer.ok;
    });
    expect(seen).toEqual([true, true, true, true, true, true, false]);
  });
});

describe("faults of an input", () => {
  const easy = toySession("easy");
  const errorFor = (tool: string, input: unknown) => errorOf(callTool(easy, admitCall(tool, input)).answer);

  it("RT37 an unknown key is refused with the nearest known key", () => {
    expect(errorFor("commit_step", { trigger: [] })).toEqual({
      code: "unknown_key",
      message: 'commit_step has no key "trigger"',
      path: "trigger",
      hint: 'did you mean "triggers"?',
    });
  });

  it("RT37 an unknown key deep inside is named by its path, and what other programs call it is understood", () => {
    expect(errorFor("commit_step", { triggers: [{ capability: "go", arguments: { who: "ana" } }] })).toEqual({
      code: "unknown_key",
      message: 'triggers[0] has no key "arguments"',
      path: "triggers[0].arguments",
      hint: 'did you mean "args"?',
    });
  });

  it("a tool without keys says that nothing is taken", () => {
    expect(errorFor("end_round", { now: true }).hint).toBe("leave it out: nothing is taken here");
  });

  it("RT104 a missing key is named, with an example", () => {
    expect(errorFor("commit_step", { triggers: [{ args: {} }] })).toEqual({
      code: "missing_key",
      message: "triggers[0].capability is missing: a text is needed",
      path: "triggers[0].capability",
      hint: 'for example "capability": "heat"',
    });
  });

  it("RT37 a number in quotes is refused, and shown without them", () => {
    expect(errorFor("commit_step", { triggers: [], advance: "100" })).toEqual({
      code: "wrong_type",
      message: 'advance: expected a whole number from 0 to 1000000, received the text "100"',
      path: "advance",
      hint: 'write it without quotes: "advance": 100',
    });
  });

  it("RT37 an argument of no allowed type is refused with its path", () => {
    expect(errorFor("commit_step", { triggers: [{ capability: "go", args: { who: ["ana"] } }] })).toEqual({
      code: "wrong_type",
      message: 'triggers[0].args.who: expected true or false or a number or a text, received a list (["ana"])',
      path: "triggers[0].args.who",
      hint: 'for example "who": "ana"',
    });
  });

  it("RT37 null is not the same as left out", () => {
    expect(errorFor("read_data", { from: "log", cursor: null })).toEqual({
      code: "wrong_type",
      message: "cursor: expected a text, received null",
      path: "cursor",
      hint: "leave cursor out where nothing is meant",
    });
  });

  it("RT104 a list that came as a text is recognised", () => {
    expect(errorFor("commit_step", { triggers: '[{"capability": "go"}]' }).hint).toBe(
      "send the list itself, not a text that holds one",
    );
  });

  it("RT37 a word that is none of the allowed ones is refused with the nearest", () => {
    expect(errorFor("read_data", { from: "entity" })).toEqual({
      code: "invalid_value",
      message:
        'from: expected one of "map", "types", "entities", "capabilities", "invariants", "log", "constructions", received the text "entity"',
      path: "from",
      hint: 'did you mean "entities"?',
    });
  });

  it("RT104 a number out of bounds is refused with the bound", () => {
    expect(errorFor("read_data", { from: "log", limit: 101 })).toMatchObject({
      code: "invalid_value",
      message: "limit: at most 100 is taken, received 101",
      path: "limit",
    });
    expect(errorFor("read_data", { from: "log", limit: 1.5 })).toMatchObject({
      code: "wrong_type",
      message: "limit: expected a whole number from 1 to 100, received the number 1.5",
    });
  });

  it("RT46 too many triggers have a code of their own", () => {
    const triggers = Array.from({ length: 65 }, () => go("ana", "kitchen"));
    expect(errorFor("commit_step", { triggers })).toEqual({
      code: "too_many_triggers",
      message: "triggers: at most 64 are taken, received 65",
      path: "triggers",
      hint: "share them out over several steps",
    });
  });

  it("RT46 a note too long is refused with its length", () => {
    const note = "x".repeat(1_001);
    expect(errorFor("commit_step", { triggers: [{ ...heat("ana", "kettle"), note }] })).toMatchObject({
      code: "text_too_long",
      message: "triggers[0].note: a text of at most 1000 characters is needed, received 1001",
      path: "triggers[0].note",
    });
  });

  it("RT104 further faults are counted", () => {
    expect(errorFor("commit_step", { triggers: [{}, {}] }).message).toBe(
      "triggers[0].capability is missing: a text is needed (1 more fault in this input)",
    );
  });

  it("faults of a capability or a type are found where they are", () => {
    const extreme = toySession("extreme");
    const error = (input: unknown) => errorOf(call(extreme, "construct", input).answer);
    const capability = { id: "a", params: {}, effects: [{ sets: "x.y", value: 1 }] };
    expect(error({ op: "create", capability })).toMatchObject({
      code: "unknown_key",
      path: "capability.effects[0].sets",
      hint: 'did you mean "set"?',
    });
    expect(error({ op: "create", capability: { id: "a", preconditions: [] } })).toMatchObject({
      code: "unknown_key",
      hint: 'did you mean "requires"?',
    });
    expect(error({ op: "create", capability: { id: "a", duration: 0.5 } })).toMatchObject({
      code: "wrong_type",
      path: "capability.duration",
    });
    expect(error({ op: "create", capability: { id: "__proto__".replaceAll("_", "A") } })).toMatchObject({
      code: "forbidden_id",
      path: "capability.id",
    });
    expect(error({ op: "create", type: { id: "t", fields: { Big: { kind: "bool" } } } })).toMatchObject({
      code: "forbidden_id",
      path: "type.fields.Big",
    });
    expect(error({ op: "create", type: { id: "t", fields: { a: { kind: "boolean" } } } })).toMatchObject({
      code: "invalid_value",
      message:
        'type.fields.a.kind: expected one of "bool", "int", "number", "text", "enum", "place", "ref", "refs", received the text "boolean"',
      path: "type.fields.a.kind",
      hint: 'did you mean "bool"?',
    });
    expect(error({ op: "create", type: { id: "t", fields: { a: {} } } })).toMatchObject({
      code: "missing_key",
      path: "type.fields.a.kind",
    });
    expect(error({ op: "create", type: { id: "t", fields: { a: { kind: "number" } } } })).toMatchObject({
      code: "missing_key",
      message: "type.fields.a.digits is missing: a whole number from 0 to 12 is needed",
    });
    expect(
      error({ op: "create", type: { id: "t", fields: { a: { kind: "number", digits: 1, minimum: 0 } } } }),
    ).toMatchObject({ code: "unknown_key", hint: 'did you mean "min"?' });
    expect(error({ op: "create", entity: { id: "deck", kind: "x" } })).toMatchObject({
      code: "unknown_key",
      path: "entity.kind",
    });
  });

  it("RT47 an input is the same whatever the order of its keys", () => {
    const session = play(toySession("easy"), [["commit_step", { triggers: [go("ana", "kitchen")] }]]);
    const one = call(session, "commit_step", {
      triggers: [{ capability: "heat", args: { who: "ana", k: "kettle" }, bad: 1, worse: 2 }],
      advance: 0,
    });
    const other = call(session, "commit_step", {
      advance: 0,
      triggers: [{ worse: 2, bad: 1, args: { k: "kettle", who: "ana" }, capability: "heat" }],
    });
    expect(JSON.stringify(one.answer)).toBe(JSON.stringify(other.answer));
  });
});
