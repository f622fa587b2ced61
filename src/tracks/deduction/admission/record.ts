/**
 * What is kept of the admission of a deduction case (cases/admission/<id>.json): that it proved itself, in which version,
 * and the figures. Whoever reads it knows without playing anything whether the case as it is was admitted.
 */
import * as z from "zod";
import type { DeductionCase } from "../../../cases/index.ts";
import { deductionContentDigestOf } from "./content.ts";
import type { DeductionVerification } from "./verify.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const share = z.number().min(0).max(1);

const shares = z.strictObject({ "1-2": share, "3-6": share, "7-12": share, "13+": share });
const spans = z.strictObject({ spans: count, quiet: share, shares, mean: z.number().min(0) });

const figuresSchema = z.strictObject({
  sizes: z.strictObject({
    entities: count,
    fields: count.describe("Of all entities together, sealed ones left out"),
    processes: count,
    entries: count,
    actions: count,
    ticks: count,
  }),
  play: z.strictObject({
    plays: count,
    ticks: count,
    faults: count,
    mostEntities: count,
    largest: z.number(),
    created: count,
  }),
  liveness: z.strictObject({
    inEveryFold: count,
    processes: count,
    inSome: z.record(z.string(), z.array(count)).describe("By process, the folds in which it fires"),
  }),
  folds: z.strictObject({ folds: count, states: count, rollouts: count }),
  quiet: z.strictObject({ segments: spans, waiting: spans, random: spans, intervals: shares }),
  choice: z.strictObject({
    points: count,
    rich: count,
    legal: z.strictObject({ least: count, mean: z.number(), most: count }),
  }),
  goal: z.strictObject({
    waiting: z.array(count),
    random: z.array(count).describe("By fold, the random plays that reach it"),
    randomOf: count,
    planner: z.array(
      z.strictObject({
        reaches: z.boolean(),
        width: count.describe("Worlds the beam kept: 1 is greedy, 0 the plan of another fold"),
        actions: count,
        nearest: z.number(),
        ticks: count,
      }),
    ),
  }),
  words: z.strictObject({ rules: count, numbers: count }),
  hidden: z.strictObject({ shown: z.record(z.string(), z.array(z.string())), unseen: z.array(z.string()) }),
  truth: z.strictObject({ action: count, happening: count, telling: count }),
});

export const deductionAdmissionSchema = z.strictObject({
  v: z.literal(1),
  track: z.literal("deduction"),
  case: z.string(),
  title: z.string(),
  family: z.string(),
  variant: z.enum(["base", "alternate"]),
  version: z.int().min(1),
  world: digest,
  contract: digest,
  content: digest.describe("Of everything the verification follows from"),
  ok: z.literal(true),
  figures: figuresSchema,
});
export type DeductionAdmission = Readonly<z.infer<typeof deductionAdmissionSchema>>;

/** Undefined where the case did not prove itself. */
export function deductionAdmissionOf(
  case_: DeductionCase,
  verified: DeductionVerification,
): DeductionAdmission | undefined {
  if (!verified.ok) return undefined;
  const { id, title, family, variant, version, worldDigest, contractDigest } = case_;
  return deductionAdmissionSchema.parse({
    v: 1,
    track: "deduction",
    case: id,
    title,
    family,
    variant,
    version,
    world: worldDigest,
    contract: contractDigest,
    content: deductionContentDigestOf(case_),
    ok: true,
    figures: rounded(verified.figures),
  });
}

/** Figures as they are read: four decimals tell enough. */
function rounded(figures: DeductionVerification["figures"]): unknown {
  const text = JSON.stringify(figures, (_, value: unknown) =>
    typeof value === "number" ? Math.round(value * 10_000) / 10_000 : value,
  );
  return JSON.parse(text) as unknown;
}

/** The text of the file: indented, so that a change of one figure is a change of one line. */
export function formatDeductionAdmission(record: DeductionAdmission): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}

/** Why a case, as it is now, is not known to be admitted; undefined where it is. `text` is what its file holds, if any. */
export function faultOfDeductionAdmission(case_: DeductionCase, text: string | undefined): string | undefined {
  const { id, version, worldDigest, contractDigest } = case_;
  const todo = `verify it: worldagent cases verify ${id} --write`;
  if (text === undefined) return `case ${id} has no record of its admission: ${todo}`;
  const record = readDeductionAdmission(text);
  if (typeof record === "string")
    return `the record of the admission of case ${id} cannot be read (${record}): ${todo}`;
  if (record.case !== id) return `the record of the admission of case ${id} is of case ${record.case}: ${todo}`;
  if (record.world !== worldDigest) return `the world of case ${id} is not the one that was admitted: ${todo}`;
  if (record.contract !== contractDigest) return `the goal of case ${id} is not the one that was admitted: ${todo}`;
  if (record.version !== version)
    return `case ${id} is version ${version}, admitted was version ${record.version}: ${todo}`;
  return record.content === deductionContentDigestOf(case_)
    ? undefined
    : `case ${id} has another title, family, variant or canary than when it was admitted: ${todo}`;
}

/** The record that a text holds, or what is wrong with it. */
export function readDeductionAdmission(text: string): DeductionAdmission | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  const parsed = deductionAdmissionSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it is not as it should be"}`;
}
