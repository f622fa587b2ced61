/** `get_context` in deduction: introduction and goal, where the run stands, what is asked, what is left. Reads only. */
import { budgetOf } from "../budget.ts";
import { endOfPart } from "../page.ts";
import { makeCursor, readOffset } from "../cursor.ts";
import type { Allowance, Used } from "../budget.ts";
import { succeed, type Result } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { bytesOf } from "../page.ts";
import { shorten } from "../show.ts";
import type { DeductionContextAnswer } from "./answers.ts";
import { roundParts } from "./asked.ts";
import type { Submission } from "./record.ts";
import type { ClosedRound } from "./sources.ts";
import { lastTick, type RoundState } from "./span.ts";
import { standingOf } from "./submission.ts";
import type { DeductionView } from "./view.ts";

/** Bytes of JSON that a part of the introduction may take. */
const INTRO_BYTES = 3_000;
const GOAL_SHOWN = 600;

export interface Standing {
  readonly used: Used;
  readonly allowance: Allowance;
  readonly submission: Submission | null;
  /** The last closed round. */
  readonly last: ClosedRound | undefined;
}

export function deductionContext(
  state: RoundState,
  view: DeductionView,
  { used, allowance, submission, last }: Standing,
  cursor: string | undefined,
): Result<DeductionContextAnswer> {
  const { scenario, round, world } = state;
  const intro = introOf(scenario.intro, cursor);
  if (!intro.ok) return intro;
  const answer = {
    ok: true as const,
    case: scenario.caseId,
    condition: scenario.condition,
    mode: scenario.mode,
    round,
    clock: world.clock,
    unit: shorten(scenario.unit, 100),
    ends: lastTick(scenario),
    budgets: {
      roundSteps: budgetOf(allowance.steps, used.steps),
      roundCalls: budgetOf(allowance.calls, used.calls),
      runCalls: budgetOf(allowance.runCalls, used.runCalls),
    },
    intro: intro.value,
    goal: shorten(scenario.goal.says, GOAL_SHOWN),
    ...(scenario.condition === "open" && { goalExpr: scenario.goal.holds.text }),
    submitted: submission === null ? null : standingOf(state, submission),
  };
  return succeed({ ...answer, ...roundParts(state, view, last, LIMITS.answerBytes - bytesOf(answer) - 60) });
}

const QUERY = { tool: "get_context", of: "intro" };

function introOf(text: string, cursor: string | undefined): Result<DeductionContextAnswer["intro"]> {
  const read = cursor === undefined ? succeed(0) : readOffset(QUERY, cursor, text);
  if (!read.ok) return read;
  const start = read.value;
  const end = endOfPart(text, start, INTRO_BYTES);
  if (end === text.length) return succeed({ text: text.slice(start) });
  const next = makeCursor(QUERY, String(end));
  return succeed({
    text: text.slice(start, end),
    note: `cut after ${end} of ${text.length} characters: get_context with {"cursor": "${next}"} reads on`,
    cursor: next,
  });
}
