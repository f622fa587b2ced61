/** The exact judge on structures: a capability is what it refuses; an entity is its type, its fields and its use. */
import { brokenInvariant, compileInvariant, getEntity, lookUp, type FieldValue, type World } from "../runtime/index.ts";
import { alternativesOf } from "./alternatives.ts";
import type { EventId, Perturbation, StructureItem } from "./contract.ts";
import { firstStepOf } from "./exact-events.ts";
import type { Judgment } from "./judgment.ts";
import type { CaseMarks } from "./marks.ts";
import type { Participation } from "./participation.ts";
import { splitPath, withValues } from "./path.ts";
import { lookedAtBy, tryPerturbation, tryPerturbed, type Tried } from "./perturbed.ts";
import type { HeldEvent } from "./relations.ts";
import { constructionOf } from "./audit-structures.ts";
import type { Trace, TracedTrigger } from "./trace.ts";

export interface StructureFacts {
  readonly held: ReadonlyMap<EventId, HeldEvent>;
  readonly trace: Trace;
  readonly marks: CaseMarks;
  readonly participation: Participation;
  /** The full world of the case: what a structure of level entity or type must look like. */
  readonly full: World;
}

export function judgeStructure(item: StructureItem, round: number, facts: StructureFacts): Judgment {
  const base = { v: 1 as const, item: item.id, kind: "A" as const, round, vote: 1 };
  const use = facts.held.get(item.usedBy);
  if (use === undefined)
    return {
      ...base,
      verdict: "fail",
      triggers: [],
      constructions: [],
      reason: `it was not used: ${item.usedBy} does not hold`,
    };
  const bound = use.triggers.map((id) => facts.trace.triggers.get(id) as TracedTrigger);
  const fault = faultOf(item, bound, facts);
  const made = constructionsOf(item, bound, facts.trace);
  return {
    ...base,
    verdict: fault === undefined ? "pass" : "fail",
    triggers: [...use.triggers],
    constructions: made,
    reason: fault ?? "it refuses what it must and allows what it may",
  };
}

function faultOf(item: StructureItem, bound: readonly TracedTrigger[], facts: StructureFacts): string | undefined {
  switch (item.level) {
    case "capability":
      return faultOfRefusals(item, bound, facts) ?? faultOfAllowances(item, bound, facts);
    case "entity":
      return faultOfEntity(item, bound, facts);
    case "type":
      return faultOfType(item.reference, bound, facts);
  }
}

/** The constructions that made the structure what it was when it was used; none where it is prebuilt. */
function constructionsOf(item: StructureItem, bound: readonly TracedTrigger[], trace: Trace): number[] {
  const ids =
    item.level === "capability"
      ? [...new Set(bound.map(({ trigger }) => trigger.capability))].sort()
      : [item.reference];
  return ids.flatMap((id) => constructionOf(item.level, id, bound, trace)?.record.construction ?? []);
}

/**
 * In each perturbed state one refusal among the bound triggers is enough, of those that changed something: a guard that
 * only looks on afterwards held nothing back. What no trigger can be tried on says nothing.
 */
function faultOfRefusals(
  item: StructureItem,
  bound: readonly TracedTrigger[],
  facts: StructureFacts,
): string | undefined {
  const doing = bound.filter(({ trigger }) =>
    trigger.writes.some((write) => !("after" in write) || write.same !== true),
  );
  let tried = 0;
  for (const perturbation of item.refusedWhen) {
    const outcomes = doing.map((one) => tryAuthored(one, item, perturbation, facts));
    if (outcomes.every((outcome) => outcome === "untried")) continue;
    tried += 1;
    if (!outcomes.includes("refused")) return `it does not refuse when ${sayPerturbation(perturbation)}`;
  }
  return tried === 0 ? "nothing that it must refuse could be tried on it" : undefined;
}

function tryAuthored(
  traced: TracedTrigger,
  item: StructureItem,
  perturbation: Perturbation,
  facts: StructureFacts,
): Tried {
  const since = perturbation.since === undefined ? undefined : facts.held.get(perturbation.since);
  return tryPerturbation(traced, perturbation, facts.marks.args.get(item.usedBy) ?? [], since, facts.trace);
}

/** Ticks after which a capability must still be allowed. */
const LATER = 100;

/** Harmless differences: the author's, a later clock, and those made by program, of which at most a third may be refused. */
function faultOfAllowances(
  item: StructureItem,
  bound: readonly TracedTrigger[],
  facts: StructureFacts,
): string | undefined {
  for (const perturbation of item.allowedWhen) {
    const refused = bound.some((one) => tryAuthored(one, item, perturbation, facts) === "refused");
    if (refused) return `it refuses when ${sayPerturbation(perturbation)}, which does no harm`;
  }
  if (bound.some((one) => tryPerturbed(one, {}, one.step.before.clock + LATER) === "refused"))
    return `it refuses ${LATER} ticks later`;
  const before = firstStepOf(
    bound.map(({ trigger }) => trigger.id),
    facts.trace,
  )?.before;
  if (before === undefined) return undefined;
  // A path that nothing in the step looks at makes no difference: what was allowed stays so.
  const trials = bound.map((one) => ({ one, looksAt: lookedAtBy(one), asItIs: tryPerturbed(one, {}) }));
  const mayRefuse = (path: string) => trials.some(({ looksAt, asItIs }) => asItIs === "refused" || looksAt(path));
  const paths = untouchedPaths(item, facts);
  const refused = paths
    .filter(mayRefuse)
    .flatMap((path) => differenceAt(before, path))
    .filter(({ path, value }) =>
      trials.some(
        ({ one, looksAt, asItIs }) => (looksAt(path) ? tryPerturbed(one, { [path]: value }) : asItIs) === "refused",
      ),
    );
  if (refused.length === 0) return undefined;
  const differences = paths.flatMap((path) => differenceAt(before, path));
  if (refused.length * 3 <= differences.length) return undefined;
  const named = refused.slice(0, 3).map(({ path, value }) => `${path} is ${JSON.stringify(value)}`);
  return `it refuses ${refused.length} of ${differences.length} harmless differences, such as when ${named.join(" or ")}`;
}

/** Every field the reference run changes anywhere, less those that the event's reference triggers read or write. */
function untouchedPaths(item: StructureItem, { marks }: StructureFacts): readonly string[] {
  const touched = marks.touched.get(item.usedBy) ?? new Set();
  return marks.changed.filter((path) => !touched.has(path));
}

/** A path with one other value that keeps its kind and every invariant; none where there is no such value. */
function differenceAt(before: World, path: string): readonly { readonly path: string; readonly value: FieldValue }[] {
  const value = alternativesOf(before, path).find((one) => keepsInvariants(before, path, one));
  return value === undefined ? [] : [{ path, value }];
}

function keepsInvariants(world: World, path: string, value: FieldValue): boolean {
  const { field } = splitPath(path);
  // Those that do not look at the field hold as they did.
  const looking = world.invariants.flatMap((invariant) => {
    const compiled = compileInvariant(world, invariant);
    return compiled.ok && compiled.value.mentions.fields.has(field) ? [compiled.value] : [];
  });
  if (looking.length === 0) return true;
  const changed = withValues(world, { [path]: value });
  return changed !== undefined && brokenInvariant(changed, looking).ok;
}

function sayPerturbation(perturbation: Perturbation): string {
  const paths = Object.entries(perturbation.paths).map(([path, value]) => `${path} is ${JSON.stringify(value)}`);
  const args = Object.entries(perturbation.args ?? {}).map(([param, value]) => `${param} is ${JSON.stringify(value)}`);
  const clock = perturbation.clock === undefined ? [] : [`the clock is ${perturbation.clock}`];
  const since = perturbation.since === undefined ? "" : ` since ${perturbation.since}`;
  return [...paths, ...args, ...clock].join(" and ") + since;
}

function faultOfEntity(
  item: StructureItem,
  bound: readonly TracedTrigger[],
  facts: StructureFacts,
): string | undefined {
  const model = getEntity(facts.full.entities, item.reference);
  const before = firstStepOf(
    bound.map(({ trigger }) => trigger.id),
    facts.trace,
  )?.before;
  const entity = before && getEntity(before.entities, item.reference);
  if (model === undefined || before === undefined || entity === undefined)
    return `there is no ${item.reference} when it is used`;
  if (entity.type !== model.type) return `${item.reference} is a ${entity.type}, not a ${model.type}`;
  const lacking = Object.keys(model.fields).find((field) => !Object.hasOwn(entity.fields, field));
  if (lacking !== undefined) return `${item.reference} has no field ${lacking}`;
  if (!bound.some(({ trigger }) => facts.participation.takesPart(trigger.id, item.reference)))
    return `${item.reference} took no part in ${item.usedBy}`;
  return undefined;
}

function faultOfType(id: string, bound: readonly TracedTrigger[], facts: StructureFacts): string | undefined {
  const model = lookUp(facts.full.types, id);
  const before = firstStepOf(
    bound.map(({ trigger }) => trigger.id),
    facts.trace,
  )?.before;
  const type = before && lookUp(before.types, id);
  if (model === undefined || type === undefined) return `there is no type ${id} when it is used`;
  const lacking = Object.keys(model.fields).find((field) => type.fields[field]?.kind !== model.fields[field]?.kind);
  return lacking === undefined ? undefined : `type ${id} has no field ${lacking} of that kind`;
}
