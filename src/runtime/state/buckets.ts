/**
 * A persistent map of things that bear an id: they lie in buckets, found by a hash of the id, and a change copies the
 * buckets it touches and the way to them. Each bucket keeps the SHA-256 of what lies in it, so that the root of this
 * Merkle tree is brought up to date by what was written. Which ids there are determines the shape, and nothing else.
 */
import { compareText } from "../canonical.ts";
import { sha256, shortHash } from "../digest.ts";

export interface Identified {
  readonly id: string;
}

/** What happens to some ids: what they hold from now on; undefined where they are gone. */
export type Changes<V> = ReadonlyMap<string, V | undefined>;

/** How the contents of a bucket become the text that is hashed: a line for each value, and the lines together. */
export interface Hashing<V> {
  readonly line: (value: V) => string;
  readonly text: (lines: readonly string[]) => string;
}

export type Buckets<V extends Identified> = Bucket<V> | Branch<V>;

const BITS = 4;
const WAYS = 1 << BITS;
/** A hash has 32 bits: below this depth nothing is parted any more. */
const DEEPEST = 8;

/** A bucket that would hold more is parted. Small worlds lie in one bucket; those of large worlds are small. */
function mostInBucket(depth: number): number {
  if (depth === DEEPEST) return Infinity;
  return depth === 0 ? 64 : WAYS;
}

/** The buckets that hold `values`; of several with one id the last. */
export function bucketsOf<V extends Identified>(values: Iterable<V>): Buckets<V> {
  return withChanges(EMPTY as Buckets<V>, new Map(Array.from(values, (value) => [value.id, value])));
}

/** What bears `id`, or undefined. */
export function find<V extends Identified>(buckets: Buckets<V>, id: string): V | undefined {
  if (buckets instanceof Bucket) return buckets.find(id);
  let hash = hashOf(id);
  let node: Buckets<V> | undefined = buckets;
  while (node instanceof Branch) {
    node = node.child(hash & (WAYS - 1));
    hash >>>= BITS;
  }
  return node?.find(id);
}

/** The buckets after `changes`. Shares all that they leave alone. */
export function withChanges<V extends Identified>(buckets: Buckets<V>, changes: Changes<V>): Buckets<V> {
  return changes.size === 0 ? buckets : buckets.with(changes, 0);
}

/** The root of the Merkle tree: buckets hash what lies in them, in the order of ids; branches hash the hashes below. */
export function rootOf<V extends Identified>(buckets: Buckets<V>, hashing: Hashing<V>): string {
  return sha256(buckets.text(hashing));
}

class Bucket<V extends Identified> {
  /** Sorted, and `#values` in their order. */
  readonly #ids: readonly string[];
  readonly #values: readonly V[];
  /** Where each id stands; shared by all versions of a bucket that hold the same ids. */
  readonly #slots: ReadonlyMap<string, number>;
  /** The lines of the values, as far as they are known. */
  #lines: (string | undefined)[] | undefined;
  #digest: string | undefined;

  constructor(ids: readonly string[], values: readonly V[], slots?: ReadonlyMap<string, number>) {
    this.#ids = ids;
    this.#values = values;
    this.#slots = slots ?? new Map(ids.map((id, slot) => [id, slot]));
    Object.freeze(this);
  }

  get size(): number {
    return this.#ids.length;
  }

  find(id: string): V | undefined {
    const slot = this.#slots.get(id);
    return slot === undefined ? undefined : this.#values[slot];
  }

  values(): Iterable<V> {
    return this.#values.values();
  }

  with(changes: Changes<V>, depth: number): Buckets<V> {
    for (const [id, value] of changes)
      if ((value === undefined) === this.#slots.has(id)) return this.#withOthers(changes, depth);
    return this.#withSame(changes);
  }

  /** No id comes or goes. */
  #withSame(changes: Changes<V>): Bucket<V> {
    const values = this.#values.slice();
    const lines = this.#lines?.slice();
    for (const [id, value] of changes) {
      const slot = this.#slots.get(id);
      if (slot === undefined || value === undefined) continue;
      values[slot] = value;
      if (lines !== undefined) lines[slot] = undefined;
    }
    const next = new Bucket(this.#ids, values, this.#slots);
    next.#lines = lines;
    return next;
  }

  #withOthers(changes: Changes<V>, depth: number): Buckets<V> {
    const kept = this.#values.filter(({ id }) => !changes.has(id));
    const come = [...changes.values()].filter((value) => value !== undefined);
    const values = [...kept, ...come].sort((a, b) => compareText(a.id, b.id));
    if (values.length > mostInBucket(depth)) return parted(values, depth);
    const ids = values.map(({ id }) => id);
    const next = new Bucket(ids, values);
    next.#lines = this.#lines && ids.map((id) => (changes.has(id) ? undefined : this.#lineOf(id)));
    return next;
  }

  #lineOf(id: string): string | undefined {
    const slot = this.#slots.get(id);
    return slot === undefined ? undefined : this.#lines?.[slot];
  }

  /** What is hashed: the lines of the values, in the order of their ids. */
  text(hashing: Hashing<V>): string {
    const lines = (this.#lines ??= this.#values.map(() => undefined));
    for (let slot = 0; slot < lines.length; slot += 1) lines[slot] ??= hashing.line(this.#values[slot] as V);
    return hashing.text(lines as readonly string[]);
  }

  digest(hashing: Hashing<V>): string {
    return (this.#digest ??= shortHash(this.text(hashing)));
  }
}

class Branch<V extends Identified> {
  readonly #size: number;
  /** By the next bits of the hash; undefined where nothing lies. */
  readonly #children: readonly (Buckets<V> | undefined)[];
  #digest: string | undefined;

  constructor(children: readonly (Buckets<V> | undefined)[], size: number) {
    this.#children = children;
    this.#size = size;
    Object.freeze(this);
  }

  get size(): number {
    return this.#size;
  }

  child(way: number): Buckets<V> | undefined {
    return this.#children[way];
  }

  *values(): Generator<V> {
    for (const child of this.#children) if (child !== undefined) yield* child.values();
  }

  with(changes: Changes<V>, depth: number): Buckets<V> {
    const children = this.#children.slice();
    let size = this.#size;
    for (const [way, own] of byWay(changes, depth)) {
      const before = children[way] ?? (EMPTY as Buckets<V>);
      const child = before.with(own, depth + 1);
      size += child.size - before.size;
      children[way] = child.size === 0 ? undefined : child;
    }
    const next = new Branch(children, size);
    // The shape follows from the ids alone: what would have gone into one bucket goes into one bucket.
    return next.size > mostInBucket(depth) ? next : bucketOf(next.values());
  }

  /** What is hashed: the hashes below, by the bits that lead to them. */
  text(hashing: Hashing<V>): string {
    let text = "branch";
    for (const child of this.#children) text += child === undefined ? "\n" : `\n${child.digest(hashing)}`;
    return text;
  }

  digest(hashing: Hashing<V>): string {
    return (this.#digest ??= shortHash(this.text(hashing)));
  }
}

const EMPTY: Buckets<Identified> = new Bucket<Identified>([], []);

function bucketOf<V extends Identified>(values: Iterable<V>): Bucket<V> {
  const sorted = [...values].sort((a, b) => compareText(a.id, b.id));
  return new Bucket(
    sorted.map(({ id }) => id),
    sorted,
  );
}

function parted<V extends Identified>(values: readonly V[], depth: number): Branch<V> {
  const children: (Buckets<V> | undefined)[] = Array.from({ length: WAYS }, () => undefined);
  for (const [way, own] of byWay(new Map(values.map((value) => [value.id, value])), depth))
    children[way] = (EMPTY as Buckets<V>).with(own, depth + 1);
  return new Branch(children, values.length);
}

function byWay<V>(changes: Changes<V>, depth: number): Iterable<readonly [way: number, changes: Changes<V>]> {
  if (changes.size === 1) for (const [id] of changes) return [[(hashOf(id) >>> (depth * BITS)) & (WAYS - 1), changes]];
  const ways = new Map<number, Map<string, V | undefined>>();
  for (const [id, value] of changes) {
    const way = (hashOf(id) >>> (depth * BITS)) & (WAYS - 1);
    const own = ways.get(way) ?? new Map<string, V | undefined>();
    ways.set(way, own.set(id, value));
  }
  return ways;
}

/** FNV-1a with a last mixing, of the UTF-16 units. It only spreads ids over buckets; no digest rests on it. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
