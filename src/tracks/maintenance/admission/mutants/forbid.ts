/** Mutants of probes: somebody does the forbidden thing while the window is open. */
import {
  alternativesOf,
  matchesPath,
  valueAt,
  withValues,
  type ForbiddenValue,
  type ProbeItem,
  type RoundContract,
} from "../../../../contracts/index.ts";
import {
  compileCondition,
  compileCapability,
  entityIds,
  entityIdsOfType,
  getEntity,
  isTrue,
  sameJson,
  tryTrigger,
  type Arg,
  type Args,
  type Capability,
  type CapabilityDraft,
  type FieldValue,
  type Param,
  type World,
} from "../../../../runtime/index.ts";
import { firstOf, insertAt } from "../edit.ts";
import { looksOf } from "../looks.ts";
import { playAct } from "../play.ts";
import type { Base } from "../base.ts";
import { actsOf, grantedStep, withRound, type Act } from "../script.ts";
import type { Mutant } from "./mutant.ts";

/** Values that make the forbidden true when they are written together. */
type Forbidden = Readonly<Record<string, FieldValue>>;

/** The most argument lists that are tried of one capability. */
const MOST_ARGS = 200;
/** The most ways that are tried of doing one forbidden thing, and the most places in the window. */
const MOST_TARGETS = 40;
const MOST_POSITIONS = 3;

/** For each probe one mutant that does the forbidden by a capability of the case, or, where none can, by one made for it. */
export function forbidMutants(base: Base, round: RoundContract): readonly Mutant[] {
  return round.probes.flatMap((probe) => {
    const acts = actsOf(base.script, round.round);
    const injected = findForbiddenAct(base, round.round, probe, acts);
    if (injected === undefined) return [];
    const script = withRound(base.script, round.round, insertAt(acts, injected.position, injected.acts));
    return [{ kind: "forbid", says: injected.says, over: [probe.id], script, stripped: false }];
  });
}

interface Injection {
  readonly position: number;
  readonly acts: readonly Act[];
  readonly says: string;
}

function findForbiddenAct(base: Base, round: number, probe: ProbeItem, acts: readonly Act[]): Injection | undefined {
  const positions = windowPositions(probe, acts);
  for (const isMade of [false, true]) {
    for (const position of positions.slice(0, isMade ? positions.length : MOST_POSITIONS)) {
      const state = base.states[round - 1]?.[position];
      if (state === undefined || !isOpenFor(probe, state.session.world)) continue;
      const targets = targetsOf(probe, state.session.world).slice(0, isMade ? MOST_TARGETS : MOST_TARGETS / 4);
      for (const target of targets) {
        const found = isMade ? madeFor(target) : ownDoing(base, state.session.world, target);
        if (found === undefined) continue;
        const step = grantedStep(found.capability, found.args);
        const isAccepted = step.reduce<{ readonly state: typeof state; readonly ok: boolean }>(
          (now, act) => {
            const done = playAct(now.state, act);
            return { state: done.state, ok: now.ok && done.error === undefined };
          },
          { state, ok: true },
        );
        if (!isAccepted.ok || !isDone(probe, isAccepted.state.session.world)) continue;
        return { position, acts: step, says: `${found.says}, right after ${probe.after}` };
      }
    }
  }
  return undefined;
}

/** Right after the opening event, and later in the window. */
function windowPositions(probe: ProbeItem, acts: readonly Act[]): readonly number[] {
  const from = firstOf(acts, probe.after) + 1;
  const to = probe.until === undefined ? acts.length : firstOf(acts, probe.until);
  if (from === 0) return [];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

function isOpenFor(probe: ProbeItem, world: World): boolean {
  // What a `while` narrows is asked of the state before a forbidden change, and of a forbidden state itself.
  return "holds" in probe.forbids || probe.while === undefined || isMet(world, probe.while);
}

function isDone(probe: ProbeItem, world: World): boolean {
  if ("changes" in probe.forbids) return true;
  return isMet(world, probe.forbids.holds) && (probe.while === undefined || isMet(world, probe.while));
}

function isMet(world: World, text: string): boolean {
  const condition = compileCondition(world, text);
  return condition.ok && isTrue(condition.value, world);
}

function targetsOf(probe: ProbeItem, world: World): readonly Forbidden[] {
  return "changes" in probe.forbids
    ? changesOf(probe.forbids.changes, world)
    : statesOf(probe, probe.forbids.holds, world);
}

function changesOf(changes: Readonly<Record<string, ForbiddenValue>>, world: World): readonly Forbidden[] {
  return Object.entries(changes).flatMap(([pattern, forbidden]) => {
    const field = pattern.split(".").at(-1) as string;
    const paths = entityIds(world.entities)
      .map((id) => `${id}.${field}`)
      .filter((path) => matchesPath(world, pattern, path) && valueAt(world, path) !== undefined);
    return paths.flatMap((path) =>
      [null, ...valuesOf(forbidden, world, path)]
        .filter((value) => isForbidden(forbidden, value) && !sameJson(value, valueAt(world, path)))
        .map((value) => ({ [path]: value })),
    );
  });
}

function valuesOf(forbidden: ForbiddenValue, world: World, path: string): readonly FieldValue[] {
  if (typeof forbidden !== "object" || forbidden === null || Array.isArray(forbidden)) return [forbidden];
  return alternativesOf(world, path);
}

function isForbidden(forbidden: ForbiddenValue, value: FieldValue): boolean {
  if (typeof forbidden !== "object" || forbidden === null || Array.isArray(forbidden))
    return sameJson(forbidden, value);
  return "any" in forbidden || !sameJson((forbidden as { readonly not: FieldValue }).not, value);
}

/** One or two fields of those the expression names, changed so that it holds. */
function statesOf(probe: ProbeItem, text: string, world: World): readonly Forbidden[] {
  const holds = (values: Forbidden): boolean => {
    const changed = withValues(world, values);
    return changed !== undefined && isDone({ ...probe, forbids: { holds: text } }, changed);
  };
  const singles = looksOf(world, text).paths.flatMap((path) =>
    [null, ...alternativesOf(world, path)].map((value): Forbidden => ({ [path]: value })),
  );
  const enough = singles.filter(holds);
  if (enough.length > 0) return enough;
  for (const [i, one] of singles.entries())
    for (const other of singles.slice(i + 1)) if (holds({ ...one, ...other })) return [{ ...one, ...other }];
  return [];
}

interface Doing {
  readonly capability: CapabilityDraft;
  readonly args: Args;
  readonly says: string;
}

/** A capability of the case and arguments with which it writes what is forbidden. */
function ownDoing(base: Base, world: World, target: Forbidden): Doing | undefined {
  const [first, ...more] = Object.entries(target);
  if (first === undefined || more.length > 0) return undefined;
  const [path, value] = first;
  const field = path.split(".")[1] as string;
  for (const capability of Object.values(base.bench.case.world.capabilities)) {
    if (
      !capability.effects.some((effect) =>
        [effect.set, effect.add, effect.insert, effect.remove].some((to) => to?.endsWith(`.${field}`)),
      )
    )
      continue;
    if (!compileCapability(world, capability).ok) continue;
    const open = { ...world, capabilities: { ...world.capabilities, [capability.id]: capability } };
    for (const args of argumentsFor(world, capability, path, value)) {
      const tried = tryTrigger(open, { capability: capability.id, args }, { alongside: {} });
      if (
        !tried.ok ||
        !tried.value.writes.some((write) => "after" in write && write.path === path && sameJson(write.after, value))
      )
        continue;
      const { version: _, ...draft } = capability;
      return {
        capability: { ...draft, id: `${draft.id}_again` },
        args,
        says: `${draft.id}(${Object.values(args).join(", ")})`,
      };
    }
  }
  return undefined;
}

/** A capability that does nothing but the forbidden. */
function madeFor(target: Forbidden): Doing {
  const effects = Object.entries(target).map(([path, value]) => ({ set: path, value: value as string }));
  const says = Object.entries(target).map(([path, value]) => `${path} is made ${JSON.stringify(value)}`);
  return {
    capability: { id: "do_the_forbidden", says: "", params: {}, requires: [], effects, duration: 1 },
    args: {},
    says: says.join(" and "),
  };
}

function* argumentsFor(world: World, capability: Capability, path: string, value: FieldValue): Generator<Args> {
  const params = Object.entries(capability.params);
  const choices = params.map(([, param]) => choicesOf(world, param, path, value));
  const total = choices.reduce((product, { length }) => product * length, 1);
  for (let n = 0; n < Math.min(total, MOST_ARGS); n += 1) {
    let rest = n;
    const args: Record<string, Arg> = {};
    params.forEach(([name], i) => {
      const own = choices[i] as readonly Arg[];
      args[name] = own[rest % own.length] as Arg;
      rest = Math.floor(rest / own.length);
    });
    yield args;
  }
}

/** What an argument could be; the entity and the value that are aimed at come first. */
function choicesOf(world: World, param: Param, path: string, value: FieldValue): readonly Arg[] {
  const aimed = [path.split(".")[0] as string, ...(typeof value === "string" ? [value] : [])];
  switch (param.kind) {
    case undefined: {
      const all = param.type === undefined ? entityIds(world.entities) : entityIdsOfType(world.entities, param.type);
      const first = aimed.filter((id) => getEntity(world.entities, id) !== undefined && all.includes(id));
      return [...first, ...all.filter((id) => !first.includes(id))];
    }
    case "place":
      return Object.keys(world.map.places).sort((a, b) => Number(b === value) - Number(a === value));
    case "enum":
      return param.values ?? [];
    case "bool":
      return [true, false];
    case "text":
      return typeof value === "string" ? [value] : ["anything"];
    default: {
      const held = valueAt(world, path);
      const near =
        typeof value === "number" ? [value, ...(typeof held === "number" ? [Math.abs(value - held)] : [])] : [];
      return [...new Set([...near, 1, 2, 0])];
    }
  }
}
