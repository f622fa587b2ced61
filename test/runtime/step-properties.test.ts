import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyStepRecord } from "../../src/runtime/apply-record.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { acceptedStepSchema, type AcceptedTrigger } from "../../src/runtime/record.ts";
import { digestOfEntities, entitiesOf, getEntity, retiredIds, tableOf } from "../../src/runtime/state/index.ts";
import { circleFrom } from "../../src/runtime/value-check.ts";
import { referencesOf } from "../../src/runtime/merged-state.ts";
import { digestOfWorld, plainWorld, type World } from "../../src/runtime/world.ts";
import { randomPlay, randomStep, randomTrigger, randomWorld, type RandomStep } from "./support/random-steps.ts";
import { submit } from "./support/village.ts";

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

/** A trigger's record without its number. */
function unnumbered(trigger: AcceptedTrigger): string {
  return canonicalJson({ ...trigger, id: "" });
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

  it("RT33 the order of its triggers changes nothing but their numbering", () => {
    const shuffled = fc
      .array(randomTrigger, { minLength: 2, maxLength: 5 })
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
      );
    fc.assert(
      fc.property(shuffled, fc.array(randomStep, { maxLength: 3 }), ([list, other], prelude) => {
        const world = play(prelude, () => undefined);
        const [one, two] = [submit(world, list), submit(world, other)];
        expect(two.ok).toBe(one.ok);
        if (!one.ok || !two.ok) return;
        expect(two.value.record.digest).toBe(one.value.record.digest);
        expect(two.value.record.clock).toBe(one.value.record.clock);
        expect(two.value.record.triggers.map(unnumbered).sort()).toEqual(
          one.value.record.triggers.map(unnumbered).sort(),
        );
      }),
      { numRuns: 600 },
    );
  });

  it("RT33 a refusal too names the same failing triggers in any order", () => {
    fc.assert(
      fc.property(fc.array(randomTrigger, { minLength: 2, maxLength: 4 }), (list) => {
        const name = (triggers: typeof list) => {
          const outcome = submit(randomWorld, triggers);
          const named = outcome.ok
            ? []
            : (outcome.error.failures ?? []).map((one) => canonicalJson(triggers[one.trigger - 1]));
          return [...new Set(named)].sort();
        };
        expect(name([...list].reverse())).toEqual(name(list));
      }),
      { numRuns: 600 },
    );
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
