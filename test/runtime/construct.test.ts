import { describe, expect, it } from "vitest";
import type { MaintenanceSession } from "../../src/runtime/maintenance/session.ts";
import { getEntity } from "../../src/runtime/state/index.ts";
import { digestOfWorld } from "../../src/runtime/world.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { call, errorOf, essenceOf, play, toySession } from "./toy-world.ts";

const lamp = { id: "lamp", says: "A lamp", fields: { lit: { kind: "bool" }, keeper: { kind: "ref", of: "person" } } };
const light = {
  id: "light",
  params: { who: { type: "person" }, l: { type: "lamp" } },
  requires: [{ expr: "l.keeper == who" }],
  effects: [{ set: "l.lit", value: true }],
};

/** Extreme, with two types, two people, two lamps and a capability. */
function furnished(): MaintenanceSession {
  return play(toySession("extreme"), [
    ["construct", { op: "create", type: { id: "person", says: "Somebody" } }],
    ["construct", { op: "create", type: lamp }],
    ["construct", { op: "create", entity: { id: "ana", type: "person", name: "Ana", at: "yard" } }],
    ["construct", { op: "create", entity: { id: "ben", type: "person" } }],
    ["construct", { op: "create", entity: { id: "old_lamp", type: "lamp", at: "ana", fields: { keeper: "ana" } } }],
    ["construct", { op: "create", entity: { id: "new_lamp", type: "lamp", at: "kitchen" } }],
    ["construct", { op: "create", capability: light }],
  ]);
}

/** The refusal of a construction, after checking that it changed nothing. */
function refusalOf(session: MaintenanceSession, input: unknown): ReturnType<typeof errorOf> {
  const turn = call(session, "construct", input);
  expect(turn.record).toBeUndefined();
  expect(essenceOf(turn.session)).toBe(essenceOf(session));
  return errorOf(turn.answer);
}

describe("what fits together", () => {
  const session = furnished();

  it.each([
    [{}, "missing_key", "op", undefined],
    [{ op: "make" }, "invalid_value", "op", undefined],
    [{ op: "create" }, "missing_key", "capability", 'for example {"op": "create", "capability": {"id": …}}'],
    [{ op: "create", level: "type" }, "missing_key", "type", 'for example {"op": "create", "type": {"id": …}}'],
    [{ op: "create", level: "type", capability: { id: "x" } }, "invalid_value", "level", "leave `level` out"],
    [{ op: "create", id: "y", capability: { id: "x" } }, "invalid_value", "id", "leave `id` out"],
    [
      { op: "create", type: { id: "x" }, capability: { id: "x" } },
      "invalid_value",
      "capability",
      "send one call for each",
    ],
    [{ op: "delete" }, "missing_key", "level", 'for example {"op": "delete", "level": "capability", "id": "heat"}'],
    [
      { op: "delete", level: "capability" },
      "missing_key",
      "id",
      'for example {"op": "delete", "level": "capability", "id": "heat"}',
    ],
    [
      { op: "delete", capability: { id: "light" } },
      "invalid_value",
      "capability",
      'for example {"op": "delete", "level": "capability", "id": "heat"}',
    ],
    [{ op: "create", item: { id: "x" } }, "unknown_key", "item", undefined],
  ])("RT36 RT37 %j is refused with %s at %s", (input, code, path, hint) => {
    const error = refusalOf(session, input);
    expect([error.code, error.path, error.hint]).toEqual([code, path, hint ?? error.hint]);
  });

  it("level and id may be given where they agree with the item", () => {
    expect(call(session, "construct", { op: "create", level: "type", id: "cup", type: { id: "cup" } }).answer).toEqual({
      ok: true,
      construction: 8,
      op: "create",
      level: "type",
      id: "cup",
    });
  });
});

describe("tiers", () => {
  it("RT42 easy constructs nothing, and says so whatever is sent", () => {
    expect(refusalOf(toySession("easy"), { op: "create", capability: light })).toEqual({
      code: "not_permitted",
      message: "nothing is constructed in tier easy: all of the world is there",
      hint: 'act with commit_step; read_data {"from": "capabilities"} shows how',
    });
  });

  it("RT42 hard constructs capabilities only", () => {
    expect(refusalOf(toySession("hard"), { op: "create", entity: { id: "x", type: "person" } })).toEqual({
      code: "not_permitted",
      message: "tier hard constructs capabilities: an entity is given, not made",
      path: "entity",
    });
    expect(call(toySession("hard"), "construct", { op: "create", capability: { id: "rest" } }).answer).toMatchObject({
      ok: true,
      version: 1,
    });
  });
});

describe("creating", () => {
  it("RT43 fills in defaults, and records what came into being with the digest of the world", () => {
    const turn = call(furnished(), "construct", { op: "create", entity: { id: "third_lamp", type: "lamp" } });
    expect(turn.record).toEqual({
      kind: "construction",
      construction: 8,
      round: 1,
      afterStep: 0,
      op: "create",
      item: {
        level: "entity",
        id: "third_lamp",
        now: { id: "third_lamp", type: "lamp", name: "third_lamp", at: null, fields: { keeper: null, lit: false } },
      },
      digest: digestOfWorld(turn.session.world),
    });
  });

  it("RT6 refuses an id that is taken, and says what to do instead", () => {
    const session = furnished();
    expect(refusalOf(session, { op: "create", capability: light })).toEqual({
      code: "already_exists",
      message: 'there is a capability "light" already',
      path: "capability.id",
      hint: 'op "update" makes a new version of it',
    });
    expect(refusalOf(session, { op: "create", entity: { id: "ana", type: "person" } }).code).toBe("already_exists");
    expect(refusalOf(session, { op: "create", entity: { id: "kitchen", type: "person" } })).toMatchObject({
      code: "already_exists",
      path: "entity.id",
    });
    expect(refusalOf(session, { op: "create", type: { id: "lamp" } }).code).toBe("already_exists");
  });

  it("RT6 never takes an id a second time, on any level", () => {
    const session = play(furnished(), [
      ["construct", { op: "delete", level: "capability", id: "light" }],
      ["construct", { op: "delete", level: "entity", id: "new_lamp" }],
      ["construct", { op: "delete", level: "entity", id: "old_lamp" }],
      ["construct", { op: "delete", level: "type", id: "lamp" }],
    ]);
    expect(refusalOf(session, { op: "create", type: { id: "lamp" } })).toEqual({
      code: "id_was_used",
      message: '"lamp" belonged to a type that is gone',
      path: "type.id",
      hint: "ids are never used again: take another",
    });
    expect(refusalOf(session, { op: "create", entity: { id: "new_lamp", type: "person" } }).code).toBe("id_was_used");
    expect(refusalOf(session, { op: "create", capability: { id: "light" } }).code).toBe("id_was_used");
  });

  it("RT6 does not take the id of an entity that a step destroyed", () => {
    const session = play(furnished(), [
      [
        "construct",
        { op: "create", capability: { id: "smash", params: { l: { type: "lamp" } }, effects: [{ destroy: "l" }] } },
      ],
      ["commit_step", { triggers: [{ capability: "smash", args: { l: "new_lamp" } }] }],
    ]);
    expect(refusalOf(session, { op: "create", entity: { id: "new_lamp", type: "lamp" } }).code).toBe("id_was_used");
  });

  it("RT4 refuses entities that do not fit their type or the world", () => {
    const session = furnished();
    expect(refusalOf(session, { op: "create", entity: { id: "x" } })).toMatchObject({
      code: "missing_key",
      path: "entity.type",
    });
    expect(refusalOf(session, { op: "create", entity: { id: "x", type: "lampe" } })).toMatchObject({
      code: "unknown_type",
      path: "entity.type",
      hint: 'did you mean "lamp"?',
    });
    expect(
      refusalOf(session, { op: "create", entity: { id: "x", type: "lamp", fields: { lid: true } } }),
    ).toMatchObject({ code: "unknown_field", path: "entity.fields.lid", hint: 'did you mean "lit"?' });
    expect(
      refusalOf(session, { op: "create", entity: { id: "x", type: "lamp", fields: { lit: "yes" } } }),
    ).toMatchObject({ code: "wrong_type", path: "entity.fields.lit" });
    expect(
      refusalOf(session, { op: "create", entity: { id: "x", type: "lamp", fields: { keeper: "new_lamp" } } }),
    ).toMatchObject({ code: "wrong_entity_type", path: "entity.fields.keeper" });
    expect(refusalOf(session, { op: "create", entity: { id: "x", type: "lamp", at: "garden" } })).toMatchObject({
      code: "broken_reference",
      path: "entity.at",
    });
  });

  it("RT4 refuses types whose fields mean nothing", () => {
    const session = furnished();
    const withField = (field: unknown) => refusalOf(session, { op: "create", type: { id: "x", fields: { f: field } } });
    expect(withField({ kind: "ref", of: "persons" })).toEqual({
      code: "unknown_type",
      message: 'there is no type "persons"',
      path: "type.fields.f.of",
      hint: 'did you mean "person"?',
    });
    expect(withField({ kind: "place", default: "garden" })).toMatchObject({
      code: "invalid_value",
      path: "type.fields.f.default",
    });
    expect(withField({ kind: "int", min: 3, max: 1 })).toMatchObject({ code: "invalid_value", path: "type.fields.f" });
    expect(withField({ kind: "int", max: 3, default: 4 })).toMatchObject({
      code: "invalid_value",
      path: "type.fields.f.default",
    });
    expect(withField({ kind: "int", default: 0.5 })).toMatchObject({
      code: "invalid_value",
      path: "type.fields.f.default",
    });
    expect(withField({ kind: "enum", values: ["a", "a"] })).toMatchObject({
      code: "invalid_value",
      path: "type.fields.f.values",
    });
    expect(withField({ kind: "enum", values: ["a"], default: "b" })).toMatchObject({
      code: "invalid_value",
      path: "type.fields.f.default",
    });
  });

  it("lets a type refer to itself", () => {
    expect(
      call(furnished(), "construct", {
        op: "create",
        type: { id: "box", fields: { inside: { kind: "ref", of: "box" } } },
      }).answer.ok,
    ).toBe(true);
  });

  it("RT15 refuses a capability that means nothing, with the place of the fault", () => {
    const session = furnished();
    const error = (capability: unknown) => refusalOf(session, { op: "create", capability });
    expect(error({ ...light, id: "x", requires: [{ expr: "true" }, { expr: "l.keper == who" }] })).toMatchObject({
      code: "unknown_field",
      path: "capability.requires[1].expr",
    });
    expect(error({ ...light, id: "x", effects: [{ set: "l.lit" }] })).toMatchObject({ path: "capability.effects[0]" });
    expect(error({ ...light, id: "x", params: { ana: { type: "person" } } })).toMatchObject({
      code: "forbidden_id",
      path: "capability.params.ana",
    });
  });

  it("RT21 refuses an entity whose id would take the meaning from a parameter", () => {
    expect(refusalOf(furnished(), { op: "create", entity: { id: "who", type: "person" } })).toMatchObject({
      code: "forbidden_id",
      message: expect.stringContaining("capability light (params.who"),
      path: "entity.id",
    });
  });

  it("RT46 stops at the most types a world may have", () => {
    const types = Object.fromEntries(
      Array.from({ length: LIMITS.types }, (_, i) => [`t${i}`, { id: `t${i}`, says: "", fields: {} }]),
    );
    expect(
      refusalOf(toySession("extreme", { parts: { types } }), { op: "create", type: { id: "one_more" } }).code,
    ).toBe("too_many_types");
  });

  it("RT46 stops at the most capabilities a world may have", () => {
    const capabilities = Object.fromEntries(
      Array.from({ length: LIMITS.capabilities }, (_, i) => [
        `c${i}`,
        { id: `c${i}`, says: "", params: {}, requires: [], effects: [], duration: 1 },
      ]),
    );
    expect(
      refusalOf(toySession("hard", { parts: { capabilities } }), { op: "create", capability: { id: "one_more" } }).code,
    ).toBe("too_many_capabilities");
  });

  it("RT46 stops at the most entities a world may have", () => {
    const entities = Object.fromEntries(
      Array.from({ length: LIMITS.entities }, (_, i) => [
        `e${i}`,
        { id: `e${i}`, type: "dot", name: "", at: null, fields: {} },
      ]),
    );
    const full = toySession("extreme", { parts: { types: { dot: { id: "dot", says: "", fields: {} } }, entities } });
    expect(
      errorOf(call(full, "construct", { op: "create", entity: { id: "one_more", type: "dot" } }).answer).code,
    ).toBe("too_many_entities");
  });
});

describe("updating", () => {
  it("RT43 a type gains fields, and its entities their defaults", () => {
    const { session } = call(furnished(), "construct", {
      op: "update",
      type: { id: "lamp", fields: { oil: { kind: "int", min: 0, default: 3 } } },
    });
    expect(session.world.types["lamp"]).toMatchObject({
      says: "A lamp",
      fields: { lit: { kind: "bool" }, keeper: { kind: "ref" }, oil: { kind: "int" } },
    });
    expect(getEntity(session.world.entities, "old_lamp")?.fields).toEqual({ lit: false, keeper: "ana", oil: 3 });
  });

  it("RT43 a type's sentence may be mended, its fields not changed", () => {
    const session = furnished();
    const mended = call(session, "construct", { op: "update", type: { id: "lamp", says: "An oil lamp" } }).session;
    expect(mended.world.types["lamp"]?.says).toBe("An oil lamp");
    expect(refusalOf(session, { op: "update", type: { id: "lamp", fields: { lit: { kind: "int" } } } })).toEqual({
      code: "incompatible_update",
      message: 'type lamp has a field "lit" that is not the same',
      path: "type.fields.lit",
      hint: "an update only adds fields: give the new one another name",
    });
    expect(call(session, "construct", { op: "update", type: lamp }).answer.ok).toBe(true);
  });

  it("RT43 an entity's name is mended and nothing else", () => {
    const session = furnished();
    const { session: after } = call(session, "construct", { op: "update", entity: { id: "ben", name: "Old Ben" } });
    expect(getEntity(after.world.entities, "ben")).toEqual({
      id: "ben",
      type: "person",
      name: "Old Ben",
      at: null,
      fields: {},
    });
    expect(refusalOf(session, { op: "update", entity: { id: "old_lamp", at: "kitchen" } })).toEqual({
      code: "incompatible_update",
      message: "at is not changed by construct",
      path: "entity.at",
      hint: "an update mends the name; all else changes by steps",
    });
    expect(refusalOf(session, { op: "update", entity: { id: "old_lamp", fields: { lit: true } } }).path).toBe(
      "entity.fields.lit",
    );
    expect(refusalOf(session, { op: "update", entity: { id: "old_lamp", type: "person" } }).path).toBe("entity.type");
    expect(refusalOf(session, { op: "update", entity: { id: "old_lamp" } })).toMatchObject({
      code: "missing_key",
      path: "entity.name",
    });
  });

  it("RT43 a capability gets a new version, which later triggers use while earlier ones keep theirs", () => {
    const lit = play(furnished(), [
      ["commit_step", { triggers: [{ capability: "light", args: { who: "ana", l: "old_lamp" } }] }],
    ]);
    const updated = call(lit, "construct", { op: "update", capability: { ...light, requires: [], duration: 2 } });
    expect(updated.answer).toEqual({
      ok: true,
      construction: 8,
      op: "update",
      level: "capability",
      id: "light",
      version: 2,
    });
    const after = call(updated.session, "commit_step", {
      triggers: [{ capability: "light", args: { who: "ben", l: "new_lamp" } }],
    });
    expect(after.answer.ok).toBe(true);
    const log = call(after.session, "read_data", { from: "log" }).answer;
    expect(log).toMatchObject({ entries: [{ triggers: [{ version: 1 }] }, { triggers: [{ version: 2, end: 3 }] }] });
  });

  it("what is not there cannot be updated", () => {
    expect(refusalOf(furnished(), { op: "update", capability: { id: "ligth" } })).toEqual({
      code: "unknown_capability",
      message: 'there is no capability "ligth"',
      path: "capability.id",
      hint: 'did you mean "light"?',
    });
  });

  it("RT43 a type's update may not take the meaning from a capability", () => {
    const session = play(furnished(), [
      ["construct", { op: "create", capability: { id: "admire", params: { x: {} }, requires: [{ expr: "x.lit" }] } }],
    ]);
    expect(
      refusalOf(session, { op: "update", type: { id: "person", fields: { lit: { kind: "int" } } } }),
    ).toMatchObject({
      code: "incompatible_update",
      message: expect.stringContaining("capability admire"),
    });
  });
});

describe("deleting", () => {
  it("removes what nothing needs", () => {
    const turn = call(furnished(), "construct", { op: "delete", level: "entity", id: "new_lamp" });
    expect(turn.record).toMatchObject({ op: "delete", item: { level: "entity", id: "new_lamp", now: null } });
    expect(getEntity(turn.session.world.entities, "new_lamp")).toBeUndefined();
  });

  it("RT44 refuses a capability that an accepted trigger used", () => {
    const lit = play(furnished(), [
      ["commit_step", { triggers: [{ capability: "light", args: { who: "ana", l: "old_lamp" } }] }],
    ]);
    expect(refusalOf(lit, { op: "delete", level: "capability", id: "light" })).toEqual({
      code: "in_use",
      message: "capability light cannot be deleted; in the way: trigger t1_1",
      path: "id",
      hint: "what an accepted trigger used stays; leave it alone",
    });
  });

  it("RT44 allows a capability that only a refused trigger used", () => {
    const tried = call(furnished(), "commit_step", {
      triggers: [{ capability: "light", args: { who: "ben", l: "old_lamp" } }],
    }).session;
    expect(call(tried, "construct", { op: "delete", level: "capability", id: "light" }).answer.ok).toBe(true);
  });

  it("RT44 refuses a capability that another counts alongside", () => {
    const session = play(furnished(), [
      ["construct", { op: "create", capability: { id: "hold", requires: [{ expr: 'alongside("light") >= 1' }] } }],
    ]);
    expect(refusalOf(session, { op: "delete", level: "capability", id: "light" }).message).toContain(
      "capability hold (alongside)",
    );
  });

  it("RT44 refuses an entity that is referred to, holds something, or is named by a capability", () => {
    const session = play(furnished(), [
      ["construct", { op: "create", capability: { id: "greet", requires: [{ expr: "ana.at == yard" }] } }],
    ]);
    expect(refusalOf(session, { op: "delete", level: "entity", id: "ana" })).toEqual({
      code: "in_use",
      message: expect.stringMatching(
        /^entity ana cannot be deleted; in the way: old_lamp\.at, old_lamp\.keeper, capability greet \(requires\[0\]\.expr: .*\)$/,
      ),
      path: "id",
      hint: "remove those first",
    });
  });

  it("RT44 refuses an entity that an accepted trigger had as an argument, read by its id or wrote", () => {
    const session = play(furnished(), [
      ["construct", { op: "create", entity: { id: "carla", type: "person" } }],
      ["construct", { op: "create", entity: { id: "spare", type: "lamp" } }],
      [
        "construct",
        {
          op: "create",
          capability: {
            id: "wait_for",
            params: { who: { type: "person" } },
            requires: [{ expr: "carla.at == null" }],
            effects: [{ set: "spare.lit", value: true }],
          },
        },
      ],
      ["commit_step", { triggers: [{ capability: "wait_for", args: { who: "ben" } }] }],
    ]);
    for (const id of ["ben", "carla", "spare"]) {
      expect(refusalOf(session, { op: "delete", level: "entity", id }).message).toContain("trigger t1_1");
    }
  });

  it("RT44 refuses a type that has entities, is mentioned by a capability or referred to by a field", () => {
    const session = furnished();
    const { message } = refusalOf(session, { op: "delete", level: "type", id: "person" });
    for (const obstacle of ["entity ana", "entity ben", "field keeper of type lamp", "capability light"])
      expect(message).toContain(obstacle);
    const bare = play(toySession("extreme"), [["construct", { op: "create", type: { id: "box" } }]]);
    expect(call(bare, "construct", { op: "delete", level: "type", id: "box" }).answer.ok).toBe(true);
  });

  it("RT44 refuses a type that an accepted trigger ranged over, though nothing of it is left", () => {
    const session = play(toySession("extreme"), [
      ["construct", { op: "create", type: { id: "box" } }],
      [
        "construct",
        { op: "create", capability: { id: "look", requires: [{ expr: "!all(box).exists(b, b.at == yard)" }] } },
      ],
      ["commit_step", { triggers: [{ capability: "look" }] }],
      ["construct", { op: "update", capability: { id: "look" } }],
    ]);
    expect(refusalOf(session, { op: "delete", level: "type", id: "box" }).message).toContain("trigger t1_1");
  });

  it("names what it does not know", () => {
    expect(refusalOf(furnished(), { op: "delete", level: "entity", id: "anna" })).toMatchObject({
      code: "unknown_entity",
      path: "id",
      hint: 'did you mean "ana"?',
    });
  });
});

describe("a capability", () => {
  it("keeps its meaning, and hinders no construction, when a step creates an entity that bears the name of its parameter", () => {
    const session = play(furnished(), [
      ["construct", { op: "create", capability: { id: "birth", effects: [{ create: "person", id: "who" }] } }],
    ]);
    const born = call(session, "commit_step", { triggers: [{ capability: "birth" }] }).session;
    expect(
      call(born, "commit_step", { triggers: [{ capability: "light", args: { who: "ana", l: "old_lamp" } }] }).answer.ok,
    ).toBe(true);
    expect(call(born, "construct", { op: "create", entity: { id: "dora", type: "person" } }).answer.ok).toBe(true);
  });
});
