/** What of the evidence a prompt shows where it has not room for all: a stated rule, the same for every run. */
import type { JsonObject } from "../endpoint/index.ts";
import type { Json } from "../runtime/index.ts";
import { bytesOfEntry } from "./data-block.ts";

/** A part of the evidence. Parts are given in the order of their weight for the verdict: triggers first. */
export interface Section {
  readonly title: string;
  /** The entries in full, then ever shorter. */
  readonly levels: readonly (readonly JsonObject[])[];
  /** Which of the room is kept for it, from 0 to 1, when even the shortest entries are too many. */
  readonly share: number;
  /** Which end is kept then. */
  readonly keep: "first" | "last";
}

export interface FittedSection {
  readonly title: string;
  readonly data: readonly JsonObject[];
}

/**
 * Fits sections into `room` bytes. First the least important sections are shortened, level by level, then the more
 * important ones; when all are at their shortest, each keeps as many entries as fit into its share and what the others
 * leave. What is left out or shortened is said in the title. Sections without entries are dropped.
 */
export function fitSections(sections: readonly Section[], room: number): readonly FittedSection[] {
  const there = sections.filter(({ levels }) => (levels[0] ?? []).length > 0);
  const level = there.map(() => 0);
  const sizes = there.map(({ levels }) => sizeOf(levels[0] ?? []));
  const total = (): number => sizes.reduce((sum, size) => sum + size, 0);
  for (let i = there.length - 1; i >= 0 && total() > room; i -= 1) {
    const { levels } = there[i] as Section;
    while (total() > room && (level[i] as number) + 1 < levels.length) {
      level[i] = (level[i] as number) + 1;
      sizes[i] = sizeOf(levels[level[i] as number] ?? []);
    }
  }
  let left = room;
  return there.map((section, i): FittedSection => {
    const kept = there
      .slice(i + 1)
      .reduce((sum, later, k) => sum + Math.min(sizes[i + 1 + k] as number, later.share * room), 0);
    const entries = section.levels[level[i] as number] ?? [];
    const shown = takeFitting(entries, Math.max(0, left - kept), section.keep);
    const data = shown.map((at) => entries[at] as JsonObject);
    left -= sizeOf(data);
    const shortened = sizeOf(entries) !== sizeOf((section.levels[0] ?? []).slice(0, entries.length));
    return { title: titleOf(section, shown.length, shortened), data };
  });
}

function sizeOf(entries: readonly JsonObject[]): number {
  return entries.reduce((sum, entry) => sum + bytesOfEntry(entry), 0);
}

function takeFitting(entries: readonly JsonObject[], room: number, keep: Section["keep"]): readonly number[] {
  const order = [...entries.keys()];
  if (keep === "last") order.reverse();
  const taken: number[] = [];
  let left = room;
  for (const at of order) {
    left -= bytesOfEntry(entries[at] as JsonObject);
    if (left < 0) break;
    taken.push(at);
  }
  return taken.sort((a, b) => a - b);
}

function titleOf(section: Section, shown: number, shortened: boolean): string {
  const full = (section.levels[0] ?? []).length;
  const lacking = full - shown;
  const notes = [
    ...(shortened ? ["shortened for length"] : []),
    ...(lacking > 0 ? [`${lacking} of ${full} entries left out for length`] : []),
  ];
  return notes.length === 0 ? section.title : `${section.title} (${notes.join("; ")})`;
}

/** An entry with long texts cut to `characters` and long lists and objects to `members`, at any depth. */
export function clipEntry(entry: JsonObject, characters: number, members: number): JsonObject {
  return clip(entry, characters, members) as JsonObject;
}

function clip(value: Json, characters: number, members: number): Json {
  if (typeof value === "string") {
    if (value.length <= characters) return value;
    return `${value.slice(0, characters - 1).replace(/\p{Surrogate}$/u, "")}…`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const kept = value.slice(0, members).map((one) => clip(one, characters, members));
    return kept.length === value.length ? kept : [...kept, `… (${value.length - kept.length} more)`];
  }
  const parts = Object.entries(value);
  const kept = parts.slice(0, members * 2).map(([key, one]) => [key, clip(one, characters, members)] as const);
  if (kept.length < parts.length) return { ...Object.fromEntries(kept), "…": `${parts.length - kept.length} more` };
  return Object.fromEntries(kept);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The entries in full, clipped, and clipped hard. */
export function levelsOf(entries: readonly JsonObject[]): Section["levels"] {
  return [entries, entries.map((one) => clipEntry(one, 200, 12)), entries.map((one) => clipEntry(one, 60, 5))];
}
