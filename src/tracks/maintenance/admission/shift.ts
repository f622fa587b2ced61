/** Rounds that are the reference's but for the hour and the numbers. */
import type { HeldEvent } from "../../../contracts/index.ts";
import { parseTriggerId, triggerId, type TriggerId, type World } from "../../../runtime/index.ts";
import { isNoDifference, withDifference, type Difference } from "./difference.ts";
import type { RoundVerdict } from "./judge.ts";
import type { TraceEntry } from "./play.ts";

/** How far a play that came back to the reference is ahead of it. */
export interface Shift {
  readonly steps: number;
  readonly ticks: number;
  readonly constructions: number;
  readonly order: number;
}

/** The entry of the reference that an entry was taken over from; what is true of one is true of the other. */
const origins = new WeakMap<TraceEntry, TraceEntry>();

export function originOf<T extends TraceEntry>(entry: T): T {
  return (origins.get(entry) as T | undefined) ?? entry;
}

/** Whether two plays are the same from here on, number for number. */
export function isNoShift(shift: Shift): boolean {
  return shift.steps === 0 && shift.ticks === 0 && shift.constructions === 0 && shift.order === 0;
}

/** An entry of the reference in a play that is ahead of it, and whose world differs in what the entry does not touch. */
export function shiftEntry(entry: TraceEntry, shift: Shift, difference: Difference): TraceEntry {
  if (isNoShift(shift) && isNoDifference(difference)) return entry;
  const shifted = entry.kind === "step" ? shiftStep(entry, shift, difference) : shiftMaking(entry, shift, difference);
  origins.set(shifted, entry);
  return shifted;
}

function shiftMaking(
  entry: Extract<TraceEntry, { kind: "construction" }>,
  shift: Shift,
  difference: Difference,
): TraceEntry {
  const { construction, afterStep } = entry.record;
  return withWorlds(
    {
      kind: "construction",
      order: entry.order + shift.order,
      record: { ...entry.record, construction: construction + shift.constructions, afterStep: afterStep + shift.steps },
    },
    entry,
    shift,
    difference,
  );
}

function shiftStep(entry: Extract<TraceEntry, { kind: "step" }>, shift: Shift, difference: Difference): TraceEntry {
  const { record } = entry;
  const triggers = record.triggers.map((one) => ({
    ...one,
    id: shiftId(one.id, shift),
    start: one.start + shift.ticks,
    end: one.end + shift.ticks,
  }));
  return withWorlds(
    {
      kind: "step",
      order: entry.order + shift.order,
      record: {
        ...record,
        step: record.step + shift.steps,
        start: record.start + shift.ticks,
        clock: record.clock + shift.ticks,
        triggers,
      },
    },
    entry,
    shift,
    difference,
  );
}

/** The worlds around an entry are put together when somebody looks at them: of most entries nobody does. */
function withWorlds<T extends object>(
  entry: T,
  { before, after }: Pick<TraceEntry, "before" | "after">,
  { ticks }: Shift,
  difference: Difference,
): T & Pick<TraceEntry, "before" | "after"> {
  let [first, last]: [World | undefined, World | undefined] = [undefined, undefined];
  return Object.defineProperties(entry, {
    before: { enumerable: true, get: () => (first ??= withDifference(before, difference, ticks)) },
    after: { enumerable: true, get: () => (last ??= withDifference(after, difference, ticks)) },
  }) as T & Pick<TraceEntry, "before" | "after">;
}

function shiftId(id: TriggerId, { steps }: Shift): TriggerId {
  const { step, position } = parseTriggerId(id) as { readonly step: number; readonly position: number };
  return triggerId(step + steps, position);
}

export function shiftVerdict(verdict: RoundVerdict, shift: Shift): RoundVerdict {
  if (isNoShift(shift)) return verdict;
  return {
    audited: verdict.audited.map((item) => ({
      ...item,
      triggers: item.triggers.map((id) => shiftId(id, shift)),
      constructions: item.constructions.map((number) => number + shift.constructions),
    })),
    held: verdict.held.map((event): HeldEvent => ({
      ...event,
      interval: { start: event.interval.start + shift.ticks, end: event.interval.end + shift.ticks },
      firstStep: event.firstStep + shift.steps,
      lastStep: event.lastStep + shift.steps,
      triggers: event.triggers.map((id) => shiftId(id, shift)),
    })),
  };
}
