import * as z from "zod";
import type { Json } from "./canonical.ts";
import type { Capability } from "./capability.ts";
import { digestOf, sha256 } from "./digest.ts";
import { fieldSchema, literalSchema, textOf, type FieldValue } from "./field.ts";
import { idOf, nameOf } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import {
  digestOfEntities,
  digestOfRetired,
  entitiesOf,
  retiredIds,
  type EntityTable,
  type RetiredIds,
} from "./state/index.ts";

export const linkSchema = z.strictObject({
  from: nameOf.describe("A place"),
  to: nameOf.describe("The place the way leads to"),
  bothWays: z.boolean().default(false).describe("Whether it also leads back"),
  ticks: z.int().min(1).max(LIMITS.ticks).default(1).describe("Ticks of travel"),
});
export type Link = z.infer<typeof linkSchema>;

/** Places, each with what it is in words, and the links between them. Frozen by the case. */
export const mapSchema = z.strictObject({
  places: z.record(nameOf, textOf).describe("Every place, by id, in words"),
  links: z.array(linkSchema).default([]).describe("The ways between places"),
});
export type WorldMap = z.infer<typeof mapSchema>;

export const typeSchema = z.strictObject({
  id: idOf,
  says: textOf.default("").describe("One sentence: what such a thing is"),
  fields: z.record(idOf, fieldSchema).default({}),
});
export type EntityType = z.infer<typeof typeSchema>;

/** An entity as an author or an agent writes it; fields left out have their defaults. */
export const entityDraftSchema = z.strictObject({
  id: nameOf,
  type: idOf,
  name: textOf.default("").describe("What it is called; its id where left out"),
  at: z.string().nullable().default(null).describe("A place, another entity that holds it, or null"),
  fields: z.record(idOf, literalSchema).default({}),
});
export type EntityDraft = z.infer<typeof entityDraftSchema>;

/** An entity as the world holds it: every field of its type is there. */
export interface Entity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly at: string | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
}

export const invariantSchema = z.strictObject({
  expr: z.string().min(1).describe("Must be true after every step"),
  says: textOf.default("").describe("The rule in words"),
});
export type Invariant = z.infer<typeof invariantSchema>;

/** The state of a world: plain, frozen, structurally shared between the steps of a run. */
export interface World {
  /** Ticks since the beginning; a case names the unit. */
  readonly clock: number;
  readonly map: WorldMap;
  readonly types: Readonly<Record<string, EntityType>>;
  readonly entities: EntityTable;
  readonly capabilities: Readonly<Record<string, Capability>>;
  readonly invariants: readonly Invariant[];
  /** Ids of entities that are gone: an id is never used again. */
  readonly retired: RetiredIds;
}

/** A world as plain JSON: entities by id, and the ids of those that are gone, sorted. */
export function plainWorld({ entities, retired, ...parts }: World): Json {
  const byId = Object.fromEntries(entitiesOf(entities).map((entity) => [entity.id, entity]));
  return { ...parts, entities: byId, retired: retiredIds(retired) } as unknown as Json;
}

const digests = new WeakMap<World, string>();

/**
 * The digest of a world: SHA-256 over the digests of its parts; that of the entities is a Merkle root over
 * per-entity hashes. It is found once and remembered with the world. Two worlds have equal digests exactly when their canonical JSON is equal.
 */
export function digestOfWorld(world: World): string {
  const known = digests.get(world);
  if (known !== undefined) return known;
  // Keys in order and plain values: this is canonical JSON as it stands.
  const digest = sha256(
    JSON.stringify({
      capabilities: digestOf(world.capabilities),
      clock: world.clock,
      entities: digestOfEntities(world.entities),
      invariants: digestOf(world.invariants),
      map: digestOf(world.map),
      retired: digestOfRetired(world.retired),
      types: digestOf(world.types),
    }),
  );
  if (Object.isFrozen(world)) digests.set(world, digest);
  return digest;
}
