/** The closing of a round: what is true of its span, and what the next round begins with. Reads the true world. */
import { checkAction, legalActions, nextDecision } from "../dynamics/action.ts";
import type { Changes } from "../dynamics/changes.ts";
import type { Questions } from "../dynamics/counterfactual.ts";
import { WAIT, WAIT_ID, type ActionUse, type DynamicsFault } from "../dynamics/dynamics.ts";
import { succeed, type Result } from "../errors.ts";
import { isTrue } from "../expression/index.ts";
import { digestOfWorld, type World } from "../world.ts";
import { courseOf, type Course } from "./course.ts";
import { PARTS, type Part, type SpanRecord, type Submission } from "./record.ts";
import type { DeductionScenario } from "./scenario.ts";

/** Where a run stands at the beginning of a round. */
export interface RoundState {
  readonly scenario: DeductionScenario;
  readonly round: number;
  /** The true world. */
  readonly world: World;
  /** The counterfactual questions of this round, with their truth. */
  readonly questions: Questions;
}

export interface ClosedSpan {
  readonly record: SpanRecord;
  /** The true world at its end. */
  readonly world: World;
  readonly action: ActionUse;
  /** The questions of the next round; none where the case is finished. */
  readonly questions: Questions;
  readonly finished: boolean;
}

/** The last tick of a case. */
export function lastTick({ world, dynamics }: Pick<DeductionScenario, "world" | "dynamics">): number {
  return world.clock + dynamics.ticks;
}

/** The end of the present round's span, if `use` is what is done (M2). */
export function endOf({ scenario, world }: RoundState, use: ActionUse): number {
  const { dynamics, mode } = scenario;
  const { clock } = world;
  if (mode === "M1") return Math.min(clock + dynamics.segment, lastTick(scenario));
  const checked = use.action === WAIT_ID ? undefined : checkAction(dynamics, world, use);
  if (checked !== undefined && !checked.ok) throw new Error(`endOf: ${checked.error.message}`);
  return Math.min(nextDecision(dynamics, clock, checked?.value.duration ?? 1), lastTick(scenario));
}

/** Closes a round with what was last submitted in it; null: nothing was, the character waits and all stays unanswered. */
export function closeSpan(state: RoundState, submission: Submission | null): Result<ClosedSpan, DynamicsFault> {
  const { scenario, round, world } = state;
  const { dynamics, mode } = scenario;
  const from = world.clock;
  const action = submission?.action ?? WAIT;
  const to = endOf(state, action);
  const finished = to >= lastTick(scenario);
  const found = courseOf({ dynamics, caseId: scenario.caseId, mode, round, world, action, to, finished });
  if (!found.ok) return found;
  const { after, fired, questions } = found.value;
  const truth = truthOf(state, found.value);
  const record: SpanRecord = {
    kind: "span",
    round,
    mode,
    from,
    to,
    ...(mode === "M2" && { action }),
    ...askedOf(state.questions),
    submitted: answersOf(truth, submission),
    truth,
    fires: { predicted: submission?.fires === undefined ? null : [...submission.fires], truth: [...fired] },
    legal: mode === "M1" ? 1 : legalActions(dynamics, world).length,
    ...(mode === "M2" && finished && { goal: isTrue(scenario.goal.holds, after) }),
    digest: digestOfWorld(after),
  };
  return succeed({ record, world: after, action, questions, finished });
}

function askedOf({ action, happening }: Questions): Pick<SpanRecord, "counterfactuals"> {
  if (action === undefined && happening === undefined) return {};
  return {
    counterfactuals: {
      ...(action && { action: action.instead }),
      ...(happening && { happening: happening.without }),
    },
  };
}

type Truth = { readonly [P in Part]?: Changes };

function truthOf({ scenario: { mode }, questions }: RoundState, { passed, ahead }: Course): Truth {
  if (mode === "M1") return { segment: passed };
  return {
    interval: passed,
    ...(ahead && { lookahead: ahead }),
    ...(questions.action && { action: questions.action.truth }),
    ...(questions.happening && { happening: questions.happening.truth }),
  };
}

function answersOf(truth: Truth, submission: Submission | null): SpanRecord["submitted"] {
  return Object.fromEntries(
    PARTS.filter((part) => truth[part] !== undefined).map((part) => [part, submission?.predict[part] ?? null]),
  );
}
