/**
 * The engine with points at which it can break: wherever one of its files has called into another, and wherever
 * anything is about to be put into a list, map or set or to be frozen. All files are found, none is named here, so that
 * no later one is forgotten. What is imported before `putPoints` has none.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../../src/runtime");

/** What is thrown at a point. Its stack is nobody's concern, and costs. */
export class Injected extends Error {
  override readonly stack = "";
}

type Call = (...args: readonly never[]) => unknown;

/** What stands in the place of functions of the engine, by `file.ts name`; each is given the true one. */
export type Variant = Readonly<Record<string, (real: Call) => unknown>>;

/** Which points count, by name: asked for each name once. */
export class Points {
  readonly #only: (name: string) => boolean;
  readonly #asked: Record<string, boolean> = Object.create(null) as Record<string, boolean>;

  constructor(only: (name: string) => boolean) {
    this.#only = only;
  }

  has(name: string): boolean {
    // A map would pass a point itself.
    return (this.#asked[name] ??= this.#only(name));
  }

  get names(): readonly string[] {
    return Object.keys(this.#asked);
  }
}

interface Watch {
  readonly points: Points;
  readonly at: number;
  passed: number;
  name: string | undefined;
}

let watched: Watch | undefined;
let variant: Variant = {};

/** Passes a point, and breaks there where it is the one. */
export function point(name: string): void {
  if (watched === undefined || !watched.points.has(name)) return;
  watched.passed += 1;
  if (watched.passed - 1 !== watched.at) return;
  watched.name = name;
  throw new Injected(name);
}

/** Plays with a break at number `at` (from 0) of `points`. `name` is that point's, where it was reached. */
export function breakAt<T>(
  at: number,
  points: Points,
  play: () => T,
): { readonly value: T; readonly name: string | undefined } {
  const watch: Watch = { points, at, passed: 0, name: undefined };
  watched = watch;
  try {
    const value = play();
    return { value, name: watch.name };
  } finally {
    watched = undefined;
  }
}

/** Plays with parts of the engine replaced. */
export function withVariant<T>(parts: Variant, play: () => T): T {
  variant = parts;
  try {
    return play();
  } finally {
    variant = {};
  }
}

/** Puts points into the language, and into every file of the engine that is imported from now on; for good. */
export function putPoints(): void {
  for (const one of PRIMITIVES) breakPrimitive(one);
  for (const file of readdirSync(ROOT, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!file.endsWith(".ts") || file.endsWith("index.ts")) continue;
    const make = async (original: () => Promise<object>): Promise<object> => breakingModule(file, await original());
    vi.doMock(path.join(ROOT, file), make as Parameters<typeof vi.doMock>[1]);
  }
}

function breakingModule(file: string, real: object): object {
  return Object.fromEntries(
    Object.entries(real).map(([key, value]: [string, unknown]) => {
      if (typeof value !== "function") return [key, value];
      const name = `${file} ${key}`;
      return [key, isClass(value) ? breakingClass(name, value) : breaking(name, value as Call)];
    }),
  );
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** Its methods break; the class stays the same one. */
function breakingClass(name: string, real: object): object {
  const { prototype } = real as { readonly prototype: object };
  for (const [key, { value, ...how }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    if (key !== "constructor" && typeof value === "function")
      Object.defineProperty(prototype, key, { ...how, value: breaking(`${name}.${key}`, value as Call) });
  return real;
}

function breaking(name: string, real: Call): Call {
  const after = `after ${name}`;
  return function (this: unknown, ...args) {
    const made = variant[name]?.(real) ?? real;
    const result: unknown = Reflect.apply(made as Call, this, args);
    point(after);
    return result;
  };
}

const PRIMITIVES: readonly (readonly [owner: object, key: string, name: string])[] = [
  [Array.prototype, "push", "before push"],
  [Map.prototype, "set", "before map.set"],
  [Set.prototype, "add", "before set.add"],
  [WeakMap.prototype, "set", "before weakmap.set"],
  [Object, "freeze", "before freeze"],
];

/** Puts a point before what the language itself writes with. */
function breakPrimitive([owner, key, name]: (typeof PRIMITIVES)[number]): void {
  const known = Object.getOwnPropertyDescriptor(owner, key) as PropertyDescriptor;
  const value = function (this: unknown, ...args: readonly unknown[]): unknown {
    if (watched !== undefined) point(name);
    return Reflect.apply(known.value as Call, this, args);
  };
  Object.defineProperty(owner, key, { ...known, value });
}
