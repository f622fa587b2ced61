import { describe, expect, it } from "vitest";
import { listCases, loadCase, printFault, type Case } from "../../src/cases/index.ts";
import { readIfThere } from "../../src/records/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import {
  admissionRecordOf,
  contentDigestOf,
  faultOfAdmission,
  formatAdmission,
  mergeParts,
  partFinder,
  partFoundSchema,
  partsOf,
  readAdmission,
  verifyCase,
  type PartFound,
} from "../../src/tracks/index.ts";
import { caseAfter } from "../cases/broken-case.ts";

const ROUND = "rounds/01.yaml";

const HORN = caseAfter();
let verifying: ReturnType<typeof verifyCase> | undefined;

/** Horn verified in every tier, once for all tests. */
function verified(): ReturnType<typeof verifyCase> {
  return (verifying ??= verifyCase(HORN));
}

function findAll(case_: Case): readonly PartFound[] {
  const finder = partFinder(case_);
  return partsOf(case_).map((part) => {
    const finding = finder.find(part, TIERS);
    for (let next = finding.next(); ; next = finding.next()) if (next.done === true) return next.value;
  });
}

describe("a verification in parts", () => {
  const horn = HORN;
  const parts = findAll(horn);

  it("CS13 is the same whatever the order in which its parts are found", async () => {
    const whole = await verified();
    expect(mergeParts(horn, TIERS, parts)).toEqual(whole);
    expect(JSON.stringify(mergeParts(horn, TIERS, [...parts].reverse()))).toBe(JSON.stringify(whole));
  });

  it("CS13 has parts that are the same when they were kept as JSON and read again", () => {
    const read = parts.map((part) => partFoundSchema.parse(JSON.parse(JSON.stringify(part))));
    expect(read).toEqual(parts);
  });

  it("CS13 takes no part with a field too many, one too few, or a mutant of no kind", () => {
    const [whole, round] = parts.map((part) => JSON.parse(JSON.stringify(part)) as Record<string, unknown>);
    expect(partFoundSchema.safeParse({ ...whole, ok: true }).success).toBe(false);
    expect(partFoundSchema.safeParse({ ...round, problems: undefined }).success).toBe(false);
    const tally = { kinds: { nudge: { made: 1, killed: 1, overkills: 0 } }, kills: {} };
    expect(partFoundSchema.safeParse({ ...round, tiers: { easy: tally } }).success).toBe(false);
  });

  it("CS13 is refused where a part is missing or is there twice", () => {
    expect(() => mergeParts(horn, TIERS, parts.slice(1))).toThrow("mergeParts");
    expect(() => mergeParts(horn, TIERS, [...parts, ...parts.slice(1)])).toThrow("mergeParts");
  });

  it("CS13 follows from every word of the case and from nothing else", () => {
    expect(contentDigestOf(caseAfter())).toBe(contentDigestOf(horn));
    const changes = [
      { file: ROUND, from: "The knife was no trouble", to: "The knife was no bother" },
      { file: ROUND, from: "says: Teo draws the bolt", to: "says: Teo pulls the bolt" },
      { file: "case.yaml", from: "name: the white hound", to: "name: the pale hound" },
    ];
    const digests = changes.map((change) => contentDigestOf(caseAfter(change)));
    expect(new Set([contentDigestOf(horn), ...digests]).size).toBe(4);
  });
});

describe("the record of an admission", () => {
  it("CS15 holds the tables and of each item its killer, once where it is one in all tiers", async () => {
    const horn = HORN;
    const record = admissionRecordOf(horn, await verified());
    if (record === undefined) throw new Error("horn proves itself");
    expect(readAdmission(formatAdmission(record))).toEqual(record);
    expect(record.tiers.hard.items).toEqual({ E: 9, A: 4, P: 2, CA: 4, TM: 4, CC: 1 });
    expect(record.killers).toMatchObject({ hall_entered: "drop, round 1: without hall_entered" });
    expect(Object.keys(record.killers)).toHaveLength(24);
    expect(faultOfAdmission(horn, formatAdmission(record))).toBeUndefined();
  });

  it("CS15 is not made of a case that does not prove itself, nor of some tiers alone", async () => {
    const horn = HORN;
    expect(admissionRecordOf(horn, await verifyCase(horn, { tiers: ["easy"] }))).toBeUndefined();
    const found = await verifyCase(horn, { tiers: [] });
    expect(admissionRecordOf(horn, { ...found, ok: false })).toBeUndefined();
  });

  it("CS15 is of no use where it is not there, cannot be read, or is of another case or another content", async () => {
    const horn = HORN;
    const record = admissionRecordOf(horn, await verified());
    if (record === undefined) throw new Error("horn proves itself");
    const todo = "verify it: worldagent cases verify horn --write";
    const told = caseAfter({ file: ROUND, from: "The knife was no trouble", to: "The knife was no bother" });
    const faults = [
      faultOfAdmission(horn, undefined),
      faultOfAdmission(horn, "{"),
      faultOfAdmission(horn, JSON.stringify({ ...record, ok: false })),
      faultOfAdmission(horn, JSON.stringify({ ...record, case: "ark_001" })),
      faultOfAdmission(told, formatAdmission(record)),
      faultOfAdmission({ ...horn, contractDigest: "0".repeat(64) }, formatAdmission(record)),
      faultOfAdmission({ ...horn, version: 2 }, formatAdmission(record)),
      faultOfAdmission({ ...horn, unused: {} }, formatAdmission({ ...record, content: "0".repeat(64) })),
      faultOfAdmission({ ...horn, title: "Another" }, formatAdmission(record)),
    ];
    expect(faults).toEqual([
      `case horn has no record of its admission: ${todo}`,
      `the record of the admission of case horn cannot be read (it is not JSON): ${todo}`,
      `the record of the admission of case horn cannot be read (ok: Invalid input: expected true): ${todo}`,
      `the record of the admission of case horn is of case ark_001: ${todo}`,
      `the world of case horn is not the one that was admitted: ${todo}`,
      `the contract of case horn is not the one that was admitted: ${todo}`,
      `case horn is version 2, admitted was version 1: ${todo}`,
      `case horn has another title, family, size, canary or \`unused\` than when it was admitted: ${todo}`,
      `case horn has another title, family, size, canary or \`unused\` than when it was admitted: ${todo}`,
    ]);
  });
});

it.each(listCases("cases/maintenance").map(({ id, directory }) => [id, directory] as const))(
  "CS15 %s was admitted as it is",
  (id, directory) => {
    const loaded = loadCase(directory);
    if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
    expect(faultOfAdmission(loaded.value, readIfThere(`cases/admission/${id}.json`))).toBeUndefined();
  },
);
