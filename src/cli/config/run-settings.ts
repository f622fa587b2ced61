/** Everything a `run` is told, put together from flags, config file and environment, each with where it came from. */
import * as z from "zod";
import type { Track } from "../../cases/index.ts";
import { countOf, wordsIn, wordsOf } from "../choose.ts";
import type { Environment } from "../endpoints.ts";
import { trackOf } from "../cases/of-track.ts";
import { UserError } from "../user-error.ts";
import { agentSpecsOf, type AgentFlags, type AgentSpec } from "./agent-specs.ts";
import { mergeLayers, type Layer, type Setting } from "./layers.ts";
import { faultIn, inPlace, placeOfWord, type ConfigFile } from "./read-config.ts";
import { budgetsSchema, type SetBudgets } from "./schema.ts";
import {
  FLAG_OF,
  neededOf,
  readAxes,
  refuseOtherTrack,
  trackAxesOf,
  TRACK_SCHEMA,
  type TrackAxes,
} from "./track-axes.ts";

export interface RunFlags extends AgentFlags {
  readonly track?: string | undefined;
  readonly cases?: readonly string[] | undefined;
  readonly tier?: readonly string[] | undefined;
  readonly condition?: readonly string[] | undefined;
  readonly mode?: readonly string[] | undefined;
  readonly folds?: readonly string[] | undefined;
  readonly repeats?: number | undefined;
  readonly out?: string | undefined;
  readonly judge?: string | undefined;
  readonly prices?: string | undefined;
  readonly budgetTokens?: number | undefined;
  readonly budgetCost?: number | undefined;
  readonly budgetMinutes?: number | undefined;
}

interface SharedSettings {
  readonly cases: readonly string[];
  readonly repeats: number;
  readonly out: string;
  /** Of agents that ask nobody. */
  readonly concurrency: number;
  readonly prices?: string;
  readonly budgets: SetBudgets;
  readonly agents: readonly AgentSpec[];
  /** Every setting in force, with where it came from. */
  readonly said: readonly Setting[];
}

export type RunSettings = SharedSettings & TrackAxes;

/** Throws UserError with the first thing that is missing or not possible. `builtIn` names the built-in agents. */
export function runSettingsOf(
  flags: RunFlags,
  config: ConfigFile | undefined,
  env: Environment,
  builtIn: readonly string[],
): RunSettings {
  const layers = [axesOfFlags(flags), ...axesOfFile(config)];
  const track = trackOfLayers(layers, config);
  refuseOtherTrack(track, layers);
  const axes = readAxes(track, layers);
  const budgets = mergeLayers(budgetsSchema, [budgetsOfFlags(flags), ...budgetsOfFile(config)]);
  const agents = agentSpecsOf({ flags, config, env, builtIn });
  const { cases, out, repeats, concurrency, prices } = axes.value;
  const needed = neededOf(axes.value);
  if (cases === undefined || agents === undefined || out === undefined || Object.values(needed).includes(undefined))
    throw missing({ cases, ...needed, agent: agents, out });
  return {
    ...trackAxesOf(axes.value, (key, word, make) =>
      inPlace(placeOfSaid(axes.said, config, key, word), () => make(word)),
    ),
    cases,
    repeats,
    out,
    concurrency,
    ...(prices === undefined ? {} : { prices }),
    budgets: budgets.value,
    agents,
    said: [
      ...axes.said,
      ...budgets.said.map((one) => ({ ...one, name: `budgets.${one.name}` })),
      ...agents.flatMap(saidOf),
    ],
  };
}

function trackOfLayers(layers: readonly Layer[], config: ConfigFile | undefined): Track {
  const { value, said } = mergeLayers(
    z.strictObject({ track: TRACK_SCHEMA }),
    layers.map(({ values, from }) => ({ values: { track: values["track"] }, from })),
  );
  return inPlace(placeOfSaid(said, config, "track", value.track), () => trackOf(value.track));
}

function axesOfFlags(flags: RunFlags): Layer {
  const { track, cases, tier, condition, mode, folds, repeats, out, judge, concurrency, prices } = flags;
  const words = (option: string, given: readonly string[] | undefined) =>
    given === undefined ? undefined : wordsOf(option, given);
  const values = {
    track,
    cases: words("cases", cases),
    tiers: words("tier", tier),
    conditions: words("condition", condition),
    modes: words("mode", mode),
    folds: words("folds", folds),
    repeats: repeats === undefined ? undefined : countOf("repeats", repeats, 10_000),
    out,
    judge,
    concurrency: concurrency === undefined ? undefined : countOf("concurrency", concurrency, 256),
    prices,
  };
  return { values, from: (key) => FLAG_OF[key] ?? `--${key}` };
}

function axesOfFile(config: ConfigFile | undefined): readonly Layer[] {
  if (config === undefined) return [];
  const { track, cases, tiers, conditions, modes, folds, repeats, out, judge, concurrency, prices } = config.config;
  const words = (key: string, stated: string | number | readonly (string | number)[] | undefined) =>
    stated === undefined ? undefined : wordsInFile(config, key, [stated].flat().map(String));
  const values = {
    track,
    cases: words("cases", cases),
    tiers: words("tiers", tiers),
    conditions: words("conditions", conditions),
    modes: words("modes", modes),
    folds: words("folds", folds),
    repeats,
    out: out === undefined ? undefined : config.resolve(out),
    judge,
    concurrency,
    prices: prices === undefined ? undefined : config.resolve(prices),
  };
  return [{ values, from: (key) => config.place([key]) }];
}

function wordsInFile(config: ConfigFile, key: string, stated: readonly string[]): readonly string[] {
  const words = wordsIn(stated);
  if (words === undefined) throw faultIn(config, [key], `${key} names nothing, or has a comma too many`);
  return words;
}

/** Where a word stands in the config file; undefined where a flag states it, or nothing does. */
export function placeOfSaid(
  said: readonly Setting[],
  config: ConfigFile | undefined,
  key: string,
  word: string,
): string | undefined {
  const from = said.find(({ name }) => name === key)?.from;
  if (config === undefined || from === undefined || from === "default" || from.startsWith("--")) return undefined;
  return placeOfWord(config, key, word);
}

const BUDGET_FLAGS: Readonly<Record<string, string>> = {
  tokens: "--budget-tokens",
  costUsd: "--budget-cost",
  minutes: "--budget-minutes",
};

function budgetsOfFlags({ budgetTokens, budgetCost, budgetMinutes }: RunFlags): Layer {
  const values = { tokens: budgetTokens, costUsd: budgetCost, minutes: budgetMinutes };
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw new UserError(
        `${BUDGET_FLAGS[key] ?? key} takes a ${key === "tokens" ? "whole number" : "number"} above 0`,
        "leave it away for no limit",
      );
  return { values, from: (key) => BUDGET_FLAGS[key] ?? key };
}

function budgetsOfFile(config: ConfigFile | undefined): readonly Layer[] {
  if (config?.config.budgets === undefined) return [];
  return [{ values: config.config.budgets, from: (key) => config.place(["budgets", key]) }];
}

function missing(given: Readonly<Record<string, unknown>>): UserError {
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [`--${name}`] : []));
  return new UserError(`${names.join(", ")} must be given; usage: worldagent run (--help says more)`);
}

function saidOf(spec: AgentSpec): readonly Setting[] {
  if (spec.kind === "built-in") return [{ name: `agents.${spec.name}`, value: "built-in", from: spec.from }];
  return [
    { name: `agents.${spec.name}.name`, value: spec.name, from: spec.nameFrom },
    ...spec.resolved.said.map((one) => ({ ...one, name: `agents.${spec.name}.${one.name}` })),
  ];
}
