/**
 * A persistent sorted list of ids, in chunks: adding or removing one copies its chunk and the list of chunks. How the
 * ids are parted shows nowhere.
 */
import { compareText } from "../canonical.ts";

const MOST_IN_CHUNK = 512;
/** Where more than this part of the list changes, it is built anew. */
const FEW = 1 / 16;

export class SortedIds {
  static readonly none = new SortedIds([]);

  readonly length: number;
  readonly #chunks: readonly (readonly string[])[];
  #all: readonly string[] | undefined;

  private constructor(chunks: readonly (readonly string[])[]) {
    this.#chunks = chunks;
    this.length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    Object.freeze(this);
  }

  /** All of them, frozen; made once. */
  all(): readonly string[] {
    const [only = []] = this.#chunks;
    return (this.#all ??= Object.freeze(this.#chunks.length > 1 ? this.#chunks.flat() : only));
  }

  /** The ids that come after `id`, in order. */
  *after(id: string): Generator<string> {
    for (let c = this.#chunkOf(id); c < this.#chunks.length; c += 1) {
      const chunk = this.#chunks[c] as readonly string[];
      for (let i = firstNotBefore(chunk, id); i < chunk.length; i += 1) if (chunk[i] !== id) yield chunk[i] as string;
    }
  }

  /** The list with `come` and without `gone`; ids that are there already, or are not there, change nothing. */
  with(come: readonly string[], gone: readonly string[]): SortedIds {
    if (come.length + gone.length > this.length * FEW + 1) return this.#rebuilt(come, gone);
    const chunks = this.#chunks.slice();
    for (const id of gone) edit(chunks, id, false);
    for (const id of come) edit(chunks, id, true);
    return new SortedIds(chunks);
  }

  #rebuilt(come: readonly string[], gone: readonly string[]): SortedIds {
    const left = new Set(this.all());
    for (const id of gone) left.delete(id);
    for (const id of come) left.add(id);
    return new SortedIds(chunked([...left].sort(compareText)));
  }

  #chunkOf(id: string): number {
    return chunkOf(this.#chunks, id);
  }
}

/** The index of the first chunk whose last id does not come before `id`. */
function chunkOf(chunks: readonly (readonly string[])[], id: string): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareText((chunks[middle] as readonly string[]).at(-1) as string, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the first of the sorted `ids` that does not come before `id`. */
function firstNotBefore(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareText(ids[middle] as string, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts an id into its chunk or takes it out; `chunks` is the caller's own, the chunks in it are not. */
function edit(chunks: (readonly string[])[], id: string, present: boolean): void {
  const at = Math.min(chunkOf(chunks, id), Math.max(0, chunks.length - 1));
  const chunk = chunks[at] ?? [];
  const index = firstNotBefore(chunk, id);
  if ((chunk[index] === id) === present) return;
  const next = chunk.slice();
  next.splice(index, present ? 0 : 1, ...(present ? [id] : []));
  chunks.splice(at, 1, ...chunked(next));
}

/** In one chunk, or in halves of the largest chunk, so that each may grow. */
function chunked(ids: readonly string[]): readonly (readonly string[])[] {
  if (ids.length === 0) return [];
  if (ids.length <= MOST_IN_CHUNK) return [ids];
  const half = MOST_IN_CHUNK / 2;
  return Array.from({ length: Math.ceil(ids.length / half) }, (_, i) => ids.slice(i * half, (i + 1) * half));
}
