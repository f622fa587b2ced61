/**
 * What followed from what: trigger B depends on trigger A when A is the last writer of something B read.
 * Order does not make an edge, reading does.
 */
import { Graph } from "@dagrejs/graphlib";
import { getEntity, type AcceptedTrigger, type Entity, type TriggerId } from "../../runtime/index.ts";
import { splitPath } from "../path.ts";
import type { Trace, TraceStep } from "../trace.ts";

/** What an edge from A to B bears: the paths through which B depends on A, sorted. */
export interface Dependence {
  readonly paths: readonly string[];
}

/** Triggers, and a Dependence on each edge. */
export type ProvenanceGraph = Graph;

const graphs = new WeakMap<Trace, ProvenanceGraph>();

/**
 * The provenance graph of a run.
 *
 * - All triggers of a step see the state before it: no edge lies within a step.
 * - Several triggers of one step that wrote a path together (as `add` does) are all its last writers.
 * - A write that left the value as it was is no write: nothing follows from it.
 * - Who created an entity wrote each of its fields. `person.*` reads who there is: its writers are those who created the
 *   persons there are, and those who destroyed others. `person.*.coins` reads the coins of every person there is.
 * - What was constructed, and what was there from the beginning, no trigger wrote.
 */
export function provenanceGraphOf(trace: Trace): ProvenanceGraph {
  const known = graphs.get(trace);
  if (known !== undefined) return known;
  const graph: ProvenanceGraph = new Graph();
  const writers = new LastWriters();
  for (const step of trace.steps.values()) {
    for (const trigger of step.record.triggers) {
      graph.setNode(trigger.id);
      for (const [writer, paths] of writers.readBy(trigger))
        graph.setEdge(writer, trigger.id, { paths: [...paths].sort() } satisfies Dependence);
    }
    writers.note(step);
  }
  graphs.set(trace, graph);
  return graph;
}

/** Paths by what reads them all: `person.*.coins` the coins of every person, `person.*` who there is. */
type Group = Map<string, readonly TriggerId[]>;

class LastWriters {
  readonly #byPath = new Map<string, readonly TriggerId[]>();
  readonly #groups = new Map<string, Group>();

  /** The last writers of everything a trigger read, each with the paths. */
  readBy(trigger: AcceptedTrigger): ReadonlyMap<TriggerId, ReadonlySet<string>> {
    const found = new Map<TriggerId, Set<string>>();
    const add = (path: string, ids: readonly TriggerId[]) => {
      for (const id of ids) found.set(id, (found.get(id) ?? new Set<string>()).add(path));
    };
    for (const read of trigger.reads) {
      add(read, this.#byPath.get(read) ?? []);
      for (const [path, ids] of this.#groups.get(read) ?? []) add(path, ids);
    }
    return found;
  }

  /** Takes in what the triggers of one step wrote. */
  note({ record, before }: TraceStep): void {
    const written = new Map<string, TriggerId[]>();
    for (const { id, writes } of record.triggers)
      for (const write of writes)
        if ("after" in write && write.same !== true) written.set(write.path, [...(written.get(write.path) ?? []), id]);
    for (const [path, ids] of written) {
      const { id, field } = splitPath(path);
      this.#set(path, getEntity(before.entities, id)?.type ?? "", field, [...new Set(ids)]);
    }
    for (const { id, writes } of record.triggers) {
      for (const write of writes) {
        if (write.kind === "create") this.#create(write.entity, id);
        if (write.kind === "destroy") this.#destroy(write.entity, id);
      }
    }
  }

  #set(path: string, type: string, field: string, ids: readonly TriggerId[]): void {
    this.#byPath.set(path, ids);
    this.#group(`${type}.*.${field}`).set(path, ids);
  }

  #create({ id, type, fields }: Entity, by: TriggerId): void {
    for (const field of ["at", ...Object.keys(fields)]) this.#set(`${id}.${field}`, type, field, [by]);
    this.#group(`${type}.*`).set(id, [by]);
  }

  #destroy({ id, type, fields }: Entity, by: TriggerId): void {
    for (const field of ["at", ...Object.keys(fields)]) {
      this.#byPath.delete(`${id}.${field}`);
      this.#group(`${type}.*.${field}`).delete(`${id}.${field}`);
    }
    this.#group(`${type}.*`).set(id, [by]);
  }

  #group(read: string): Group {
    const known = this.#groups.get(read) ?? new Map<string, readonly TriggerId[]>();
    this.#groups.set(read, known);
    return known;
  }
}
