/** The session of deduction: round by round an agent says how the world will go, and in M2 acts in it. */
import type { AdmittedCall } from "../admit.ts";
import { append, emptyLog, itemAt, type AppendLog } from "../append-log.ts";
import { NOTHING_USED, type Allowance, type Used } from "../budget.ts";
import type { Json } from "../canonical.ts";
import type { Questions } from "../dynamics/counterfactual.ts";
import type { DynamicsFault } from "../dynamics/dynamics.ts";
import { succeed, toolError, unreachable, type Result } from "../errors.ts";
import { parseInput } from "../parse-input.ts";
import { readShelf } from "../query.ts";
import type { ToolAnswer } from "../tool-answers.ts";
import { endRoundInputSchema, type ToolName } from "../tools.ts";
import { faultError, refused, takeCall, type SessionOutcome, type Turn as TurnOf } from "../turn.ts";
import type { World } from "../world.ts";
import { LIMITS } from "../limits.ts";
import { bytesOf } from "../page.ts";
import { changedOf, roundParts } from "./asked.ts";
import { deductionContext } from "./context.ts";
import { deductionHelp } from "./help.ts";
import type { SpanRecord, Submission } from "./record.ts";
import { plannedRounds, type DeductionScenario } from "./scenario.ts";
import { seenBetween } from "./seen.ts";
import { deductionShelf, type ClosedRound } from "./sources.ts";
import { closeSpan } from "./span.ts";
import { missingError, missingParts, readSubmission, submissionAnswer } from "./submission.ts";
import {
  deductionContextInputSchema,
  deductionHelpInputSchema,
  deductionReadInputSchema,
  DEDUCTION_TOOLS,
  submissionInputSchema,
} from "./tools.ts";
import { deductionView } from "./view.ts";

export interface DeductionSession {
  readonly scenario: DeductionScenario;
  readonly outcome: SessionOutcome;
  /** The present round, from 1: a segment (M1) or a decision point (M2). */
  readonly round: number;
  /** The true world at the beginning of the present round. */
  readonly world: World;
  readonly used: Used;
  /** The counterfactual questions of the present round, with their truth. */
  readonly questions: Questions;
  /** What was last submitted in the present round. */
  readonly submission: Submission | null;
  /** Whether the one refusal of what is missing was given in the present round. */
  readonly reminded: boolean;
  /** Closed rounds as the agent may read of them. */
  readonly closed: AppendLog<ClosedRound>;
}

type Turn = TurnOf<DeductionSession>;

export function openDeduction(scenario: DeductionScenario): DeductionSession {
  const planned = plannedRounds(scenario.dynamics, scenario.mode);
  if (scenario.budgets.rounds.length !== planned)
    throw new Error(`openSession: ${scenario.caseId} plans ${planned} rounds and needs a budget for each`);
  if (scenario.world.clock !== 0) throw new Error(`openSession: ${scenario.caseId} does not begin at tick 0`);
  return {
    scenario,
    outcome: { kind: "playing" },
    round: 1,
    world: scenario.world,
    used: NOTHING_USED,
    questions: {},
    submission: null,
    reminded: false,
    closed: emptyLog(),
  };
}

/** Answers one call. Never throws; nothing but end_round moves the world. */
export function callDeduction(session: DeductionSession, call: AdmittedCall): Turn {
  return takeCall(session, call, {
    allowanceOf,
    answer: (counted, { tool, input }) => answerTool(counted, tool, input),
    refuse: (counted, _, error) => refused(counted, error),
  });
}

/** The run's calls are granted at once: how many rounds there are is told anyway. */
function allowanceOf({ scenario, round }: DeductionSession): Allowance {
  const { rounds, runCalls } = scenario.budgets;
  const present = rounds[round - 1];
  if (present === undefined) throw new Error(`allowanceOf: no budget for round ${round}`);
  return { ...present, runCalls };
}

function answerTool(session: DeductionSession, tool: ToolName, input: Json): Turn {
  const { scenario } = session;
  switch (tool) {
    case "help": {
      const parsed = parseInput(DEDUCTION_TOOLS.help, deductionHelpInputSchema, input);
      return reading(session, parsed.ok ? deductionHelp(scenario, parsed.value.topic) : parsed);
    }
    case "get_context": {
      const parsed = parseInput(DEDUCTION_TOOLS.get_context, deductionContextInputSchema, input);
      return reading(session, parsed.ok ? contextOf(session, parsed.value.cursor) : parsed);
    }
    case "read_data": {
      const parsed = parseInput(DEDUCTION_TOOLS.read_data, deductionReadInputSchema, input);
      if (!parsed.ok) return refused(session, parsed.error);
      const { from, ...query } = parsed.value;
      return reading(session, readShelf(deductionShelf(from, deductionView(session), session.closed), query));
    }
    case "construct":
      return refused(
        session,
        toolError("not_permitted", "nothing is constructed here: the world is complete", {
          hint: "commit_step submits what you predict",
        }),
      );
    case "commit_step":
      return submitting(session, input);
    case "end_round": {
      const parsed = parseInput(DEDUCTION_TOOLS.end_round, endRoundInputSchema, input);
      return parsed.ok ? endingRound(session) : refused(session, parsed.error);
    }
    default:
      return unreachable(tool);
  }
}

function reading(session: DeductionSession, result: Result<ToolAnswer>): Turn {
  return result.ok ? { session, answer: result.value } : refused(session, result.error);
}

function contextOf(session: DeductionSession, cursor: string | undefined): Result<ToolAnswer> {
  const { used, submission, closed } = session;
  const standing = { used, submission, allowance: allowanceOf(session), last: itemAt(closed, closed.length - 1) };
  return deductionContext(session, deductionView(session), standing, cursor);
}

function submitting(session: DeductionSession, input: Json): Turn {
  const parsed = parseInput(DEDUCTION_TOOLS.commit_step, submissionInputSchema, input);
  if (!parsed.ok) return refused(session, parsed.error);
  const counted = { ...session, used: { ...session.used, steps: session.used.steps + 1 } };
  const submission = readSubmission(session, deductionView(session), parsed.value);
  if (!submission.ok) return refused(counted, submission.error);
  const missing = missingParts(session, submission.value);
  if (missing.length > 0 && !session.reminded) return refused({ ...counted, reminded: true }, missingError(missing));
  return {
    session: { ...counted, submission: submission.value },
    answer: submissionAnswer(session, submission.value),
    record: submission.value,
  };
}

function endingRound(session: DeductionSession): Turn {
  const missing = missingParts(session, session.submission);
  if (missing.length > 0 && !session.reminded) return refused({ ...session, reminded: true }, missingError(missing));
  const closing = closeRound(session);
  if (!closing.ok) {
    const { message } = closing.error;
    return refused({ ...session, outcome: { kind: "fault", message } }, faultError(message));
  }
  const { next, record } = closing.value;
  const answer = { ok: true as const, round: record.round, clock: record.to };
  const last = itemAt(next.closed, next.closed.length - 1);
  const room = LIMITS.answerBytes - bytesOf(answer) - 100;
  if (next.outcome.kind === "finished") {
    const changed = record.mode === "M2" ? { changed: changedOf(last, room) } : {};
    return { session: next, answer: { ...answer, finished: true, ...changed }, record };
  }
  const parts = roundParts(next, deductionView(next), last, room);
  return { session: next, answer: { ...answer, finished: false, next: { round: next.round, ...parts } }, record };
}

interface Closing {
  readonly next: DeductionSession;
  readonly record: SpanRecord;
}

/** Closes the present round with what stands submitted. */
function closeRound(session: DeductionSession): Result<Closing, DynamicsFault> {
  const closing = closeSpan(session, session.submission);
  if (!closing.ok) return closing;
  const { record, world, action, questions, finished } = closing.value;
  const { round, from, to } = record;
  const opened: DeductionSession = {
    ...session,
    ...(finished ? { outcome: { kind: "finished" } } : { round: round + 1 }),
    world,
    questions,
    submission: null,
    reminded: false,
    used: finished ? session.used : { ...session.used, steps: 0, calls: 0 },
  };
  const seen =
    session.scenario.mode === "M1"
      ? undefined
      : { action, ...seenBetween(deductionView(session).world, deductionView(opened).world) };
  const closed: ClosedRound = { round, from, to, predicted: predictedIn(session.submission), ...(seen && { seen }) };
  return succeed({ next: { ...opened, closed: append(session.closed, closed) }, record });
}

function predictedIn(submission: Submission | null): ClosedRound["predicted"] {
  if (submission === null) return null;
  const { predict, fires } = submission;
  return { ...predict, ...(fires && { fires }) };
}

/**
 * The rounds that a run which stopped early never closed, as they would have gone had nothing more been submitted: the
 * character waits, and all that is asked stays unanswered. None where the case is finished. A submission that no
 * end_round closed does not count.
 */
export function closeRest(session: DeductionSession): Result<readonly SpanRecord[], DynamicsFault> {
  const records: SpanRecord[] = [];
  let now: DeductionSession = { ...session, submission: null };
  while (now.outcome.kind !== "finished") {
    const closing = closeRound(now);
    if (!closing.ok) return closing;
    records.push(closing.value.record);
    now = closing.value.next;
  }
  return succeed(records);
}
