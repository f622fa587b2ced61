/** A cheat that rehearses: each trigger demands that everything is as it was in the reference, whatever it is for. */
import { valueAt } from "../../../../contracts/index.ts";
import { fieldOf, getEntity, LIMITS, type Capability, type FieldValue, type World } from "../../../../runtime/index.ts";
import type { Base } from "../base.ts";
import { constructAct, madeBy, stepAct, type Act, type Script } from "../script.ts";

export function freeze(base: Base): Script {
  const { world } = base.bench.case;
  let made = 0;
  return base.script.map((acts, i) =>
    acts.flatMap((act, k): readonly Act[] => {
      if (act.kind !== "step") return madeBy(act)?.level === "capability" ? [] : [act];
      const before = base.states[i]?.[k]?.session.world as World;
      const demands = rehearsed(before, base.bench.marks.changed);
      const { triggers, ...rest } = act.step;
      const capabilities = triggers.map(({ capability }) => {
        made += 1;
        const { version: _, ...draft } = world.capabilities[capability] as Capability;
        return { ...draft, id: `frozen_${made}`, requires: demands };
      });
      const constructions = capabilities.map((capability) => constructAct("capability", capability));
      return [
        ...constructions,
        stepAct(
          triggers.map((trigger, j) => ({ ...trigger, capability: capabilities[j]?.id ?? "" })),
          rest,
        ),
      ];
    }),
  );
}

/** What a world holds at some paths, as requirements of as many conjuncts as an expression may have. */
export function rehearsed(world: World, paths: readonly string[]): readonly { readonly expr: string }[] {
  const equalities = paths.flatMap((path) => {
    const value = valueAt(world, path);
    const text = value === undefined ? undefined : literalOf(world, path, value);
    return text === undefined ? [] : [`${path} == ${text}`];
  });
  const packed: string[] = [];
  for (const equality of equalities) {
    const last = packed.at(-1);
    const joined = last === undefined ? equality : `${last} && ${equality}`;
    // An equality has four nodes, and the `&&` before it one.
    if (
      last !== undefined &&
      joined.length <= LIMITS.expressionCharacters &&
      joined.split("==").length * 5 <= LIMITS.expressionNodes
    )
      packed[packed.length - 1] = joined;
    else packed.push(equality);
  }
  return packed.slice(0, LIMITS.requirementsPerCapability).map((expr) => ({ expr }));
}

function literalOf(world: World, path: string, value: FieldValue): string | undefined {
  const [id = "", field = ""] = path.split(".");
  if (Array.isArray(value)) return undefined;
  if (typeof value !== "string") return String(value);
  const kind = field === "at" ? "place" : fieldOf(world, getEntity(world.entities, id)?.type ?? "", field)?.kind;
  return kind === "text" || kind === "enum" ? JSON.stringify(value) : value;
}
