/** The words of the display of a set under way: a pure function of what has happened so far. */
import type { RunName } from "../tracks/index.ts";

export interface SetProgress {
  readonly planned: number;
  readonly done: number;
  /** Of those done: ended on a fault or could not be played. */
  readonly failed: number;
  /** What is being played now, the longest first. */
  readonly running: readonly { readonly run: RunName; readonly round: number; readonly calls: number }[];
  readonly elapsedMs: number;
}

/** One line, cut to `columns`: `3/8 done, 1 failed · ark_001.hard.reference.1 round 4, 57 calls · 12 s`. */
export function progressLine(progress: SetProgress, columns: number): string {
  const { planned, done, failed, running, elapsedMs } = progress;
  const [first] = running;
  const more = running.length > 1 ? ` and ${running.length - 1} more` : "";
  const now = first === undefined ? [] : [`${first.run.run} round ${first.round}, ${first.calls} calls${more}`];
  const left = done === 0 || done === planned ? [] : [`about ${sayTime((elapsedMs / done) * (planned - done))} left`];
  const text = [
    `${done}/${planned} done${failed === 0 ? "" : `, ${failed} failed`}`,
    ...now,
    sayTime(elapsedMs),
    ...left,
  ].join(" · ");
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** `0 s`, `59 s`, `2 min 5 s`, `1 h 4 min`. */
export function sayTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
