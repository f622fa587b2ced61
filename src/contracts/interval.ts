/** A half-open span [start, end) on the world clock, in ticks. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The interval from the least start to the greatest end. Throws where there is none. */
export function spanOf(intervals: readonly Interval[]): Interval {
  if (intervals.length === 0) throw new Error("spanOf: no interval");
  return {
    start: Math.min(...intervals.map((i) => i.start)),
    end: Math.max(...intervals.map((i) => i.end)),
  };
}

/** a.end ≤ b.start: a causes b, a precedes b. */
export function precedes(a: Interval, b: Interval): boolean {
  return a.end <= b.start;
}

export function startsTogether(a: Interval, b: Interval): boolean {
  return a.start === b.start;
}

export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.start, b.start) < Math.min(a.end, b.end);
}

export function endsTogether(a: Interval, b: Interval): boolean {
  return a.end === b.end;
}
