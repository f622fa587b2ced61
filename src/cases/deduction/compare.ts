/** What deduction cases have in common that they should not. */
import { canonicalJson, compareText } from "../../runtime/index.ts";
import { mergeRows, rowsOfTexts } from "../compare.ts";
import type { DeductionCase } from "./case.ts";

export interface SharedRules {
  readonly track: "deduction";
  readonly cases: readonly [string, string];
  /** Two variants of one family share places, people and some rules; two families share nothing. */
  readonly sameFamily: boolean;
  /** Of two families: sentences, and rows of words without a full stop between, that both tell. */
  readonly sentences: readonly string[];
  /** Processes that are the same but for their numbers: `tiring`, `tiring = fatigue`. */
  readonly processes: readonly string[];
  readonly actions: readonly string[];
  /** Why they are no two cases of their own; empty where they are. */
  readonly faults: readonly string[];
  readonly isTooMuch: boolean;
}

/** Of the processes of the smaller of two variants at most so many are those of the other: the rest is new. */
const MOST_ALIKE = 2 / 3;

/** Compares every two cases, pairs in the order of their ids; those that share nothing are left out. */
export function compareDeductionCases(cases: readonly DeductionCase[]): readonly SharedRules[] {
  const facts = [...cases].sort((a, b) => compareText(a.id, b.id)).map(factsOf);
  return facts
    .flatMap((one, i) => facts.slice(i + 1).map((other) => compareTwo(one, other)))
    .filter(
      ({ sentences, processes, actions, faults }) =>
        sentences.length + processes.length + actions.length + faults.length > 0,
    );
}

interface Facts {
  readonly case: DeductionCase;
  readonly rows: ReadonlySet<string>;
  /** By shape, the id. */
  readonly processes: ReadonlyMap<string, string>;
  readonly actions: ReadonlyMap<string, string>;
  readonly goal: string;
}

function factsOf(case_: DeductionCase): Facts {
  const { dynamics, worlds, intro, goal } = case_;
  // What `tells` is said by form ("every 24 hours, first at hour 6, …"): of rules that are the same their shape tells.
  const rules = [...dynamics.processes, ...dynamics.schedule].map(({ draft }) => draft.says);
  const capabilities = Object.values(worlds[1]?.capabilities ?? {});
  const actions = capabilities.map(({ says }) => says);
  return {
    case: case_,
    rows: rowsOfTexts([intro, ...rules, ...actions]),
    processes: new Map(
      dynamics.processes.map(({ id, draft: { every, for: bound, where, when, effects } }) => [
        shapeOf({ every, bound, where: where ?? "", when: when ?? "", effects }),
        id,
      ]),
    ),
    actions: new Map(
      capabilities.map(({ id, params, requires, effects }) => [
        shapeOf({ params, requires: requires.map(({ expr }) => expr), effects }),
        id,
      ]),
    ),
    goal: shapeOf(goal.expr),
  };
}

/** What is left of a rule without its numbers and blanks: a rule with other numbers is no other rule. */
function shapeOf(rule: unknown): string {
  const plain: unknown = JSON.parse(JSON.stringify(rule), (_, value: unknown) => {
    if (typeof value === "number") return "#";
    return typeof value === "string" ? value.replaceAll(/\s+/g, "").replaceAll(/(?<![\w.])\d+(?:\.\d+)?/g, "#") : value;
  });
  return canonicalJson(plain);
}

function compareTwo(one: Facts, other: Facts): SharedRules {
  const sameFamily = one.case.family === other.case.family;
  const processes = alike(one.processes, other.processes);
  const actions = alike(one.actions, other.actions);
  const sentences = sameFamily ? [] : mergeRows([...one.rows].filter((row) => other.rows.has(row)));
  const faults = sameFamily
    ? faultsOfVariants(one, other, processes.length, actions.length)
    : sentences.length === 0
      ? []
      : ["two families tell the same"];
  const cases = [one.case.id, other.case.id] as const;
  return {
    track: "deduction",
    cases,
    sameFamily,
    sentences,
    processes,
    actions,
    faults,
    isTooMuch: faults.length > 0,
  };
}

function alike(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] {
  return [...one].flatMap(([shape, id]) => {
    const twin = other.get(shape);
    return twin === undefined ? [] : [twin === id ? id : `${id} = ${twin}`];
  });
}

/** A variant changes rules and stakes, not just numbers. */
function faultsOfVariants(one: Facts, other: Facts, processes: number, actions: number): readonly string[] {
  const fewest = Math.min(one.processes.size, other.processes.size);
  return [
    ...(processes > MOST_ALIKE * fewest
      ? [`${processes} of ${fewest} processes are alike but for numbers: let at least a third be other ones`]
      : []),
    ...(one.goal === other.goal
      ? ["their goals are alike but for numbers: let the other one want something else"]
      : []),
    ...(actions > 0 && actions === Math.max(one.actions.size, other.actions.size)
      ? ["all their actions are alike but for numbers: let there be others"]
      : []),
    ...(one.case.intro.trim() === other.case.intro.trim() ? ["they are told by the same intro"] : []),
  ];
}
