/** Who took part in a trigger. Taking part has to matter: an argument on whose state nothing depends took no part. */
import {
  alongsideOf,
  getEntity,
  entityIdsOfType,
  sameJson,
  tryTrigger,
  type FieldValue,
  type TriggerId,
  type Trial,
  type World,
  type Write,
} from "../runtime/index.ts";
import { alternativesOf } from "./alternatives.ts";
import { holdsId, splitPath, valueAt, withValues } from "./path.ts";
import { lastWritersOf } from "./provenance.ts";
import { asSubmitted, type Trace, type TracedTrigger } from "./trace.ts";

/** Answers of one trace, each asked once. */
export interface Participation {
  /** Whether an entity took part in a trigger, or in one that it directly depends on. */
  takesPart(trigger: TriggerId, entity: string): boolean;
}

/** Answers whether a path matters to a trigger, by what it knows or by finding it out. */
export type Recall = (traced: TracedTrigger, path: string, find: () => boolean) => boolean;

/**
 * Participation in the triggers of a trace. Where `relevant` is given, only its paths and every `at` can give somebody
 * part: what the story never turns on decides nothing in it.
 * `recall` may know answers from other traces in which the trigger stood in a state that is the same to it.
 */
export function participationIn(
  trace: Trace,
  relevant?: ReadonlySet<string>,
  recall: Recall = (_traced, _path, find) => find(),
): Participation {
  const mattering = new Map<string, boolean>();
  const direct = new Map<string, boolean>();

  const counts = (path: string) => relevant === undefined || path.endsWith(".at") || relevant.has(path);
  const pathMatters = (traced: TracedTrigger, path: string) =>
    counts(path) &&
    remember(mattering, `${traced.trigger.id} ${path}`, () => recall(traced, path, () => doesMatter(traced, path)));
  const takesPartDirectly = (traced: TracedTrigger, entity: string) =>
    remember(
      direct,
      `${traced.trigger.id} ${entity}`,
      () =>
        hasEffectiveWrite(traced, entity, counts) ||
        readPathsOf(traced, entity).some((path) => pathMatters(traced, path)),
    );

  return {
    takesPart(trigger, entity) {
      const traced = trace.triggers.get(trigger);
      if (traced === undefined) return false;
      if (takesPartDirectly(traced, entity)) return true;
      return lastWritersOf(trace, traced).some(
        ({ path, writers }) => writers.some((writer) => takesPartDirectly(writer, entity)) && pathMatters(traced, path),
      );
    },
  };
}

function remember(memory: Map<string, boolean>, key: string, compute: () => boolean): boolean {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = compute();
  memory.set(key, value);
  return value;
}

/**
 * Tries the trigger of a trace by itself on another state. Requirements do not end the trial but are listed where they
 * do not hold, so that the question stays the same for a play whose requirements were stripped: does a change of this
 * path change what is refused or written?
 */
function trialOf(traced: TracedTrigger, world: World): Trial | undefined {
  const { triggers } = traced.step.record;
  const alongside = alongsideOf(
    triggers,
    triggers.findIndex((one) => one.id === traced.trigger.id),
  );
  const trial = tryTrigger(world, asSubmitted(traced.trigger), { alongside, stripped: true });
  return trial.ok ? trial.value : undefined;
}

/** A write of a path of the entity, or of its id as a value, that changes something: setting a field to what it was is no part in anything. */
function hasEffectiveWrite(traced: TracedTrigger, entity: string, counts: (path: string) => boolean): boolean {
  return traced.trigger.writes.some((write) => {
    if ("entity" in write) {
      return (
        write.path === entity ||
        write.entity.at === entity ||
        Object.values(write.entity.fields).some((value) => holdsId(value, entity))
      );
    }
    if (splitPath(write.path).id !== entity && !writesId(write, entity)) return false;
    return counts(write.path) && isChange(write);
  });
}

/** Whether a write left something different; an `add` does where its own part is not 0. */
function isChange(write: Write): boolean {
  if ("entity" in write) return true;
  return write.kind === "add" ? write.by !== 0 : write.same !== true;
}

function writesId(write: Exclude<Write, { entity: unknown }>, entity: string): boolean {
  if (write.kind === "insert" || write.kind === "remove") return write.member === entity;
  return holdsId(write.after, entity);
}

/** The paths a trigger read that are the entity's own or held its id; `all(type)` counts as reading each entity. */
function readPathsOf(traced: TracedTrigger, entity: string): readonly string[] {
  const { before } = traced.step;
  const type = getEntity(before.entities, entity)?.type;
  return traced.trigger.reads.flatMap((read): readonly string[] => {
    const ranged = /^([^.]+)\.\*\.(.+)$/.exec(read);
    if (ranged !== null) {
      const [, of = "", field = ""] = ranged;
      const own = type === of ? [`${entity}.${field}`] : [];
      const holding = entityIdsOfType(before.entities, of).filter((id) =>
        holdsId(valueAt(before, `${id}.${field}`), entity),
      );
      return [...own, ...holding.map((id) => `${id}.${field}`)];
    }
    if (!read.includes(".") || read.endsWith(".*")) return [];
    return splitPath(read).id === entity || holdsId(valueAt(before, read), entity) ? [read] : [];
  });
}

/**
 * Whether a legal change of a path makes the trigger, alone and without invariants, refused, or changes what it writes.
 * An `at` matters only if at least half of its legal places (or holders of the same type) do.
 */
function doesMatter(traced: TracedTrigger, path: string): boolean {
  const base = trialOf(traced, traced.step.before);
  if (base === undefined) return false;
  const hints = numbersIn(traced);
  const differs = (value: FieldValue) => {
    const trial = trialOn(traced, path, value);
    return trial === undefined || !sameJson(doingsOf(trial), doingsOf(base));
  };
  const alternatives = alternativesOf(traced.step.before, path, hints);
  if (splitPath(path).field !== "at") return alternatives.some(differs);
  const count = alternatives.filter(differs).length;
  return count > 0 && count * 2 >= alternatives.length;
}

function trialOn(traced: TracedTrigger, path: string, value: FieldValue): Trial | undefined {
  const world = withValues(traced.step.before, { [path]: value });
  return world && trialOf(traced, world);
}

/** What a trial comes to: which requirements refuse it, and what it changes: path, and the value, amount or member. */
function doingsOf(trial: Trial): unknown {
  const writes = trial.writes.filter(isChange).map((write) => {
    switch (write.kind) {
      case "set":
        return [write.path, write.after];
      case "add":
        return [write.path, "+", write.by];
      case "insert":
      case "remove":
        return [write.path, write.kind, write.member];
      default:
        return [write.path, write.kind, write.entity];
    }
  });
  return [trial.unmet, writes];
}

/** Numbers that the trigger's rules could turn on: its arguments and the literals of its capability. */
function numbersIn(traced: TracedTrigger): readonly number[] {
  const capability = traced.step.before.capabilities[traced.trigger.capability];
  const texts = [
    ...(capability?.requires.map((one) => one.expr) ?? []),
    ...(capability?.effects.flatMap((one) => [one.expr, one.by].filter((part) => typeof part === "string")) ?? []),
  ];
  const literals = texts.flatMap((text) =>
    [...text.matchAll(/\b[0-9]+(?:\.[0-9]+)?\b/g)].map(([digits]) => Number(digits)),
  );
  const args = Object.values(traced.trigger.args).filter((arg) => typeof arg === "number");
  return [...new Set([...literals, ...args])].slice(0, 16);
}
