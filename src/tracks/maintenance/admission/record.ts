/**
 * What is kept of an admission beside the case's digests (cases/admission/<id>.json): that it proved itself, in which
 * version, and by which mutants. Whoever reads it knows without replaying anything whether the case as it is was admitted.
 */
import * as z from "zod";
import type { Case } from "../../../cases/index.ts";
import { ITEM_KINDS, isScored, itemsOf, type ItemId } from "../../../contracts/index.ts";
import { TIERS, type Tier } from "../../../runtime/index.ts";
import { contentDigestOf } from "./content.ts";
import { MUTANT_KINDS } from "./mutants/mutant.ts";
import { cheatScoreSchema, kindTallySchema } from "./part-schema.ts";
import type { Kill } from "./tally.ts";
import type { CaseVerification } from "./verify.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const killer = z.string().describe("The mutant in words: kind, round, what was done");

const tierRecordSchema = z.strictObject({
  items: z.record(z.enum(ITEM_KINDS), count),
  mutants: count,
  killed: count.describe("Mutants that fail something that counts"),
  overkills: count.describe("Mutants that fail more than they may"),
  byMutant: z.partialRecord(z.enum(MUTANT_KINDS), kindTallySchema),
});

export const admissionRecordSchema = z.strictObject({
  v: z.literal(1),
  case: z.string(),
  title: z.string(),
  family: z.string(),
  stratum: z.string(),
  rounds: z.int().min(1),
  version: z.int().min(1),
  world: digest,
  contract: digest,
  content: digest.describe(
    "Of everything the verification follows from: what neither of the two covers too, such as `unused`",
  ),
  ok: z.literal(true),
  tiers: z.strictObject({ easy: tierRecordSchema, hard: tierRecordSchema, extreme: tierRecordSchema }),
  cheats: z.array(cheatScoreSchema),
  killers: z
    .record(z.string(), z.union([killer, z.partialRecord(z.enum(TIERS), killer)]))
    .describe("By item the mutant that shows that it can fail: one for all tiers, or one for each"),
});
export type AdmissionRecord = Readonly<z.infer<typeof admissionRecordSchema>>;

/** Undefined where the case did not prove itself in every tier. */
export function admissionRecordOf(case_: Case, verified: CaseVerification): AdmissionRecord | undefined {
  const { easy, hard, extreme } = verified.tiers;
  if (!verified.ok || easy === undefined || hard === undefined || extreme === undefined) return undefined;
  const { id, title, family, stratum, narratives, version, worldDigest, contractDigest } = case_;
  const line = ({ items, mutants, killed, overkills, byMutant }: typeof easy) => ({
    items,
    mutants,
    killed,
    overkills,
    byMutant,
  });
  return admissionRecordSchema.parse({
    v: 1,
    case: id,
    title,
    family,
    stratum,
    rounds: narratives.length,
    version,
    world: worldDigest,
    contract: contractDigest,
    content: contentDigestOf(case_),
    ok: true,
    tiers: { easy: line(easy), hard: line(hard), extreme: line(extreme) },
    cheats: verified.cheats,
    killers: killersOf(case_, verified),
  });
}

function killersOf({ contract }: Case, verified: CaseVerification): AdmissionRecord["killers"] {
  return Object.fromEntries(
    itemsOf(contract).map((item) => {
      const inTiers = TIERS.filter((tier) => isScored(item, tier)).map((tier): readonly [Tier, string] => [
        tier,
        sayKill(verified, tier, item.id),
      ]);
      const words = new Set(inTiers.map(([, said]) => said));
      const [only = ""] = words;
      return [item.id, words.size === 1 ? only : Object.fromEntries(inTiers)];
    }),
  );
}

function sayKill(verified: CaseVerification, tier: Tier, item: ItemId): string {
  const kill = verified.tiers[tier]?.kills[item];
  return kill === undefined ? "" : sayKiller(kill);
}

/** A killer in words: `swap, round 2: the gate is shut before it is opened`. */
export function sayKiller({ kind, round, says }: Kill): string {
  return `${kind}, round ${round}: ${says}`;
}

/** The text of the file: indented, so that a change of one item is a change of one line. */
export function formatAdmission(record: AdmissionRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}

/** Why a case, as it is now, is not known to be admitted; undefined where it is. `text` is what its file holds, if any. */
export function faultOfAdmission(case_: Case, text: string | undefined): string | undefined {
  const { id, version, worldDigest, contractDigest } = case_;
  const todo = `verify it: worldagent cases verify ${id} --write`;
  if (text === undefined) return `case ${id} has no record of its admission: ${todo}`;
  const record = readAdmission(text);
  if (typeof record === "string")
    return `the record of the admission of case ${id} cannot be read (${record}): ${todo}`;
  if (record.case !== id) return `the record of the admission of case ${id} is of case ${record.case}: ${todo}`;
  if (record.world !== worldDigest) return `the world of case ${id} is not the one that was admitted: ${todo}`;
  if (record.contract !== contractDigest) return `the contract of case ${id} is not the one that was admitted: ${todo}`;
  if (record.version !== version)
    return `case ${id} is version ${version}, admitted was version ${record.version}: ${todo}`;
  return record.content === contentDigestOf(case_)
    ? undefined
    : `case ${id} has another title, family, size, canary or \`unused\` than when it was admitted: ${todo}`;
}

/** The record that a text holds, or what is wrong with it. */
export function readAdmission(text: string): AdmissionRecord | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  const parsed = admissionRecordSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it is not as it should be"}`;
}
