import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareDigests, computeDigests, formatDigests, readDigests, unraised } from "../../src/cases/index.ts";
import { caseAfter, expectLines, HORN, withCase, type Edit } from "./broken-case.ts";

const horn = caseAfter();
const world = (from: string, to: string): Edit => ({ file: "case.yaml", from, to });
const round = (from: string, to: string): Edit => ({ file: "rounds/01.yaml", from, to });

/** Which of the two digests an edit changes. */
function changedBy(...edits: readonly Edit[]): readonly string[] {
  const other = caseAfter(...edits);
  return (["worldDigest", "contractDigest"] as const).filter((digest) => other[digest] !== horn[digest]);
}

describe("the digests of a case", () => {
  it("CS3 are two SHA-256 digests", () => {
    expect(horn.worldDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(horn.contractDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  const rows: readonly (readonly [string, readonly string[], Edit])[] = [
    ["a comment changes neither", [], world("version: 1", "version: 1 # first")],
    [
      "the order of keys changes neither",
      [],
      world("id: horn\ntitle: The Fire from Below", "title: The Fire from Below\nid: horn"),
    ],
    [
      "a default that is written out changes neither",
      [],
      world("has_drunk: { kind: bool, default: false }", "has_drunk: { kind: bool }"),
    ],
    [
      "what only authors read changes neither",
      [],
      world("version: 1", "version: 2\nchangelog: [ { version: 2, says: Nothing } ]"),
    ],
    ["a name changes the world", ["worldDigest"], world("name: Ilka,", "name: Ilka of Hearthfield,")],
    [
      "a requirement changes the world",
      ["worldDigest"],
      world("{ expr: who.at == beast.at }", '{ expr: "who.at == beast.at && true" }'),
    ],
    ["the unit of the clock changes the world", ["worldDigest"], world("quarter of an hour", "hour")],
    [
      "a stated budget changes the world",
      ["worldDigest"],
      world("invariants:", "budgets: { hard: { stepsPerRound: 99 } }\ninvariants:"),
    ],
    [
      "a word of the narrative changes the world",
      ["worldDigest"],
      round("white before the bone gate", "still before the bone gate"),
    ],
    [
      "the sentence of an event changes the contract",
      ["contractDigest"],
      round("Ilka lines the ram's horn with clay", "Ilka lines the horn with clay"),
    ],
    ["a relation changes the contract", ["contractDigest"], round(", immediate: true", "")],
    [
      "another argument of the reference changes the contract",
      ["contractDigest"],
      round("{ who: teo, to: cold_spring }", "{ who: teo, to: ash_wood }"),
    ],
    [
      "a further step of the reference changes both, since budgets follow from it",
      ["worldDigest", "contractDigest"],
      round("reference:\n", "reference:\n  - { advance: 1 }\n"),
    ],
  ];
  it.each(rows)("CS3 %s", (_says, changed, edit) => {
    expect(changedBy(edit)).toEqual(changed);
  });

  it("line ends of another system change neither", () => {
    const edits = ["case.yaml", "rounds/01.yaml"].map((file): Edit => ({
      file,
      text: readFileSync(join(HORN, file), "utf8").replaceAll("\n", "\r\n"),
    }));
    expect(changedBy(...edits)).toEqual([]);
  });
});

describe("CS7 the changelog", () => {
  expectLines([
    [
      "has no line for a second version",
      world("version: 1", "version: 2"),
      "horn/case.yaml:5:10 version: is 2, and the changelog has no line for it. Say in changelog what changed.",
    ],
    [
      "speaks of a version to come",
      world("version: 1", "version: 1\nchangelog: [ { version: 2, says: Soon } ]"),
      "horn/case.yaml:6:25 changelog 1 version: is 2, and the case is version 1.",
    ],
    [
      "is out of order",
      world("version: 1", "version: 2\nchangelog: [ { version: 2, says: Now }, { version: 1, says: Then } ]"),
      "horn/case.yaml:6:52 changelog 2 version: is 1 after 2. The newest version stands last.",
    ],
  ]);
});

describe("digests.json", () => {
  const [a, b] = ["a".repeat(64), "b".repeat(64)] as const;
  const frozen = { horn: { version: 1, world: a, contract: a }, ship: { version: 1, world: b, contract: b } };

  it("is written one case a line, sorted, and read as it was written", () => {
    const digests = computeDigests([{ ...horn, id: "zebra" }, horn]);
    const text = formatDigests(digests);
    expect(text.split("\n").map((line) => line.slice(0, 9))).toEqual(["{", '  "horn":', '  "zebra"', "}", ""]);
    withCase([], (_directory, root) => {
      const file = join(root, "digests.json");
      writeFileSync(file, text);
      expect(readDigests(file)).toEqual({ ok: true, value: digests });
      writeFileSync(file, "{ not json");
      expect(readDigests(file)).toMatchObject({ ok: false, error: expect.stringContaining(`${file} is not JSON: `) });
      writeFileSync(file, '{ "horn": { "version": 0 } }');
      expect(readDigests(file).ok).toBe(false);
    });
    expect(readDigests("nowhere/digests.json")).toEqual({ ok: false, error: "nowhere/digests.json is missing" });
    expect(formatDigests({})).toBe("{}\n");
  });

  it("agrees with cases that are as they were", () => {
    expect(compareDigests(frozen, frozen)).toEqual([]);
  });

  it("tells a case that is new, gone, changed without a new version, changed with one", () => {
    const present = { horn: { version: 1, world: b, contract: a }, boat: { version: 1, world: a, contract: a } };
    expect(compareDigests(frozen, present)).toEqual([
      { case: "boat", kind: "not frozen", message: "case boat has no digests yet: freeze it" },
      {
        case: "horn",
        kind: "world changed",
        message:
          "the world of case horn is not the one that is frozen: raise its version above 1, say why in its changelog and freeze it again",
      },
      { case: "ship", kind: "no such case", message: "case ship has digests and is not there: take its line away" },
    ]);
    const raised = { ...frozen, ship: { version: 2, world: b, contract: a } };
    expect(compareDigests(frozen, raised)).toEqual([
      {
        case: "ship",
        kind: "contract changed",
        message: "the contract of case ship is not the one that is frozen: freeze it again",
      },
    ]);
    expect(unraised(frozen, present).map(({ case: id, kind }) => [id, kind])).toEqual([["horn", "world changed"]]);
    expect(unraised(frozen, raised)).toEqual([]);
    expect(compareDigests(frozen, { ...frozen, ship: { ...frozen.ship, version: 2 } }).map(({ kind }) => kind)).toEqual(
      ["version changed"],
    );
  });
});
