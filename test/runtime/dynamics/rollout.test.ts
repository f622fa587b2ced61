import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changesBetween,
  digestOfWorld,
  getEntity,
  rollout,
  valueAtPath,
  type MergedWrites,
} from "../../../src/runtime/index.ts";
import { small, trySmall, type SmallParts } from "./small.ts";

const INT = { kind: "int", default: 0 };
const tank = (more: Readonly<Record<string, unknown>> = {}) => ({ level: { ...INT, ...more }, other: INT });

function after(parts: SmallParts, ticks: number, path: string): unknown {
  const { world, dynamics } = small(parts);
  const rolled = rollout(dynamics, world, { ticks });
  if (!rolled.ok) return rolled.error.message;
  return valueAtPath(rolled.value.world, path);
}

const oneTank = (processes: SmallParts["processes"], schedule: SmallParts["schedule"] = {}, more = {}): SmallParts => ({
  types: { tank: tank(more) },
  entities: { a: { type: "tank" } },
  processes: processes ?? {},
  schedule: schedule ?? {},
});

describe("when a process fires", () => {
  it.each([
    [1, 0, 6, 6],
    [2, 0, 6, 3],
    [2, 1, 6, 3],
    [3, 0, 6, 2],
    [3, 1, 6, 2],
    [6, 5, 6, 1],
    // (t − phase) mod every = 0 holds before the phase, too: phase 7 of every 3 is phase 1
    [3, 7, 6, 2],
    [24, 0, 6, 0],
  ])("DD30 every %i with phase %i fires in %i ticks %i times", (every, phase, ticks, times) => {
    const parts = oneTank({ p: { every, phase, effects: [{ add: "a.level", by: 1 }] } });
    expect(after(parts, ticks, "a.level")).toBe(times);
  });

  it("DD30 one instance for each combination of its entities that `where` leaves, and fires where `when` holds", () => {
    const parts: SmallParts = {
      types: { tank: tank() },
      entities: { a: { type: "tank" }, b: { type: "tank", level: 5 }, c: { type: "tank", level: 7 } },
      processes: {
        p: {
          for: { x: "tank", y: "tank" },
          where: "x != y",
          when: "y.level > x.level",
          effects: [{ add: "x.other", by: 1 }],
        },
      },
    };
    const { world, dynamics } = small(parts);
    const rolled = rollout(dynamics, world, { ticks: 1 });
    if (!rolled.ok) throw new Error(rolled.error.message);
    expect(changesBetween(dynamics, world, rolled.value.world)).toEqual({ "a.other": 2, "b.other": 1 });
    expect(rolled.value.instances).toBe(9);
    expect([...rolled.value.fired]).toEqual(["p"]);
  });

  it("DD30 a condition that has no value does not hold", () => {
    const parts = oneTank({ p: { when: "1 / a.level > 0", effects: [{ add: "a.other", by: 1 }] } });
    expect(after(parts, 3, "a.other")).toBe(0);
  });
});

describe("a tick", () => {
  it("DD31 is the schedule, then priorities ascending, each reading what the one before left", () => {
    const parts = oneTank(
      {
        last: { priority: 9, effects: [{ set: "a.level", expr: "a.level * 10 + 3" }] },
        first: { priority: -1, effects: [{ set: "a.level", expr: "a.level * 10 + 2" }] },
      },
      { entry: { at: [1], effects: [{ set: "a.level", expr: "a.level * 10 + 1" }] } },
    );
    expect(after(parts, 1, "a.level")).toBe(123);
  });

  it("DD31 within one priority all read the same state, whatever they are called", () => {
    const swap = (a: string, b: string) =>
      oneTank({
        [a]: { effects: [{ set: "a.level", expr: "a.other + 1" }] },
        [b]: { effects: [{ set: "a.other", expr: "a.level + 1" }] },
      });
    expect(after(swap("x", "y"), 5, "a.level")).toBe(after(swap("y", "x"), 5, "a.level"));
    expect(after(swap("x", "y"), 2, "a.level")).toBe(2);
  });

  it("DD31 clock is the tick that is computed", () => {
    const parts = oneTank({ p: { effects: [{ set: "a.level", expr: "clock" }] } });
    expect(after(parts, 7, "a.level")).toBe(7);
  });

  it("DD32 additions of one priority sum, and stop at the bounds only when summed", () => {
    const parts = oneTank(
      { up: { effects: [{ add: "a.level", by: 9 }] }, down: { effects: [{ add: "a.level", by: -4 }] } },
      {},
      { min: 0, max: 10, default: 3 },
    );
    expect(after(parts, 1, "a.level")).toBe(8);
    expect(after(parts, 2, "a.level")).toBe(10);
  });

  it("DD32 what is set or created out of its bounds stops at them", () => {
    const parts: SmallParts = {
      ...oneTank({ p: { effects: [{ set: "a.level", expr: "a.level - 7" }] } }, {}, { min: -2, max: 10 }),
      schedule: {
        e: { at: [1], effects: [{ create: "tank", id: "tank_1", fields: { level: { expr: "clock + 98" } } }] },
      },
      creates: [{ type: "tank", pattern: "tank_<n>", says: "tank_ and a number" }],
    };
    expect(after(parts, 1, "a.level")).toBe(-2);
    expect(after(parts, 1, "tank_1.level")).toBe(10);
  });

  it.each([
    [
      "two values",
      [{ set: "a.level", value: 1 }],
      [{ set: "a.level", value: 2 }],
      /at tick 1, p and q: conflict on a\.level/,
    ],
    ["a value and an addition", [{ set: "a.level", value: 1 }], [{ add: "a.level", by: 2 }], /set and added to/],
    ["a change and an end", [{ destroy: "a" }], [{ add: "a.level", by: 1 }], /a is destroyed/],
  ])("DD33 %s in one priority are a conflict that names both", (_, p, q, message) => {
    expect(after(oneTank({ p: { effects: p }, q: { effects: q } }), 1, "a.level")).toMatch(message);
  });

  it("DD33 an effect without a value, and a state that is none, are faults of the case", () => {
    expect(after(oneTank({ p: { effects: [{ set: "a.level", expr: "1 / a.other" }] } }), 1, "a.level")).toMatch(
      /at tick 1, p: .*divides by 0/,
    );
    expect(after(oneTank({ p: { effects: [{ add: "a.level", by: "0.5" }] } }), 1, "a.level")).toMatch(
      /at tick 1, p: a\.level would be 0\.5/,
    );
  });
});

describe("a rollout", () => {
  const parts: SmallParts = {
    types: { tank: tank({ min: 0, max: 40 }) },
    entities: { a: { type: "tank", level: 7 }, b: { type: "tank", level: 2 }, c: { type: "tank" } },
    processes: {
      flow: {
        for: { x: "tank", y: "tank" },
        when: "x.level > y.level + 1",
        effects: [
          { add: "x.level", by: -1 },
          { add: "y.level", by: 1 },
        ],
      },
      rain: { every: 3, for: { x: "tank" }, effects: [{ add: "x.level", by: "x == a ? 3 : 1" }] },
      drain: {
        every: 5,
        phase: 2,
        priority: 4,
        for: { x: "tank" },
        when: "x.level > 9",
        effects: [
          { set: "x.level", value: 0 },
          { add: "x.other", by: 1 },
        ],
      },
    },
    schedule: { gift: { at: [4, 9], effects: [{ add: "c.level", by: 11 }] } },
  };

  it("DD34 leaves the world it began with as it was, and is the same in parts as whole", () => {
    const { world, dynamics } = small(parts);
    const before = digestOfWorld(world);
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), (m, n) => {
        const whole = rollout(dynamics, world, { ticks: m + n });
        const first = rollout(dynamics, world, { ticks: m });
        if (!whole.ok || !first.ok) throw new Error("a fault");
        const second = rollout(dynamics, first.value.world, { ticks: n });
        if (!second.ok) throw new Error("a fault");
        expect(digestOfWorld(second.value.world)).toBe(digestOfWorld(whole.value.world));
        expect(digestOfWorld(world)).toBe(before);
      }),
    );
  });

  it("DD34 does not turn on the order in which anything was written down", () => {
    const reversed = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(record).toReversed());
    const other: SmallParts = {
      ...parts,
      entities: reversed(parts.entities),
      processes: reversed(parts.processes ?? {}),
      schedule: reversed(parts.schedule ?? {}),
      character: "a",
    };
    const ends = [parts, other].map((one) => {
      const { world, dynamics } = small(one);
      const rolled = rollout(dynamics, world, { ticks: 40 });
      return rolled.ok ? digestOfWorld(rolled.value.world) : rolled.error.message;
    });
    expect(ends[0]).toBe(ends[1]);
    expect(ends[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("DD35 leaves out what is said not to happen, and nothing else", () => {
    const { world, dynamics } = small(parts);
    const level = (omit: Parameters<typeof rollout>[2]["omit"], path: string) => {
      const rolled = rollout(dynamics, world, { ticks: 4, omit });
      return rolled.ok ? valueAtPath(rolled.value.world, path) : rolled.error.message;
    };
    const all = rollout(dynamics, world, { ticks: 4 });
    if (!all.ok) throw new Error("a fault");
    expect(level({ kind: "entry", id: "gift" }, "c.level")).not.toBe(valueAtPath(all.value.world, "c.level"));
    expect(level({ kind: "process", id: "rain", entity: "b" }, "b.level")).not.toBe(
      valueAtPath(all.value.world, "b.level"),
    );
    expect(level({ kind: "entry", id: "nothing" }, "c.level")).toBe(valueAtPath(all.value.world, "c.level"));
  });

  it("DD34 tells what was written at once, by whom, and only what changed", () => {
    const { world, dynamics } = small(parts);
    const merges: MergedWrites[] = [];
    rollout(dynamics, world, { ticks: 3, onMerge: (one) => merges.push(one) });
    expect(merges[0]).toEqual({
      tick: 1,
      priority: 0,
      writes: [
        { path: "a.level", before: 7, after: 5, by: ["flow"] },
        { path: "b.level", before: 2, after: 2, by: ["flow"] },
        { path: "c.level", before: 0, after: 2, by: ["flow"] },
      ].filter(({ before, after: now }) => before !== now),
    });
    expect(merges.find(({ tick, priority }) => tick === 3 && priority === 0)?.writes[0]?.by).toContain("rain");
  });
});

describe("changes between two states", () => {
  it("DD36 are the fields whose values differ at the ends, comings and goings by their id, sealed ones never", () => {
    const parts: SmallParts = {
      types: { tank: { ...tank(), secret: { ...INT, visibility: "sealed" } } },
      entities: { a: { type: "tank", at: "hall" }, b: { type: "tank" } },
      processes: {
        count: { effects: [{ add: "a.secret", by: 1 }] },
        back: { every: 2, phase: 1, effects: [{ add: "a.other", by: 1 }] },
        forth: { every: 2, effects: [{ add: "a.other", by: -1 }] },
      },
      schedule: {
        go: {
          at: [2],
          effects: [
            { set: "a.at", expr: "yard" },
            { destroy: "b" },
            { create: "tank", id: "tank_2", fields: { level: 3 } },
          ],
        },
      },
      creates: [{ type: "tank", pattern: "tank_<n>", says: "tank_ and a number" }],
    };
    const { world, dynamics } = small(parts);
    const rolled = rollout(dynamics, world, { ticks: 2 });
    if (!rolled.ok) throw new Error(rolled.error.message);
    expect(getEntity(rolled.value.world.entities, "a")?.fields["secret"]).toBe(2);
    expect(Object.entries(changesBetween(dynamics, world, rolled.value.world))).toEqual([
      ["a.at", "yard"],
      ["b", "destroyed"],
      ["tank_2", "tank"],
    ]);
    expect(changesBetween(dynamics, world, world)).toEqual({});
  });
});

describe("rules that cannot be", () => {
  const secret = { secret: { ...INT, visibility: "sealed" } };
  it.each([
    [
      "reads a sealed field",
      { p: { when: "a.secret > 0", effects: [{ add: "a.level", by: 1 }] } },
      /p: it reads the sealed secret/,
    ],
    ["computes from one", { p: { effects: [{ set: "a.level", expr: "a.secret" }] } }, /p: it reads the sealed secret/],
    [
      "ranges by one",
      { p: { effects: [{ add: "it.level", by: 1, for: { each: "tank", where: "it.secret == 0" } }] } },
      /sealed secret/,
    ],
    [
      "names what is not there",
      { p: { effects: [{ add: "a.levl", by: 1 }] } },
      /processes\.p\.effects\.0\.add: .*no field "levl"/,
    ],
    [
      "binds a type there is not",
      { p: { for: { x: "tonk" }, effects: [{ add: "a.level", by: 1 }] } },
      /processes\.p\.for\.x: there is no type "tonk"/,
    ],
    [
      "binds the name of an entity",
      { p: { for: { a: "tank" }, effects: [{ add: "a.level", by: 1 }] } },
      /"a" is the id of an entity/,
    ],
    [
      "never could hold",
      { p: { when: "a.level == hall", effects: [{ add: "a.level", by: 1 }] } },
      /processes\.p\.when/,
    ],
  ])("DD37 are refused where one %s", (_, processes, message) => {
    const made = trySmall({ types: { tank: { ...tank(), ...secret } }, entities: { a: { type: "tank" } }, processes });
    expect(Array.isArray(made) ? made.join("\n") : "no fault").toMatch(message);
  });

  it("DD37 a rule that writes sealed fields alone may read anything, and is told to nobody", () => {
    const { world, dynamics } = small({
      types: { tank: { ...tank(), ...secret } },
      entities: { a: { type: "tank" } },
      processes: { count: { when: "a.secret < 9", effects: [{ add: "a.secret", by: "a.secret + 1" }] } },
    });
    const rolled = rollout(dynamics, world, { ticks: 2 });
    expect(rolled.ok && [...rolled.value.fired]).toEqual([]);
    expect(dynamics.processes[0]?.sealed).toBe(true);
    expect(Object.keys(dynamics.types["tank"]?.fields ?? {})).not.toContain("secret");
  });

  it("DD37 one name is not sealed here and seen there", () => {
    const made = trySmall({
      types: { tank: secret, jug: { secret: INT } },
      entities: { a: { type: "tank" } },
    });
    expect(made).toEqual(['types.jug.fields.secret: "secret" is a sealed field of another type']);
  });
});

describe("bounds on one side", () => {
  it("DD32 hold on that side alone", () => {
    expect(
      after(oneTank({ p: { effects: [{ add: "a.level", by: -3 }] } }, {}, { min: 0, default: 5 }), 2, "a.level"),
    ).toBe(0);
    expect(
      after(oneTank({ p: { effects: [{ add: "a.level", by: 3 }] } }, {}, { max: 7, default: 5 }), 2, "a.level"),
    ).toBe(7);
    expect(
      after(oneTank({ p: { effects: [{ add: "a.level", by: -3 }] } }, {}, { max: 7, default: 5 }), 2, "a.level"),
    ).toBe(-1);
  });
});
