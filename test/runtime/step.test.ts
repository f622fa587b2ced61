import { entityIds, getEntity } from "../../src/runtime/state/index.ts";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/runtime/limits.ts";
import { toolErrorSchema } from "../../src/runtime/errors.ts";
import { acceptedStepSchema } from "../../src/runtime/record.ts";
import { commitStep } from "../../src/runtime/step.ts";
import { tryTrigger } from "../../src/runtime/try-trigger.ts";
import { triggerSchema } from "../../src/runtime/capability.ts";
import { digestOfWorld, plainWorld } from "../../src/runtime/world.ts";
import { CAPABILITIES, go, on } from "./support/doings.ts";
import { accepted, act, at, having, refused, submit, village, type LooseTrigger } from "./support/village.ts";

const world = having(village({ clock: 100 }), CAPABILITIES);

describe("time", () => {
  it.each([
    ["the largest end", { triggers: [go("ann", "ford"), go("bob", "inn"), on("sleep", { who: "cat" })] }, 108],
    [
      "the smallest end with until: first",
      { triggers: [go("ann", "ford"), go("bob", "inn")], until: "first" as const },
      102,
    ],
    ["the largest end and advance", { triggers: [go("ann", "ford")], advance: 5 }, 107],
    [
      "the smallest end and advance",
      { triggers: [go("ann", "ford"), go("bob", "inn")], until: "first" as const, advance: 1 },
      103,
    ],
    ["after a wait", { triggers: [], advance: 7 }, 107],
    ["after a wait until first", { triggers: [], advance: 7, until: "first" as const }, 107],
  ])("RT29 RT30 the clock stands at %s", (_, { triggers, ...more }, clock) => {
    const { world: after, record } = accepted(submit(world, triggers, more));
    expect([after.clock, record.start, record.clock]).toEqual([clock, 100, clock]);
  });

  it("RT29 every trigger has the interval of its own duration, and its effects count from its step", () => {
    const { world: after, record } = accepted(
      submit(world, [go("ann", "ford"), on("sleep", { who: "bob" })], { until: "first" }),
    );
    expect(record.triggers.map(({ start, end }) => [start, end])).toEqual([
      [100, 102],
      [100, 108],
    ]);
    expect(at(after, "bob.awake")).toBe(false);
    const next = accepted(submit(after, [go("ann", "inn")], { step: 2 }));
    expect(next.record).toMatchObject({ start: 102, clock: 105 });
  });

  it("RT30 a step without triggers and without advance is refused", () => {
    expect(refused(submit(world, []))).toMatchObject({ code: "empty_step", path: "advance" });
  });

  it("RT2 the clock never passes the largest whole number", () => {
    const late = having(village({ clock: Number.MAX_SAFE_INTEGER - 5 }), CAPABILITIES);
    expect(submit(late, [], { advance: 5 }).ok).toBe(true);
    expect(refused(submit(late, [], { advance: 6 })).code).toBe("bad_duration");
    expect(refused(submit(late, [on("sleep", { who: "ann" })])).code).toBe("bad_duration");
  });
});

describe("an accepted step", () => {
  it("RT31 RT32 is recorded whole: numbers, versions, arguments, notes, intervals, reads and writes", () => {
    const { record, world: after } = accepted(
      submit(world, [{ ...on("pay", { from: "ann", to: "bob", n: 3 }), note: "for the jug" }, go("cat", "mill")], {
        step: 12,
        advance: 1,
      }),
    );
    expect(record).toEqual({
      kind: "accepted",
      step: 12,
      round: 1,
      start: 100,
      clock: 103,
      advance: 1,
      triggers: [
        {
          id: "t12_1",
          capability: "pay",
          version: 1,
          args: { from: "ann", n: 3, to: "bob" },
          note: "for the jug",
          start: 100,
          end: 101,
          reads: ["ann.at", "ann.coins", "bob.at", "bob.coins"],
          writes: [
            { kind: "add", path: "ann.coins", before: 10, after: 7, by: -3 },
            { kind: "add", path: "bob.coins", before: 5, after: 8, by: 3 },
          ],
        },
        {
          id: "t12_2",
          capability: "go",
          version: 1,
          args: { to: "mill", who: "cat" },
          start: 100,
          end: 102,
          reads: ["cat.at", "cat.awake"],
          writes: [{ kind: "set", path: "cat.at", before: "ford", after: "mill" }],
        },
      ],
      digest: digestOfWorld(after),
    });
    expect(acceptedStepSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it("RT24 requirements and effects see the world before the step", () => {
    const swap = [on("pay", { from: "ann", to: "bob", n: 10 }), on("pay", { from: "bob", to: "ann", n: 5 })];
    const { world: after } = accepted(submit(world, swap));
    expect([at(after, "ann.coins"), at(after, "bob.coins")]).toEqual([5, 10]);
  });

  it("RT14 alongside counts the other triggers that use a capability", () => {
    const lift = (who: string) => on("lift", { who });
    expect(refused(submit(world, [lift("ann")])).message).toContain('alongside("lift") = 0');
    expect(at(accepted(submit(world, [lift("ann"), lift("bob")])).world, "box.weight")).toBe(4);
    expect(submit(world, [lift("ann"), lift("bob"), lift("cat")]).ok).toBe(false);
    expect(submit(world, [lift("ann"), lift("ann")]).ok).toBe(true);
  });

  it("RT12 shares with the world before what it did not touch", () => {
    const { world: after } = accepted(submit(world, [go("ann", "ford")]));
    expect(getEntity(after.entities, "bob")).toBe(getEntity(world.entities, "bob"));
    expect(after.types).toBe(world.types);
    expect(after.map).toBe(world.map);
    expect(entityIds(after.entities)).toBe(entityIds(world.entities));
  });

  it("RT12 is frozen, whatever is tried", () => {
    const { world: after } = accepted(submit(world, [go("ann", "ford")]));
    const entity = getEntity(after.entities, "ann") as { at: string | null; fields: Record<string, unknown> };
    expect(() => (entity.at = "mill")).toThrow(TypeError);
    expect(() => (entity.fields["coins"] = 99)).toThrow(TypeError);
    expect(() => ((after as { clock: number }).clock = 0)).toThrow(TypeError);
  });
});

describe("a refused step", () => {
  it("RT31 leaves the very same world with the very same digest", () => {
    const before = digestOfWorld(world);
    const kept = JSON.stringify(plainWorld(world));
    refused(submit(world, [go("ann", "ford"), go("bob", "isle")]));
    expect(JSON.stringify(plainWorld(world))).toBe(kept);
    expect(digestOfWorld(world)).toBe(before);
    expect(at(world, "ann.at")).toBe("mill");
  });

  it("RT28 says which requirement was not met, in the capability's words, and with which values", () => {
    const refusal = refused(submit(world, [on("pay", { from: "ann", to: "bob", n: 12 })]));
    expect(refusal.code).toBe("requirement_not_met");
    expect(refusal.path).toBe("triggers[0].requires[1]");
    expect(refusal.message).toBe(
      'trigger 1 (pay): requirement not met: n > 0 && from.coins >= n is false (nobody gives what they have not); with from = "ann", n = 12, to = "bob"; from.coins = 10; nothing of this step happened',
    );
  });

  it("RT19 says why a requirement cannot be evaluated", () => {
    const refusal = refused(submit(world, [on("befriend", { who: "bob" })]));
    expect(refusal.code).toBe("requirement_not_met");
    expect(refusal.message).toContain(
      'who.friend.awake cannot be evaluated: who.friend is null; with who = "bob"; who.friend = null',
    );
  });

  it("RT28 shows what functions gave and where a quantifier failed", () => {
    const asked = (expr: string) => refused(act(village(), { requires: [{ expr }] })).message;
    expect(asked("travelTicks(ann.at, inn) < 3")).toContain("travelTicks(ann.at, inn) = 5");
    expect(asked("count(all(person)) > 3")).toContain("count(all(person)) = 3");
    expect(asked("all(person).all(p, p.coins > 2)")).toContain('p.coins = 0; p = "cat"');
    expect(asked("inside(bag, ford)")).toContain('bag.at = "box"; box.at = "mill"; inside(bag, ford) = false');
  });

  it("RT28 names every failing trigger, whatever each fails at", () => {
    const refusal = refused(
      submit(world, [
        go("ann", "ford"),
        on("fly"),
        go("bob", "isle"),
        on("pay", { from: "ann", to: "cat", n: 1 }),
        go("nobody", "mill"),
      ]),
    );
    expect(refusal.failures).toMatchObject([
      { trigger: 2, capability: "fly", code: "unknown_capability" },
      { trigger: 3, capability: "go", code: "requirement_not_met" },
      { trigger: 4, capability: "pay", code: "requirement_not_met" },
      { trigger: 5, capability: "go", code: "unknown_entity" },
    ]);
    expect(refusal).toMatchObject({ code: "unknown_capability", path: "triggers[1].capability" });
    expect(refusal.message).toContain("(and 3 more)");
    expect(toolErrorSchema.parse(refusal)).toEqual(refusal);
  });

  it("RT28 names at most eight, and each trigger before any of them twice", () => {
    const many = refused(
      submit(
        world,
        Array.from({ length: 12 }, () => go("bob", "isle")),
      ),
    );
    expect(many.failures?.map((one) => one.trigger)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const poor = {
      rob: {
        effects: [
          { add: "it.coins", by: -50, for: { each: "person" } },
          ...["box", "bag"].map((id) => ({ add: `${id}.weight`, by: -9 })),
        ],
      },
      spill: { effects: [{ add: "jug.litres", by: -9 }] },
    };
    const refusal = refused(submit(having(world, poor), [on("rob"), on("spill")]));
    expect(refusal.failures?.map((one) => one.trigger)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(refusal.message).toContain("(and 1 more)");
    expect(LIMITS.failuresShown).toBe(8);
  });

  it("RT28 a range that several triggers break together names all of them", () => {
    const refusal = refused(
      submit(world, [on("earn", { who: "ann", n: 60 }), go("bob", "ford"), on("earn", { who: "ann", n: 60 })]),
    );
    expect(refusal).toMatchObject({ code: "out_of_range", failures: [{ trigger: 1 }, { trigger: 3 }] });
    expect(refusal.message).toContain("ann.coins would be 130");
  });

  it.each([
    ["by its place", [go("ann", "ford"), on("pay", { from: "ann", to: "cat", n: 1 })], 1, true],
    ["by a count of money", [on("earn", { who: "bob", n: 9 }), on("pay", { from: "bob", to: "ann", n: 9 })], 1, true],
    [
      "in the order that was meant the other way round",
      [on("pay", { from: "bob", to: "ann", n: 9 }), on("earn", { who: "bob", n: 9 })],
      0,
      true,
    ],
    ["by nothing in this step", [go("bob", "ford"), on("befriend", { who: "cat" })], 1, false],
    ["by a trigger that fails itself", [go("ann", "isle"), on("pay", { from: "ann", to: "cat", n: 1 })], 1, false],
  ])("RT36 a requirement that another trigger would have met %s: %s", (_, triggers, position, hinted) => {
    const failure = refused(submit(world, triggers)).failures?.find((one) => one.trigger === position + 1);
    expect(failure?.code).toBe("requirement_not_met");
    expect(failure?.hint).toBe(
      hinted
        ? "requirements see the world before the step: submit this one afterwards, in a step of its own"
        : undefined,
    );
  });

  it("RT36 the hint also comes where a requirement looks at all of a type", () => {
    const able = having(world, { vote: { requires: [{ expr: "all(person).exists(p, p.coins > 50)" }] } });
    expect(refused(submit(able, [on("earn", { who: "cat", n: 60 }), on("vote")])).hint).toContain(
      "submit this one afterwards",
    );
  });

  it("RT31 a refused step is not half remembered: the next one finds the world as it was", () => {
    refused(submit(world, [go("ann", "ford"), go("bob", "isle")]));
    expect(accepted(submit(world, [go("ann", "ford")])).record.triggers[0]?.writes[0]).toMatchObject({
      before: "mill",
    });
  });

  it("RT36 the words of a refusal stay short, however long the arguments", () => {
    const able = having(world, { say: { params: { what: { kind: "text" } }, requires: [{ expr: 'what == ""' }] } });
    const refusal = refused(submit(able, [on("say", { what: "🜂".repeat(500) })]));
    expect(refusal.message.length).toBeLessThan(400);
    expect(refusal.message).toMatch(/^[^\ud800-\udfff]*(?:[\ud800-\udbff][\udc00-\udfff][^\ud800-\udfff]*)*$/);
  });
});

describe("a trigger tried by itself", () => {
  const tryIt = (one: LooseTrigger, alongside = {}) => tryTrigger(world, triggerSchema.parse(one), { alongside });

  it("CT11 writes and reads what it would in a step of its own", () => {
    const trial = tryIt(go("ann", "ford"));
    const step = accepted(submit(world, [go("ann", "ford")])).record.triggers[0];
    expect(trial.ok && trial.value).toMatchObject({ writes: step?.writes, reads: step?.reads, unmet: [] });
  });

  it("CT11 counts who stood beside it", () => {
    expect(tryIt(on("lift", { who: "ann" })).ok).toBe(false);
    expect(tryIt(on("lift", { who: "ann" }), { lift: 1 }).ok).toBe(true);
  });

  it.each([
    [on("fly"), "unknown_capability"],
    [go("ann", "isle"), "requirement_not_met"],
    [on("earn", { who: "ann", n: 1000 }), "out_of_range"],
  ])("CT11 %j is refused with a plain error", (one, code) => {
    const trial = tryIt(one);
    expect(trial.ok ? undefined : toolErrorSchema.parse(trial.error).code).toBe(code);
  });

  it("CT27 with its requirements stripped it still reads what they read", () => {
    const step = commitStep(
      world,
      { triggers: [triggerSchema.parse(on("pay", { from: "ann", to: "cat", n: 1 }))], advance: 0 },
      { step: 1, round: 1 },
      { stripped: true },
    );
    expect(accepted(step).record.triggers[0]?.reads).toEqual(["ann.at", "ann.coins", "cat.at", "cat.coins"]);
  });
});
