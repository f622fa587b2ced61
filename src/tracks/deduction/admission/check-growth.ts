/** Part of check 2: a number that something adds to by itself has bounds, or it can grow without end. */
import type { Dynamics, World } from "../../../runtime/index.ts";
import { getEntity } from "../../../runtime/index.ts";
import type { DeductionProblem } from "./problem.ts";

/** What is said of every number that no bound holds, found by looking at the rules or by playing. */
export const GROWTH_HINT = "give the field a min and a max, or its stock an outflow";

export function unboundedAdds({ processes, schedule }: Dynamics, world: World): readonly DeductionProblem[] {
  const rules = [...processes, ...schedule.map((entry) => ({ ...entry, bindings: [] }))];
  const adding = new Map<string, { readonly lacks: string; readonly by: Set<string> }>();
  for (const { id, effects, bindings } of rules) {
    for (const effect of effects) {
      if (effect.verb !== "add") continue;
      const type = typeWritten(effect, bindings, world);
      const field = effect.target.field;
      const spec = world.types[type ?? ""]?.fields[field];
      if (spec?.kind !== "int" && spec?.kind !== "number") continue;
      const lacks = (["min", "max"] as const).filter((end) => spec[end] === undefined).join(" and no ");
      if (lacks === "") continue;
      const path = `${type}.${field}`;
      const one = adding.get(path) ?? { lacks, by: new Set<string>() };
      adding.set(path, one);
      one.by.add(id);
    }
  }
  return [...adding].map(([path, { lacks, by }]) => ({
    check: 2,
    where: `field ${path}`,
    message: `${path} can grow without bound: it has no ${lacks}, and ${[...by].join(", ")} adds to it`,
    hint: GROWTH_HINT,
  }));
}

type Add = Dynamics["processes"][number]["effects"][number] & { readonly verb: "add" };
type Bindings = Dynamics["processes"][number]["bindings"];

function typeWritten({ target, for: over }: Add, bindings: Bindings, { entities }: World): string | undefined {
  switch (target.base.kind) {
    case "param":
      return bindings.find(({ name }) => name === target.base.name)?.type;
    case "it":
      return over?.each;
    case "entity":
      return getEntity(entities, target.base.name)?.type;
  }
}
