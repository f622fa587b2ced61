/** The rules of a case with their words, as check 8 holds them against each other. */
import type { DeductionCase } from "../../../cases/index.ts";
import type { BoundsOfField } from "./rule-numbers.ts";
import type { RuleText } from "./rule-text.ts";

type Words = Pick<DeductionCase, "dynamics" | "worlds">;

export function rulesOf({ dynamics, worlds }: Words): readonly RuleText[] {
  const processes = dynamics.processes.map(({ id, draft }): RuleText => {
    const { name, says, tells, every, phase, where, when, effects } = draft;
    const expressions = [where, when].filter((text) => text !== undefined);
    return { kind: "process", id, name, says, tells, every, phase, expressions, effects };
  });
  const entries = dynamics.schedule.map(({ id, draft }): RuleText => {
    const { name, says, tells, at, effects } = draft;
    return { kind: "schedule entry", id, name, says, tells, at, expressions: [], effects };
  });
  const actions = Object.values(worlds[1]?.capabilities ?? {}).map(
    ({ id, says, requires, effects, duration }): RuleText => ({
      kind: "action",
      id,
      says,
      tells: dynamics.actionTells[id] ?? "",
      ...(typeof duration === "number" ? { duration } : {}),
      expressions: [...requires.map(({ expr }) => expr), ...(typeof duration === "string" ? [duration] : [])],
      effects,
    }),
  );
  return [...processes, ...entries, ...actions];
}

/** The bounds of fields by name. */
export function boundsOf({ worlds }: Pick<Words, "worlds">): BoundsOfField {
  const bounds = new Map<string, number[]>();
  for (const { fields } of Object.values(worlds[1]?.types ?? {})) {
    for (const [name, field] of Object.entries(fields)) {
      if (field.kind !== "int" && field.kind !== "number") continue;
      const ends = [field.min, field.max].filter((end) => end !== undefined);
      bounds.set(name, [...(bounds.get(name) ?? []), ...ends]);
    }
  }
  return bounds;
}
