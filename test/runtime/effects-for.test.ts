import { describe, expect, it } from "vitest";
import { accepted, act, at, refused, village, writesOfSole } from "./support/village.ts";

const world = village();
const PARAMS = { params: { who: { type: "person" }, to: { kind: "place" }, n: { kind: "number" } } };
const ARGS = { who: "ann", to: "ford", n: 2.5 };

/** One capability of these effects, triggered once with `ARGS`. */
function does(...effects: readonly Readonly<Record<string, unknown>>[]) {
  return act(world, { ...PARAMS, effects }, ARGS);
}

describe("for", () => {
  const each = (where?: string) => ({ for: { each: "person", ...(where === undefined ? {} : { where }) } });

  it.each([
    [{ set: "it.awake", value: false, ...each() }, ["ann.awake", "bob.awake", "cat.awake"]],
    [{ set: "it.at", expr: "to", ...each("it.at == who.at") }, ["ann.at", "bob.at"]],
    [{ add: "it.coins", by: "count(all(person))", ...each("it != who") }, ["bob.coins", "cat.coins"]],
    [{ insert: "weavers.members", expr: "it", ...each("it.at == ford") }, ["weavers.members"]],
    [{ remove: "weavers.members", expr: "it", ...each() }, ["weavers.members", "weavers.members", "weavers.members"]],
    [{ claim: "it.coins", ...each() }, []],
    [{ create: "crate", id: { expr: '"of_" + it' }, at: "it", ...each() }, ["of_ann", "of_bob", "of_cat"]],
    [{ destroy: "it", for: { each: "crate" } }, ["bag", "box"]],
    [{ destroy: "it", for: { each: "crate", where: "it.weight < 1" } }, ["bag"]],
    [{ set: "who.coins", value: 3, ...each() }, ["ann.coins"]],
    [{ set: "it.at", expr: "to", ...each("it.coins > 90") }, []],
  ])("RT22 %j writes %j", (effect, paths) => {
    expect(writesOfSole(does(effect)).map((one) => one.path)).toEqual(paths);
  });

  it("RT22 what is added for each sums up, as each is one add", () => {
    const result = does({ add: "weavers.pot", by: "it.coins", for: { each: "person" } });
    expect(at(accepted(result).world, "weavers.pot")).toBe(15);
    expect(writesOfSole(result).map((one) => ("by" in one ? one.by : undefined))).toEqual([10, 5, 0]);
  });

  it("RT23 an error in a where refuses the step and says for which entity", () => {
    const refusal = refused(does({ set: "it.awake", value: false, ...each("it.friend.awake") }));
    expect(refusal.code).toBe("effect_failed");
    expect(refusal.message).toContain("cannot be evaluated for bob: it.friend is null");
    expect(refused(does({ set: "it.coins", expr: "it.friend.coins", ...each() })).code).toBe("effect_failed");
    expect(does({ set: "it.coins", expr: "it.friend.coins", ...each("it.friend != null") }).ok).toBe(true);
  });

  it("RT25 different values for one field are a conflict within the effect", () => {
    expect(refused(does({ set: "who.coins", expr: "it.coins", ...each() })).code).toBe("conflict");
    expect(refused(does({ create: "crate", id: "chest", ...each() })).code).toBe("conflict");
  });
});
