/** What a run shows of who is who in a world whose ids the agent made: every entity there ever was, and what became of it. */
import type { Trace, TraceStep } from "../contracts/index.ts";
import type { JsonObject } from "../endpoint/index.ts";
import { compareText, entityIds, getEntity, lookUp, type Entity, type Write } from "../runtime/index.ts";
import { typeClaims } from "./claims.ts";
import type { Shown } from "./evidence.ts";
import { fitSections, wordLevels, type Room, type Section } from "./fit.ts";
import { changeFacts, entityFacts, isSame, typeFacts, type TraceConstruction } from "./record-facts.ts";
import { TITLES } from "./titles.ts";

/** One entity over the whole run. */
interface Life {
  readonly id: string;
  /** As it is at the end, or as it was before it went. */
  entity: Entity;
  /** What brought it, where it was not there from the start. */
  readonly by?: JsonObject;
  gone?: JsonObject;
  /** What triggers changed of it, in order. */
  readonly changes: Change[];
}

interface Change {
  readonly trigger: string;
  readonly write: Write;
}

/** The evidence for an identity: every entity there ever was. Those to which more happened come first. */
export function identityEvidence(trace: Trace, narrative: string, room: Room): Shown {
  const lives = livesOf(trace);
  const ordered = [...lives].sort((a, b) => b.changes.length - a.changes.length || compareText(a.id, b.id));
  const blocks = fitSections(sectionsOf(trace, ordered), room);
  return {
    evidence: blocks && { narrative, blocks },
    known: {
      triggers: new Set(trace.triggers.keys()),
      constructions: new Set(trace.constructions.keys()),
      entities: new Set(lives.map(({ id }) => id)),
    },
  };
}

function sectionsOf(trace: Trace, lives: readonly Life[]): readonly Section[] {
  const last = trace.entries.at(-1)?.after ?? trace.initial;
  const types = [...new Set(lives.map(({ entity }) => entity.type))].flatMap((name) => lookUp(last.types, name) ?? []);
  const names = lives.flatMap(({ id, entity: { name } }) => (name === "" || name === id ? [] : [{ entity: id, name }]));
  return [
    {
      title: TITLES.entities,
      levels: [lives.map((life) => lifeFacts(life, everyChange)), lives.map((life) => lifeFacts(life, changesByPath))],
    },
    { title: TITLES.claims, levels: wordLevels(typeClaims(types), names), mayGo: true },
    { title: TITLES.types, levels: [types.map(typeFacts)] },
  ];
}

function lifeFacts(
  { id, entity, by, gone, changes }: Life,
  show: (changes: readonly Change[]) => JsonObject,
): JsonObject {
  return {
    entity: id,
    [gone === undefined ? "at_the_end" : "before_it_went"]: entityFacts(entity),
    ...(by === undefined ? { there: "from the start" } : { there: by }),
    ...(gone === undefined ? {} : { gone }),
    ...show(changes),
  };
}

function everyChange(changes: readonly Change[]): JsonObject {
  return { changes: changes.map(({ trigger, write }) => ({ trigger, ...changeFacts(write) })) };
}

/**
 * What became of each path: its first and its last value, by which triggers, and how often it changed. Shorter, and no
 * path can be pushed out by others.
 */
function changesByPath(changes: readonly Change[]): JsonObject {
  const byPath = new Map<string, Change[]>();
  for (const change of changes) {
    const known = byPath.get(change.write.path);
    if (known === undefined) byPath.set(change.write.path, [change]);
    else known.push(change);
  }
  return {
    changes_by_path: [...byPath.values()].map((all) => {
      const [first, last] = [all[0] as Change, all.at(-1) as Change];
      if (all.length === 1) return { trigger: first.trigger, ...changeFacts(first.write) };
      const { path, before } = changeFacts(first.write);
      const { after } = changeFacts(last.write);
      return {
        path: path ?? null,
        before: before ?? null,
        after: after ?? null,
        times: all.length,
        triggers: [first.trigger, last.trigger],
      };
    }),
  };
}

/** Every entity of a run, sorted by id. */
function livesOf(trace: Trace): readonly Life[] {
  const lives = new Map<string, Life>();
  const { initial } = trace;
  for (const id of entityIds(initial.entities)) {
    const entity = getEntity(initial.entities, id);
    if (entity !== undefined) lives.set(id, { id, entity, changes: [] });
  }
  for (const entry of trace.entries) {
    if (entry.kind === "step") followStep(lives, entry);
    else followConstruction(lives, entry);
  }
  const last = trace.entries.at(-1)?.after ?? initial;
  for (const life of lives.values()) life.entity = getEntity(last.entities, life.id) ?? life.entity;
  return [...lives.values()].sort((a, b) => compareText(a.id, b.id));
}

function followStep(lives: Map<string, Life>, { record, before, after }: TraceStep): void {
  for (const { id: trigger, writes } of record.triggers) {
    for (const write of writes.filter((one) => !isSame(one))) {
      const id = write.path.split(".")[0] as string;
      const life = lives.get(id);
      if (life === undefined) {
        const entity = getEntity(after.entities, id);
        if (entity !== undefined) lives.set(id, { id, entity, by: { trigger }, changes: [] });
      } else if (write.kind === "destroy") {
        life.entity = getEntity(before.entities, id) ?? life.entity;
        life.gone = { trigger };
      } else if (write.kind !== "create") life.changes.push({ trigger, write });
    }
  }
}

function followConstruction(lives: Map<string, Life>, { record, before, after }: TraceConstruction): void {
  const { construction, item } = record;
  if (item.level !== "entity") return;
  const life = lives.get(item.id);
  const entity = getEntity(after.entities, item.id);
  if (life === undefined && entity !== undefined)
    lives.set(item.id, { id: item.id, entity, by: { construction }, changes: [] });
  if (life !== undefined && entity === undefined) {
    life.entity = getEntity(before.entities, item.id) ?? life.entity;
    life.gone = { construction };
  }
}
