import { closest, distance } from "fastest-levenshtein";
import * as z from "zod";

/** Codes that deduction alone answers with. */
export const DEDUCTION_ERROR_CODES = [
  "unknown_action",
  "unknown_process",
  "unknown_path",
  "too_many_predictions",
  "not_asked",
  "engine_fault",
] as const;

/** The closed list of error codes a tool may answer with. */
export const ERROR_CODES = [
  // the call itself
  "unknown_tool",
  "malformed_input",
  "input_too_large",
  "input_too_deep",
  "unknown_key",
  "missing_key",
  "wrong_type",
  "invalid_value",
  "forbidden_id",
  "text_too_long",
  // what is named
  "unknown_capability",
  "unknown_entity",
  "unknown_type",
  "unknown_field",
  "unknown_place",
  "unknown_parameter",
  "unknown_topic",
  "unknown_round",
  "wrong_entity_type",
  // expressions
  "expression_syntax",
  "expression_forbidden",
  "expression_unknown_name",
  "expression_type",
  "expression_never_true",
  "expression_too_long",
  "expression_too_large",
  "expression_too_nested",
  "cost_exceeded",
  // steps
  "requirement_not_met",
  "effect_failed",
  "bad_duration",
  "conflict",
  "out_of_range",
  "broken_reference",
  "containment_circle",
  "invariant_broken",
  "empty_step",
  "too_many_triggers",
  "too_many_requirements",
  "too_many_effects",
  "too_many_parameters",
  "too_many_matches",
  // construction
  "not_permitted",
  "already_exists",
  "id_was_used",
  "in_use",
  "incompatible_update",
  "too_many_entities",
  "too_many_types",
  "too_many_capabilities",
  // reading
  "bad_cursor",
  // budgets and the end
  "round_budget_spent",
  "run_budget_spent",
  "case_finished",
  // a fault of this program
  "internal_error",
  ...DEDUCTION_ERROR_CODES,
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One failing trigger of a refused step. */
export const triggerFailureSchema = z.strictObject({
  trigger: z.int().describe("Position of the trigger in the step, from 1"),
  capability: z.string(),
  code: z.enum(ERROR_CODES),
  message: z.string(),
  hint: z.string().optional(),
});
export type TriggerFailure = z.infer<typeof triggerFailureSchema>;

/** What a tool answers when it refuses: what was wrong, where, and what would be accepted. */
export const toolErrorSchema = z.strictObject({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  path: z.string().optional().describe("Where in the input"),
  hint: z.string().optional().describe("What would be accepted"),
  failures: z.array(triggerFailureSchema).optional().describe("Every failing trigger of a step, at most 8"),
});
export type ToolError = z.infer<typeof toolErrorSchema>;

/** A value, or the reason why there is none. What an agent or an author did wrong is a value, never an exception. */
export type Result<T, E = ToolError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function succeed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function refuse(
  code: ErrorCode,
  message: string,
  more: { readonly path?: string | undefined; readonly hint?: string | undefined } = {},
): { readonly ok: false; readonly error: ToolError } {
  return { ok: false, error: toolError(code, message, more) };
}

export function toolError(
  code: ErrorCode,
  message: string,
  more: { readonly path?: string | undefined; readonly hint?: string | undefined } = {},
): ToolError {
  return {
    code,
    message,
    ...(more.path !== undefined && more.path !== "" ? { path: more.path } : {}),
    ...(more.hint !== undefined ? { hint: more.hint } : {}),
  };
}

/** With more words only those are compared that begin alike, and no more than so many. */
const MOST_COMPARED = 1_000;

/** The known word nearest to `seen` by edit distance, where it is near enough to be meant. */
export function nearestWord(seen: string, known: readonly string[]): string | undefined {
  const compared =
    known.length > MOST_COMPARED
      ? known.filter((word) => word.startsWith(seen.slice(0, 2))).slice(0, MOST_COMPARED)
      : known;
  if (compared.length === 0 || seen.length > 64) return undefined;
  const near = closest(seen.toLowerCase(), [...compared].sort());
  const bound = Math.max(2, Math.floor(Math.max(seen.length, near.length) / 2));
  return distance(seen.toLowerCase(), near) <= bound ? near : undefined;
}

/** `did you mean "x"?`, or the first of what there is. */
export function suggest(seen: string, known: readonly string[]): string | undefined {
  const near = nearestWord(seen, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return undefined;
  // Long lists of words are ids, which come sorted.
  const shown = (known.length > MOST_COMPARED ? known : [...known].sort()).slice(0, 12);
  return `there are: ${shown.join(", ")}${known.length > shown.length ? ", …" : ""}`;
}

/** Fails to compile when a kind is added to a union and not handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
