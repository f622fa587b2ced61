/** Rounds that are the reference's but for the hour and the numbers. */
import type { HeldEvent } from "../../../contracts/index.ts";
import { parseTriggerId, triggerId, type TriggerId, type World } from "../../../runtime/index.ts";
import type { RoundVerdict } from "./judge.ts";
import type { TraceEntry } from "./play.ts";

/** How far a play that came back to the reference is ahead of it. */
export interface Shift {
  readonly steps: number;
  readonly ticks: number;
  readonly constructions: number;
  readonly order: number;
}

export const NO_SHIFT: Shift = { steps: 0, ticks: 0, constructions: 0, order: 0 };

export function shiftEntry(entry: TraceEntry, shift: Shift): TraceEntry {
  if (Object.values(shift).every((by) => by === 0)) return entry;
  const order = entry.order + shift.order;
  const [before, after] = [shiftWorld(entry.before, shift), shiftWorld(entry.after, shift)];
  if (entry.kind === "construction") {
    const { construction, afterStep } = entry.record;
    return {
      kind: "construction",
      order,
      before,
      after,
      record: { ...entry.record, construction: construction + shift.constructions, afterStep: afterStep + shift.steps },
    };
  }
  const { record } = entry;
  const triggers = record.triggers.map((one) => ({
    ...one,
    id: shiftId(one.id, shift),
    start: one.start + shift.ticks,
    end: one.end + shift.ticks,
  }));
  return {
    kind: "step",
    order,
    before,
    after,
    record: {
      ...record,
      step: record.step + shift.steps,
      start: record.start + shift.ticks,
      clock: record.clock + shift.ticks,
      triggers,
    },
  };
}

function shiftWorld(world: World, { ticks }: Shift): World {
  return ticks === 0 ? world : { ...world, clock: world.clock + ticks };
}

function shiftId(id: TriggerId, { steps }: Shift): TriggerId {
  const { step, position } = parseTriggerId(id) as { readonly step: number; readonly position: number };
  return triggerId(step + steps, position);
}

export function shiftVerdict(verdict: RoundVerdict, shift: Shift): RoundVerdict {
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
