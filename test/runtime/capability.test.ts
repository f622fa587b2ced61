import { describe, expect, it } from "vitest";
import { applyConstruction, applyStepRecord } from "../../src/runtime/apply-record.ts";
import { capabilitySchema, triggerSchema, type Capability } from "../../src/runtime/capability.ts";
import { compileCapability } from "../../src/runtime/compile-capability.ts";
import type { ToolError } from "../../src/runtime/errors.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { commitStep } from "../../src/runtime/step.ts";
import { tryTrigger } from "../../src/runtime/try-trigger.ts";
import { digestOfWorld } from "../../src/runtime/world.ts";
import { accepted, act, at, capability, having, refused, submit, village, villageOf } from "./support/village.ts";

const world = village();

function fault(draft: Readonly<Record<string, unknown>>): ToolError {
  const compiled = compileCapability(world, capability(draft));
  if (compiled.ok) throw new Error("it compiles");
  return compiled.error;
}

function compiles(draft: Readonly<Record<string, unknown>>): boolean {
  return compileCapability(world, capability(draft)).ok;
}

const WHO = { who: { type: "person" } };

describe("parameters", () => {
  it.each("ann jug mill isle weavers".split(" "))("RT21 may not be called %s, as something in the world is", (name) => {
    expect(fault({ params: { [name]: { kind: "int" } } })).toMatchObject({
      code: "forbidden_id",
      path: `params.${name}`,
    });
  });

  it.each(
    "it clock all entity count linked inside alongside min max abs clamp exists filter map has matches type string int uint double bool bytes dyn list true false null in as break const continue else for function if import let loop package namespace return var void while constructor prototype __proto__ id name at fields".split(
      " ",
    ),
  )("RT21 may not be called %s", (name) => {
    const draft = { ...capability({}), params: Object.fromEntries([[name, { kind: "int" as const }]]) };
    const compiled = compileCapability(world, draft);
    expect(compiled.ok ? "compiles" : compiled.error.code).toBe("forbidden_id");
    const parsed = capabilitySchema.safeParse({ id: "act", params: JSON.parse(`{"${name}":{"kind":"int"}}`) });
    expect(parsed.success && Object.keys(parsed.data.params).length > 0).toBe(false);
  });

  it.each(["Who", "1st", "wh o", "", "é", "a".repeat(65), "who.x", "_who"])("RT9 may not be called %j", (name) => {
    const draft = { ...capability({}), params: { [name]: { kind: "int" as const } } };
    expect(compileCapability(world, draft).ok).toBe(false);
  });

  it.each([
    "tostring",
    "valueof",
    "hasownproperty",
    "size",
    "duration",
    "timestamp",
    "a".repeat(64),
    "x",
    "exists_one",
    "number",
    "place",
    "text",
  ])("RT21 may be called %s, and mean what is given", (name) => {
    const after = accepted(
      act(
        world,
        { params: { [name]: { kind: "number" } }, effects: [{ add: "jug.litres", by: `${name} * 2` }] },
        { [name]: 1.25 },
      ),
    ).world;
    expect(at(after, "jug.litres")).toBe(4);
  });

  it("RT13 are entities of a type or of any, or values of a kind", () => {
    expect(fault({ params: { x: { type: "persn" } } })).toMatchObject({
      code: "unknown_type",
      hint: 'did you mean "person"?',
    });
    expect(fault({ params: { x: { type: "place" } } }).hint).toBe('did you mean { "kind": "place" }?');
    expect(fault({ params: { x: { type: "person", kind: "int" } } }).code).toBe("invalid_value");
    expect(fault({ params: { x: { kind: "enum" } } }).code).toBe("invalid_value");
    expect(fault({ params: { x: { kind: "int", values: ["a"] } } }).code).toBe("invalid_value");
    expect(fault({ params: { x: { values: ["a"] } } }).code).toBe("invalid_value");
    expect(compiles({ params: { x: {}, y: { type: "jug" }, z: { kind: "enum", values: ["a"] } } })).toBe(true);
  });

  it("RT46 are at most 32", () => {
    const params = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { kind: "int" }]));
    expect(compiles({ params: params(LIMITS.paramsPerCapability) })).toBe(true);
    expect(compiles({ params: params(LIMITS.paramsPerCapability + 1) })).toBe(false);
  });

  it.each([
    [{ kind: "int" }, [1, -3, 2 ** 53 - 1, 5.0], [1.5, "1", true, 2 ** 53, 1e300]],
    [{ kind: "number" }, [1.5, -0.1, 1e300], ["1.5", false]],
    [{ kind: "text" }, ["", "🜂", "a".repeat(1_000)], [1, true, "a".repeat(1_001)]],
    [{ kind: "bool" }, [true, false], ["true", 0]],
    [{ kind: "place" }, ["mill"], ["ann", "nowhere", 3, "__proto__", "constructor"]],
    [{ kind: "enum", values: ["a", "b"] }, ["a"], ["c", "A", 1]],
    [{ type: "person" }, ["ann"], ["jug", "mill", "nobody", 3, true, "__proto__", "constructor"]],
    [{}, ["ann", "jug"], ["mill", "nobody", 3]],
  ])("RT37 an argument of %j is strict", (param, fine, wrong) => {
    const able = having(world, { act: { params: { x: param } } });
    expect(fine.filter((x) => !submit(able, [{ capability: "act", args: { x } }]).ok)).toEqual([]);
    for (const x of wrong) {
      const refusal = refused(submit(able, [{ capability: "act", args: { x } }]));
      expect([
        "wrong_type",
        "invalid_value",
        "text_too_long",
        "unknown_place",
        "unknown_entity",
        "wrong_entity_type",
      ]).toContain(refusal.code);
      expect(refusal.path).toBe("triggers[0].args.x");
    }
  });

  it("RT37 a missing and an unknown argument are told apart, with what would be right", () => {
    const able = having(world, { act: { params: WHO } });
    expect(refused(submit(able, [{ capability: "act" }]))).toMatchObject({
      code: "missing_key",
      path: "triggers[0].args.who",
      hint: "an entity of type person",
    });
    expect(refused(submit(able, [{ capability: "act", args: { who: "ann", whom: "bob" } }]))).toMatchObject({
      code: "unknown_parameter",
      hint: 'did you mean "who"?',
    });
    expect(refused(submit(able, [{ capability: "acte", args: { who: "ann" } }]))).toMatchObject({
      code: "unknown_capability",
      hint: 'did you mean "act"?',
    });
    expect(refused(submit(able, [{ capability: "act", args: { who: "an" } }])).hint).toBe('did you mean "ann"?');
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(refused(submit(able, [{ capability: name, args: {} }])).code).toBe("unknown_capability");
    }
  });
});

describe("requirements and durations", () => {
  it.each([
    ["who.coins", "expression_type"],
    ["who.at", "expression_type"],
    ["who", "expression_type"],
    ["who == null", "expression_never_true"],
    ["it.coins > 1", "expression_unknown_name"],
  ])("RT15 the requirement %s is refused with %s, and where it stands", (expr, code) => {
    expect(fault({ params: WHO, requires: [{ expr: "who.awake" }, { expr }] })).toMatchObject({
      code,
      path: "requires[1].expr",
    });
  });

  it.each([["who.awake"], ["who.at"], ['"two"'], ["all(person)"], ["null"]])(
    "RT15 the duration %s is refused: it is no number",
    (duration) => {
      expect(fault({ params: WHO, duration })).toMatchObject({ code: "expression_type", path: "duration" });
    },
  );

  it.each([
    ["travelTicks(who.at, inn)", 5],
    ["who.coins / 5", 2],
    ["max(1, who.coins - 3)", 7],
    ["clock + 4", 4],
  ])("RT13 the duration %s takes %i ticks", (duration, ticks) => {
    const { record, world: after } = accepted(act(world, { params: WHO, duration }, { who: "ann" }));
    expect(record.triggers[0]).toMatchObject({ start: 0, end: ticks });
    expect(after.clock).toBe(ticks);
  });

  it.each([
    ["who.coins / 4", "2.5"],
    ["who.coins - 10", "0"],
    ["0 - who.coins", "-10"],
    ["1000001 + who.coins - who.coins", "1000001"],
    ["who.friend.friend.coins + 1", "who.friend.friend is null"],
    ["1 / (who.coins - 10)", "divides by 0"],
  ])("RT13 the duration %s refuses the step", (duration, seen) => {
    const refusal = refused(act(world, { params: WHO, duration }, { who: "ann" }));
    expect(refusal.code).toBe("bad_duration");
    expect(refusal.message).toContain(seen);
  });

  it.each([0, -1, 1.5, LIMITS.ticks + 1])("RT13 a stated duration of %d is refused", (duration) => {
    expect(capabilitySchema.safeParse({ id: "act", duration }).success).toBe(false);
  });

  it("RT13 a capability may do nothing but take time", () => {
    const { record, world: after } = accepted(act(world, { duration: 3 }));
    expect(record.triggers[0]).toMatchObject({ reads: [], writes: [], start: 0, end: 3 });
    expect(after.clock).toBe(3);
    expect(after.entities).toBe(world.entities);
  });
});

describe("effects as they are written", () => {
  it.each([
    [{}, "invalid_value", "effects[0]"],
    [{ set: "who.at", add: "who.coins", value: 1 }, "invalid_value", "effects[0]"],
    [{ set: "who.at" }, "invalid_value", "effects[0]"],
    [{ set: "who.at", value: "mill", expr: "mill" }, "invalid_value", "effects[0]"],
    [{ set: "who.coins", by: 3 }, "unknown_key", "effects[0]"],
    [{ add: "who.coins" }, "missing_key", "effects[0]"],
    [{ add: "who.coins", value: 3 }, "unknown_key", "effects[0]"],
    [{ destroy: "who", value: 1 }, "unknown_key", "effects[0]"],
    [{ claim: "who.at", expr: "mill" }, "unknown_key", "effects[0]"],
    [{ create: "crate" }, "missing_key", "effects[0]"],
    // targets
    [{ set: "who", value: 1 }, "invalid_value", "effects[0].set"],
    [{ set: "who.at.at", expr: "mill" }, "invalid_value", "effects[0].set"],
    [{ set: 'entity("ann").at', expr: "mill" }, "invalid_value", "effects[0].set"],
    [{ set: "nobody.at", expr: "mill" }, "expression_unknown_name", "effects[0].set"],
    [{ set: "mill.at", expr: "ford" }, "expression_unknown_name", "effects[0].set"],
    [{ set: "it.at", expr: "mill" }, "expression_unknown_name", "effects[0].set"],
    [{ set: "n.at", expr: "mill" }, "expression_type", "effects[0].set"],
    [{ set: "who.coin", value: 1 }, "unknown_field", "effects[0].set"],
    [{ set: "who.name", value: "Anna" }, "unknown_field", "effects[0].set"],
    [{ set: "who.type", value: "jug" }, "unknown_field", "effects[0].set"],
    [{ set: "who.id", value: "bob" }, "unknown_field", "effects[0].set"],
    [{ set: "who.__proto__", value: 1 }, "invalid_value", "effects[0].set"],
    [{ set: "who.constructor", value: 1 }, "unknown_field", "effects[0].set"],
    [{ add: "who.mood", by: 1 }, "expression_type", "effects[0]"],
    [{ add: "who.at", by: 1 }, "expression_type", "effects[0]"],
    [{ add: "who.awake", by: 1 }, "expression_type", "effects[0]"],
    [{ insert: "who.friend", expr: "bob" }, "expression_type", "effects[0]"],
    [{ remove: "who.coins", value: 3 }, "expression_type", "effects[0]"],
    [{ insert: "weavers.members", expr: "jug" }, "expression_type", "effects[0].expr"],
    [{ insert: "weavers.members", value: "jug" }, "wrong_entity_type", "effects[0].value"],
    [{ insert: "weavers.members", value: "nobody" }, "broken_reference", "effects[0].value"],
    [{ insert: "weavers.members", expr: "weavers.members" }, "expression_type", "effects[0].expr"],
    [{ destroy: "mill" }, "expression_unknown_name", "effects[0].destroy"],
    [{ destroy: "n" }, "expression_type", "effects[0].destroy"],
    [{ destroy: "who.friend" }, "expression_unknown_name", "effects[0].destroy"],
    // values
    [{ set: "who.coins", value: 101 }, "out_of_range", "effects[0].value"],
    [{ set: "who.coins", value: 1.5 }, "out_of_range", "effects[0].value"],
    [{ set: "who.coins", value: "3" }, "wrong_type", "effects[0].value"],
    [{ set: "who.coins", value: null }, "wrong_type", "effects[0].value"],
    [{ set: "who.awake", value: 1 }, "wrong_type", "effects[0].value"],
    [{ set: "who.mood", value: "angry" }, "out_of_range", "effects[0].value"],
    [{ set: "who.friend", value: "jug" }, "wrong_entity_type", "effects[0].value"],
    [{ set: "who.friend", value: "nobody" }, "broken_reference", "effects[0].value"],
    [{ set: "who.at", value: "nowhere" }, "broken_reference", "effects[0].value"],
    [{ set: "jug.home", value: "ann" }, "unknown_place", "effects[0].value"],
    [{ set: "jug.home", value: null }, "wrong_type", "effects[0].value"],
    [{ set: "weavers.members", value: ["ann", "jug"] }, "wrong_entity_type", "effects[0].value"],
    [{ set: "who.coins", expr: "101" }, "expression_type", "effects[0].expr"],
    [{ set: "who.coins", expr: "2.5" }, "expression_type", "effects[0].expr"],
    [{ set: "who.coins", expr: '"3"' }, "expression_type", "effects[0].expr"],
    [{ set: "who.mood", expr: '"angry"' }, "expression_type", "effects[0].expr"],
    [{ set: "who.at", expr: '"mill"' }, "expression_type", "effects[0].expr"],
    [{ set: "who.at", expr: "n" }, "expression_type", "effects[0].expr"],
    [{ set: "who.friend", expr: "jug" }, "expression_type", "effects[0].expr"],
    [{ set: "who.friend", expr: "mill" }, "expression_type", "effects[0].expr"],
    [{ set: "jug.home", expr: "null" }, "expression_type", "effects[0].expr"],
    [{ set: "jug.home", expr: "ann" }, "expression_type", "effects[0].expr"],
    [{ set: "jug.label", expr: "n" }, "expression_type", "effects[0].expr"],
    [{ set: "weavers.members", expr: "all(jug)" }, "expression_type", "effects[0].expr"],
    [{ set: "weavers.members", expr: "ann" }, "expression_type", "effects[0].expr"],
    [{ add: "who.coins", by: '"3"' }, "expression_type", "effects[0].by"],
    [{ add: "who.coins", by: "who.awake" }, "expression_type", "effects[0].by"],
    // for
    [{ set: "it.at", expr: "mill", for: { each: "persn" } }, "unknown_type", "effects[0].for.each"],
    [
      { set: "it.at", expr: "mill", for: { each: "person", where: "it.coins" } },
      "expression_type",
      "effects[0].for.where",
    ],
    [{ set: "it.litres", value: 1, for: { each: "person" } }, "unknown_field", "effects[0].set"],
    [
      { set: "it.at", expr: "mill", for: { each: "person", where: "it.litres > 1" } },
      "unknown_field",
      "effects[0].for.where",
    ],
    // create
    [{ create: "crat", id: "x" }, "unknown_type", "effects[0].create"],
    [{ create: "crate", id: { expr: "n" } }, "expression_type", "effects[0].id.expr"],
    [{ create: "crate", id: { expr: "who" } }, "expression_type", "effects[0].id.expr"],
    [{ create: "crate", id: "x", at: "n" }, "expression_type", "effects[0].at"],
    [{ create: "crate", id: "x", at: '"mill"' }, "expression_type", "effects[0].at"],
    [{ create: "crate", id: "x", fields: { wait: 3 } }, "unknown_field", "effects[0].fields.wait"],
    [{ create: "crate", id: "x", fields: { weight: -1 } }, "out_of_range", "effects[0].fields.weight"],
    [
      { create: "crate", id: "x", fields: { weight: { expr: "who.awake" } } },
      "expression_type",
      "effects[0].fields.weight.expr",
    ],
  ])("RT15 %j is refused with %s at %s", (effect, code, path) => {
    expect(fault({ params: { ...WHO, n: { kind: "int" } }, effects: [effect] })).toMatchObject({ code, path });
  });

  it("RT36 a parameter written as a value is told to be an expression", () => {
    const written = { params: { ...WHO, to: { kind: "place" } }, effects: [{ set: "who.at", value: "to" }] };
    expect(fault(written).hint).toBe('"to" is a parameter: write "expr": "to"');
    expect(fault({ params: WHO, effects: [{ set: "who.at", expr: '"mill"' }] }).hint).toBe("ids stand without quotes");
  });

  it.each(["ann", "mill", "it", "A", "__proto__", "constructor", "while", ""])(
    "RT9 a created entity may not be called %j",
    (id) => {
      const made = capabilitySchema.safeParse({ id: "act", effects: [{ create: "crate", id }] });
      const outcome = made.success ? act(world, { effects: [{ create: "crate", id }] }) : undefined;
      expect(outcome?.ok ?? false).toBe(false);
    },
  );
});

describe("a capability the world has taken in", () => {
  const shy = {
    goodbye: { effects: [{ destroy: "cat" }] },
    greet: {
      params: WHO,
      requires: [{ expr: "cat.at == who.at || who.awake" }],
      effects: [{ add: "who.coins", by: 1 }],
    },
  };
  const goodbye = triggerSchema.parse({ capability: "goodbye" });
  const greet = triggerSchema.parse({ capability: "greet", args: { who: "ann" } });

  it("RT47 works as it did when what it names was destroyed before its first use", () => {
    const prebuilt = village({ capabilities: shy });
    const after = accepted(commitStep(prebuilt, { triggers: [goodbye], advance: 0 }, { step: 1, round: 1 })).world;
    const greeted = accepted(commitStep(after, { triggers: [greet], advance: 0 }, { step: 2, round: 1 })).world;
    expect(at(greeted, "ann.coins")).toBe(11);
  });

  it("RT47 works alike in a world that was replayed from parsed records", () => {
    const able = having(world, shy);
    const first = accepted(commitStep(able, { triggers: [goodbye], advance: 0 }, { step: 1, round: 1 }));
    const items = Object.values(able.capabilities).map((now) => ({ level: "capability", id: now.id, now }) as const);
    let replayed = village();
    for (const item of JSON.parse(JSON.stringify(items)) as typeof items)
      replayed = applyConstruction(replayed, { item });
    replayed = applyStepRecord(replayed, JSON.parse(JSON.stringify(first.record)));
    expect(digestOfWorld(replayed)).toBe(first.record.digest);
    const live = commitStep(first.world, { triggers: [greet], advance: 0 }, { step: 2, round: 1 });
    const again = commitStep(replayed, { triggers: [greet], advance: 0 }, { step: 2, round: 1 });
    expect(again.ok && again.value.record).toEqual(accepted(live).record);
  });

  it("RT23 refuses the step where an effect's target was destroyed", () => {
    const able = having(world, { goodbye: shy.goodbye, pay: { effects: [{ add: "cat.coins", by: 1 }] } });
    const after = accepted(submit(able, [{ capability: "goodbye" }])).world;
    expect(refused(submit(after, [{ capability: "pay" }]))).toMatchObject({ code: "effect_failed" });
    expect(tryTrigger(after, triggerSchema.parse({ capability: "pay" }), { alongside: {} }).ok).toBe(false);
  });

  it("RT36 one that no world could have lawfully taken in is refused, not thrown", () => {
    const broken: Capability = capability({ requires: [{ expr: "nobody.at == mill" }] });
    const odd = applyConstruction(world, { item: { level: "capability", id: "act", now: broken } });
    expect(refused(submit(odd, [{ capability: "act" }]))).toMatchObject({
      code: "expression_unknown_name",
      path: "triggers[0].capability",
    });
  });

  it("RT43 an update is a new version, and triggers say which they used", () => {
    const one = having(world, { act: { effects: [{ set: "box.weight", value: 3 }] } });
    const now = { ...capability({ effects: [{ set: "box.weight", value: 4 }] }), version: 2 };
    const two = applyConstruction(one, { item: { level: "capability", id: "act", now } });
    const steps = [one, two].map((each) => accepted(submit(each, [{ capability: "act" }])));
    expect(steps.map(({ record }) => record.triggers[0]?.version)).toEqual([1, 2]);
    expect(steps.map((each) => at(each.world, "box.weight"))).toEqual([3, 4]);
  });

  it("RT18 a value that is no number where one was meant refuses the step instead of comparing nonsense", () => {
    const able = having(villageOf({ cart: { fields: { load: { kind: "int" } } } }, { cart_1: { type: "cart" } }), {
      push: { params: { what: {} }, requires: [{ expr: "what.load < 5" }] },
    });
    const wagon = { id: "wagon", says: "", fields: { load: { kind: "text", default: "" } } } as const;
    const wider = applyConstruction(able, { item: { level: "type", id: "wagon", now: wagon } });
    const entity = { id: "wagon_1", type: "wagon", name: "wagon_1", at: null, fields: { load: "" } };
    const widest = applyConstruction(wider, { item: { level: "entity", id: "wagon_1", now: entity } });
    expect(refused(submit(widest, [{ capability: "push", args: { what: "wagon_1" } }])).message).toContain(
      'what.load is "", no number',
    );
    expect(submit(widest, [{ capability: "push", args: { what: "cart_1" } }]).ok).toBe(true);
  });
});
