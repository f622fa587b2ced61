import { describe, expect, it } from "vitest";
import { call, errorOf, go, play, toySession } from "./toy-world.ts";

const hard = toySession("hard");
const extreme = play(toySession("extreme"), [["construct", { op: "create", type: { id: "box" } }]]);
const doing = (effect: object) =>
  ["construct", { op: "create", capability: { id: "dig", effects: [effect] } }] as const;

describe("the map", () => {
  it.each([
    ["no place is constructed", extreme, ["construct", { op: "create", place: { id: "cellar" } }], "unknown_key"],
    ["none by its level", extreme, ["construct", { op: "delete", level: "place", id: "yard" }], "invalid_value"],
    [
      "none under the name of an entity",
      extreme,
      ["construct", { op: "create", entity: { id: "yard", type: "box" } }],
      "already_exists",
    ],
    ["none as an entity", extreme, ["construct", { op: "delete", level: "entity", id: "yard" }], "unknown_entity"],
    ["no effect writes one", hard, doing({ set: "yard.name", value: "court" }), "expression_unknown_name"],
    ["no effect makes away with one", hard, doing({ destroy: "yard" }), "expression_unknown_name"],
  ] as const)("RT3 is frozen by the case: %s", (_, session, [tool, input], code) => {
    const turn = call(session, tool, input);
    expect(errorOf(turn.answer).code).toBe(code);
    expect(turn.session.world.map).toBe(session.world.map);
  });

  it("RT3 is the same object after steps that move things over it", () => {
    const before = toySession("easy");
    const turn = call(before, "commit_step", { triggers: [go("ana", "kitchen")] });
    expect(turn.answer.ok).toBe(true);
    expect(turn.session.world.map).toBe(before.world.map);
  });
});
