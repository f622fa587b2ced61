import { describe, expect, it } from "vitest";
import { loadCase } from "../../src/cases/index.ts";
import { getEntity } from "../../src/runtime/index.ts";
import { caseAfter, HORN, secondRound } from "./broken-case.ts";

const horn = caseAfter();

describe("a case that was loaded", () => {
  it("CS1 has the parts of its files", () => {
    const { id, title, family, stratum, version, canary, unit, unused, budgets } = horn;
    expect({ id, title, family, stratum, version, canary, unit, unused, budgets }).toEqual({
      id: "horn",
      title: "The Fire from Below",
      family: "myth",
      stratum: "small",
      version: 1,
      canary: "worldagent-canary-4a0c7f52-8a53-4b7e-9f0e-6a1d0c2b9e71",
      unit: "quarter of an hour",
      unused: {},
      budgets: undefined,
    });
    expect(horn.narratives).toHaveLength(1);
    expect(horn.narratives[0]).toMatch(/^They will tell you Ilka went down alone\. She did not\./);
    expect(horn.reference.map((steps) => steps.length)).toEqual([15]);
  });

  it("has the full world, with fields that stood beside type, name and at, and defaults for those left out", () => {
    expect(getEntity(horn.world.entities, "iron_knife")).toEqual({
      id: "iron_knife",
      type: "thing",
      name: "Ilka's iron knife",
      at: "ilka",
      fields: { iron: true },
    });
    expect(getEntity(horn.world.entities, "bronze_pin")?.fields).toEqual({ iron: false });
    expect(Object.keys(horn.world.capabilities)).toContain("pass_gate");
    expect(horn.world.capabilities["hold_beast"]).toMatchObject({ id: "hold_beast", version: 1, duration: 2 });
  });

  it("has structures whose perturbations have their paths apart", () => {
    expect(horn.contract.rounds[0]?.structures[1]).toEqual({
      id: "dead_must_drink",
      level: "capability",
      says: "A way for the dead to speak that needs them to have drunk",
      usedBy: "word_told",
      reference: "tell_word",
      refusedWhen: [
        {
          paths: { "grandmother.has_drunk": false },
          since: "milk_poured",
          told: "The dead have no voice until they have drunk",
        },
      ],
      allowedWhen: [{ paths: { "drowned_miller.has_drunk": true } }, { paths: {}, clock: 400 }],
    });
  });

  it("CS1 has its rounds in order", () => {
    const two = caseAfter(secondRound({}));
    expect(two.contract.rounds.map(({ round, events }) => [round, events.length])).toEqual([
      [1, 9],
      [2, 1],
    ]);
    expect(two.narratives).toHaveLength(2);
    expect(two.reference.map((steps) => steps.length)).toEqual([15, 1]);
  });

  it("CT1 is frozen all through, and the same each time", () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(horn)).toBe(true);
    expect(loadCase(HORN)).toEqual(loadCase(HORN));
  });
});
