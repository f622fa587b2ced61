/** Entries that are numbered in the order in which they came: their keys, and finding one without looking at all. */
import { itemAt, type AppendLog } from "./append-log.ts";
import { compareText } from "./canonical.ts";
import type { AcceptedStep, RejectedStep } from "./record.ts";

export type StepRecord = AcceptedStep | RejectedStep;

/** How many numbered entries there may be: their keys sort as long as they are equally long. */
export const MOST_NUMBERED = 999_999_999;

/** Keys of numbered entries sort as their numbers do; they count from 1. */
export function numberKey(index: number): string {
  return String(index + 1).padStart(9, "0");
}

/** The index of the first of `length` numbered entries whose key comes after `key`, whatever text that is. */
export function indexAfter(key: string, length: number): number {
  return key === "" ? 0 : firstIndex(length, (index) => compareText(numberKey(index), key) > 0);
}

/** The index of the accepted step `"12"` or the refused step `"r3"`; undefined where there is none. */
export function indexOfStep(steps: AppendLog<StepRecord>, id: string): number | undefined {
  const kind = id.startsWith("r") ? "rejected" : "accepted";
  const number = Number(kind === "rejected" ? id.slice(1) : id);
  const index = firstIndex(steps.length, (i) => countUpTo(steps, i, kind) >= number);
  const found = itemAt(steps, index);
  return found !== undefined && String(found.step) === id ? index : undefined;
}

/** How many steps of a kind there are up to `index`: each kind is numbered in order, so the other's number tells it too. */
function countUpTo(steps: AppendLog<StepRecord>, index: number, kind: StepRecord["kind"]): number {
  const step = itemAt(steps, index) as StepRecord;
  const number = step.kind === "accepted" ? step.step : Number(step.step.slice(1));
  return step.kind === kind ? number : index + 1 - number;
}

/** The first index below `length` for which `holds`; from it on it must hold for all. `length` where there is none. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
