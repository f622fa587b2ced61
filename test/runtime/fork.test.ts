import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { fork } from "../../src/runtime/fork.ts";
import { entitiesOf, getEntity } from "../../src/runtime/state/index.ts";
import { digestOfWorld } from "../../src/runtime/world.ts";
import { randomPlay, randomWorld } from "./support/random-steps.ts";
import { submit, villageWith } from "./support/village.ts";
import { call, essenceOf, go, heat, play, sweep, toySession } from "./toy-world.ts";

describe("a fork", () => {
  it("RT90 copies nothing: it begins as the very world, and shares with it whatever it does not write", () => {
    const world = villageWith(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`c${i}`, { type: "crate" }])));
    const course = fork(world);
    expect(course.world).toBe(world);
    course.setClock(7);
    expect([world.clock, course.world.clock]).toEqual([0, 7]);
    const now = entitiesOf(course.world.entities);
    expect(entitiesOf(world.entities).filter((one, i) => one !== now[i])).toEqual([]);
  });

  it("RT90 takes steps as every step is taken, and the world it came of stands", () => {
    fc.assert(
      fc.property(randomPlay, (steps) => {
        const digest = digestOfWorld(randomWorld);
        const course = fork(randomWorld);
        let world = randomWorld;
        for (const { triggers, until, advance } of steps) {
          if (triggers.length === 0 && advance === 0) continue;
          const more = { advance, ...(until && { until }) };
          const outcome = submit(world, triggers, more);
          const args = triggers.map(({ args = {}, ...one }) => ({ ...one, args }));
          const done = course.step({ triggers: args, ...more });
          expect(done.ok).toBe(outcome.ok);
          expect(done.ok ? "" : done.error).toEqual(outcome.ok ? "" : outcome.error);
          if (outcome.ok) world = outcome.value.world;
          expect(digestOfWorld(course.world)).toBe(digestOfWorld(world));
        }
        expect(digestOfWorld(randomWorld)).toBe(digest);
      }),
      { numRuns: 60 },
    );
  });

  it("RT90 is never seen by the session whose world was forked", () => {
    const trigger = fc.constantFrom(
      go("ana", "kitchen"),
      go("ben", "kitchen"),
      go("ben", "yard"),
      heat("ana", "kettle"),
      heat("ben", "kettle"),
      sweep("ben", "yard_floor"),
    );
    const triggers = fc.array(trigger, { maxLength: 2 });
    const asked = fc.oneof(
      triggers.map((some) => ["commit_step", { triggers: some, advance: 1 }] as const),
      fc.constantFrom("entities", "log").map((from) => ["read_data", { from }] as const),
    );
    const forked = fc.array(fc.record({ triggers, advance: fc.nat(3), clock: fc.nat(99) }), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(asked, forked), { minLength: 1, maxLength: 8 }), (calls) => {
        const answersOf = (disturb: boolean) => {
          let session = toySession("easy");
          return calls.map(([[tool, input], steps]) => {
            const course = fork(session.world);
            if (disturb)
              for (const { clock, ...step } of steps) {
                course.step(step);
                course.setClock(clock);
              }
            const turn = call(session, tool, input);
            session = turn.session;
            return canonicalJson({ answer: turn.answer, essence: essenceOf(session) });
          });
        };
        expect(answersOf(true)).toEqual(answersOf(false));
      }),
      { numRuns: 20 },
    );
  });

  it("RT90 mends a name where elsewhere the whole entity was recorded, and makes what was made", () => {
    const session = play(toySession("extreme"), [
      ["construct", { op: "create", type: { id: "pot", fields: { heat: { kind: "int" } } } }],
      ["construct", { op: "create", entity: { id: "kettle", type: "pot", fields: { heat: 3 } } }],
    ]);
    const course = fork(session.world);
    const kettle = getEntity(session.world.entities, "kettle");
    course.construct({
      op: "update",
      item: {
        level: "entity",
        id: "kettle",
        now: { id: "kettle", type: "pot", at: null, name: "K", fields: { heat: 9 } },
      },
    });
    expect(getEntity(course.world.entities, "kettle")).toMatchObject({ name: "K", fields: { heat: 3 } });
    course.construct({ op: "delete", item: { level: "entity", id: "kettle", now: null } });
    expect(getEntity(course.world.entities, "kettle")).toBeUndefined();
    expect(getEntity(session.world.entities, "kettle")).toBe(kettle);
  });
});
