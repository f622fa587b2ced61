import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { compileCondition } from "../../src/runtime/expression/index.ts";
import { pointwiseRuleOf } from "../../src/runtime/pointwise.ts";
import { entitiesOf, tableOf } from "../../src/runtime/state/index.ts";
import type { World } from "../../src/runtime/world.ts";
import { randomStep, randomWorld } from "./support/random-steps.ts";
import { submit, village } from "./support/village.ts";

const world = village();

function isPointwise(text: string): boolean {
  const compiled = compileCondition(world, text);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return pointwiseRuleOf(compiled.value) !== undefined;
}

describe("an invariant that asks of each entity only what it holds itself", () => {
  it.each([
    "all(person).all(p, p.coins <= 60)",
    "all(person).all(p, p.coins >= 0 && (p.awake || p.at == mill))",
    "all(person).all(p, p.awake ? p.coins < 9 : linked(p.at, ford))",
    "all(jug).all(j, min(j.litres, 3) <= 2 + 1)",
    "all(guild).all(g, count(g.members) > 0)",
  ])("RT67 is told apart: %s", (text) => expect(isPointwise(text)).toBe(true));

  it.each([
    "all(person).exists(p, p.coins <= 60)",
    "all(person).all(p, p.friend.awake)",
    "all(person).all(p, p.coins <= ann.coins)",
    "all(person).all(p, p.friend != ann)",
    "all(person).all(p, all(jug).exists(j, j.owner == p))",
    "all(crate).all(c, inside(c, mill))",
    "jug.litres + cup.litres <= 9",
    "count(all(person)) > 1",
  ])("RT67 others are not: %s", (text) => expect(isPointwise(text)).toBe(false));

  it("RT67 is asked of what a step wrote, and refuses exactly what asking everybody would", () => {
    const forgotten = (one: World): World => ({ ...one, entities: tableOf(structuredClone(entitiesOf(one.entities))) });
    let refused = 0;
    fc.assert(
      fc.property(fc.array(randomStep, { minLength: 2, maxLength: 12, size: "max" }), (steps) => {
        let now = randomWorld;
        for (const [i, { triggers, ...more }] of steps.entries()) {
          const outcome = submit(now, triggers, { ...more, step: i + 1 });
          const asked = submit(forgotten(now), triggers, { ...more, step: i + 1 });
          const told = outcome.ok ? outcome.value.record : outcome.error;
          expect(canonicalJson(told)).toBe(canonicalJson(asked.ok ? asked.value.record : asked.error));
          if (outcome.ok) now = outcome.value.world;
          else if (outcome.error.code === "invariant_broken") refused += 1;
        }
      }),
      { numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
