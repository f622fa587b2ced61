/** Everything a `run` is told, put together from flags, config file and environment, each with where it came from. */
import * as z from "zod";
import type { Tier } from "../../runtime/index.ts";
import { countOf, tierOf, wordsIn, wordsOf } from "../choose.ts";
import type { Environment } from "../endpoints.ts";
import { UserError } from "../user-error.ts";
import { agentSpecsOf, type AgentFlags, type AgentSpec } from "./agent-specs.ts";
import { mergeLayers, type Layer, type Setting } from "./layers.ts";
import { faultIn, inPlace, placeOfWord, type ConfigFile } from "./read-config.ts";
import { budgetsSchema, type SetBudgets } from "./schema.ts";

export interface RunFlags extends AgentFlags {
  readonly cases?: readonly string[] | undefined;
  readonly tier?: readonly string[] | undefined;
  readonly repeats?: number | undefined;
  readonly out?: string | undefined;
  readonly judge?: string | undefined;
  readonly prices?: string | undefined;
  readonly budgetTokens?: number | undefined;
  readonly budgetCost?: number | undefined;
  readonly budgetMinutes?: number | undefined;
}

const JUDGES = ["exact", "none"] as const;

/** What a run is told beside its agents; the order is that in which it is told. */
const axesSchema = z.strictObject({
  cases: z.array(z.string()).optional(),
  tiers: z.array(z.string()).optional(),
  repeats: z.int().min(1).max(10_000).default(1),
  out: z.string().optional(),
  judge: z.string().default("exact"),
  concurrency: z.int().min(1).max(256).default(1),
  prices: z.string().optional(),
});

export interface RunSettings {
  readonly cases: readonly string[];
  readonly tiers: readonly Tier[];
  readonly repeats: number;
  readonly out: string;
  readonly judge: (typeof JUDGES)[number];
  /** Of agents that ask nobody. */
  readonly concurrency: number;
  readonly prices?: string;
  readonly budgets: SetBudgets;
  readonly agents: readonly AgentSpec[];
  /** Every setting in force, with where it came from. */
  readonly said: readonly Setting[];
}

/** Throws UserError with the first thing that is missing or not possible. `builtIn` names the built-in agents. */
export function runSettingsOf(
  flags: RunFlags,
  config: ConfigFile | undefined,
  env: Environment,
  builtIn: readonly string[],
): RunSettings {
  const axes = mergeLayers(axesSchema, [axesOfFlags(flags), ...axesOfFile(config)]);
  const budgets = mergeLayers(budgetsSchema, [budgetsOfFlags(flags), ...budgetsOfFile(config)]);
  const agents = agentSpecsOf({ flags, config, env, builtIn });
  const { cases, tiers, out, judge, repeats, concurrency, prices } = axes.value;
  if (cases === undefined || tiers === undefined || agents === undefined || out === undefined)
    throw missing({ cases, tier: tiers, agent: agents, out });
  const placed = (key: string, word: string) => placeOfSaid(axes.said, config, key, word);
  return {
    cases,
    tiers: tiers.map((word) => inPlace(placed("tiers", word), () => tierOf(word))),
    repeats,
    out,
    judge: inPlace(placed("judge", judge), () => judgeOf(judge)),
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

function axesOfFlags({ cases, tier, repeats, out, judge, concurrency, prices }: RunFlags): Layer {
  const values = {
    cases: cases === undefined ? undefined : wordsOf("cases", cases),
    tiers: tier === undefined ? undefined : wordsOf("tier", tier),
    repeats: repeats === undefined ? undefined : countOf("repeats", repeats, 10_000),
    out,
    judge,
    concurrency: concurrency === undefined ? undefined : countOf("concurrency", concurrency, 256),
    prices,
  };
  return { values, from: (key) => (key === "tiers" ? "--tier" : `--${key}`) };
}

function axesOfFile(config: ConfigFile | undefined): readonly Layer[] {
  if (config === undefined) return [];
  const { cases, tiers, repeats, out, judge, concurrency, prices } = config.config;
  const values = {
    cases: cases === undefined ? undefined : wordsInFile(config, "cases", cases),
    tiers: tiers === undefined ? undefined : wordsInFile(config, "tiers", tiers),
    repeats,
    out: out === undefined ? undefined : config.resolve(out),
    judge,
    concurrency,
    prices: prices === undefined ? undefined : config.resolve(prices),
  };
  return [{ values, from: (key) => config.place([key]) }];
}

function wordsInFile(config: ConfigFile, key: string, stated: string | readonly string[]): readonly string[] {
  const words = wordsIn([stated].flat());
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

function judgeOf(word: string): (typeof JUDGES)[number] {
  const judge = JUDGES.find((one) => one === word);
  if (judge === undefined) throw new UserError(`there is no judge "${word}"`, `there are: ${JUDGES.join(", ")}`);
  return judge;
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
