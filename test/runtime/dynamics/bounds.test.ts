import { describe, expect, it } from "vitest";
import { legalActions, LIMITS, rollout } from "../../../src/runtime/index.ts";
import { tick } from "../../../src/runtime/dynamics/tick.ts";
import { small, trySmall, type SmallParts } from "./small.ts";

const TANK = { level: { kind: "int", default: 0, min: 0, max: 99 } };
const tanks = (many: number) =>
  Object.fromEntries(Array.from({ length: many }, (_, i) => [`t${i}`, { type: "tank" }] as const));
const over = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "tank"]));
const fill = { add: "a.level", by: 1 };
const grow = { effects: [{ create: "tank", id: { expr: "'new_' + clock" }, name: "a tank" }] };

function faults(parts: Omit<SmallParts, "types">): readonly string[] {
  const made = trySmall({ types: { tank: TANK }, ...parts });
  return "world" in made ? [] : made;
}

describe("what a process ranges over", () => {
  it("DD30 is refused where its combinations cost more than a step may", () => {
    const parts = { entities: tanks(31), processes: { p: { for: over("a", "b", "c", "d", "e"), effects: [fill] } } };
    expect(faults(parts)).toEqual([
      expect.stringMatching(
        /^processes\.p\.for: 28629151 combinations of entities cost \d+, allowed is at most 1000000$/,
      ),
    ]);
    const costly = {
      for: over("a", "b"),
      when: "all(tank).exists(x, all(tank).exists(y, x.level + y.level > a.level))",
      effects: [fill],
    };
    expect(faults({ entities: tanks(31), processes: { p: costly } })).toEqual([
      expect.stringMatching(/^processes\.p\.for: 961 combinations of entities cost \d{7,}, /),
    ]);
    expect(faults({ entities: tanks(5), processes: { p: costly } })).toEqual([]);
  });

  it("DD30 is refused where there are more names than an action may have parameters", () => {
    const names = Array.from({ length: LIMITS.paramsPerCapability + 1 }, (_, i) => `v${i}`);
    const p = { for: over(...names), effects: [{ add: "v0.level", by: 1 }] };
    expect(faults({ entities: tanks(1), processes: { p } })).toEqual([
      "processes.p.for: 33 entries, allowed are at most 32",
    ]);
  });

  it("DD30 is refused where all processes together have more combinations than a tick may look at", () => {
    const p = { for: over("a", "b", "c"), effects: [fill] };
    expect(faults({ entities: tanks(25), processes: { p } })).toEqual([]);
    expect(faults({ entities: tanks(25), processes: { p, q: p } })).toEqual([
      "processes.p.for: the processes together have 31250 combinations of entities, this one 15625; allowed are at most 20000",
    ]);
  });

  it("DD30 that becomes too much while it runs is a fault of the tick, and none of it is looked at", () => {
    const { world, dynamics } = small({
      types: { tank: TANK },
      entities: tanks(1),
      processes: { grow, p: { for: over("a", "b", "c", "d", "e"), effects: [fill] } },
    });
    const message =
      "at tick 8, p has 32768 combinations of entities; the processes of one tick may look at 20000, of which 19999 are left";
    expect(rollout(dynamics, world, { ticks: 20 })).toEqual({
      ok: false,
      error: { kind: "state", tick: 8, by: ["p"], message },
    });
    const before = rollout(dynamics, world, { ticks: 7 });
    if (!before.ok) throw new Error(before.error.message);
    const fired: string[] = [];
    tick(dynamics, before.value.world, { onFire: (_, id) => fired.push(id) });
    expect(fired).toEqual(["grow"]);
  });
});

describe("the arguments of an action", () => {
  const join = { params: { a: { type: "tank" }, b: { type: "tank" } }, effects: [fill] };

  it("DD33 are all tried, and refused where there are more of them than may be", () => {
    const { world, dynamics } = small({ types: { tank: TANK }, entities: tanks(44), actions: { join } });
    expect(legalActions(dynamics, world)).toHaveLength(44 * 44 + 1);
    expect(faults({ entities: tanks(45), actions: { join } })).toEqual([
      "actions.join.params: 2025 combinations of arguments are possible, allowed are at most 2000",
    ]);
  });

  it("DD33 that become too many while the world goes on are a fault of the tick", () => {
    const { world, dynamics } = small({
      types: { tank: TANK },
      entities: tanks(44),
      actions: { join },
      processes: { grow: { ...grow, every: 3 } },
    });
    expect(rollout(dynamics, world, { ticks: 2 }).ok).toBe(true);
    expect(rollout(dynamics, world, { ticks: 9 })).toEqual({
      ok: false,
      error: {
        kind: "state",
        tick: 3,
        by: ["join"],
        message: "at tick 3, join has 2025 possible arguments, more than 2000",
      },
    });
  });
});

describe("an entry of the schedule", () => {
  it("DD31 that names a tick twice is refused", () => {
    const entry = { at: [3, 12, 12], effects: [{ add: "t0.level", by: 1 }] };
    expect(faults({ entities: tanks(1), schedule: { entry } })).toEqual(["schedule.entry.at.2: tick 12 stands twice"]);
  });
});
