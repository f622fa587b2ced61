/** Mutants of structures: built too late, built without what they must refuse, or without one requirement. */
import {
  withValues,
  type EventId,
  type Perturbation,
  type RoundContract,
  type StructureItem,
} from "../../../../contracts/index.ts";
import {
  alongsideOf,
  mayConstruct,
  tryTrigger,
  type Capability,
  type Trigger,
  type World,
} from "../../../../runtime/index.ts";
import { splitRequirements } from "../conjuncts.ts";
import { firstOf, insertAt } from "../edit.ts";
import type { Base } from "../base.ts";
import { actsOf, constructAct, madeBy, realises, withRound, type Act, type Script } from "../script.ts";
import { itemOf, type Mutant } from "./mutant.ts";

/** Each structure that the tier leaves to the agent, built only after the step it had to be there for. */
export function lateMutants(base: Base, round: RoundContract): readonly Mutant[] {
  return structuresBuiltIn(base, round).flatMap((item) => {
    const deadline = item.availableBefore ?? item.usedBy;
    const late = buildAfter(base.script, item, deadline);
    if (late === undefined) return [];
    return [
      {
        kind: "late",
        says: `${item.reference} is built after ${deadline}`,
        over: [item.id, itemOf(item.usedBy)],
        script: late,
        stripped: false,
      },
    ];
  });
}

function structuresBuiltIn(base: Base, round: RoundContract): readonly StructureItem[] {
  return round.structures.filter(({ level }) => level !== "type" && mayConstruct(base.tier, level));
}

function isMaking(act: Act, { level, reference }: Pick<StructureItem, "level" | "reference">): boolean {
  const made = madeBy(act);
  return made?.level === level && made.id === reference;
}

function buildAfter(script: Script, item: StructureItem, deadline: EventId): Script | undefined {
  const making = script.flat().find((act) => isMaking(act, item));
  const round = script.findIndex((acts) => acts.some((act) => realises(act, deadline))) + 1;
  if (making === undefined || round === 0) return undefined;
  const without = script.map((acts) => (acts.includes(making) ? acts.filter((act) => act !== making) : acts));
  const acts = actsOf(without, round);
  return withRound(without, round, insertAt(acts, firstOf(acts, deadline) + 1, [making]));
}

/** A structure without the requirements that refuse one of its perturbed states. */
export interface Weakened extends Mutant {
  readonly item: StructureItem;
  readonly perturbation: Perturbation;
}

/** For each state that a capability must refuse: the capability built without what refuses it there. */
export function weakenMutants(base: Base, round: RoundContract): readonly Weakened[] {
  return structuresBuiltIn(base, round).flatMap((item) => {
    const model = base.bench.case.world.capabilities[item.reference];
    if (item.level !== "capability" || model === undefined) return [];
    return item.refusedWhen.flatMap((perturbation): readonly Weakened[] => {
      const about = requirementsAbout(base, model, item, perturbation);
      const removed = about.length > 0 ? about : splitRequirements(model).map(({ expr }) => expr);
      const script = rebuild(base.script, item, {
        ...model,
        requires: splitRequirements(model).filter(({ expr }) => !removed.includes(expr)),
      });
      const says =
        about.length > 0
          ? `${item.reference} without ${about.join(" and ")}`
          : `${item.reference} without any requirement`;
      return script === undefined
        ? []
        : [{ kind: "weaken", says, over: [item.id, itemOf(item.usedBy)], script, stripped: false, item, perturbation }];
    });
  });
}

const rebuilt = new WeakMap<Script, Map<string, Script | undefined>>();

/** The script with a structure built otherwise; of two mutants that build it alike, one and the same script. */
function rebuild(script: Script, item: StructureItem, model: Capability): Script | undefined {
  const known = rebuilt.get(script) ?? new Map<string, Script | undefined>();
  rebuilt.set(script, known);
  const key = JSON.stringify([item.reference, model]);
  if (!known.has(key)) known.set(key, rebuildAnew(script, item, model));
  return known.get(key);
}

function rebuildAnew(script: Script, item: StructureItem, model: Capability): Script | undefined {
  const { version: _, ...draft } = model;
  const making = script.flat().find((act) => isMaking(act, item));
  if (making === undefined) return undefined;
  const weakened = constructAct("capability", draft);
  return script.map((acts) => (acts.includes(making) ? acts.map((act) => (act === making ? weakened : act)) : acts));
}

/** Each capability that a round's structures refer to, built without one of its requirements, each by itself. */
export function stripMutants(base: Base, round: RoundContract): readonly Mutant[] {
  const structures = structuresBuiltIn(base, round).filter(({ level }) => level === "capability");
  const references = [...new Set(structures.map(({ reference }) => reference))];
  return references.flatMap((reference) => {
    const model = base.bench.case.world.capabilities[reference];
    const own = structures.filter((item) => item.reference === reference);
    const [item] = own;
    if (model === undefined || item === undefined) return [];
    const requires = splitRequirements(model);
    const over = own.flatMap(({ id, usedBy }) => [id, itemOf(usedBy)]);
    return requires.flatMap(({ expr }, i): readonly Mutant[] => {
      const script = rebuild(base.script, item, { ...model, requires: requires.filter((_, k) => k !== i) });
      if (script === undefined) return [];
      return [{ kind: "strip", says: `${reference} less ${expr}`, over, script, stripped: false }];
    });
  });
}

/** The requirements, conjunct by conjunct, that do not hold in a perturbed state when the reference used the capability. */
function requirementsAbout(
  base: Base,
  model: Capability,
  item: StructureItem,
  perturbation: Perturbation,
): readonly string[] {
  const uses = base.trace.entries.flatMap((entry) => {
    if (entry.kind !== "step") return [];
    const { triggers } = entry.record;
    const bound = base.outcome.held.get(item.usedBy)?.triggers ?? [];
    return triggers.flatMap((trigger, position) =>
      bound.includes(trigger.id) && trigger.capability === item.reference
        ? [
            {
              before: entry.before,
              trigger: { capability: trigger.capability, args: { ...trigger.args, ...perturbation.args } },
              alongside: alongsideOf(triggers, position),
            },
          ]
        : [],
    );
  });
  return splitRequirements(model)
    .filter((requirement) =>
      uses.some(({ before, trigger, alongside }) => {
        const world = withValues(before, perturbation.paths, perturbation.clock);
        return world !== undefined && refusesBy(world, { ...model, requires: [requirement] }, trigger, alongside);
      }),
    )
    .map(({ expr }) => expr);
}

function refusesBy(
  world: World,
  model: Capability,
  trigger: Trigger,
  alongside: Readonly<Record<string, number>>,
): boolean {
  const bare: Capability = { ...model, effects: [], duration: 1 };
  const tried = tryTrigger({ ...world, capabilities: { ...world.capabilities, [model.id]: bare } }, trigger, {
    alongside,
  });
  return !tried.ok && tried.error.code === "requirement_not_met";
}

/**
 * The reference with no requirement in any capability, and of one capability only the effects that make the event it is
 * used by: a state that even this refuses is refused whatever a capability demands.
 */
export function bareScript(base: Base, item: StructureItem): Script {
  const event = base.bench.case.contract.rounds.flatMap(({ events }) => events).find(({ id }) => id === item.usedBy);
  const fields = (event?.defining ?? []).map((path) => `.${path.split(".")[1] ?? ""}`);
  const isDefining = (effect: Capability["effects"][number]) =>
    fields.some((field) => [effect.set, effect.add, effect.insert, effect.remove].some((to) => to?.endsWith(field)));
  return base.script.map((acts) =>
    acts.map((act) => {
      const made = madeBy(act);
      const model = made?.level === "capability" ? base.bench.case.world.capabilities[made.id] : undefined;
      if (model === undefined) return act;
      const { version: _, ...draft } = model;
      return constructAct("capability", {
        ...draft,
        requires: [],
        effects: model.id === item.reference ? model.effects.filter(isDefining) : model.effects,
      });
    }),
  );
}
