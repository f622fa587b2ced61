/** `get_context`: the newest instalment, where the run stands, and what is left of each budget. Reads only. */
import { budgetOf, type Used } from "../budget.ts";
import { makeCursor, readOffset } from "../cursor.ts";
import { refuse, succeed, type Result } from "../errors.ts";
import { endOfPart } from "../page.ts";
import { shorten } from "../show.ts";
import type { ContextAnswer, Instalment } from "../tool-answers.ts";
import type { View } from "./view.ts";

/** Where a run stands. */
export interface Standing {
  readonly step: number;
  readonly rejected: number;
  readonly clock: number;
  readonly used: Used;
}

/** The context as seen from the present round; `round` asks for an earlier instalment, `cursor` for more of one. */
export function contextOf(
  view: View,
  standing: Standing,
  input: { readonly round?: number | undefined; readonly cursor?: string | undefined },
): Result<ContextAnswer> {
  const narrative = narrativeOf(view, input);
  if (!narrative.ok) return narrative;
  const { allowance } = view;
  const { used } = standing;
  return succeed({
    ok: true,
    case: view.caseId,
    tier: view.tier,
    round: view.round,
    step: standing.step,
    rejected: standing.rejected,
    clock: standing.clock,
    unit: shorten(view.unit, 100),
    budgets: {
      roundSteps: budgetOf(allowance.steps, used.steps),
      roundCalls: budgetOf(allowance.calls, used.calls),
      runCalls: budgetOf(allowance.runCalls, used.runCalls),
    },
    earlierRounds: view.round === 1 ? null : { first: 1, last: view.round - 1 },
    narrative: narrative.value,
  });
}

/** An instalment from `start` (an offset into its text) on, as much as an answer holds. */
export function instalmentOf(round: number, text: string, start = 0): Instalment {
  const end = endOfPart(text, start);
  if (end === text.length) return { round, text: text.slice(start) };
  const cursor = makeCursor(queryOf(round), String(end));
  return {
    round,
    text: text.slice(start, end),
    note: `cut after ${end} of ${text.length} characters: get_context with {"round": ${round}, "cursor": "${cursor}"} reads on`,
    cursor,
  };
}

function narrativeOf(
  view: View,
  input: { readonly round?: number | undefined; readonly cursor?: string | undefined },
): Result<Instalment> {
  const round = input.round ?? view.round;
  const text = view.instalments[round - 1];
  if (text === undefined) {
    return refuse("unknown_round", `round ${round} has not begun`, {
      path: "round",
      hint: view.round === 1 ? "round 1 is the first and only one so far" : `rounds 1 to ${view.round} have`,
    });
  }
  if (input.cursor === undefined) return succeed(instalmentOf(round, text));
  const start = readOffset(queryOf(round), input.cursor, text);
  return start.ok ? succeed(instalmentOf(round, text, start.value)) : start;
}

function queryOf(round: number): { readonly tool: string; readonly round: number } {
  return { tool: "get_context", round };
}
