/** What a preflight leaves behind: plain data, without times and without secrets, so that it can stand in records. */
import * as z from "zod";
import { adaptationSchema, FAULT_KINDS } from "../../records/index.ts";
import type { ModelSettings } from "../settings.ts";

/** The probes in the order in which they are made. */
export const PROBES = [
  "models",
  "answer",
  "stream",
  "long_prompt",
  "tool_call",
  "tool_answer",
  "empty_content",
  "parallel_calls",
  "usage",
  "parameters",
] as const;
export type ProbeName = (typeof PROBES)[number];

const TEXT = 1_000;

export const probeSchema = z.strictObject({
  name: z.enum(PROBES),
  status: z.enum(["ok", "warn", "fail", "skipped"]),
  seen: z.string().max(TEXT).describe("What was seen; it may hold an endpoint's words"),
  advice: z.string().max(TEXT).optional().describe("What to do about it"),
  fault: z.enum(FAULT_KINDS).optional().describe("The endpoint's fault, where one is why it failed"),
});
export type Probe = z.infer<typeof probeSchema>;

/** What later requests can go by. */
export const foundSchema = z.strictObject({
  emptyContent: z.enum(["null", "empty", "omit"]).optional().describe("The first form that was accepted"),
  toolChoice: z
    .enum(["auto", "required", "omit"])
    .optional()
    .describe("Where the one in the settings brings no call and this one does"),
  parallelToolCalls: z
    .literal(false)
    .optional()
    .describe("Where several calls in one message make the next request fail"),
  contextTokens: z.int().min(1000).optional().describe("The window, as the list of models tells it"),
  adapted: z.array(adaptationSchema).describe("Parameters that the endpoint refuses"),
  usage: z.boolean().describe("Answers tell what they cost in tokens"),
  parallelCalls: z.boolean().describe("An answer may hold several calls"),
});
export type Found = z.infer<typeof foundSchema>;

export const preflightSchema = z.strictObject({
  v: z.literal(1),
  ok: z.boolean().describe("No probe failed"),
  probes: z.array(probeSchema).max(PROBES.length),
  found: foundSchema,
  tokens: z.int().min(0).describe("What the probes cost, estimated where the endpoint does not tell"),
});
export type Preflight = z.infer<typeof preflightSchema>;

/** A probe with texts that are cut to what a record takes. */
export function probe(
  name: ProbeName,
  status: Probe["status"],
  seen: string,
  more: { readonly advice?: string | undefined; readonly fault?: Probe["fault"] } = {},
): Probe {
  return {
    name,
    status,
    seen: cut(seen, TEXT),
    ...(more.advice === undefined ? {} : { advice: cut(more.advice, TEXT) }),
    ...(more.fault === undefined ? {} : { fault: more.fault }),
  };
}

/** A probe that could not be made. */
export function notMade(name: ProbeName): Probe {
  return probe(name, "skipped", "not made, since what it builds on failed");
}

/** `text` in at most `most` UTF-16 units, no surrogate pair of it halved. */
export function cut(text: string, most: number): string {
  const whole = text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  return whole.length <= most ? whole : `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Whether the model answered at all. Where it did not, the endpoint is at fault, and nothing is known of the model. */
export function isReached({ probes }: Pick<Preflight, "probes">): boolean {
  return probes.some(({ name, status }) => name === "answer" && status !== "fail" && status !== "skipped");
}

/**
 * The settings with what was found put in. What the configuration states wins: `stated` names the settings it states,
 * since a setting that has its default cannot be told from one that states it. A window that is known is never put in
 * the place of one.
 */
export function applyFindings(
  settings: ModelSettings,
  found: Found,
  stated: ReadonlySet<string> = new Set(),
): ModelSettings {
  const { emptyContent, toolChoice, parallelToolCalls, contextTokens } = found;
  const proposed: Partial<ModelSettings> = {
    ...(emptyContent === undefined ? {} : { emptyContent }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(parallelToolCalls === undefined || settings.parallelToolCalls !== undefined ? {} : { parallelToolCalls }),
    ...(contextTokens === undefined || settings.contextTokens !== undefined ? {} : { contextTokens }),
  };
  const taken = Object.entries(proposed).filter(([name]) => !stated.has(name));
  return { ...settings, ...Object.fromEntries(taken) };
}
