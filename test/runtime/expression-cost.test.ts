import { describe, expect, it } from "vitest";
import { costOf } from "../../src/runtime/expression/index.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { deepestContainment } from "../../src/runtime/state/index.ts";
import type { World } from "../../src/runtime/world.ts";
import {
  accepted,
  act,
  at,
  capability,
  compile,
  having,
  refused,
  submit,
  village,
  villageWith,
} from "./support/village.ts";

/** `count` more crates: beside one another, or each inside the one before. */
function crates(count: number, how: "beside" | "inside" = "beside"): World {
  const more = Array.from({ length: count }, (_, i): [string, { type: string; at: string }] => [
    `c${i}`,
    { type: "crate", at: how === "inside" && i > 0 ? `c${i - 1}` : "mill" },
  ]);
  return villageWith(Object.fromEntries(more));
}

function cost(world: World, text: string): number {
  const compiled = compile(world, text);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  return costOf(compiled.value.root, world);
}

describe("the cost of an expression", () => {
  const small = crates(8); // 10 crates
  const large = crates(98); // 100 crates

  it("RT20 of one without loops is about its nodes, whatever the world holds", () => {
    const text = "ann.coins + bob.coins > 3 && ann.at == mill";
    expect(cost(large, text)).toBe(cost(small, text));
    expect(cost(large, text)).toBeLessThan(20);
  });

  it.each([
    ["all(crate).exists(x, x.weight > 90)", 10],
    ["all(crate).exists(x, all(crate).exists(y, x.weight > y.weight))", 100],
    ["all(crate).map(x, x.weight).exists(w, w > 3)", 10],
    ["all(crate).filter(x, x.weight > 1).all(y, y.weight > 2)", 10],
    ["all(crate).map(x, x.at).exists(o, all(crate).exists(y, y.at == o))", 100],
    ["all(crate).map(x, cat).exists(o, all(crate).exists(y, y.at == o))", 100],
    ["(ann.awake ? all(crate) : []).exists(x, x.weight > 3)", 10],
    ["max(all(crate).map(x, x.weight)) > 3", 10],
  ])("RT20 of %s grows %i-fold where the world grows tenfold", (text, factor) => {
    const growth = cost(large, text) / cost(small, text);
    expect(growth).toBeGreaterThan(factor * 0.6);
    expect(growth).toBeLessThan(factor * 1.4);
  });

  it("RT20 a list of lists is bounded by all there is, not by the type of its last elements", () => {
    const text = "[all(crate).map(x, cat)].exists(l, l.exists(o, o.coins > 3))";
    expect(cost(large, text)).toBeGreaterThanOrEqual(100 * 3);
  });

  it("RT20 looking through a set counts with the size the set may have", () => {
    const more = Object.fromEntries(Array.from({ length: 3_200 }, (_, i) => [`p${i}`, { type: "person" }]));
    const crowd = villageWith(more);
    expect(cost(crowd, "ann in weavers.members")).toBeGreaterThan(200);
    expect(cost(crowd, "weavers.members == all(person)")).toBeGreaterThan(3_200);
    expect(cost(village(), "ann in weavers.members")).toBeLessThan(20);
  });

  it("RT20 `inside` counts with the deepest containment there is", () => {
    expect(deepestContainment(village().entities)).toBe(2);
    const deep = crates(500, "inside");
    expect(deepestContainment(deep.entities)).toBe(500);
    expect(cost(deep, "inside(c499, mill)")).toBeGreaterThan(500);
    expect(cost(large, "inside(bag, mill)")).toBeLessThan(20);
  });

  it("RT20 the deepest containment follows what steps move", () => {
    const world = having(crates(3, "inside"), {
      move: { params: { what: {}, where: {} }, effects: [{ set: "what.at", expr: "where" }] },
      weigh: { params: { what: { type: "crate" } }, effects: [{ add: "what.weight", by: 1 }] },
    });
    expect(deepestContainment(world.entities)).toBe(3);
    const weighed = accepted(submit(world, [{ capability: "weigh", args: { what: "c0" } }])).world;
    expect(deepestContainment(weighed.entities)).toBe(3);
    const moved = accepted(submit(weighed, [{ capability: "move", args: { what: "c0", where: "bag" } }])).world;
    expect(deepestContainment(moved.entities)).toBe(5);
  });
});

describe("the bound of a step", () => {
  const pairs = { requires: [{ expr: "all(crate).all(x, all(crate).all(y, x.weight >= 0))" }] };

  it("RT20 a step within the bound is done, one beyond it is refused before anything is evaluated", () => {
    expect(act(crates(300), pairs).ok).toBe(true);
    const refusal = refused(act(crates(700), pairs));
    expect(refusal.code).toBe("cost_exceeded");
    expect(refusal.hint).toContain(String(LIMITS.stepCost));
  });

  it("RT20 the costs of all triggers of a step count together", () => {
    const world = having(crates(300), { look: pairs });
    const look = { capability: "look" };
    expect(submit(world, [look]).ok).toBe(true);
    expect(refused(submit(world, [look, look, look, look])).code).toBe("cost_exceeded");
  });

  it("RT20 what stands in a `for` counts once for every entity of the type", () => {
    const inner = "all(crate).exists(y, y.weight > 5)";
    for (const effect of [
      { set: "it.weight", value: 1, for: { each: "crate", where: inner } },
      { set: "it.weight", expr: `${inner} ? 1 : 2`, for: { each: "crate" } },
      { add: "it.weight", by: `${inner} ? 1 : 2`, for: { each: "crate" } },
    ]) {
      expect(act(crates(200), { effects: [effect] }).ok).toBe(true);
      expect(refused(act(crates(700), { effects: [effect] })).code).toBe("cost_exceeded");
    }
  });

  it("RT20 an invariant beyond the bound refuses the step that would have to check it", () => {
    const rule = { expr: pairs.requires[0]?.expr ?? "" };
    const more = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`c${i}`, { type: "crate" }]));
    const world = villageWith(more, { invariants: [rule] });
    const weigh = { effects: [{ add: "box.weight", by: 1 }] };
    expect(refused(act(world, weigh)).code).toBe("cost_exceeded");
    expect(act(world, { effects: [{ set: "ann.awake", value: false }] }).ok).toBe(true);
  });

  it("RT20 a chain of twenty thousand holders is not climbed twenty thousand times", () => {
    const deep = crates(19_990, "inside");
    expect(refused(act(deep, { requires: [{ expr: "all(crate).exists(x, inside(x, isle))" }] })).code).toBe(
      "cost_exceeded",
    );
    const moved = accepted(act(deep, { effects: [{ set: "c0.at", value: "ford" }] }));
    expect(at(moved.world, "c0.at")).toBe("ford");
  });

  it("RT20 a thousand members may come into a set one by one, more are refused before the log would hold their square", () => {
    const crowd = (count: number) =>
      villageWith(Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "person" }])));
    const join = { effects: [{ insert: "weavers.members", expr: "it", for: { each: "person" } }] };
    const joined = accepted(act(crowd(500), join)).world;
    expect(at(joined, "weavers.members")).toHaveLength(503);
    expect(refused(act(crowd(1_500), join)).code).toBe("cost_exceeded");
    const whole = accepted(act(crowd(1_500), { effects: [{ set: "weavers.members", expr: "all(person)" }] })).world;
    expect(at(whole, "weavers.members")).toHaveLength(1_503);
  });

  it("RT22 a `for` reaches thousands of entities, each once", () => {
    const world = crates(19_000);
    const after = accepted(act(world, { effects: [{ add: "it.weight", by: 1.5, for: { each: "crate" } }] })).world;
    expect(at(after, "c18999.weight")).toBe(1.5);
    expect(at(after, "bag.weight")).toBe(2);
  });

  it("RT46 more triggers than a step may have are refused", () => {
    const world = having(village(), { wave: {} });
    const wave = (count: number) => Array.from({ length: count }, () => ({ capability: "wave" }));
    expect(submit(world, wave(LIMITS.triggersPerStep)).ok).toBe(true);
    expect(refused(submit(world, wave(LIMITS.triggersPerStep + 1))).code).toBe("too_many_triggers");
  });

  it("RT46 a capability may be as large as its limits say", () => {
    const most = {
      requires: Array.from({ length: LIMITS.requirementsPerCapability }, () => ({ expr: "true" })),
      effects: Array.from({ length: LIMITS.effectsPerCapability }, () => ({ add: "box.weight", by: 1 })),
    };
    const after = accepted(act(village(), most)).world;
    expect(at(after, "box.weight")).toBe(2 + LIMITS.effectsPerCapability);
    expect(() => capability({ effects: [...most.effects, { add: "box.weight", by: 1 }] })).toThrow("effects");
    expect(() => capability({ requires: [...most.requires, { expr: "true" }] })).toThrow("requires");
  });
});
