/** Check 10. The truth of every counterfactual question is what a run made anew, from the first state, comes to. */
import {
  askCounterfactuals,
  canonicalJson,
  DESTROYED,
  entityIds,
  getEntity,
  questionKey,
  rollout,
  sameJson,
  type Changes,
  type Dynamics,
  type FieldValue,
  type World,
} from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { actionsOf, spansWithin, type Play, type PlayedSpan } from "./play.ts";
import { boundProblems, type Checked, type DeductionProblem } from "./problem.ts";

export interface TruthFigures {
  readonly action: number;
  readonly happening: number;
  /** Questions to which something is the answer, of both kinds. */
  readonly telling: number;
}

/** Questions of all decision points of these plays. */
export function* checkTruth(
  { id, dynamics, worlds }: Bench,
  plays: readonly Play[],
): Generator<string, Checked<TruthFigures>> {
  const problems: DeductionProblem[] = [];
  let [action, happening, telling] = [0, 0, 0];
  for (const played of plays) {
    const first = worlds[played.fold - 1];
    if (first === undefined) throw new Error(`checkTruth: there is no fold ${played.fold}`);
    const spans = spansWithin(dynamics, played);
    for (const [i, span] of spans.entries()) {
      const where = `fold ${played.fold}`;
      // What is asked in round i + 2 is of the span before it; after the last nothing is asked.
      if (i + 1 === spans.length) continue;
      const asked = askCounterfactuals(dynamics, span, questionKey(id, i + 2));
      if (!asked.ok) {
        problems.push({ check: 10, where, message: asked.error.message, hint: "mend the rules it names" });
        continue;
      }
      const fresh = freshWorlds(dynamics, first, spans.slice(0, i), span);
      for (const kind of ["action", "happening"] as const) {
        const question = asked.value[kind];
        if (question === undefined) continue;
        if (kind === "action") action += 1;
        else happening += 1;
        if (Object.keys(question.truth).length > 0) telling += 1;
        const truth = fresh === undefined ? undefined : freshTruth(dynamics, fresh, span, question);
        if (truth !== undefined && sameJson(truth, question.truth)) continue;
        problems.push({
          check: 10,
          where,
          message: `${played.by}, tick ${span.to}, ${kind} ${canonicalJson(question)}: a fresh run comes to ${canonicalJson(truth ?? null)}`,
          hint: "report it: the engine contradicts itself",
        });
      }
    }
    yield `fold ${played.fold}: questions, ${played.by}`;
  }
  return { figures: { action, happening, telling }, problems: boundProblems(problems) };
}

type Question = NonNullable<
  Extract<ReturnType<typeof askCounterfactuals>, { readonly ok: true }>["value"]["action" | "happening"]
>;

interface Fresh {
  /** At the last decision point, and now. */
  readonly then: World;
  readonly now: World;
}

/** The worlds at both ends of a span, made anew from the first state with the whole list of actions. */
function freshWorlds(
  dynamics: Dynamics,
  first: World,
  before: readonly PlayedSpan[],
  { from, to, action }: PlayedSpan,
): Fresh | undefined {
  const now = rollout(dynamics, first, { ticks: to, actions: new Map([...actionsOf(before), [from, action]]) });
  const then = rollout(dynamics, first, { ticks: from, actions: actionsOf(before) });
  return now.ok && then.ok ? { then: then.value.world, now: now.value.world } : undefined;
}

/** What is left out is left out since the last decision alone. */
function freshTruth(
  dynamics: Dynamics,
  { then, now }: Fresh,
  { from, to, action }: PlayedSpan,
  question: Question,
): Changes | undefined {
  const other = rollout(dynamics, then, {
    ticks: to - from,
    actions: new Map([[from, "instead" in question ? question.instead : action]]),
    ...("without" in question ? { omit: question.without } : {}),
  });
  return other.ok ? differences(dynamics, now, other.value.world) : undefined;
}

/** In what two worlds differ, found by comparing every field: the same as changesBetween, written a second time. */
export function differences(dynamics: Dynamics, a: World, b: World): Changes {
  const [left, right] = [flatten(dynamics, a), flatten(dynamics, b)];
  const found: Record<string, FieldValue> = {};
  for (const [path, value] of right) {
    const [id = ""] = path.split(".");
    // The fields of what only one of them has do not count.
    if (path !== id && !left.has(id)) continue;
    if (path === id ? !left.has(id) : canonicalJson(left.get(path)) !== canonicalJson(value)) found[path] = value;
  }
  for (const path of left.keys()) if (!path.includes(".") && !right.has(path)) found[path] = DESTROYED;
  return found;
}

function flatten({ types }: Dynamics, { entities }: World): ReadonlyMap<string, FieldValue> {
  return new Map(
    entityIds(entities).flatMap((id): readonly [string, FieldValue][] => {
      const entity = getEntity(entities, id);
      if (entity === undefined) return [];
      const fields = Object.keys(types[entity.type]?.fields ?? {});
      return [
        [id, entity.type],
        [`${id}.at`, entity.at],
        ...fields.map((field): [string, FieldValue] => [`${id}.${field}`, entity.fields[field] ?? null]),
      ];
    }),
  );
}
