/** What each tier hands over, withholds and builds for itself. */
import { describe, expect, it } from "vitest";
import { budgetsOf, scenarioOf, solutionOf, worldOfTier, type Call } from "../../src/cases/index.ts";
import { countEntities, entityIds, type Tier, TIERS } from "../../src/runtime/index.ts";
import { caseAfter } from "./broken-case.ts";

const horn = caseAfter();

/** How many of each kind a world has. */
function sizesOf(tier: Tier): Readonly<Record<string, number>> {
  const { types, entities, capabilities, invariants, map } = worldOfTier(horn.world, tier);
  return {
    places: Object.keys(map.places).length,
    types: Object.keys(types).length,
    entities: countEntities(entities),
    capabilities: Object.keys(capabilities).length,
    invariants: invariants.length,
  };
}

describe("a tier", () => {
  it.each([
    ["easy", { places: 6, types: 8, entities: 12, capabilities: 10, invariants: 1 }],
    ["hard", { places: 6, types: 8, entities: 12, capabilities: 0, invariants: 1 }],
    ["extreme", { places: 6, types: 0, entities: 0, capabilities: 0, invariants: 0 }],
  ] as const)("RT8 RT42 %s hands over %o", (tier, sizes) => {
    expect(sizesOf(tier)).toEqual(sizes);
  });

  it.each(TIERS)("CT1 RT41 %s hands over nothing of contract or reference", (tier) => {
    const shown = JSON.stringify(scenarioOf(horn, tier));
    const { events, structures, probes, relations } = horn.contract.rounds[0] ?? {
      events: [],
      structures: [],
      probes: [],
      relations: [],
    };
    const sealed = [...events, ...structures, ...probes].flatMap(({ id, says }) => [id as string, says]);
    expect(sealed).toHaveLength(30);
    expect(
      [...sealed, ...relations.map(({ id }) => id as string), "realises"].filter((words) => shown.includes(words)),
    ).toEqual([]);
  });
});

/** What a construction makes, as `level id`. */
function madeBy({ input }: Call): string {
  const level = ["type", "entity", "capability"].find((key) => Object.hasOwn(input, key)) ?? "";
  return `${level} ${(input[level] as { readonly id: string }).id}`;
}

describe("the reference of a tier", () => {
  const stepsOf = (tier: Tier) => (solutionOf(horn, tier)[0] ?? []).filter(({ tool }) => tool !== "construct");
  const madeIn = (tier: Tier) =>
    (solutionOf(horn, tier)[0] ?? [])
      .filter(({ tool, input }) => tool === "construct" && input["op"] === "create")
      .map(madeBy);

  it("CS4 takes the same steps in all", () => {
    expect(stepsOf("easy")).toHaveLength(16);
    for (const tier of TIERS) expect(stepsOf(tier)).toEqual(stepsOf("easy"));
  });

  it("CS4 builds what the tier withholds, each once, and nothing else", () => {
    const capabilities = Object.keys(horn.world.capabilities).map((id) => `capability ${id}`);
    const entities = entityIds(horn.world.entities).map((id) => `entity ${id}`);
    const types = Object.keys(horn.world.types).map((id) => `type ${id}`);
    expect(madeIn("easy")).toEqual([]);
    expect(madeIn("hard").toSorted()).toEqual(capabilities.toSorted());
    expect(madeIn("extreme").toSorted()).toEqual([...capabilities, ...entities, ...types].toSorted());
  });

  it.each(["hard", "extreme"] as const)("CS4 builds each capability in %s before its first use", (tier) => {
    const calls = solutionOf(horn, tier)[0] ?? [];
    const uses = (id: string) =>
      calls.findIndex(({ input }) => JSON.stringify(input["triggers"] ?? "").includes(`"${id}"`));
    for (const id of Object.keys(horn.world.capabilities)) {
      const built = calls.findIndex((call) => call.tool === "construct" && madeBy(call) === `capability ${id}`);
      expect([id, built >= 0 && built < uses(id)]).toEqual([id, true]);
    }
  });

  it.each([
    ["easy", 16],
    ["hard", 26],
    ["extreme", 46],
  ] as const)("RT45 counts %s's constructions and the end of the round among its calls", (tier, calls) => {
    expect(solutionOf(horn, tier)[0]).toHaveLength(calls);
    expect(budgetsOf(horn, tier)).toEqual({
      rounds: [{ steps: 4 * 15 + 10, calls: 12 * calls + 40 }],
      runCalls: 2 * (12 * calls + 40),
    });
  });
});
