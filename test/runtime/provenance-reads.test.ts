import { describe, expect, it } from "vitest";
import { accepted, act, having, soleTrigger, submit, village, villageOf } from "./support/village.ts";

const world = village();
const PARAMS = { who: { type: "person" }, what: {}, to: { kind: "place" }, n: { kind: "int" } };
const ARGS = { who: "ann", what: "bag", to: "ford", n: 1 };

function readsOf(draft: Readonly<Record<string, unknown>>): readonly string[] {
  return soleTrigger(act(world, { params: PARAMS, ...draft }, ARGS)).reads;
}

describe("what a trigger read", () => {
  it.each([
    ["true", []],
    ["n > 0", []],
    ["who == ann", []],
    ["mill != to", []],
    ["clock == 0", ["clock"]],
    ["who.awake", ["ann.awake"]],
    ["who.at == mill", ["ann.at"]],
    ["who.friend.awake", ["ann.friend", "bob.awake"]],
    ["jug.at.at == mill", ["ann.at", "jug.at"]],
    ["jug.owner.friend.coins == 5", ["ann.friend", "bob.coins", "jug.owner"]],
    ['entity("bo" + "b").awake', ["bob.awake"]],
    ["inside(what, mill)", ["bag.at", "box.at"]],
    ["inside(what, box)", ["bag.at"]],
    ["linked(who.at, to)", ["ann.at"]],
    ["travelTicks(who.at, to) == 2", ["ann.at"]],
    ["who in weavers.members", ["weavers.members"]],
    ["weavers.members.all(m, m.awake)", ["ann.awake", "bob.awake", "weavers.members"]],
    ["[ann, bob].all(m, m.awake)", ["ann.awake", "bob.awake"]],
    // of all(type) the whole type is read
    ["count(all(person)) == 3", ["person.*"]],
    ["all(person).exists(p, p.awake)", ["person.*", "person.*.awake"]],
    ["all(person).filter(p, p.awake).exists(p, p.coins > 3)", ["person.*", "person.*.awake", "person.*.coins"]],
    ["all(person).exists(p, p.friend.awake)", ["bob.awake", "person.*", "person.*.friend"]],
    ["all(person).exists(p, all(jug).exists(j, j.at == p))", ["jug.*", "jug.*.at", "person.*"]],
    // what decides is read, what it makes needless is not
    ["who.awake || bob.awake", ["ann.awake"]],
    ["who.coins > 3 && bob.awake", ["ann.coins", "bob.awake"]],
    ["who.awake ? bob.awake : cat.awake", ["ann.awake", "bob.awake"]],
    ["bob.friend.awake || who.awake", ["ann.awake", "bob.friend"]],
    // a name and a type no step changes
    ['who.name == "Ann"', []],
    ['what.type == "crate"', []],
  ])("RT32 %s reads %j", (expr, reads) => {
    expect(readsOf({ requires: [{ expr }] })).toEqual(reads);
  });

  it.each([
    [{ set: "who.at", expr: "to" }, []],
    [{ set: "who.at", expr: "bob.at" }, ["bob.at"]],
    [{ set: "who.coins", expr: "who.coins + 1" }, ["ann.coins"]],
    [{ add: "who.coins", by: 1 }, ["ann.coins"]],
    [{ add: "who.coins", by: "bob.coins" }, ["ann.coins", "bob.coins"]],
    [{ insert: "weavers.members", expr: "cat" }, []],
    [{ insert: "weavers.members", expr: "who.friend" }, ["ann.friend"]],
    [{ claim: "who.coins" }, []],
    [{ destroy: "what" }, []],
    [
      { create: "crate", id: { expr: '"c" + who.coins' }, at: "who.at", fields: { weight: { expr: "bag.weight" } } },
      ["ann.at", "ann.coins", "bag.weight"],
    ],
    [{ set: "it.awake", value: true, for: { each: "person" } }, ["person.*"]],
    [
      { set: "it.awake", value: true, for: { each: "person", where: "it.at == who.at" } },
      ["ann.at", "person.*", "person.*.at"],
    ],
    [{ set: "it.coins", expr: "it.coins", for: { each: "person" } }, ["person.*", "person.*.coins"]],
    [
      { add: "it.weight", by: 1, for: { each: "crate", where: "it.weight < 1" } },
      ["bag.weight", "crate.*", "crate.*.weight"],
    ],
  ])("RT32 the effect %j reads %j", (effect, reads) => {
    expect(readsOf({ effects: [effect] })).toEqual(reads);
  });

  it("RT32 the duration reads too", () => {
    expect(readsOf({ duration: "travelTicks(who.at, to) + bob.coins" })).toEqual(["ann.at", "bob.coins"]);
  });

  it("RT32 reads of requirements, effects and duration are one sorted set", () => {
    expect(
      readsOf({
        requires: [{ expr: "who.coins > 1" }, { expr: "bob.coins > 1" }],
        effects: [{ add: "who.coins", by: 1 }],
        duration: "who.coins",
      }),
    ).toEqual(["ann.coins", "bob.coins"]);
  });

  it("RT32 reads are of each trigger, not of the step", () => {
    const able = having(world, { look: { params: { who: { type: "person" } }, requires: [{ expr: "who.awake" }] } });
    const look = (who: string) => ({ capability: "look", args: { who } });
    expect(accepted(submit(able, [look("ann"), look("bob")])).record.triggers.map((one) => one.reads)).toEqual([
      ["ann.awake"],
      ["bob.awake"],
    ]);
  });

  it("RT9 fields with odd names are read under their own", () => {
    const odd = villageOf(
      { odd: { fields: { tostring: { kind: "int" }, valueof: { kind: "bool" } } } },
      { hasownproperty: { type: "odd" } },
    );
    const draft = {
      requires: [{ expr: "hasownproperty.tostring == 0" }],
      effects: [{ set: "hasownproperty.valueof", value: true }],
    };
    expect(soleTrigger(act(odd, draft))).toMatchObject({
      reads: ["hasownproperty.tostring"],
      writes: [{ path: "hasownproperty.valueof", before: false, after: true }],
    });
  });
});
