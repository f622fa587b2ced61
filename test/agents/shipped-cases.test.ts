/** What is promised of the cases that are shipped, beyond what admission asks of every case. */
import { describe, expect, it } from "vitest";
import { lexicalAgent } from "../../src/agents/lexical.ts";
import { listCases, loadCase, type Stratum } from "../../src/cases/index.ts";
import { isScored, itemsOf } from "../../src/contracts/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import { playAndScore, planOf, tempFolder } from "../tracks/run-fixture.ts";

const cases = listCases("cases/maintenance").map(({ directory }) => {
  const loaded = loadCase(directory);
  if (!loaded.ok) throw new Error(directory);
  return loaded.value;
});

/** Scored items over the three tiers, at least and at most. */
const SIZES: Readonly<Record<Stratum, readonly [number, number]>> = {
  small: [450, 700],
  medium: [1000, 1350],
  large: [1500, Infinity],
};

describe("the shipped cases", () => {
  it("are of three families and three sizes", () => {
    const seen = cases.map(({ family, stratum }) => `${family} ${stratum}`).sort();
    const one = ["ark large", "ark small", "ark small", "ark small", "li large", "li medium", "li medium"];
    expect(seen).toEqual([...one, "myth large", "myth medium", "myth small"]);
  });

  it.each(cases.map((case_) => [case_.id, case_] as const))(
    "%s has the items of its size",
    (_id, { contract, stratum }) => {
      const items = itemsOf(contract);
      const scored = TIERS.reduce((sum, tier) => sum + items.filter((item) => isScored(item, tier)).length, 0);
      const [least, most] = SIZES[stratum];
      expect(scored).toBeGreaterThanOrEqual(least);
      expect(scored).toBeLessThanOrEqual(most);
    },
  );

  // Likeness of words is worth something everywhere, and nowhere much.
  it.each(cases.map((case_) => [case_.id, case_] as const))(
    "%s leaves a matcher of words far below 1",
    async (_id, case_) => {
      const { score } = await playAndScore(planOf(lexicalAgent, "easy", case_), tempFolder());
      expect(score.outcome).toBe("finished");
      expect(score.completion.passed).toBeGreaterThan(0);
      expect(score.completion.rate).toBeLessThan(0.25);
      expect(score.relation.rate).toBeLessThan(0.1);
    },
  );
});
