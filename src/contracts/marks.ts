/** What the exact judge goes by, derived from the reference solution: the writes that define each event. */
import { entityIdsOfType, type FieldValue, type Write } from "../runtime/index.ts";
import type { CaseContract, EventId, EventItem } from "./contract.ts";
import type { PlayedReference } from "./reference-play.ts";
import type { TracedTrigger } from "./trace.ts";

/** How one defining path is realised: a value reached (from one before), or the total of what is added. */
export type PathMark =
  | { readonly kind: "reach"; readonly path: string; readonly before?: FieldValue; readonly after: FieldValue }
  | { readonly kind: "amount"; readonly path: string; readonly total: number };

/** One way in which an event may be realised. */
export interface EventMarks {
  readonly paths: readonly PathMark[];
  readonly given?: string | undefined;
}

/** All that the exact judge takes from a case and its reference. */
export interface CaseMarks {
  /** By event: its own marks first, then those of `accepts`. */
  readonly events: ReadonlyMap<EventId, readonly EventMarks[]>;
  /** Every path that the reference run changes anywhere, sorted. */
  readonly changed: readonly string[];
  /** By event: the paths its reference triggers read or write. */
  readonly touched: ReadonlyMap<EventId, ReadonlySet<string>>;
  /** By event: the arguments of its reference triggers. */
  readonly args: ReadonlyMap<EventId, readonly Readonly<Record<string, string | number | boolean>>[]>;
}

/** An event whose reference triggers do not write its defining path. */
export interface MarksFault {
  readonly event: EventId;
  readonly message: string;
}

export function deriveMarks(
  contract: CaseContract,
  played: PlayedReference,
): { readonly ok: true; readonly value: CaseMarks } | { readonly ok: false; readonly error: readonly MarksFault[] } {
  const faults: MarksFault[] = [];
  const events = new Map<EventId, readonly EventMarks[]>();
  const touched = new Map<EventId, ReadonlySet<string>>();
  const args = new Map<EventId, readonly Readonly<Record<string, string | number | boolean>>[]>();
  for (const event of contract.rounds.flatMap((round) => round.events)) {
    const triggers = (played.bindings.get(event.id) ?? []).map((id) => played.trace.triggers.get(id) as TracedTrigger);
    const paths = event.defining.map((path) => markOf(event, path, triggers, faults));
    const own: EventMarks = { paths: paths.filter((mark) => mark !== undefined), given: event.given };
    const others = event.accepts.map(({ defining, given }): EventMarks => ({
      paths: Object.entries(defining).map(([path, after]) => ({ kind: "reach", path, after })),
      given,
    }));
    events.set(event.id, [own, ...others]);
    touched.set(event.id, touchedBy(triggers));
    args.set(
      event.id,
      triggers.map(({ trigger }) => trigger.args),
    );
  }
  if (faults.length > 0) return { ok: false, error: faults };
  return { ok: true, value: { events, touched, args, changed: changedPaths(played) } };
}

function markOf(
  event: EventItem,
  path: string,
  triggers: readonly TracedTrigger[],
  faults: MarksFault[],
): PathMark | undefined {
  const writes = triggers.flatMap(({ trigger }) =>
    trigger.writes.filter((write) => "after" in write && write.path === path && write.same !== true),
  );
  const [first] = writes;
  const last = writes.at(-1);
  if (first === undefined || last === undefined || !("after" in first) || !("after" in last)) {
    faults.push({ event: event.id, message: `event "${event.id}": no trigger that realises it changes ${path}` });
    return undefined;
  }
  if (writes.every((write) => write.kind === "add")) {
    const total = writes.reduce((sum, write) => sum + (write.kind === "add" ? write.by : 0), 0);
    return { kind: "amount", path, total };
  }
  return { kind: "reach", path, before: first.before, after: last.after };
}

function changedPaths(played: PlayedReference): readonly string[] {
  const paths = new Set<string>();
  for (const { trigger } of played.trace.triggers.values()) {
    for (const write of trigger.writes) if ("after" in write && write.same !== true) paths.add(write.path);
  }
  return [...paths].sort();
}

/** Every path that some triggers read or wrote; what is read of a whole type is read of each entity of it. */
export function touchedBy(triggers: readonly TracedTrigger[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { trigger, step } of triggers) {
    for (const write of trigger.writes as readonly Write[]) paths.add(write.path);
    for (const read of trigger.reads) {
      const ranged = /^([^.]+)\.\*\.(.+)$/.exec(read);
      if (ranged === null) paths.add(read);
      else for (const id of entityIdsOfType(step.before.entities, ranged[1] ?? "")) paths.add(`${id}.${ranged[2]}`);
    }
  }
  return paths;
}

const relevantOf = new WeakMap<CaseMarks, ReadonlySet<string>>();

/** The paths a story turns on: those its reference changes anywhere, and those the reference triggers of its events look at. */
export function relevantPaths(marks: CaseMarks): ReadonlySet<string> {
  const known = relevantOf.get(marks);
  if (known !== undefined) return known;
  const paths = new Set([...marks.changed, ...[...marks.touched.values()].flatMap((touched) => [...touched])]);
  relevantOf.set(marks, paths);
  return paths;
}
