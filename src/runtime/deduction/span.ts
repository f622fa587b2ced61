/** The closing of a round: what is true of its span, and what the next round begins with. Reads the true world. */
import { checkAction, legalActions, nextDecision } from "../dynamics/action.ts";
import { changesBetween, type Changes } from "../dynamics/changes.ts";
import { askCounterfactuals, type Questions } from "../dynamics/counterfactual.ts";
import { WAIT, WAIT_ID, type ActionUse, type DynamicsFault } from "../dynamics/dynamics.ts";
import { rollout } from "../dynamics/rollout.ts";
import { compareText } from "../canonical.ts";
import { succeed, type Result } from "../errors.ts";
import { isTrue } from "../expression/index.ts";
import { digestOfWorld, type World } from "../world.ts";
import { PARTS, type Part, type SpanRecord, type Submission } from "./record.ts";
import { LOOKAHEAD_TICKS, type DeductionScenario } from "./scenario.ts";

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
  const span = rollout(dynamics, world, { ticks: to - from, actions: new Map([[from, action]]) });
  if (!span.ok) return span;
  const after = span.value.world;
  const truth = truthOf(state, action, after);
  if (!truth.ok) return truth;
  const finished = to >= lastTick(scenario);
  const last = { before: world, action, after, happenings: span.value.happenings };
  const questions =
    mode === "M1" || finished
      ? succeed({})
      : askCounterfactuals(dynamics, last, questionKey(scenario.caseId, round + 1));
  if (!questions.ok) return questions;
  const record: SpanRecord = {
    kind: "span",
    round,
    mode,
    from,
    to,
    ...(mode === "M2" && { action }),
    ...askedOf(state.questions),
    submitted: answersOf(truth.value, submission),
    truth: truth.value,
    fires: {
      predicted: submission?.fires === undefined ? null : [...submission.fires],
      truth: [...span.value.fired].sort(compareText),
    },
    legal: mode === "M1" ? 1 : legalActions(dynamics, world).length,
    ...(mode === "M2" && finished && { goal: isTrue(scenario.goal.holds, after) }),
    digest: digestOfWorld(after),
  };
  return succeed({ record, world: after, action, questions: questions.value, finished });
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

/** What the choice of the questions of a round turns on beside the run itself: the same in both conditions. */
export function questionKey(caseId: string, round: number): string {
  return `${caseId} ${round}`;
}

type Truth = { readonly [P in Part]?: Changes };

function truthOf(
  { scenario, world, questions }: RoundState,
  action: ActionUse,
  after: World,
): Result<Truth, DynamicsFault> {
  const { dynamics, mode } = scenario;
  const passed = changesBetween(dynamics, world, after);
  if (mode === "M1") return succeed({ segment: passed });
  const ahead = lookAhead({ scenario, world }, action, after);
  if (!ahead.ok) return ahead;
  return succeed({
    interval: passed,
    lookahead: changesBetween(dynamics, world, ahead.value),
    ...(questions.action && { action: questions.action.truth }),
    ...(questions.happening && { happening: questions.happening.truth }),
  });
}

/** The world at the end of the lookahead. What follows the interval is waiting, so that it goes on from there. */
function lookAhead(
  { scenario, world }: Pick<RoundState, "scenario" | "world">,
  action: ActionUse,
  after: World,
): Result<World, DynamicsFault> {
  const left = LOOKAHEAD_TICKS - (after.clock - world.clock);
  const ahead =
    left >= 0
      ? rollout(scenario.dynamics, after, { ticks: left })
      : rollout(scenario.dynamics, world, { ticks: LOOKAHEAD_TICKS, actions: new Map([[world.clock, action]]) });
  return ahead.ok ? succeed(ahead.value.world) : ahead;
}

function answersOf(truth: Truth, submission: Submission | null): SpanRecord["submitted"] {
  return Object.fromEntries(
    PARTS.filter((part) => truth[part] !== undefined).map((part) => [part, submission?.predict[part] ?? null]),
  );
}
