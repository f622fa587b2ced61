import { compareText, fieldOf, getEntity, entityIdsOfType, type FieldValue, type World } from "../runtime/index.ts";
import { splitPath, valueAt } from "./path.ts";

/**
 * Legal values a path could hold instead of the one it holds, in a fixed order; null is never among them.
 * Of numbers, which are many, those that a rule could well tell apart: neighbours, bounds, 0, and `hints`.
 */
export function alternativesOf(world: World, path: string, hints: readonly number[] = []): readonly FieldValue[] {
  const { id, field } = splitPath(path);
  const entity = getEntity(world.entities, id);
  const value = valueAt(world, path);
  if (entity === undefined || value === undefined) return [];
  if (field === "at") return alternativesOfAt(world, id, entity.at);
  const spec = fieldOf(world, entity.type, field);
  switch (spec?.kind) {
    case undefined:
      return [];
    case "bool":
      return [value !== true];
    case "enum":
      return spec.values.filter((word) => word !== value);
    case "int":
    case "number": {
      const unit = spec.kind === "int" ? 1 : 10 ** -spec.digits;
      const digits = spec.kind === "int" ? 0 : spec.digits;
      const current = value as number;
      const near = [
        spec.min,
        spec.max,
        0,
        current - 1,
        current + 1,
        current - unit,
        current + unit,
        current + 1_000,
        current - 1_000,
      ];
      const asked = [...near, ...hints.flatMap((hint) => [hint - unit, hint, hint + unit])];
      const lawful = asked
        .flatMap((one) => (one === undefined ? [] : [Number(one.toFixed(digits))]))
        .filter((one) => (spec.min ?? one) <= one && one <= (spec.max ?? one) && one !== current);
      return [...new Set(lawful)].sort((a, b) => a - b);
    }
    case "text":
      return value === "" ? ["something else"] : [`${String(value)} (changed)`.slice(0, 1_000), ""];
    case "place":
      return placesBut(world, value);
    case "ref":
      return entityIdsOfType(world.entities, spec.of).filter((other) => other !== value);
    case "refs": {
      const members = value as readonly string[];
      return entityIdsOfType(world.entities, spec.of).map((one) =>
        members.includes(one) ? members.filter((member) => member !== one) : [...members, one].sort(compareText),
      );
    }
  }
}

function placesBut(world: World, value: FieldValue): readonly string[] {
  return Object.keys(world.map.places)
    .sort(compareText)
    .filter((place) => place !== value);
}

/** Other places, or, for what is held, other holders of the same type (places where there is no other holder). */
function alternativesOfAt(world: World, id: string, at: string | null): readonly string[] {
  const holder = at === null ? undefined : getEntity(world.entities, at);
  const holders =
    holder === undefined
      ? []
      : entityIdsOfType(world.entities, holder.type).filter((other) => other !== at && other !== id);
  return holders.length > 0 ? holders : placesBut(world, at);
}
