import { describe, expect, it } from "vitest";
import type { ItemId, RoundContract } from "../../src/contracts/index.ts";
import type { Tier } from "../../src/runtime/index.ts";
import {
  mergeParts,
  verifyCase,
  type CaseVerification,
  type CheckNumber,
  type Problem,
} from "../../src/tracks/index.ts";
import { strayOf } from "../../src/tracks/maintenance/admission/allowed.ts";
import type { Mutant } from "../../src/tracks/maintenance/admission/mutants/mutant.ts";
import { dropMutants } from "../../src/tracks/maintenance/admission/mutants/order.ts";
import { judgeReplayed, replay } from "../../src/tracks/maintenance/admission/replay.ts";
import { baseOf, layOut } from "../../src/tracks/maintenance/admission/workbench.ts";
import { caseAfter, type Edit } from "../cases/broken-case.ts";

const ROUND = "rounds/01.yaml";

/** One more entry at the head of a list of the round. */
function entry(list: "events" | "structures" | "probes" | "relations", text: string): Edit {
  return { file: ROUND, from: `\n${list}:\n`, to: `\n${list}:\n  - ${text}\n` };
}

async function problemsAfter(tiers: readonly Tier[], ...edits: readonly Edit[]): Promise<readonly Problem[]> {
  const { ok, problems } = await verifyCase(caseAfter(...edits), { tiers });
  expect(ok).toBe(problems.length === 0);
  return problems;
}

/** Checks and items of the problems, each once. */
function summary(problems: readonly Problem[]): readonly string[] {
  return [
    ...new Set(
      problems.map(({ check, tier, item }) => [check, tier, item].filter((part) => part !== undefined).join(" ")),
    ),
  ];
}

describe("a case that proves itself", () => {
  it("CS5 is admitted in every tier, with every item killed and the table of its mutants", async () => {
    const progress: string[] = [];
    const found: CaseVerification = await verifyCase(caseAfter(), { onProgress: (text) => progress.push(text) });
    expect(found.problems).toEqual([]);
    expect(found).toMatchObject({ case: "horn", ok: true });
    const items = { E: 9, P: 2, CA: 4, TM: 4, CC: 1 };
    expect(found.tiers.easy).toMatchObject({ items: { ...items, A: 0 }, unkilled: [] });
    expect(found.tiers.hard).toMatchObject({ items: { ...items, A: 4 }, unkilled: [] });
    expect(found.tiers.extreme).toMatchObject({ items: { ...items, A: 4 }, unkilled: [] });
    for (const line of Object.values(found.tiers)) {
      expect(line.mutants).toBeGreaterThan(60);
      expect(line.overkills).toBe(0);
      // A requirement that nothing turns on may be stripped; whatever else is done to horn fails something.
      const { strip: _, ...others } = line.byMutant;
      expect(Object.values(others).filter(({ made, killed }) => killed < made)).toEqual([]);
    }
    expect(progress[0]).toBe("horn words");
  });

  it("CS14 names of every item that counts the mutant that showed that it can fail, made for it wherever one was", async () => {
    const { tiers } = await verifyCase(caseAfter(), { tiers: ["easy", "hard"] });
    expect(Object.keys(tiers.easy?.kills ?? {})).toHaveLength(20);
    expect(Object.keys(tiers.hard?.kills ?? {})).toHaveLength(24);
    expect(Object.values(tiers.hard?.kills ?? {}).filter(({ isAimed }) => !isAimed)).toEqual([]);
    expect(tiers.hard?.kills).toMatchObject({
      hall_entered: { kind: "drop", round: 1, says: "without hall_entered" },
      dead_must_drink: { kind: "weaken", says: "tell_word without shade.has_drunk" },
      horn_stays_shut: { kind: "forbid" },
      r1_cc1: { kind: "split" },
    });
  });

  it("CS5 4 says what each cheat earned beside the reference", async () => {
    const { cheats } = await verifyCase(caseAfter(), { tiers: ["hard"] });
    expect(cheats.map(({ cheat }) => cheat)).toEqual(["setters", "freeze", "idle arguments", "mega", "spam"]);
    for (const { completion, relation } of cheats) {
      expect([completion.of, relation.of]).toEqual([15, 9]);
      expect(completion.passed).toBeLessThan(15);
    }
  });

  it("CS5 is verified alike twice", async () => {
    const once = await verifyCase(caseAfter(), { tiers: ["hard"] });
    expect(await verifyCase(caseAfter(), { tiers: ["hard"] })).toEqual(once);
  });
});

describe("a case with a fault is refused by the check that looks for it", () => {
  const pours =
    "{ capability: pour_milk, args: { who: teo, jug: milk_jug, shade: grandmother }, realises: [milk_poured] }";

  it("CS5 1: a harmless state that the reference refuses", async () => {
    const problems = await problemsAfter(["easy", "hard"], {
      file: ROUND,
      from: "allowedWhen: [ { iron_knife.at: hearthfield }, { milk_jug.full: false } ]",
      to: "allowedWhen: [ { bone_gate.open: false } ]",
    });
    expect(summary(problems)).toEqual(["1 hard gate_knows_iron"]);
  });

  it("CS5 3: a relation that cannot fail while its events hold, since one trigger is both", async () => {
    const problems = await problemsAfter(
      ["easy"],
      entry(
        "events",
        "{ id: jug_emptied, says: Teo empties the jug, involves: [teo, milk_jug], defining: [milk_jug.full] }",
      ),
      entry(
        "relations",
        '{ concurrent: { events: [jug_emptied, milk_poured], mode: overlap }, told: "I poured it out for Ilka\'s grandmother, all of it" }',
      ),
      { file: ROUND, from: pours, to: pours.replace("[milk_poured]", "[jug_emptied, milk_poured]") },
    );
    expect(summary(problems)).toEqual(["3 easy r1_cc1"]);
    expect(problems.map(({ message }) => message)).toEqual([
      "no mutant fails it while its events hold: it measures nothing that they do not",
    ]);
  });

  it("CS5 3: a probe that nothing can violate, in the tiers whose invariants forbid it anyway", async () => {
    const problems = await problemsAfter(
      ["easy", "extreme"],
      entry(
        "probes",
        "{ id: fire_stays, after: fire_taken, says: Nobody puts out the fire of the king, forbids: { changes: { king_fire.lit: false } } }",
      ),
    );
    expect(summary(problems)).toEqual(["3 easy fire_stays"]);
    expect(problems[0]?.message).toBe("no mutant does the forbidden thing while its window is open");
  });

  it("CS5 3 and 4: a structure whose perturbed state is refused whatever the capability demands", async () => {
    const circle =
      '{ id: can_lay_down, level: capability, says: A way to lay down a thing, usedBy: knife_left, reference: lay_down, refusedWhen: [ { ilka.at: iron_knife, told: "where she had put it down herself" } ], allowedWhen: [ { milk_jug.full: false } ] }';
    const problems = await problemsAfter(["hard"], entry("structures", circle));
    expect(summary(problems)).toEqual(["3 hard can_lay_down", "4 hard can_lay_down"]);
    expect(problems.map(({ message }) => message)).toContain(
      'refusedWhen {"ilka.at":"iron_knife"} distinguishes nothing: a capability without any requirement meets it too',
    );
  });

  it("CS5 3: an item that no mutant fails, since nothing that was done to the reference touches it", () => {
    const case_ = caseAfter();
    const found = mergeParts(
      case_,
      ["easy"],
      [
        { part: "whole", problems: [], cheats: [] },
        { part: 1, tiers: { easy: { kinds: {}, kills: {} } }, problems: [] },
      ],
    );
    expect(found.ok).toBe(false);
    expect(found.problems).toHaveLength(20);
    expect(found.problems.find(({ item }) => item === "hall_entered")?.message).toBe("no mutant fails it");
  });

  it("CS5 3: a mutant that fails more than it may is an overkill, and named with what it fails", () => {
    const bench = layOut(caseAfter());
    if (!("case" in bench)) throw new Error(bench.message);
    const base = baseOf(bench, "easy");
    const mutant = dropMutants(base.script, bench.case.contract.rounds[0] as RoundContract).find(
      ({ over }) => over[0] === ("hearth_lit" as string),
    ) as Mutant;
    const replayed = replay(base, mutant.script);
    const failed = [...judgeReplayed(base, replayed).failed];
    expect(strayOf(base, mutant, replayed, failed)).toEqual([]);
    // Nothing that lighting the hearth changes is looked at by who lines the horn, long before.
    expect(strayOf(base, mutant, replayed, [...failed, "horn_lined" as ItemId, "r1_cc1" as ItemId])).toEqual([
      "horn_lined",
      "r1_cc1",
    ]);
  });

  const telling: readonly (readonly [CheckNumber, string, readonly Edit[], readonly string[]])[] = [
    [
      6,
      "an id in the narrative",
      [{ file: ROUND, from: "The knife was no trouble", to: "The iron_knife was no trouble" }],
      ["6"],
    ],
    [
      6,
      "an id in a sentence of the contract",
      [{ file: ROUND, from: "Teo draws the bolt of the bone gate", to: "Teo draws the bolt of bone_gate" }],
      ["6"],
    ],
    [
      6,
      "an entity that an event involves and no narrative names",
      [{ file: "case.yaml", from: "name: the white hound", to: "name: Garm" }],
      ["6 hound_held"],
    ],
    [
      7,
      "an amount that no narrative tells",
      [
        {
          file: "case.yaml",
          from: "full: { kind: bool, default: true }",
          to: "full: { kind: bool, default: true }, cups: { kind: int, min: 0, default: 7 }",
        },
        {
          file: "case.yaml",
          from: "{ set: jug.full, value: false }",
          to: "{ set: jug.full, value: false }, { add: jug.cups, by: -7 }",
        },
        {
          file: ROUND,
          from: "defining: [grandmother.has_drunk]",
          to: "defining: [grandmother.has_drunk, milk_jug.cups]",
        },
      ],
      ["7 milk_poured"],
    ],
    [
      9,
      "an entity that nothing uses",
      [
        {
          file: "case.yaml",
          from: "  bone_gate: {",
          to: "  old_oven: { type: hearth, name: the old oven, at: hearthfield }\n  bone_gate: {",
        },
      ],
      ["9"],
    ],
    [
      9,
      "a place that nothing uses",
      [
        {
          file: "case.yaml",
          from: "    black_hall: the hall",
          to: "    salt_marsh: the salt marsh\n    black_hall: the hall",
        },
      ],
      ["9"],
    ],
    [
      9,
      "a field that nothing uses",
      [
        {
          file: "case.yaml",
          from: "open: { kind: bool, default: false } } }\n  jug",
          to: "open: { kind: bool, default: false }, cracked: { kind: bool } } }\n  jug",
        },
      ],
      ["9"],
    ],
  ];

  it.each(telling)("CS5 %i: %s", async (_check, _says, edits, expected) => {
    expect(summary(await problemsAfter([], ...edits))).toEqual(expected);
  });

  it("CS5 and not where the number is told, or what is unused says why it is there", async () => {
    const problems = await problemsAfter(
      [],
      {
        file: "case.yaml",
        from: "full: { kind: bool, default: true }",
        to: "full: { kind: bool, default: true }, cups: { kind: int, min: 0, default: 9 }",
      },
      {
        file: "case.yaml",
        from: "{ set: jug.full, value: false }",
        to: "{ set: jug.full, value: false }, { add: jug.cups, by: -9 }",
      },
      {
        file: ROUND,
        from: "defining: [grandmother.has_drunk]",
        to: "defining: [grandmother.has_drunk, milk_jug.cups]",
      },
      {
        file: "case.yaml",
        from: "  bone_gate: {",
        to: "  old_oven: { type: hearth, name: the old oven, at: hearthfield }\n  bone_gate: {",
      },
      {
        file: "case.yaml",
        from: "invariants:",
        to: "unused:\n  old_oven: It stands cold and is not the one that is meant\ninvariants:",
      },
    );
    // "I was nine", the narrative says; where a number stands is for readers to judge.
    expect(problems).toEqual([]);
  });
});
