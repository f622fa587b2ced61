/**
 * What of the evidence a prompt shows where it has not room for all: a stated rule, the same for every run. Facts are
 * never cut, or whoever is judged could hide one behind length; what may go, goes by kind and never by an order or a
 * number of entries, since those are the agent's to choose.
 */
import type { JsonObject } from "../endpoint/index.ts";
import { digestOf, type Json } from "../runtime/index.ts";
import { bytesOfEntry } from "./data-block.ts";
import { wellFormed } from "./text.ts";

/** A part of the evidence. Parts are given in the order of their weight for the verdict: triggers first. */
export interface Section {
  readonly title: string;
  /** The entries in full, then ever shorter. Facts have one level. */
  readonly levels: readonly (readonly JsonObject[])[];
  /** Whether it may be left out altogether, where not even its shortest entries fit. Only words may. */
  readonly mayGo?: true;
}

export interface FittedSection {
  readonly title: string;
  readonly data: readonly JsonObject[];
}

/** Bytes for all entries together. */
export interface Room {
  /** What is aimed at: down to it everything is shortened that may be. */
  readonly aim: number;
  /** What cannot be exceeded. */
  readonly most: number;
}

/**
 * Fits sections into room: the least important are shortened first, level by level, until all are at what is aimed at;
 * what may go altogether goes only where it would not fit at all. Undefined where what must be shown does not fit. What
 * is left out or shortened is said in the title. Sections without entries are dropped.
 */
export function fitSections(sections: readonly Section[], { aim, most }: Room): readonly FittedSection[] | undefined {
  const shown = sections
    .filter(({ levels }) => (levels[0] ?? []).length > 0)
    .map((section) => ({ section, level: 0, size: sizeOf(section.levels[0] ?? []) }));
  const total = (): number => shown.reduce((sum, { size }) => sum + size, 0);
  for (const one of shown.toReversed()) {
    while (total() > aim && one.level + 1 < one.section.levels.length) {
      one.level += 1;
      one.size = sizeOf(one.section.levels[one.level] ?? []);
    }
  }
  for (const one of shown.toReversed()) {
    if (total() <= most || one.section.mayGo !== true) continue;
    one.level = one.section.levels.length;
    one.size = 0;
  }
  if (total() > most) return undefined;
  return shown.map(({ section, level }) => {
    const data = section.levels[level] ?? [];
    return { title: titleOf(section, level, data.length), data };
  });
}

function sizeOf(entries: readonly JsonObject[]): number {
  return entries.reduce((sum, entry) => sum + bytesOfEntry(entry), 0);
}

function titleOf({ title, levels }: Section, level: number, shown: number): string {
  if (level === 0) return title;
  const full = (levels[0] ?? []).length;
  const lacking = full - shown;
  const shortened =
    shown > 0 && sizeOf(levels[level] ?? []) < sizeOf(levels[0] ?? []) && lacking === 0 ? "shortened for length" : "";
  const left = lacking > 0 ? `${lacking} of ${full} entries left out for length` : "";
  const notes = [shortened, left].filter((one) => one !== "");
  return notes.length === 0 ? title : `${title} (${notes.join("; ")})`;
}

/** Characters of a text value that are shown; the runtime allows 1,000, and stories need a tenth of that. */
export const VALUE_CHARACTERS = 400;

/** A value of the world with long texts clipped. The mark tells two texts apart that begin alike. */
export function clipValue(value: Json): Json {
  if (typeof value === "string") {
    if (value.length <= VALUE_CHARACTERS) return value;
    const mark = `[${value.length} characters, digest ${digestOf(value).slice(0, 8)}]`;
    return `${wellFormed(value.slice(0, VALUE_CHARACTERS))}… ${mark}`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(clipValue);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, clipValue(one)]));
}

/** Words, ever shorter: only texts are cut, so that no entry goes before another. */
export function wordLevels(entries: readonly JsonObject[], names: readonly JsonObject[]): Section["levels"] {
  const clipped = (all: readonly JsonObject[], characters: number): readonly JsonObject[] =>
    all.map((one) => clipWords(one, characters) as JsonObject);
  const all = [...entries, ...names];
  return [all, clipped(all, 200), clipped(all, 60), clipped(names, 60)];
}

function clipWords(value: Json, characters: number): Json {
  if (typeof value === "string")
    return value.length <= characters ? value : `${wellFormed(value.slice(0, characters - 1))}…`;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((one) => clipWords(one, characters));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, clipWords(one, characters)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
