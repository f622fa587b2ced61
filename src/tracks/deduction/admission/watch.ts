/** What is looked at while a case is played: who wrote what within a tick. */
import { sameJson, type MergedWrites, type NaturalWrite } from "../../../runtime/index.ts";

/** A path that two rules of one tick change to and fro. */
export interface Oscillation {
  readonly path: string;
  /** The rules that change it, and those that change it back. */
  readonly by: readonly string[];
  readonly backBy: readonly string[];
  /** Ticks in which it is changed back, of those in which it is written; the first of them. */
  readonly ticks: number;
  readonly of: number;
  readonly first: number;
}

interface Seen {
  written: number;
  back: number;
  first: { readonly tick: number; readonly by: readonly string[]; readonly backBy: readonly string[] } | undefined;
}

/** Gathers the writes of many plays. Mutable; one for a case. */
export class Watch {
  readonly #seen = new Map<string, Seen>();
  readonly #writers = new Set<string>();
  #tick: number | undefined;
  #writes = new Map<string, NaturalWrite[]>();

  readonly onMerge = ({ tick, writes }: MergedWrites): void => {
    if (tick !== this.#tick) this.close();
    this.#tick = tick;
    for (const write of writes) {
      const before = this.#writes.get(write.path);
      if (before === undefined) this.#writes.set(write.path, [write]);
      else before.push(write);
      for (const id of write.by) this.#writers.add(id);
    }
  };

  /** Ends the tick that is under way; also to be called when a play ends. */
  close(): void {
    for (const [path, writes] of this.#writes) {
      const seen = this.#seen.get(path) ?? { written: 0, back: 0, first: undefined };
      this.#seen.set(path, seen);
      seen.written += 1;
      const pair = writes.length < 2 ? undefined : pairThatReturns(writes);
      if (pair === undefined) continue;
      seen.back += 1;
      seen.first ??= { tick: this.#tick ?? 0, by: pair.one.by, backBy: pair.back.by };
    }
    this.#writes = new Map();
    this.#tick = undefined;
  }

  /** Paths that are changed back in more than this share of the ticks in which they are written, sorted by path. */
  oscillations(most: number): readonly Oscillation[] {
    return [...this.#seen]
      .flatMap(([path, { written, back, first }]): readonly Oscillation[] =>
        first === undefined || back <= most * written
          ? []
          : [{ path, by: first.by, backBy: first.backBy, ticks: back, of: written, first: first.tick }],
      )
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The rules that have changed a field. */
  get writers(): ReadonlySet<string> {
    return this.#writers;
  }
}

/** A write and a later one of the same tick that gives the path the value it had before. */
function pairThatReturns(
  writes: readonly NaturalWrite[],
): { readonly one: NaturalWrite; readonly back: NaturalWrite } | undefined {
  for (const [i, one] of writes.entries()) {
    const back = writes.slice(i + 1).find(({ after }) => sameJson(after, one.before));
    if (back !== undefined) return { one, back };
  }
  return undefined;
}
