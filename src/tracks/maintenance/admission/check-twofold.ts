/** Check 7, second half: no fact is kept in two fields. */
import { compareText, entityIdsOfType, getEntity, type Entity, type World } from "../../../runtime/index.ts";
import type { Base } from "./base.ts";
import type { Problem } from "./problem.ts";

/** Fields that changed together so often, and never apart, keep one fact; less may be chance. */
const LEAST_CHANGES = 2;

/**
 * Two fields of a type that say the same of every entity in every state the reference passes through (each value of one
 * goes with one value of the other), though both change; and two references that are each other's inverse.
 * What holds by chance in one play is a coincidence that no reader can tell from a rule, so it is refused as well.
 */
export function checkTwofold({ bench: { case: case_ }, trace }: Base): readonly Problem[] {
  const worlds = [case_.world, ...[...trace.steps.values()].map(({ after }) => after)];
  return [...sameOf(case_.world, worlds), ...inversesOf(case_.world, worlds)].map(({ one, other, how }) => ({
    check: 7,
    message: `${one} and ${other} keep one fact: ${how} in every state of the reference; keep one of them`,
  }));
}

interface Twofold {
  readonly one: string;
  readonly other: string;
  readonly how: string;
}

function sameOf(world: World, worlds: readonly World[]): readonly Twofold[] {
  return Object.keys(world.types)
    .sort(compareText)
    .flatMap((type) => {
      const fields = ["at", ...Object.keys(world.types[type]?.fields ?? {}).sort(compareText)];
      const histories = entityIdsOfType(world.entities, type).map((id) =>
        worlds.flatMap((one) => getEntity(one.entities, id) ?? []),
      );
      return fields.flatMap((one, i) =>
        fields
          .slice(i + 1)
          .filter((other) => goTogether(histories, one, other))
          .map((other) => ({
            one: `${type}.${one}`,
            other: `${type}.${other}`,
            how: "each value of one goes with one value of the other",
          })),
      );
    });
}

function goTogether(histories: readonly (readonly Entity[])[], one: string, other: string): boolean {
  const [to, back] = [new Map<string, string>(), new Map<string, string>()];
  let changes = 0;
  for (const history of histories) {
    let before: string | undefined;
    for (const entity of history) {
      const [a, b] = [textOf(entity, one), textOf(entity, other)];
      if (to.has(a) ? to.get(a) !== b : back.has(b)) return false;
      to.set(a, b);
      back.set(b, a);
      if (before !== undefined && before !== a) changes += 1;
      before = a;
    }
  }
  return changes >= LEAST_CHANGES;
}

function inversesOf(world: World, worlds: readonly World[]): readonly Twofold[] {
  const refs = Object.values(world.types)
    .flatMap((type) =>
      Object.entries(type.fields).flatMap(([field, spec]) =>
        spec.kind === "ref" ? [{ type: type.id, field, of: spec.of }] : [],
      ),
    )
    .sort((a, b) => compareText(`${a.type}.${a.field}`, `${b.type}.${b.field}`));
  return refs.flatMap((one, i) =>
    refs
      .slice(i + 1)
      .filter((other) => other.type === one.of && other.of === one.type && areInverse(worlds, one, other))
      .map((other) => ({
        one: `${one.type}.${one.field}`,
        other: `${other.type}.${other.field}`,
        how: "each points back where the other points",
      })),
  );
}

interface RefField {
  readonly type: string;
  readonly field: string;
}

function areInverse(worlds: readonly World[], one: RefField, other: RefField): boolean {
  const pairs = worlds.map((world) => [pairsOf(world, one), pairsOf(world, other).map(([a, b]) => [b, a] as const)]);
  const inOrder = (list: readonly (readonly [string, string])[] = []) =>
    JSON.stringify([...list].sort(([a], [b]) => compareText(a, b)));
  const texts = pairs.map((both) => both.map(inOrder));
  const changes = texts.filter(([a], i) => i > 0 && a !== texts[i - 1]?.[0]).length;
  return changes >= LEAST_CHANGES && texts.every(([a, b]) => a === b);
}

function pairsOf(world: World, { type, field }: RefField): readonly (readonly [string, string])[] {
  return entityIdsOfType(world.entities, type).flatMap((id) => {
    const to = getEntity(world.entities, id)?.fields[field];
    return typeof to === "string" ? [[id, to] as const] : [];
  });
}

function textOf(entity: Entity, field: string): string {
  return JSON.stringify(field === "at" ? entity.at : entity.fields[field]);
}
