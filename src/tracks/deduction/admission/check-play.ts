/** Check 2. Nothing goes wrong however long a case is played, and whoever plays it. */
import {
  DESTROYED,
  type Dynamics,
  type DynamicsFault,
  type World,
  countEntities,
  entityIds,
  fitsCreated,
  getEntity,
} from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { goneIn, sayGone } from "./check-character.ts";
import { GROWTH_HINT, unboundedAdds } from "./check-growth.ts";
import type { Play, PlayedSpan } from "./play.ts";
import type { Plays } from "./plays.ts";
import type { Checked, DeductionProblem } from "./problem.ts";
import type { Oscillation } from "./watch.ts";

export interface PlayFigures {
  readonly plays: number;
  readonly ticks: number;
  readonly faults: number;
  /** The most entities at once, and the largest number in a field without bounds. */
  readonly mostEntities: number;
  readonly largest: number;
  readonly created: number;
}

const LARGEST = 1e9;
const GROWTH = 10;
/** A path may be changed back within the tick in so large a share of the ticks in which it is written. */
const MOST_RETURNS = 0.25;

export interface PlayChecked extends Checked<PlayFigures> {
  /** No play met a fault or lost its character: more can be built on them. */
  readonly sound: boolean;
}

export function checkPlay({ dynamics, worlds }: Bench, { waiting, random, watch }: Plays): PlayChecked {
  const all = [...waiting, ...random.flat()];
  const looked = all.map((played) => lookAt(dynamics, worlds[played.fold - 1] as World, played));
  const gone = all.map((played) => goneIn(dynamics, played));
  const faults = all.filter(({ fault }) => fault !== undefined);
  // What goes wrong in a world without its character is a consequence.
  const own = faults.filter((played) => gone[all.indexOf(played)] === undefined);
  const problems = [
    ...onceEach(own.flatMap(sayFault)),
    ...onceEach(all.flatMap((played, i) => (gone[i] === undefined ? [] : [sayGone(dynamics, played, gone[i])]))),
    ...onceEach([...unboundedAdds(dynamics, worlds[0] as World), ...looked.flatMap(({ problems }) => problems)]),
    ...watch.oscillations(MOST_RETURNS).map(sayOscillation),
  ];
  const most = (what: "mostEntities" | "largest"): number => Math.max(0, ...looked.map((one) => one[what]));
  return {
    figures: {
      plays: all.length,
      ticks: all.reduce((sum, { spans }) => sum + (spans.at(-1)?.to ?? 0), 0),
      faults: faults.length,
      mostEntities: most("mostEntities"),
      largest: most("largest"),
      created: looked.reduce((sum, { created }) => sum + created, 0),
    },
    problems,
    sound: faults.length === 0 && gone.every((one) => one === undefined),
  };
}

const HINTS: Readonly<Record<DynamicsFault["kind"], string>> = {
  conflict:
    "give the rules different priorities, let them add instead of set, or let their conditions exclude each other",
  effect: "guard it by a condition that does not hold here, or mend the expression",
  state: "guard it by a condition that does not hold here, and let what comes into being go again",
};

function sayFault({ fold, by, fault }: Play): readonly DeductionProblem[] {
  if (fault === undefined) return [];
  const hint = HINTS[fault.kind];
  return [{ check: 2, where: fault.by.join(", "), message: `in fold ${fold}, ${by}: ${fault.message}`, hint }];
}

/** One of each kind of problem: the same rules clash in many plays. */
function onceEach(problems: readonly DeductionProblem[]): readonly DeductionProblem[] {
  const first = new Map<string, DeductionProblem>();
  for (const one of problems) {
    const key = `${one.where} ${one.hint}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

interface Looked {
  readonly mostEntities: number;
  readonly largest: number;
  readonly created: number;
  readonly problems: readonly DeductionProblem[];
}

/** Growth without end, and ids that nobody could have predicted. */
function lookAt(dynamics: Dynamics, first: World, { fold, by, spans }: Play): Looked {
  const bound = GROWTH * countEntities(first.entities);
  const problems: DeductionProblem[] = [];
  let [mostEntities, largest, created] = [countEntities(first.entities), 0, 0];
  for (const { to, after, changes } of spans) {
    mostEntities = Math.max(mostEntities, countEntities(after.entities));
    const grown = largestIn(after);
    largest = Math.max(largest, grown.value);
    if (grown.value > LARGEST)
      problems.push({
        check: 2,
        where: `field ${grown.field}`,
        message: `in fold ${fold}, ${by}, ${grown.path} is ${grown.value} at tick ${to}`,
        hint: GROWTH_HINT,
      });
    if (countEntities(after.entities) > bound)
      problems.push({
        check: 2,
        where: "case",
        message: `in fold ${fold}, ${by}, there are ${countEntities(after.entities)} entities at tick ${to}, more than ${GROWTH} times those at the beginning`,
        hint: "let what comes into being go again",
      });
    const born = createdIn(changes);
    created += born.length;
    problems.push(
      ...born.filter(({ id, type }) => !fitsCreated(dynamics.creates, type, id)).map(sayUnfit(by, fold, to)),
    );
  }
  return { mostEntities, largest, created, problems };
}

function createdIn(changes: PlayedSpan["changes"]): readonly { readonly id: string; readonly type: string }[] {
  return Object.entries(changes).flatMap(([id, type]) =>
    id.includes(".") || type === DESTROYED ? [] : [{ id, type: String(type) }],
  );
}

function sayUnfit(by: string, fold: number, to: number) {
  return ({ id, type }: { readonly id: string; readonly type: string }): DeductionProblem => ({
    check: 2,
    where: `type ${type}`,
    message: `in fold ${fold}, ${by}, ${id} is there at tick ${to}, and its id fits no pattern of \`creates\` for its type`,
    hint: `state the pattern of the ids of type ${type} under \`creates\``,
  });
}

/** The largest amount in a field that no bound holds. */
function largestIn({ types, entities }: World): {
  readonly path: string;
  /** As type.field. */
  readonly field: string;
  readonly value: number;
} {
  let [path, ofType, value] = ["", "", 0];
  for (const id of entityIds(entities)) {
    const entity = getEntity(entities, id);
    for (const [field, spec] of Object.entries(types[entity?.type ?? ""]?.fields ?? {})) {
      if ((spec.kind !== "int" && spec.kind !== "number") || (spec.min !== undefined && spec.max !== undefined))
        continue;
      const amount = entity?.fields[field];
      if (typeof amount !== "number" || Math.abs(amount) <= value) continue;
      [path, ofType, value] = [`${id}.${field}`, `${entity?.type}.${field}`, Math.abs(amount)];
    }
  }
  return { path, field: ofType, value };
}

function sayOscillation({ path, by, backBy, ticks, of, first }: Oscillation): DeductionProblem {
  return {
    check: 2,
    where: [...new Set([...by, ...backBy])].join(", "),
    message: `${path} is changed by ${by.join(", ")} and changed back by ${backBy.join(", ")} within the same tick, in ${ticks} of the ${of} ticks in which it is written, first at tick ${first}`,
    hint: "let one rule say what comes of both",
  };
}
