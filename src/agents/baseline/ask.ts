/** What a baseline asks the tools, and what it reads out of their answers. */
import * as z from "zod";
import type { AskedQuestions } from "../../contracts/index.ts";
import { LIMITS, literalSchema, succeed, type Happening, type Result, type ToolAnswer } from "../../runtime/index.ts";
import type { AgentCall } from "../../tracks/index.ts";

/** A stretch of an agent's play that comes to a `T`. */
export type Play<T> = AsyncGenerator<AgentCall, T, ToolAnswer>;

/** A round as it begins. */
export interface Round {
  readonly round: number;
  readonly clock: number;
  readonly from: number;
  /** Where the span ends, if nothing is done but to wait. */
  readonly to: number;
  readonly asked: AskedQuestions;
}

const useSchema = z.object({
  action: z.string(),
  args: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])),
});
const roundSchema = z.object({
  round: z.int(),
  asked: z.object({
    segment: z.object({ from: z.int(), to: z.int() }).optional(),
    interval: z.object({ from: z.int() }).optional(),
    lookahead: z.object({ from: z.int() }).optional(),
    counterfactuals: z
      .object({
        action: z.object({ instead: useSchema }).optional(),
        happening: z
          .discriminatedUnion("kind", [
            z.object({ kind: z.literal("entry"), id: z.string() }),
            z.object({ kind: z.literal("process"), id: z.string(), entity: z.string().nullable() }),
          ])
          .optional(),
      })
      .optional(),
  }),
  legal: z.object({ shown: z.array(z.object({ action: z.string(), next: z.int() })) }).optional(),
});

/** Reads where the run stands before the first answer. */
export async function* beginningOf(): Play<Result<Round, string>> {
  const answer = yield { tool: "get_context", input: {} };
  if (!answer.ok) return { ok: false, error: answer.error.message };
  return "clock" in answer ? roundOf(answer, answer.clock) : { ok: false, error: "get_context tells no clock" };
}

/** Closes the round; the next one, or undefined where the case is finished. */
export async function* endRound(): Play<Result<Round | undefined, string>> {
  const answer = yield { tool: "end_round", input: {} };
  if (!answer.ok) return { ok: false, error: answer.error.message };
  if (!("next" in answer) || answer.next === undefined || !("clock" in answer)) return succeed(undefined);
  return roundOf(answer.next, answer.clock);
}

function roundOf(told: unknown, clock: number): Result<Round, string> {
  const parsed = roundSchema.safeParse(told);
  if (!parsed.success) return { ok: false, error: `a round that cannot be read: ${parsed.error.message}` };
  const { round, asked, legal } = parsed.data;
  const { segment, interval, lookahead, counterfactuals } = asked;
  const waited = legal?.shown.find(({ action }) => action === "wait")?.next;
  const { action, happening } = counterfactuals ?? {};
  return succeed({
    round,
    clock,
    from: segment?.from ?? interval?.from ?? clock,
    to: segment?.to ?? waited ?? clock,
    asked: {
      ...(segment && { segment: true }),
      ...(interval && { interval: true }),
      ...(lookahead && { lookahead: true }),
      ...(action && { action: action.instead }),
      ...(happening && { happening: happening satisfies Happening }),
    },
  });
}

/** An entity as it is read; what is not seen of it is missing. */
export type Seen = Readonly<z.infer<typeof seenSchema>>;

const seenSchema = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  at: z.string().nullable().optional(),
  fields: z.record(z.string(), literalSchema),
});

/** Reads every entity, page by page. */
export async function* readEntities(): Play<readonly Seen[]> {
  const entities: Seen[] = [];
  let cursor: { readonly cursor?: string } = {};
  for (;;) {
    const answer = yield { tool: "read_data", input: { from: "entities", limit: LIMITS.pageEntries, ...cursor } };
    if (!answer.ok || !("entries" in answer)) return entities;
    for (const entry of answer.entries) {
      const parsed = seenSchema.safeParse(entry);
      if (parsed.success) entities.push(parsed.data);
    }
    if (answer.cursor === undefined) return entities;
    cursor = { cursor: answer.cursor };
  }
}
