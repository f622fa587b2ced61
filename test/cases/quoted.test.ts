import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCase, spansOf } from "../../src/cases/index.ts";
import { findMissing } from "../../src/cases/told.ts";

const quoted = (text: string, told: string): readonly string[] =>
  spansOf(text, told).map(({ start, end }) => text.slice(start, end));

describe("the words an item points at", () => {
  it("are found over line ends and several blanks, as they stand in the narrative", () => {
    expect(quoted("  She lit\n  the   lamp. Then she left.", "lit the lamp")).toEqual(["lit\n  the   lamp"]);
  });

  it("are found piece by piece where words are left out, each after the one before", () => {
    expect(quoted("the bell rang, the gate shut, the bell rang", "the gate shut ... the bell")).toEqual([
      "the gate shut",
      "the bell",
    ]);
    expect(quoted("the bell rang, the gate shut", "the gate shut ... the bell")).toEqual([]);
  });

  it("may stand anywhere between semicolons, and a semicolon that stands in the narrative is only one", () => {
    expect(quoted("one two three", "three; one")).toEqual(["three", "one"]);
    expect(quoted("he came; she went", "came; she")).toEqual(["came; she"]);
    expect(quoted("one two", "two; three")).toEqual([]);
  });

  it("are found exactly where the check of a case finds them", () => {
    const words = fc.array(fc.constantFrom("a", "b", " ", "\n", ";", "...", "…", "c"), { maxLength: 14 });
    fc.assert(
      fc.property(words, words, (narrative, told) => {
        const [text, quote] = [narrative.join(""), told.join("")];
        const hasWords = quote.replaceAll(/\.{3}|…|;|\s/g, "") !== "";
        fc.pre(hasWords);
        expect(spansOf(text, quote).length > 0).toBe(findMissing(text, quote) === undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it("are found for every relation and every rule of a shipped case", () => {
    const loaded = loadCase(fileURLToPath(new URL("../../cases/maintenance/ark_001", import.meta.url)));
    if (!loaded.ok) throw new Error("ark_001 has faults");
    const { narratives, contract } = loaded.value;
    const told = contract.rounds.flatMap(({ round, relations, structures }) => [
      ...relations.map((one) => ({ round, told: one.told })),
      ...structures.flatMap(({ refusedWhen }) => refusedWhen.map((one) => ({ round, told: one.told ?? "" }))),
    ]);
    const lost = told.filter(
      ({ round, told }) => !narratives.slice(0, round).some((text) => spansOf(text, told).length > 0),
    );
    expect(told.length).toBeGreaterThan(100);
    expect(lost).toEqual([]);
  });
});
