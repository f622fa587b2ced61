/** The baselines along the trajectory of a run: what each would have answered where the agent stood. */
import {
  askCounterfactuals,
  observe,
  questionKey,
  rollout,
  sameJson,
  unsealed,
  WAIT,
  type ActionUse,
  type Changes,
  type Dynamics,
  type Happening,
  type LastSpan,
  type Mode,
  type SpanRecord,
  type World,
} from "../../runtime/index.ts";
import { BASELINE_NAMES, BASELINES, type BaselineName } from "./baselines/baseline.ts";
import { NO_MEMORY, type AskedQuestions, type Knowledge, type Past, type Predictor } from "./baselines/knowledge.ts";

export interface Trajectory {
  readonly case: string;
  readonly mode: Mode;
  readonly dynamics: Dynamics;
  /** The true initial world. */
  readonly world: World;
  /** Every span that was planned, in order. */
  readonly spans: readonly SpanRecord[];
}

/** Where a span truly began and ended. */
export type TrueSpan = LastSpan;

/** What truly happened along a trajectory, span by span. Throws where the spans are of another world. */
export function trueSpans({ dynamics, world, spans }: Trajectory): readonly TrueSpan[] {
  let before = world;
  return spans.map(({ from, to, action = WAIT }) => {
    if (before.clock !== from)
      throw new Error(`trueSpans: a span begins at ${from}, where the clock is ${before.clock}`);
    const future = rollout(dynamics, before, { ticks: to - from, actions: new Map([[from, action]]) });
    if (!future.ok) throw new Error(`trueSpans: ${future.error.message}`);
    const span = { before, action, after: future.value.world, happenings: future.value.happenings };
    before = span.after;
    return span;
  });
}

/**
 * The spans of a trajectory as if each baseline had answered them. The agent's actions stay; only the answers are the
 * baseline's. `truth` is what `trueSpans` gives.
 */
export function spansAlong(
  trajectory: Trajectory,
  truth: readonly TrueSpan[],
): Readonly<Record<BaselineName, readonly SpanRecord[]>> {
  const known = knowledgeAlong(trajectory, truth);
  return Object.fromEntries(
    BASELINE_NAMES.map((name) => [name, answered(trajectory.spans, known, BASELINES[name])]),
  ) as Record<BaselineName, readonly SpanRecord[]>;
}

function answered(
  spans: readonly SpanRecord[],
  known: readonly Knowledge[],
  predict: Predictor,
): readonly SpanRecord[] {
  let memory = NO_MEMORY;
  return known.map((knowledge, i) => {
    const span = spans[i] as SpanRecord;
    const { predictions, fires, memory: next } = predict(knowledge, memory);
    memory = next;
    return {
      ...span,
      submitted: predictions,
      fires: { ...span.fires, predicted: [...fires] },
    };
  });
}

/** What whoever stood there knew at the beginning of each span. */
export function knowledgeAlong(trajectory: Trajectory, truth: readonly TrueSpan[]): readonly Knowledge[] {
  const { mode, dynamics, world, spans } = trajectory;
  const see = (now: World) => (mode === "M1" ? unsealed(dynamics, world) : observe(dynamics, now));
  const history: Past[] = [];
  return spans.map((span, i): Knowledge => {
    const { round, from, to } = span;
    const { before, action, after } = truth[i] as TrueSpan;
    const knowledge = {
      mode,
      dynamics,
      types: world.types,
      round,
      from,
      to,
      observed: see(before),
      history: [...history],
      asked: askedOf(trajectory, span, truth[i - 1]),
      action,
    };
    if (mode === "M2") history.push({ from, to, action, before: see(before), after: see(after) });
    return knowledge;
  });
}

/**
 * What a round asked. The records hold what is true of a counterfactual and not which it was: that follows from the span
 * before, by the choice that the session makes.
 */
function askedOf(trajectory: Trajectory, { round, truth }: SpanRecord, last: TrueSpan | undefined): AskedQuestions {
  const { action, happening } = last === undefined ? {} : counterfactuals(trajectory, round, truth, last);
  return {
    ...(truth.segment && { segment: true }),
    ...(truth.interval && { interval: true }),
    ...(truth.lookahead && { lookahead: true }),
    ...(action && { action }),
    ...(happening && { happening }),
  };
}

function counterfactuals(
  { case: case_, dynamics }: Trajectory,
  round: number,
  truth: SpanRecord["truth"],
  last: TrueSpan,
): { readonly action?: ActionUse; readonly happening?: Happening } {
  if (truth.action === undefined && truth.happening === undefined) return {};
  const questions = askCounterfactuals(dynamics, last, questionKey(case_, round));
  if (!questions.ok) throw new Error(`counterfactuals: ${questions.error.message}`);
  const { action, happening } = questions.value;
  refuseOther("action", round, truth.action, action?.truth);
  refuseOther("happening", round, truth.happening, happening?.truth);
  return { ...(action && { action: action.instead }), ...(happening && { happening: happening.without }) };
}

/** A score is only as good as what it is made from: a truth that the rules do not bear out is a fault of ours. */
function refuseOther(kind: string, round: number, recorded: Changes | undefined, found: Changes | undefined): void {
  if (recorded === undefined ? found === undefined : found !== undefined && sameJson(recorded, found)) return;
  throw new Error(`spansAlong: round ${round} has another truth of the counterfactual (${kind}) than its rules`);
}
