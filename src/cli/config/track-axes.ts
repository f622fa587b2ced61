/** What a `run` is told that only one track knows: tiers and a judge, or conditions, modes and folds. */
import * as z from "zod";
import { FOLDS, type Track } from "../../cases/index.ts";
import { CONDITIONS, MODES, suggest, type Condition, type Mode, type Tier } from "../../runtime/index.ts";
import type { RunKind } from "../../tracks/index.ts";
import { tierOf } from "../choose.ts";
import { UserError } from "../user-error.ts";
import { mergeLayers, type Layer, type Merged } from "./layers.ts";

export const JUDGES = ["exact", "none"] as const;

/** The axes of a track. */
export type TrackAxes =
  | { readonly track: "maintenance"; readonly tiers: readonly Tier[]; readonly judge: (typeof JUDGES)[number] }
  | {
      readonly track: "deduction";
      readonly conditions: readonly Condition[];
      readonly modes: readonly Mode[];
      readonly folds: readonly number[];
    };

export const TRACK_SCHEMA = z.string().default("maintenance");

const words = z.array(z.string());
const before = { track: TRACK_SCHEMA, cases: words.optional() };
const count = { repeats: z.int().min(1).max(10_000).default(1), out: z.string().optional() };
const after = { concurrency: z.int().min(1).max(256).default(1), prices: z.string().optional() };

/** What a run of each track is told beside its agents; the order is that in which it is told. */
const SCHEMAS = {
  maintenance: z.strictObject({
    ...before,
    tiers: words.optional(),
    ...count,
    judge: z.string().default("exact"),
    ...after,
  }),
  deduction: z.strictObject({
    ...before,
    conditions: words.optional(),
    modes: words.optional(),
    folds: words.default([`${FOLDS[0]}-${FOLDS.length}`]),
    ...count,
    ...after,
  }),
} as const;

/** Settings in words, before they are made something of. */
export type Axes = z.output<(typeof SCHEMAS)[Track]>;

export function readAxes(track: Track, layers: readonly Layer[]): Merged<Axes> {
  return mergeLayers<z.ZodObject>(
    SCHEMAS[track],
    layers.map(({ values, from }) => ({ values: own(track, values), from })),
  ) as Merged<Axes>;
}

/** What a layer states of what the track knows. */
function own(track: Track, values: Layer["values"]): Layer["values"] {
  return Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(SCHEMAS[track].shape, key)));
}

/** What must be given, as flags name it. */
export function neededOf(axes: Axes): Readonly<Record<string, unknown>> {
  return "judge" in axes ? { tier: axes.tiers } : { condition: axes.conditions, mode: axes.modes };
}

/** How flags call settings that a file calls otherwise. */
export const FLAG_OF: Readonly<Record<string, string>> = {
  tiers: "--tier",
  conditions: "--condition",
  modes: "--mode",
};

const OTHER: Readonly<Record<Track, Track>> = { maintenance: "deduction", deduction: "maintenance" };

/** Refuses what is stated and only the other track knows. */
export function refuseOtherTrack(track: Track, layers: readonly Layer[]): void {
  const other = OTHER[track];
  for (const { values, from } of layers)
    for (const key of Object.keys(SCHEMAS[other].shape))
      if (values[key] !== undefined && !Object.hasOwn(SCHEMAS[track].shape, key))
        throw refusedKey(track, key, from(key));
}

/** Said in flags where a flag states it, and in keys where a file does. */
function refusedKey(track: Track, key: string, from: string): UserError {
  const isFlag = from.startsWith("--");
  const what = `${isFlag ? from : `${from} ${key}`} is of the track ${OTHER[track]}`;
  if (track === "maintenance") return new UserError(what, isFlag ? "add --track deduction" : "say track: deduction");
  if (key === "judge") return new UserError(what, "leave it out: a run of deduction needs no judge");
  return new UserError(what, isFlag ? "say --condition, --mode and --folds" : "say conditions, modes and folds");
}

export function conditionOf(word: string): Condition {
  const condition = CONDITIONS.find((one) => one === word);
  if (condition === undefined) throw new UserError(`there is no condition "${word}"`, suggest(word, CONDITIONS));
  return condition;
}

/** A mode, `m1` or `M1`. */
export function modeOf(word: string): Mode {
  const mode = MODES.find((one) => one === word.toUpperCase());
  if (mode === undefined) throw new UserError(`there is no mode "${word}"`, `there are: ${MODES.join(", ")}`);
  return mode;
}

/** The folds of a word: `3`, or `1-5`. */
export function foldsOf(word: string): readonly number[] {
  const [, from, to = from] = /^([0-9]{1,3})(?:-([0-9]{1,3}))?$/.exec(word) ?? [];
  const folds = FOLDS.filter((fold) => fold >= Number(from) && fold <= Number(to));
  if (folds.length > 0 && folds.length === Number(to) - Number(from) + 1) return folds;
  throw new UserError(`there is no fold "${word}"`, `folds are 1 to ${FOLDS.length}, such as 1-${FOLDS.length} or 1,3`);
}

/** The one fold of a word. */
export function foldOf(word: string): number {
  const fold = FOLDS.find((one) => String(one) === word);
  if (fold === undefined)
    throw new UserError(`there is no fold "${word}"`, `play takes one fold, from 1 to ${FOLDS.length}`);
  return fold;
}

export function judgeOf(word: string): (typeof JUDGES)[number] {
  const judge = JUDGES.find((one) => one === word);
  if (judge === undefined) throw new UserError(`there is no judge "${word}"`, `there are: ${JUDGES.join(", ")}`);
  return judge;
}

/** What the words come to; `at` makes something of a word that stands for a key. */
export function trackAxesOf(axes: Axes, at: <T>(key: string, word: string, make: (word: string) => T) => T): TrackAxes {
  const each = <T>(key: string, given: readonly string[] | undefined, make: (word: string) => T): readonly T[] => [
    ...new Set((given ?? []).map((word) => at(key, word, make))),
  ];
  if ("judge" in axes)
    return {
      track: "maintenance",
      tiers: each("tiers", axes.tiers, tierOf),
      judge: at("judge", axes.judge, judgeOf),
    };
  return {
    track: "deduction",
    conditions: each("conditions", axes.conditions, conditionOf),
    modes: each("modes", axes.modes, modeOf),
    folds: [...new Set(each("folds", axes.folds, foldsOf).flat())].sort((a, b) => a - b),
  };
}

/** Every form of its track in which cases are to be played, folds aside. */
export function kindsOf(axes: TrackAxes): readonly RunKind[] {
  if (axes.track === "maintenance") return axes.tiers.map((tier) => ({ track: axes.track, tier }));
  const { track, conditions, modes } = axes;
  return conditions.flatMap((condition) => modes.map((mode) => ({ track, condition, mode }) as const));
}

/** The same in words. */
export function sayKinds(axes: TrackAxes): string {
  return axes.track === "maintenance" ? axes.tiers.join(", ") : "deduction";
}
