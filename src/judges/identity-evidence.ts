/** What a run shows of who is who in a world whose ids the agent made: every entity there ever was, and what became of it. */
import type { Trace, TraceStep } from "../contracts/index.ts";
import type { JsonObject } from "../endpoint/index.ts";
import { compareText, entityIds, getEntity, lookUp, type Entity } from "../runtime/index.ts";
import { typeClaims } from "./claims.ts";
import type { Shown } from "./evidence.ts";
import { clipEntry, fitSections, levelsOf, type Section } from "./fit.ts";
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
  readonly changes: JsonObject[];
}

/**
 * The evidence for an identity. Entities to which more happened come first, so that a cut leaves out what took part in
 * nothing.
 */
export function identityEvidence(trace: Trace, narrative: string, room: number): Shown {
  const lives = livesOf(trace);
  const ordered = [...lives].sort((a, b) => b.changes.length - a.changes.length || compareText(a.id, b.id));
  return {
    evidence: { narrative, blocks: fitSections(sectionsOf(trace, ordered), room) },
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
      levels: [
        lives.map((life) => lifeFacts(life, 8)),
        lives.map((life) => clipEntry(lifeFacts(life, 4), 100, 8)),
        lives.map((life) => clipEntry(lifeFacts(life, 2), 64, 5)),
        lives.map(({ id, entity: { type, at } }) => ({ entity: id, type, at })),
      ],
      share: 0.55,
      keep: "first",
    },
    { title: TITLES.claims, levels: levelsOf([...names, ...typeClaims(types)]), share: 0.3, keep: "first" },
    { title: TITLES.types, levels: levelsOf(types.map(typeFacts)), share: 0.15, keep: "first" },
  ];
}

/** An entity with at most `most` of its changes: the first half of them and the last. */
function lifeFacts({ id, entity, by, gone, changes }: Life, most: number): JsonObject {
  const half = most / 2;
  const shown = changes.length <= most ? changes : [...changes.slice(0, half), ...changes.slice(-half)];
  const between = changes.length - shown.length;
  return {
    entity: id,
    [gone === undefined ? "at_the_end" : "before_it_went"]: entityFacts(entity),
    ...(by === undefined ? { there: "from the start" } : { there: by }),
    ...(gone === undefined ? {} : { gone }),
    changes: shown,
    ...(between === 0 ? {} : { changes_left_out_between: between }),
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
      } else if (write.kind !== "create") life.changes.push({ trigger, ...changeFacts(write) });
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
