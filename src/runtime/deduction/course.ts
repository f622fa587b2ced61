/** What truly comes of what is done in a round: the world at its end, what changed, what is asked next. */
import { canonicalJson, compareText } from "../canonical.ts";
import { changesBetween, type Changes } from "../dynamics/changes.ts";
import { askCounterfactuals, type Questions } from "../dynamics/counterfactual.ts";
import type { ActionUse, Dynamics, DynamicsFault } from "../dynamics/dynamics.ts";
import { rollout } from "../dynamics/rollout.ts";
import { succeed, type Result } from "../errors.ts";
import { digestOfWorld, type World } from "../world.ts";
import { LOOKAHEAD_TICKS, type Mode } from "./scenario.ts";

/** A span as it is decided on: nothing else bears on what comes of it. */
export interface Decision {
  readonly dynamics: Dynamics;
  readonly caseId: string;
  readonly mode: Mode;
  readonly round: number;
  /** The true world at its beginning. */
  readonly world: World;
  readonly action: ActionUse;
  /** Its last tick. */
  readonly to: number;
  /** Whether the case ends with it: then nothing is asked afterwards. */
  readonly finished: boolean;
}

export interface Course {
  readonly after: World;
  /** What changed in the span. */
  readonly passed: Changes;
  /** What changes in the lookahead; M2. */
  readonly ahead?: Changes;
  /** Processes that fired, sorted. */
  readonly fired: readonly string[];
  /** The counterfactual questions of the next round. */
  readonly questions: Questions;
}

/** Courses that are remembered of one case: of many runs of a set, and of their scoring, most go the same way. */
const REMEMBERED = 256;
const remembered = new WeakMap<Dynamics, Map<string, Course>>();

/** The course of a span. Pure: what is remembered is what would be found again. */
export function courseOf(decision: Decision): Result<Course, DynamicsFault> {
  const { dynamics, caseId, mode, round, world, action, to, finished } = decision;
  const known = remembered.get(dynamics) ?? new Map<string, Course>();
  remembered.set(dynamics, known);
  const key = canonicalJson([digestOfWorld(world), caseId, mode, round, action, to, finished]);
  const there = known.get(key);
  if (there !== undefined) return succeed(there);
  const found = findCourse(decision);
  if (!found.ok) return found;
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size >= REMEMBERED) known.delete(oldest);
  known.set(key, found.value);
  return found;
}

function findCourse(decision: Decision): Result<Course, DynamicsFault> {
  const { dynamics, caseId, mode, round, world, action, to, finished } = decision;
  const from = world.clock;
  const span = rollout(dynamics, world, { ticks: to - from, actions: new Map([[from, action]]) });
  if (!span.ok) return span;
  const { world: after } = span.value;
  const course = {
    after,
    passed: changesBetween(dynamics, world, after),
    fired: [...span.value.fired].sort(compareText),
  };
  if (mode === "M1") return succeed({ ...course, questions: {} });
  const ahead = lookAhead(decision, after);
  if (!ahead.ok) return ahead;
  const last = { before: world, action, after };
  const questions = finished
    ? succeed<Questions>({})
    : askCounterfactuals(dynamics, last, questionKey(caseId, round + 1));
  if (!questions.ok) return questions;
  return succeed({ ...course, ahead: changesBetween(dynamics, world, ahead.value), questions: questions.value });
}

/** The world at the end of the lookahead. What follows the interval is waiting, so that it goes on from there. */
function lookAhead({ dynamics, world, action }: Decision, after: World): Result<World, DynamicsFault> {
  const left = LOOKAHEAD_TICKS - (after.clock - world.clock);
  const ahead =
    left >= 0
      ? rollout(dynamics, after, { ticks: left })
      : rollout(dynamics, world, { ticks: LOOKAHEAD_TICKS, actions: new Map([[world.clock, action]]) });
  return ahead.ok ? succeed(ahead.value.world) : ahead;
}

/** What the choice of the questions of a round turns on beside the run itself: the same in both conditions. */
export function questionKey(caseId: string, round: number): string {
  return `${caseId} ${round}`;
}
