/** A case played by somebody who may do whatever is possible: what was done, what came of it, and what went wrong. */
import {
  changesBetween,
  legalActions,
  nextDecision,
  rollout,
  WAIT,
  type ActionUse,
  type Changes,
  type Dynamics,
  type DynamicsFault,
  type LegalAction,
  type RolloutInput,
  type World,
} from "../../../runtime/index.ts";

/** From one decision point to the next. */
export interface PlayedSpan {
  readonly from: number;
  readonly to: number;
  readonly action: ActionUse;
  readonly legal: readonly LegalAction[];
  readonly before: World;
  readonly after: World;
  readonly changes: Changes;
  readonly fired: ReadonlySet<string>;
}

export interface Play {
  /** From 1. */
  readonly fold: number;
  /** `waiting`, `random 3`, `planned`. */
  readonly by: string;
  /** Up to the end of the case, then on beyond it; fewer where a fault ended the play. */
  readonly spans: readonly PlayedSpan[];
  readonly fault?: DynamicsFault;
  /** The span in which the fault was met. */
  readonly broken?: Pick<PlayedSpan, "from" | "to" | "action" | "before">;
}

/** Chooses among what is possible; `wait` stands first. */
export type Chooser = (legal: readonly LegalAction[], world: World) => LegalAction;

export interface PlayInput {
  readonly fold: number;
  readonly by: string;
  readonly world: World;
  readonly choose: Chooser;
  /** The tick up to which is played; the end of the case is always the end of a span. */
  readonly until: number;
  readonly onMerge?: RolloutInput["onMerge"];
}

export function play(dynamics: Dynamics, { fold, by, world, choose, until, onMerge }: PlayInput): Play {
  const spans: PlayedSpan[] = [];
  for (let before = world; before.clock < until;) {
    const legal = legalActions(dynamics, before);
    const { use, duration } = choose(legal, before);
    const from = before.clock;
    const end = from < dynamics.ticks ? dynamics.ticks : until;
    const to = Math.min(nextDecision(dynamics, from, duration), end);
    const rolled = rollout(dynamics, before, {
      ticks: to - from,
      actions: new Map([[from, use]]),
      onMerge,
    });
    if (!rolled.ok) return { fold, by, spans, fault: rolled.error, broken: { from, to, action: use, before } };
    const { world: after, fired } = rolled.value;
    const changes = changesBetween(dynamics, before, after);
    spans.push({ from, to, action: use, legal, before, after, changes, fired });
    before = after;
  }
  return { fold, by, spans };
}

/** What is chosen by somebody who does nothing. */
export const chooseWait: Chooser = (legal) => legal[0] ?? { use: WAIT, duration: 1 };

/** The spans within the case, without those beyond its end. */
export function spansWithin(dynamics: Dynamics, { spans }: Play): readonly PlayedSpan[] {
  return spans.filter(({ to }) => to <= dynamics.ticks);
}

/** The world at the end of the case; undefined where a fault came first. */
export function endOf(dynamics: Dynamics, { spans }: Play): World | undefined {
  return spans.find(({ to }) => to === dynamics.ticks)?.after;
}

/** What was done, by the tick at which it was chosen. */
export function actionsOf(spans: readonly PlayedSpan[]): ReadonlyMap<number, ActionUse> {
  return new Map(spans.map(({ from, action }) => [from, action]));
}
