/**
 * A list that only grows, kept in versions: appending gives a new version and leaves the old one as it was.
 * All versions share one array as long as they form a line; appending to an older version copies. So a session
 * appends in O(1), and forks of it never see one another.
 */
export interface AppendLog<T> {
  readonly length: number;
  /** Shared between versions; only the first `length` items belong to this one. */
  readonly shared: readonly T[];
}

export function emptyLog<T>(): AppendLog<T> {
  return { length: 0, shared: [] };
}

/** The log with `item` at its end. Grows the shared array where this version is its newest. */
export function append<T>(log: AppendLog<T>, item: T): AppendLog<T> {
  const shared = log.shared.length === log.length ? (log.shared as T[]) : log.shared.slice(0, log.length);
  shared.push(item);
  return { length: log.length + 1, shared };
}

/** The item at `index` (from 0), or undefined outside of this version. */
export function itemAt<T>(log: AppendLog<T>, index: number): T | undefined {
  return index >= 0 && index < log.length ? log.shared[index] : undefined;
}

/** The items from `index` on, in their order. */
export function* itemsFrom<T>(log: AppendLog<T>, index = 0): Generator<T> {
  for (let i = Math.max(0, index); i < log.length; i += 1) yield log.shared[i] as T;
}
