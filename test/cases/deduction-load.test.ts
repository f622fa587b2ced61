import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { FOLDS, printFault, readSource, type DeductionCase, type Fault } from "../../src/cases/index.ts";
import { readDeductionCase } from "../../src/cases/deduction/load.ts";
import { digestOfWorld, rollout, valueAtPath, type Result, type World } from "../../src/runtime/index.ts";

const DOCS = readFileSync(path.join(import.meta.dirname, "../../docs/deduction-format.md"), "utf8");
/** The whole case that docs/deduction-format.md shows. */
const EXAMPLE = /```yaml\n([\s\S]*?)```/.exec(DOCS)?.[1] ?? "";

function read(text: string): Result<DeductionCase, readonly Fault[]> {
  const source = readSource("cases/mill_pond/case.yaml", text);
  return source.ok ? readDeductionCase(source.value, "cases/mill_pond") : source;
}

function example(): DeductionCase {
  const read_ = read(EXAMPLE);
  if (!read_.ok) throw new Error(read_.error.map(printFault).join("\n"));
  return read_.value;
}

/** The first fault of the example with one text in place of another. */
function faultOf(from: string, to: string): string {
  expect(EXAMPLE.split(from).length, `${from} stands in the example`).toBeGreaterThan(1);
  const changed = read(EXAMPLE.replace(from, to));
  const [first] = changed.ok ? [] : changed.error;
  return first === undefined ? "no fault" : printFault(first);
}

describe("a deduction case", () => {
  it("DD30 is read as docs/deduction-format.md shows it, and goes on by its rules", () => {
    const { dynamics, worlds, goal } = example();
    expect(dynamics.processes.map(({ id }) => id)).toEqual(["rising", "flooding"]);
    expect(dynamics.visibility["pond"]).toEqual({ at: "public", level: "public", seep: "hidden" });
    const rolled = rollout(dynamics, worlds[1] as World, { ticks: dynamics.ticks });
    expect(rolled.ok && valueAtPath(rolled.value.world, "mill_house.flooded")).toBe(true);
    expect(goal.expr).toBe("!mill_house.flooded");
  });

  it("DD37 has five folds, each drawn from its number and no other", () => {
    const drawn = FOLDS.map((fold) => digestOfWorld(example().worlds[fold] as World));
    expect(FOLDS.map((fold) => digestOfWorld(example().worlds[fold] as World))).toEqual(drawn);
    expect(new Set(drawn).size).toBeGreaterThan(2);
    const levels = FOLDS.map((fold) => valueAtPath(example().worlds[fold] as World, "pond.level"));
    for (const level of levels) expect([6, 8, 10, 12]).toContain(level);
    // Another path that varies changes no draw of this one.
    const more = read(EXAMPLE.replace("vary: {", 'vary: { "ana.tired": { from: 1, to: 9 },'));
    expect(more.ok && FOLDS.map((fold) => valueAtPath(more.value.worlds[fold] as World, "pond.level"))).toEqual(levels);
  });

  it("DD37 has another digest when anything that is told or rolled out is another", () => {
    const changes = [
      ["less what seeps away", "less what seeps off"],
      ['by: "3 - pond.seep"', 'by: "4 - pond.seep"'],
      ["at: [12]", "at: [13]"],
      ["visibility: hidden", "visibility: local"],
      ["decision: 6", "decision: 4"],
      ["from: 6, to: 12", "from: 2, to: 8"],
      ["She sees the pond", "She hears the pond"],
      ["open_sluice:\n    says: Ana opens", "open_sluice:\n    says: Ana lifts"],
    ].map(([from = "", to = ""]) => {
      const changed = read(EXAMPLE.replace(from, to));
      if (!changed.ok) throw new Error(changed.error.map(printFault).join("\n"));
      return changed.value.worldDigest;
    });
    expect(new Set([example().worldDigest, ...changes]).size).toBe(changes.length + 1);
  });

  it.each([
    ["segment: 8 ", "segment: 7 ", /:12:10 segment: 7 does not go into 24 ticks/],
    ["character: ana", "character: anna", /:14:12 character: there is no entity "anna"/],
    ["visibility: hidden", "visibility: secret", /"secret" is not possible here/],
    [
      "seep: { kind: int, min: 0, max: 5, default: 1, visibility: hidden }",
      "seep: { kind: int }",
      /"visibility" is missing/,
    ],
    ['when: "pond.level > 18"', 'when: "pond.levl > 18"', /process "flooding" when: .*no field "levl"/],
    ['effects: [ { add: pond.level, by: "3 - pond.seep" } ]', "effects: []", /0 entries, allowed are at least 1/],
    ["at: [12]", "at: [12, 12]", /entry "cloudburst" at 2: tick 12 stands twice/],
    ["at: [12]", "at: [0]", /is 0, allowed is at least 1/],
    [
      "params: { to: { kind: place } }",
      "params: { to: { kind: place }, n: { kind: int } }",
      /action "walk" params n: an action takes no int/,
    ],
    [
      'requires: [ { expr: "linked(ana.at, to)" } ]',
      'requires: [ { expr: "linked(ana.at, too)" } ]',
      /action "walk" requires 1 expr: .*"too" is no/,
    ],
    ["walk:\n", "wait:\n", /"wait" is always there/],
    ['"pond.level": { from: 6, to: 12, step: 2 }', '"pont.level": { from: 6, to: 12 }', /there is no entity "pont"/],
    ['"pond.level": { from: 6, to: 12, step: 2 }', '"pond.level": { from: 6, to: 6 }', /1 values to draw from/],
    ['"pond.level": { from: 6, to: 12, step: 2 }', '"pond.level": { from: 6, to: 99 }', /out of range/],
    [
      '"pond.level": { from: 6, to: 12, step: 2 }',
      '"pond.level": { from: 6, to: 12, step: 0.001 }',
      /more than 1000 values to draw from\. At most 1000: a larger step\./,
    ],
    ['"pond.level": { from: 6, to: 12, step: 2 }', '"pond.depth": { from: 6, to: 8 }', /no field "depth"/],
    ['expr: "!mill_house.flooded"', 'expr: "mill_house.level"', /goal expr: .*no field "level"/],
    ["id: mill_pond", "id: mill_pool", /is "mill_pool", and the folder is "mill_pond"/],
    ["unit: hour }", "unit: hour, start: 3 }", /begins at tick 0/],
  ])("DD37 that says %j as %j is refused with where and what", (from, to, message) => {
    const fault = faultOf(from, to);
    expect(fault).toMatch(message);
    expect(fault).toMatch(/^cases\/mill_pond\/case\.yaml:\d+:\d+ /);
  });

  /** The faults of the example after edits. */
  function faultsAfter(...edits: readonly (readonly [from: string, to: string])[]): readonly string[] {
    const changed = read(edits.reduce((text, [from, to]) => text.replace(from, to), EXAMPLE));
    return changed.ok ? [] : changed.error.map(printFault);
  }

  it("DD37 whose goal reads what is sealed is refused", () => {
    const sealed = [
      "      seep:",
      "      omen: { kind: int, min: 0, max: 9, visibility: sealed }\n      seep:",
    ] as const;
    expect(faultsAfter(sealed)).toEqual([]);
    expect(faultsAfter(sealed, ['expr: "!mill_house.flooded"', 'expr: "pond.omen < 5"'])).toEqual([
      expect.stringMatching(
        /^cases\/mill_pond\/case\.yaml:16:\d+ goal expr: it reads the sealed omen\. What is sealed /,
      ),
    ]);
  });

  it("DD30 with a process of too many combinations is refused in its line, with number, limit and what to do", () => {
    const people = Array.from({ length: 31 }, (_, i) => `  p${i}: { type: person, at: mill }\n`).join("");
    const found = faultsAfter(
      ["  ana: { type: person, at: mill }\n", `  ana: { type: person, at: mill }\n${people}`],
      ["every: 2\n", "every: 2\n    for: { a: person, b: person, c: person, d: person, e: person }\n"],
    );
    expect(found).toEqual([
      expect.stringMatching(
        /case\.yaml:\d+:\d+ process "rising" for: 33554432 combinations of entities cost \d+, allowed is at most 1000000\. Bind fewer variables/,
      ),
    ]);
  });
});
