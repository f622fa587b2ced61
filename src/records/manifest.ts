/** What a run is of: the case, the agent, the settings, and the surroundings it began in. */
import * as z from "zod";
import { canonicalJson, idOf, sameJson, tierSchema } from "../runtime/index.ts";
import { jsonObjectSchema } from "./json.ts";
import { findSecret } from "./secret.ts";

/** 64 lower-case hexadecimal digits. */
export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/, "not a SHA-256 digest");

/** A name an agent bears in a set; part of the run's folder name, so that it can hold no dot and no slash. */
export const agentNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "lower-case letters, digits, _ and -, at most 64, beginning with a letter");

const agentSchema = z.strictObject({
  name: agentNameSchema.describe("Unique in its set: two models are two names"),
  settings: jsonObjectSchema.describe("Everything that can change what the agent does, secrets excepted"),
});

const shared = {
  v: z.literal(1),
  case: idOf,
  worldDigest: digestSchema,
  repeat: z.int().min(1),
  agent: agentSchema,
  budgets: jsonObjectSchema.describe("The limits of the run, by name"),
  packageVersion: z.string().min(1),
  gitCommit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .nullable(),
  nodeVersion: z.string().min(1),
  platform: z.string().min(1).describe("process.platform and process.arch"),
};
const maintenance = { track: z.literal("maintenance"), tier: tierSchema };
const deduction = {
  track: z.literal("deduction"),
  condition: z.enum(["open", "naming"]),
  mode: z.enum(["M1", "M2"]),
  fold: z.int().min(0).max(99),
};
const start = { start: z.iso.datetime().describe("When the run began, in UTC; the only time in it") };

function refuseSecrets(value: unknown, ctx: z.RefinementCtx): void {
  const path = findSecret(value);
  if (path !== undefined)
    ctx.addIssue({ code: "custom", path: path.split("."), message: "looks like a secret, which no record may hold" });
}

/** The manifest as line 0 of the log holds it: without its time, so that equal runs have equal chains. */
export const timelessManifestSchema = z
  .discriminatedUnion("track", [
    z.strictObject({ ...shared, ...maintenance }),
    z.strictObject({ ...shared, ...deduction }),
  ])
  .superRefine(refuseSecrets);
export type TimelessManifest = z.infer<typeof timelessManifestSchema>;

/** The manifest as `manifest.json` holds it. */
export const manifestSchema = z
  .discriminatedUnion("track", [
    z.strictObject({ ...shared, ...maintenance, ...start }),
    z.strictObject({ ...shared, ...deduction, ...start }),
  ])
  .superRefine(refuseSecrets);
export type Manifest = z.infer<typeof manifestSchema>;

/** The manifest without its time. */
export function withoutTime(manifest: Manifest): TimelessManifest {
  const { start: _, ...rest } = manifest;
  return rest;
}

/** What may differ between the beginning of a run and its resumption: facts of the surroundings. */
const SURROUNDINGS: ReadonlySet<string> = new Set(["packageVersion", "gitCommit", "nodeVersion", "platform"]);

/** One field in which two manifests differ; the values as JSON text, `absent` where there is none. */
export interface ManifestDifference {
  readonly path: string;
  readonly saved: string;
  readonly planned: string;
}

function differences(saved: unknown, planned: unknown, path: string): readonly ManifestDifference[] {
  if (sameOrAbsent(saved, planned)) return [];
  if (!isObject(saved) || !isObject(planned)) return [{ path, saved: show(saved), planned: show(planned) }];
  const keys = [...new Set([...Object.keys(saved), ...Object.keys(planned)])].sort();
  return keys.flatMap((key) => differences(saved[key], planned[key], path === "" ? key : `${path}.${key}`));
}

function sameOrAbsent(a: unknown, b: unknown): boolean {
  return a === undefined || b === undefined ? a === b : sameJson(a, b);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return value === undefined ? "absent" : canonicalJson(value);
}

/**
 * Compares a saved run with the one that is planned: `run` lists what makes it another run, `surroundings` what
 * only tells that it goes on with another version, commit, Node or machine. The start is not compared.
 */
export function compareManifests(
  saved: TimelessManifest | Manifest,
  planned: TimelessManifest | Manifest,
): { readonly run: readonly ManifestDifference[]; readonly surroundings: readonly ManifestDifference[] } {
  const all = differences(saved, planned, "").filter((difference) => difference.path !== "start");
  return {
    run: all.filter((difference) => !SURROUNDINGS.has(difference.path)),
    surroundings: all.filter((difference) => SURROUNDINGS.has(difference.path)),
  };
}
