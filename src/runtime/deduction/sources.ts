/**
 * What `read_data` reads in deduction, out of the view alone. map: places by id, then links · types, entities,
 * capabilities (the actions), processes, schedule: by id · log: closed rounds in their order.
 */
import { emptyLog, itemAt, itemsFrom, type AppendLog } from "../append-log.ts";
import { compareText } from "../canonical.ts";
import type { ActionUse } from "../dynamics/dynamics.ts";
import { suggest, type ErrorCode } from "../errors.ts";
import type { ItShape } from "../expression/index.ts";
import { lookUp } from "../ids.ts";
import { indexAfter, numberKey } from "../numbered.ts";
import type { Entry } from "../page.ts";
import { shelfOf, sorted } from "../query-sources.ts";
import type { Candidate, Shelf } from "../shelf.ts";
import { getEntity } from "../state/index.ts";
import type { Entity, EntityType, World } from "../world.ts";
import type { SeenChange } from "./answers.ts";
import type { DeductionSource } from "./tools.ts";
import type { Predictions } from "./record.ts";
import type { DeductionView } from "./view.ts";

/** A closed round as the agent may read it. In M1 nothing is seen of it but its span, and what one said oneself. */
export interface ClosedRound {
  readonly round: number;
  readonly from: number;
  readonly to: number;
  /** What was submitted in it, by part; null where nothing was. */
  readonly predicted: (Predictions & { readonly fires?: readonly string[] }) | null;
  /** M2: what was done, and what was seen at both ends and differs. */
  readonly seen?: {
    readonly action: ActionUse;
    readonly changes: readonly SeenChange[];
    readonly came: readonly string[];
    readonly went: readonly string[];
  };
}

/** A source as `read_data` reads it. */
export function deductionShelf(from: DeductionSource, view: DeductionView, log: AppendLog<ClosedRound>): Shelf {
  switch (from) {
    case "map":
      return shelfOf("map", readableOf(view.world));
    case "types":
      return decorated(shelfOf("types", readableOf(view.world)), ["at", "created"], (entry) => ({
        ...entry,
        at: { visibility: view.visibility(idOf(entry), "at") },
        created: view.creates
          .filter(({ type }) => type === idOf(entry))
          .map(({ pattern, says }) => ({ pattern, says })),
        fields: fieldsOf(view, lookUp(view.world.types, idOf(entry))),
      }));
    case "entities":
      return entitiesShelf(view);
    case "capabilities":
      return recordShelf("capabilities", view, actionRecords(view), "action", "unknown_action");
    case "processes":
      return recordShelf("processes", view, processRecords(view), "process", "unknown_process");
    case "schedule":
      return recordShelf("schedule", view, entryRecords(view), "entry of the schedule", "unknown_process");
    case "log":
      return logShelf(view, log);
  }
}

function readableOf(world: World): Parameters<typeof shelfOf>[1] {
  return { world, steps: emptyLog(), constructions: emptyLog() };
}

/** A shelf whose entries show more, or less. */
function decorated(shelf: Shelf, more: readonly string[], show: (entry: Entry) => Entry): Shelf {
  const decorate = (candidate: Candidate): Candidate => ({ ...candidate, show: () => show(candidate.show()) });
  return {
    ...shelf,
    *candidates(type, after) {
      for (const candidate of shelf.candidates(type, after)) yield decorate(candidate);
    },
    byId: (id) => {
      const found = shelf.byId(id);
      return found && decorate(found);
    },
    shown: (type) => [...new Set([...shelf.shown(type), ...more])].sort(compareText),
  };
}

function idOf(entry: Entry): string {
  return entry["id"] as string;
}

/**
 * The fields of a type with how far each is seen. Where somebody acts, the default of what may be unseen is left out:
 * it is what most entities hold.
 */
function fieldsOf(view: DeductionView, type: EntityType | undefined): Entry {
  const fields = Object.entries(type?.fields ?? {}).map(([field, spec]) => {
    const visibility = view.visibility(type?.id ?? "", field);
    const { default: usual, ...rest } = spec;
    const isTold = view.mode === "M1" || visibility === "public";
    return [field, sorted({ ...rest, ...(isTold && { default: usual }), visibility })];
  });
  return sorted(Object.fromEntries(fields) as Entry);
}

/** Values that are not seen are left out and named. */
function entitiesShelf(view: DeductionView): Shelf {
  const shelf = shelfOf("entities", readableOf(view.world));
  if (view.mode === "M1") return shelf;
  return decorated(shelf, ["unseen"], ({ at, fields = {}, ...entry }) => ({
    ...entry,
    ...(at === undefined ? {} : { at }),
    fields,
    unseen: view.unseen(getEntity(view.world.entities, idOf(entry)) as Entity),
  }));
}

/** An entry that is a record: what it shows, and what `it` has in a `where`. */
interface RecordEntry {
  readonly key: string;
  readonly it: Readonly<Record<string, unknown>>;
  readonly entry: Entry;
}

type Members = Extract<ItShape, { kind: "record" }>["members"];

/** What `it` has over each source of records, and what its entries show. */
const RECORDS: Readonly<
  Record<"capabilities" | "processes" | "schedule", { readonly members: Members; readonly shown: readonly string[] }>
> = {
  capabilities: {
    members: { id: "text", says: "text", params: "texts" },
    shown: ["duration", "effects", "id", "params", "requires", "says"],
  },
  processes: {
    members: { id: "text", name: "text", says: "text", every: "number", phase: "number", priority: "number" },
    shown: ["effects", "every", "for", "id", "name", "phase", "priority", "says", "when", "where"],
  },
  schedule: {
    members: { id: "text", name: "text", says: "text", first: "number", last: "number" },
    shown: ["at", "effects", "id", "name", "says"],
  },
};

/** What may be asked of a source where rules are told in words alone. */
const NAMED: Members = { id: "text", name: "text", says: "text" };

function recordShelf(
  from: keyof typeof RECORDS,
  view: DeductionView,
  records: readonly RecordEntry[],
  singular: string,
  unknown: ErrorCode,
): Shelf {
  const candidates = records.map(({ key, it, entry }): Candidate => ({ key, it, show: () => entry }));
  const { members, shown } = RECORDS[from];
  const isNamed = view.condition === "naming";
  return {
    from,
    world: view.world,
    candidates: (_, after) => candidates.filter(({ key }) => key > after),
    byId: (id) => candidates.find(({ key }) => key === id),
    size: () => candidates.length,
    shape: () => ({ kind: "record", members: isNamed && from !== "capabilities" ? NAMED : members }),
    shown: () => (isNamed ? ["id", from === "capabilities" ? "params" : "name", "says"] : shown),
    singular,
    unknown,
    hintForId: (id) =>
      suggest(
        id,
        records.map(({ key }) => key),
      ) ?? "there are none",
  };
}

/** Nobody acts in M1: there is nothing to list. */
function actionRecords({ mode, condition, world, actionTells, toldEffects }: DeductionView): readonly RecordEntry[] {
  if (mode === "M1") return [];
  return Object.values(world.capabilities)
    .sort((a, b) => compareText(a.id, b.id))
    .map(({ id, says: named, params, requires, effects, duration }) => {
      const says = condition === "open" ? (lookUp(actionTells, id) ?? named) : named;
      return {
        key: id,
        it: { id, says, params: Object.keys(params).sort(compareText) },
        entry: sorted({
          id,
          says,
          params,
          ...(condition === "open" && { requires, effects: toldEffects(effects), duration }),
        }),
      };
    });
}

function processRecords({ condition, processes, toldEffects }: DeductionView): readonly RecordEntry[] {
  return processes.map(({ id, draft }) => {
    const { name, says, tells, every, phase, priority } = draft;
    const named = { id, name, says };
    if (condition === "naming") return { key: id, it: named, entry: named };
    const open = { id, name, says: tells, every, phase, priority };
    const { for: bound, where, when, effects } = draft;
    return { key: id, it: open, entry: sorted({ ...open, for: bound, where, when, effects: toldEffects(effects) }) };
  });
}

function entryRecords({ condition, schedule, toldEffects }: DeductionView): readonly RecordEntry[] {
  return schedule.map(({ id, draft }) => {
    const { name, says, tells, at, effects } = draft;
    const named = { id, name, says };
    if (condition === "naming") return { key: id, it: named, entry: named };
    const open = { id, name, says: tells };
    return {
      key: id,
      it: { ...open, first: Math.min(...at), last: Math.max(...at) },
      entry: sorted({ ...open, at, effects: toldEffects(effects) }),
    };
  });
}

function logShelf(view: DeductionView, log: AppendLog<ClosedRound>): Shelf {
  const acts = view.mode === "M2";
  return {
    from: "log",
    world: view.world,
    *candidates(_, after) {
      for (const closed of itemsFrom(log, indexAfter(after, log.length))) yield closedCandidate(closed);
    },
    byId: (id) => {
      const found = /^[1-9][0-9]{0,8}$/.test(id) ? itemAt(log, Number(id) - 1) : undefined;
      return found && closedCandidate(found);
    },
    size: () => log.length,
    shape: () => ({
      kind: "record",
      members: {
        id: "text",
        from: "number",
        to: "number",
        ...(acts ? ({ action: "text", paths: "texts", came: "texts", went: "texts" } as const) : {}),
      },
    }),
    shown: () =>
      ["from", "id", "predicted", "to", ...(acts ? ["action", "came", "changes", "went"] : [])].sort(compareText),
    singular: "closed round",
    unknown: "unknown_round",
    hintForId: () => (log.length === 0 ? "no round is closed yet" : `closed rounds are "1" to "${log.length}"`),
  };
}

function closedCandidate({ round, from, to, predicted, seen }: ClosedRound): Candidate {
  const span = { id: String(round), from, to };
  const key = numberKey(round - 1);
  const said = { predicted: predicted && sorted(predicted) };
  if (seen === undefined) return { key, it: span, show: () => ({ ...span, ...said }) };
  const { action, changes, came, went } = seen;
  return {
    key,
    it: { ...span, action: action.action, paths: changes.map(({ path }) => path), came, went },
    show: () => ({ ...span, action: sorted(action), changes: changes.map(sorted), came, went, ...said }),
  };
}
