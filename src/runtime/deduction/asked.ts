/** What a round asks and what is new at its beginning, as the agent is told; made to fit an answer. */
import { legalActions, nextDecision } from "../dynamics/action.ts";
import type { Happening } from "../dynamics/dynamics.ts";
import { bytesOf, takeFitting } from "../page.ts";
import { shorten } from "../show.ts";
import type { Asked, Changed, Legal } from "./answers.ts";
import { LOOKAHEAD_TICKS } from "./scenario.ts";
import type { ClosedRound } from "./sources.ts";
import { endOf, lastTick, type RoundState } from "./span.ts";
import { WAIT } from "../dynamics/dynamics.ts";
import { wordsOfUse, type DeductionView } from "./view.ts";

/** Characters of a name or a list of arguments within a question. */
const WORDS_SHOWN = 300;
/** Bytes that the remark on what is left out of a list may take. */
const NOTE_BYTES = 160;

export function askedOf(state: RoundState, view: DeductionView, last: ClosedRound | undefined): Asked {
  const { scenario, world, questions } = state;
  const from = world.clock;
  if (scenario.mode === "M1") return { segment: { from, to: endOf(state, WAIT) } };
  const { decision } = scenario.dynamics;
  const { action, happening } = questions;
  const since = last?.from ?? from;
  const done = last?.seen === undefined ? "what you did" : shorten(wordsOfUse(last.seen.action), WORDS_SHOWN);
  const counterfactuals = {
    ...(action && {
      action: {
        instead: { action: action.instead.action, args: { ...action.instead.args } },
        says: `had you chosen ${shorten(wordsOfUse(action.instead), WORDS_SHOWN)} at tick ${since} instead of ${done}: every field whose value now, at tick ${from}, would differ, with the value it would have`,
      },
    }),
    ...(happening && {
      happening: {
        ...happening.without,
        says: `had ${wordsOfHappening(view, happening.without)} since tick ${since} (if it did at all): every field whose value now, at tick ${from}, would differ, with the value it would have`,
      },
    }),
  };
  return {
    action: true,
    interval: {
      from,
      to: `the next decision point: the first multiple of ${decision} at or after ${from} + the action's ticks, at most ${lastTick(scenario)}; ${endOf(state, WAIT)} for wait`,
    },
    lookahead: { from, to: from + LOOKAHEAD_TICKS },
    ...(Object.keys(counterfactuals).length > 0 && { counterfactuals }),
  };
}

function wordsOfHappening({ processes, schedule }: DeductionView, happening: Happening): string {
  const rules = happening.kind === "entry" ? schedule : processes;
  const name = shorten(rules.find(({ id }) => id === happening.id)?.draft.name ?? happening.id, WORDS_SHOWN);
  if (happening.kind === "entry") return `"${name}" (${happening.id}) not happened`;
  const whom = happening.entity === null ? "" : ` for ${happening.entity}`;
  return `"${name}" (${happening.id}) not fired${whom}`;
}

/** What is new at the beginning of a round, in at most `bytes`. */
export interface RoundParts {
  readonly asked: Asked;
  readonly legal?: Legal;
  readonly changed?: Changed;
}

export function roundParts(
  state: RoundState,
  view: DeductionView,
  last: ClosedRound | undefined,
  bytes: number,
): RoundParts {
  const asked = askedOf(state, view, last);
  if (view.mode === "M1") return { asked };
  const room = Math.max(0, bytes - bytesOf(asked));
  const legal = legalOf(state, room / 2);
  return { asked, legal, changed: changedOf(last, room - bytesOf(legal)) };
}

function legalOf({ scenario, world }: RoundState, bytes: number): Legal {
  const { dynamics } = scenario;
  const all = legalActions(dynamics, world).map(({ use, duration }) => ({
    action: use.action,
    args: { ...use.args },
    next: Math.min(nextDecision(dynamics, world.clock, duration), lastTick(scenario)),
  }));
  const shown = takeFitting(all, bytes - NOTE_BYTES);
  const left = all.length - shown.length;
  return {
    count: all.length,
    shown: [...shown],
    ...(left > 0 && { note: `${left} more are possible: read_data {"from": "capabilities"} says what there is` }),
  };
}

const NOTHING_SEEN = { changes: [], came: [], went: [] };

/** What was seen to change in the last closed round, as much as `bytes` hold. */
export function changedOf(last: ClosedRound | undefined, bytes: number): Changed {
  const { changes, came, went } = last?.seen ?? NOTHING_SEEN;
  const cameShown = takeFitting(came, (bytes - NOTE_BYTES) / 4);
  const wentShown = takeFitting(went, (bytes - NOTE_BYTES) / 4);
  const shown = takeFitting(changes, bytes - NOTE_BYTES - 80 - bytesOf([cameShown, wentShown]));
  const isWhole =
    shown.length === changes.length && cameShown.length === came.length && wentShown.length === went.length;
  return {
    count: changes.length,
    shown: shown.map((change) => ({ ...change })),
    came: [...cameShown],
    went: [...wentShown],
    ...(!isWhole && { note: `not all is shown: read_data {"from": "log", "id": "${last?.round ?? 1}"}` }),
  };
}
