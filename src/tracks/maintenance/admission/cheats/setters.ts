/** Cheats that only set fields: no requirement guards anything. */
import type { Case } from "../../../../cases/index.ts";
import {
  entityIds,
  getEntity,
  LIMITS,
  type Capability,
  type CapabilityDraft,
  type World,
} from "../../../../runtime/index.ts";
import { constructAct, madeBy, stepAct, type Act, type Script } from "../script.ts";

/** A capability that does what another does and asks for nothing. */
export function setterOf(capability: Capability): CapabilityDraft {
  const { version: _, ...draft } = capability;
  return {
    ...draft,
    requires: [],
    effects: draft.effects.filter(({ claim }) => claim === undefined),
    duration: typeof draft.duration === "number" ? draft.duration : 1,
  };
}

/** The reference with every capability a setter. */
export function setters(case_: Pick<Case, "world">, script: Script): Script {
  return rebuild(case_, script, setterOf);
}

/** Setters with everybody as a further argument that nothing depends on. */
export function idleArguments(case_: Case, script: Script): Script {
  const rebuilt = rebuild(case_, script, (capability) => {
    const setter = setterOf(capability);
    return {
      ...setter,
      params: {
        ...setter.params,
        ...everybody(case_, LIMITS.paramsPerCapability - Object.keys(setter.params).length).params,
      },
    };
  });
  return rebuilt.map((acts) =>
    acts.map((act) => {
      if (act.kind !== "step") return act;
      const { triggers, ...rest } = act.step;
      return stepAct(
        triggers.map((trigger) => {
          const own = Object.keys(case_.world.capabilities[trigger.capability]?.params ?? {}).length;
          return { ...trigger, args: { ...trigger.args, ...everybody(case_, LIMITS.paramsPerCapability - own).args } };
        }),
        rest,
      );
    }),
  );
}

function rebuild(
  { world }: Pick<Case, "world">,
  script: Script,
  make: (capability: Capability) => CapabilityDraft,
): Script {
  return script.map((acts) =>
    acts.map((act): Act => {
      const made = madeBy(act);
      const capability = made?.level === "capability" ? world.capabilities[made.id] : undefined;
      return capability === undefined ? act : constructAct("capability", make(capability));
    }),
  );
}

export interface Everybody {
  readonly params: CapabilityDraft["params"];
  readonly args: Readonly<Record<string, string>>;
}

/** Everybody and everything as parameters, as many as there is room for; those that events involve come first. */
export function everybody({ world, contract }: Pick<Case, "world" | "contract">, room: number): Everybody {
  const involved = new Set(contract.rounds.flatMap(({ events }) => events.flatMap(({ involves }) => involves)));
  const ids = [...[...involved].sort(), ...entityIds(world.entities).filter((id) => !involved.has(id))].slice(
    0,
    Math.max(0, room),
  );
  const named = ids.map((id, i) => [`with_${i + 1}`, id] as const);
  return {
    params: Object.fromEntries(named.map(([name, id]) => [name, { type: typeOf(world, id) }])),
    args: Object.fromEntries(named),
  };
}

function typeOf(world: World, id: string): string {
  return getEntity(world.entities, id)?.type ?? "";
}
