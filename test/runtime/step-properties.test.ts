import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { applyStepRecord } from "../../src/runtime/apply-record.ts";
import { canonicalJson, compareText } from "../../src/runtime/canonical.ts";
import type { ToolError } from "../../src/runtime/errors.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import type * as MergeModule from "../../src/runtime/merge.ts";
import { acceptedStepSchema } from "../../src/runtime/record.ts";
import { digestOfEntities, entitiesOf, getEntity, retiredIds, tableOf } from "../../src/runtime/state/index.ts";
import { circleFrom } from "../../src/runtime/value-check.ts";
import { referencesOf } from "../../src/runtime/merged-state.ts";
import { digestOfWorld, plainWorld, type World } from "../../src/runtime/world.ts";
import {
  acceptedOf,
  randomPlay,
  randomStep,
  randomTriggers,
  randomWorld,
  type RandomStep,
} from "./support/random-steps.ts";
import { submit, type LooseTrigger } from "./support/village.ts";

const RUNS = { numRuns: 120 };

/** Plays steps one after the other; refused ones are passed over. Calls `see` for every one. */
function play(
  steps: readonly RandomStep[],
  see: (before: World, outcome: ReturnType<typeof submit>, written: string) => void,
): World {
  let world = randomWorld;
  let step = 1;
  for (const { triggers, ...more } of steps) {
    const before = world;
    const written = canonicalJson(plainWorld(before));
    const outcome = submit(world, triggers, { ...more, step });
    if (outcome.ok) {
      world = outcome.value.world;
      step += 1;
    }
    see(before, outcome, written);
  }
  return world;
}

interface Fields {
  readonly coins?: number;
  readonly litres?: number;
  readonly members?: readonly string[];
  readonly weight?: number;
}

const planted = vi.hoisted((): { merge: ((operations: ByTrigger) => ByTrigger) | undefined } => ({ merge: undefined }));
type ByTrigger = Parameters<typeof MergeModule.mergeOperations>[1];

vi.mock("../../src/runtime/merge.ts", async (original) => {
  const real = await original<typeof MergeModule>();
  const mergeOperations: typeof real.mergeOperations = (world, operations) =>
    real.mergeOperations(world, planted.merge?.(operations) ?? operations);
  return { ...real, mergeOperations };
});

/** Of several `set`s of one field only the last: a fault that engines have which apply one trigger after the other. */
function lastSets(operations: ByTrigger): ByTrigger {
  const all = operations.flat();
  const isLast = (one: ByTrigger[number][number]): boolean =>
    one.kind !== "set" ||
    all.findLast((other) => other.kind === "set" && other.id === one.id && other.field === one.field) === one;
  return operations.map((list) => list.filter(isLast));
}

/** Calls `see` with a world in play, one to eight triggers, every other time such as are accepted, and another order. */
function inAnyOrder(see: (world: World, list: readonly LooseTrigger[], order: readonly number[]) => boolean | void) {
  const prelude = fc.array(randomStep, { maxLength: 3 });
  const order = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });
  return fc.property(randomTriggers, order, prelude, fc.boolean(), (list, keys, steps, isKept) => {
    const world = play(steps, () => undefined);
    const triggers = isKept ? acceptedOf(world, list) : list;
    const shuffled = triggers.map((_, i) => i).sort((a, b) => (keys[a] as number) - (keys[b] as number) || b - a);
    return triggers.length === 0 || see(world, triggers, shuffled);
  });
}

/**
 * How it shows in what order triggers are submitted, or undefined where nothing does but their numbers. `order` names
 * for each place of the other order the trigger that comes there.
 */
function orderShown(
  engine: typeof submit,
  world: World,
  list: readonly LooseTrigger[],
  order: readonly number[],
): string | undefined {
  const [one, two] = [
    engine(world, list),
    engine(
      world,
      order.map((at) => list[at] as LooseTrigger),
    ),
  ];
  if (!one.ok && !two.ok) return differ("the refusals", toldOf(one.error), toldOf(two.error, order));
  if (!one.ok || !two.ok) return "one order is accepted, the other refused";
  const [{ world: next, record }, { world: other, record: renumbered }] = [one.value, two.value];
  const triggers = record.triggers.map((trigger, i) => ({ ...renumbered.triggers[order.indexOf(i)], id: trigger.id }));
  return (
    differ("the worlds", plainWorld(next), plainWorld(other)) ??
    differ("the records", record, { ...renumbered, triggers })
  );
}

/** A refusal without what the order decides: whose failure gives its words, and which further ones have room. */
function toldOf({ failures, ...error }: ToolError, order?: readonly number[]): unknown {
  if (failures === undefined) return error;
  const [first] = failures;
  expect([error.code, error.path?.split(".")[0]]).toEqual([first?.code, `triggers[${(first?.trigger ?? 0) - 1}]`]);
  const all = failures.map((one) => ({
    ...one,
    trigger: order === undefined ? one.trigger : 1 + (order[one.trigger - 1] as number),
  }));
  return failures.length < LIMITS.failuresShown
    ? all.map((one) => canonicalJson(one)).sort(compareText)
    : [...new Set(all.map((one) => one.trigger))].sort((a, b) => a - b);
}

function differ(what: string, one: unknown, two: unknown): string | undefined {
  const [a, b] = [canonicalJson(one), canonicalJson(two)];
  if (a === b) return undefined;
  const from = Math.max(0, a.split("").findIndex((letter, i) => letter !== b[i]) - 60);
  return `${what} differ: …${a.slice(from, from + 160)}… and …${b.slice(from, from + 160)}…`;
}

describe("any step", () => {
  it("RT28 RT31 is accepted whole or leaves the world as it was", () => {
    let counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(randomPlay, (steps) => {
        play(steps, (before, outcome, written) => {
          counts = { accepted: counts.accepted + (outcome.ok ? 1 : 0), refused: counts.refused + (outcome.ok ? 0 : 1) };
          expect(outcome.ok ? [] : (outcome.error.failures ?? []).slice(8)).toEqual([]);
          expect(canonicalJson(plainWorld(before))).toBe(written);
          expect(digestOfWorld(before)).toBe(
            digestOfWorld({ ...before, entities: tableOf(structuredClone(entitiesOf(before.entities))) }),
          );
          expect(Object.isFrozen(before)).toBe(true);
        });
      }),
      RUNS,
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(100);
  });

  it("RT34 its record alone makes the world after it, also once it was written down and read again", () => {
    fc.assert(
      fc.property(randomPlay, (steps) => {
        let rebuilt = randomWorld;
        const last = play(steps, (before, outcome) => {
          if (!outcome.ok) return;
          const { world, record } = outcome.value;
          expect(record.digest).toBe(digestOfWorld(world));
          expect(digestOfWorld(applyStepRecord(before, record))).toBe(record.digest);
          rebuilt = applyStepRecord(rebuilt, acceptedStepSchema.parse(JSON.parse(canonicalJson(record))));
          expect(canonicalJson(plainWorld(rebuilt))).toBe(canonicalJson(plainWorld(world)));
        });
        expect(digestOfWorld(rebuilt)).toBe(digestOfWorld(last));
      }),
      RUNS,
    );
  });

  it("RT33 RT74 the order of its triggers changes nothing but their numbering, be it accepted or refused", () => {
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      inAnyOrder((world, list, order) => {
        const reason = orderShown(submit, world, list, order);
        if (reason !== undefined) throw new Error(reason);
        counts[submit(world, list).ok ? "accepted" : "refused"] += 1;
      }),
      { numRuns: 400 },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(60);
  });

  it("RT74 an engine in which the last of several sets wins is found out", () => {
    const lastWins: typeof submit = (...args) => {
      planted.merge = lastSets;
      try {
        return submit(...args);
      } finally {
        planted.merge = undefined;
      }
    };
    const fills = [0.5, 1].map((n) => ({ capability: "fill", args: { into: "cup", n } }));
    const befriending = ["bob", "cat"].map((whom) => ({ capability: "befriend", args: { who: "cat", whom } }));
    expect(orderShown(submit, randomWorld, fills, [1, 0])).toBeUndefined();
    expect(orderShown(lastWins, randomWorld, befriending, [1, 0])).toMatch(/^the worlds differ/);
    const found = fc.check(
      inAnyOrder((world, list, order) => orderShown(lastWins, world, list, order) === undefined),
      { numRuns: 600, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });

  it("RT5 RT7 RT8 leaves a lawful world: in range, in order, without circles and without loose references", () => {
    fc.assert(
      fc.property(randomPlay, (steps) => {
        const { entities, retired, clock } = play(steps, () => undefined);
        const all = entitiesOf(entities);
        for (const entity of all) {
          const { coins = 0, litres = 0, members = [], weight = 0 } = entity.fields as Fields;
          expect(Number.isSafeInteger(coins) && coins >= 0 && coins <= 60).toBe(true);
          expect(litres >= 0 && litres <= 10 && Number(litres.toFixed(2)) === litres).toBe(true);
          expect(weight >= 0 && Number(weight.toFixed(1)) === weight).toBe(true);
          expect([...new Set(members)].sort()).toEqual(members);
          expect(circleFrom(entities, entity.id, new Set())).toBeUndefined();
          const ids = referencesOf(randomWorld, entity).flatMap((one) => one.ids);
          expect(
            ids.filter((id) => getEntity(entities, id) === undefined && !Object.hasOwn(randomWorld.map.places, id)),
          ).toEqual([]);
        }
        expect(retiredIds(retired).filter((id) => getEntity(entities, id) !== undefined)).toEqual([]);
        expect(Number.isSafeInteger(clock)).toBe(true);
      }),
      RUNS,
    );
  });

  it("RT12 keeps its table of entities as if it were built anew from them", () => {
    fc.assert(
      fc.property(randomPlay, (steps) => {
        const { entities } = play(steps, () => undefined);
        const anew = tableOf(structuredClone(entitiesOf(entities)).toReversed());
        expect(canonicalJson(entitiesOf(anew))).toBe(canonicalJson(entitiesOf(entities)));
        expect(digestOfEntities(anew)).toBe(digestOfEntities(entities));
      }),
      RUNS,
    );
  });

  it("RT29 begins where the one before ended, and ends where its triggers or the wait say", () => {
    fc.assert(
      fc.property(randomPlay, (steps) => {
        let clock = 0;
        play(steps, (_, outcome) => {
          if (!outcome.ok) return;
          const { record } = outcome.value;
          expect(record.start).toBe(clock);
          const ends = record.triggers.map(({ end }) => end);
          expect(record.triggers.every(({ start, end }) => start === clock && end > start)).toBe(true);
          const stands = ends.length === 0 ? clock : record.until === "first" ? Math.min(...ends) : Math.max(...ends);
          expect(record.clock).toBe(stands + record.advance);
          clock = record.clock;
        });
      }),
      RUNS,
    );
  });
});
