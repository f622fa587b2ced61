/** What a `run` came to: its JSON, its last lines and its exit code. Pure. */
import { basename, resolve } from "node:path";
import { sayCost } from "../report/index.ts";
import type { Spending } from "../records/index.ts";
import type { PlayedRun, ScoredRun, SetResult, SetStop } from "../tracks/index.ts";
import type { Setting } from "./config/layers.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { deductionFigures, howOf } from "./run-fields.ts";

/** `run --json`. */
export function runJson(
  out: string,
  { runs, spent, unanswered, stop }: SetResult,
  scored: readonly ScoredRun[],
  settings: readonly Setting[],
): unknown {
  const scores = new Map(scored.map((one) => [one.run, one]));
  return {
    set: basename(resolve(out)),
    path: out,
    planned: runs.length,
    outcomes: countOutcomes(runs),
    tokens: spent.tokens,
    costUsd: costOfAll(spent),
    spent: { ...spent, costUsd: costOfAll(spent) },
    unanswered,
    stopped: stop ?? null,
    settings,
    runs: runs.map((played) => {
      const { run, case: case_, agent, repeat, outcome, skipped, detail, fault } = played;
      return {
        run,
        case: case_,
        ...howOf(played),
        agent,
        repeat,
        outcome,
        skipped,
        ...(detail === undefined ? {} : { detail }),
        ...(fault === undefined ? {} : { fault }),
        ...figuresOf(scores.get(run)),
      };
    }),
  };
}

/** What scoring adds to a run: nothing where it has no score. */
function figuresOf(scored: ScoredRun | undefined): object {
  if (scored?.score === undefined) return {};
  if (scored.track === "deduction") return deductionFigures(scored.score, scored.mode);
  const { judge, completion, relation } = scored.score;
  return { judge, completion: completion.rate, relation: relation.rate };
}

/** What every answer together cost; null where the cost of one is not known. */
function costOfAll({ costUsd, unpriced }: Spending): number | null {
  return unpriced === 0 ? costUsd : null;
}

/** How many runs ended how. Runs that could not be played have not ended. */
export function countOutcomes(played: readonly PlayedRun[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of played) if (outcome !== null) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Most faults that are told one by one. */
const FAULTS_TOLD = 5;

/** The last lines of a set of models: outcomes, what it cost, and what endpoints did wrong. */
export function closingLines(result: SetResult): readonly string[] {
  const { runs, before } = result;
  const refused = runs.filter(({ outcome }) => outcome === null).length;
  const counts = [
    ...Object.entries(countOutcomes(runs)).map(([outcome, n]) => `${n} ${outcome}`),
    ...(refused === 0 ? [] : [`${refused} not played`]),
  ];
  const earlier = before === undefined || before.answers === 0 ? "" : `; before it ${saySpent(before)}`;
  return [`${counts.join(", ")}. This command: ${sayAsked(result)}${earlier}.`, ...faultLines(runs)];
}

/** What this command asked and what came of it. */
function sayAsked({ runs, spent, unanswered: { requests, attempts } }: SetResult): string {
  const many = attempts > requests ? ` (${attempts} attempts)` : "";
  if (spent.answers > 0) {
    const none = requests === 0 ? "" : `; ${requests} ${requests === 1 ? "request" : "requests"}${many} brought none`;
    return `${saySpent(spent)}${none}`;
  }
  if (requests > 0) return `no answer came to ${requests} ${requests === 1 ? "request" : "requests"}${many}`;
  const idle = runs.every(({ skipped, outcome }) => skipped || outcome === null);
  return idle ? "nothing was asked" : "no answer came";
}

/** What is said of runs that another command plays at this moment; undefined where there are none. */
export function heldLine(runs: readonly PlayedRun[], again: string): string | undefined {
  const held = runs.filter(({ faultCode }) => faultCode === "locked").length;
  if (held === 0) return undefined;
  const which = held === 1 ? "1 run is" : `${held} runs are`;
  return `${which} held by another command, and left to it. When that has ended, this gives the whole: ${again}`;
}

/** `12345 tokens in 40 answers, $0.12`; what is estimated or not known is said. */
function saySpent(spent: Spending): string {
  const { answers, tokens, estimated, untold } = spent;
  const unsure = [
    ...(estimated === 0 ? [] : [`${estimated} estimated`]),
    ...(untold === 0 ? [] : [`${untold} not told and not counted`]),
  ];
  const told = unsure.length === 0 ? "" : ` (${unsure.join(", ")})`;
  return `${tokens} tokens in ${answers} ${answers === 1 ? "answer" : "answers"}${told}, ${sayCost(spent)}`;
}

function faultLines(runs: readonly PlayedRun[]): readonly string[] {
  const faults = runs.filter(({ outcome }) => outcome === "endpoint_fault");
  const told = faults.slice(0, FAULTS_TOLD).map(({ run, detail }) => `${run}: ${sayFault(detail)}`);
  const more = faults.length - told.length;
  return more > 0 ? [...told, `… and ${more} more that ended on an endpoint's fault`] : told;
}

/** The fault that an outcome's detail holds, as a line. */
function sayFault(detail: PlayedRun["detail"]): string {
  if (typeof detail === "string") return detail;
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return "a fault of the endpoint";
  const { kind, status, message } = detail as Readonly<Record<string, unknown>>;
  const at = typeof status === "number" ? ` (HTTP ${status})` : "";
  return `${typeof kind === "string" ? kind : "fault"}${at}${typeof message === "string" && message !== "" ? `: ${message}` : ""}`;
}

/**
 * Why a set stopped, in a line. `again` is the command that goes on with it; `settings` say where a budget was stated.
 */
export function stopLine(stop: SetStop, again: string, out: string, settings: readonly Setting[]): string {
  switch (stop.kind) {
    case "interrupted":
      return `Stopped. To go on, give the same command again; what was played is kept in ${out}.`;
    case "fault":
      return `Stopped at ${stop.run}, since no run of ${stop.agent} could do better: ${closed(stop.why)} When that is mended, go on with: ${again}`;
    case "disk":
      return `Stopped at ${stop.run}: ${closed(stop.why)} What was written is kept; go on with: ${again}`;
    case "budget":
      return `Stopped: ${sayBudget(stop, settings)}. Runs under way are left open. To go on, raise it: ${again}`;
  }
}

const BUDGETS = {
  set_tokens: { setting: "budgets.tokens", say: (n: number) => `${n} tokens` },
  set_cost: { setting: "budgets.costUsd", say: (n: number) => `$${Number(n.toFixed(6))}` },
  set_wall: { setting: "budgets.minutes", say: (n: number) => `${Number((n / 60_000).toFixed(2))} minutes` },
} as const;

function sayBudget(stop: Extract<SetStop, { kind: "budget" }>, settings: readonly Setting[]): string {
  const { setting, say } = BUDGETS[stop.which];
  const from = settings.find(({ name }) => name === setting)?.from;
  return `the budget of ${say(stop.setting)}${from === undefined ? "" : ` (${from})`} is reached, measured were ${say(stop.measured)}`;
}

function closed(sentence: string): string {
  return /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** 130 where somebody stopped it; 3 where an endpoint was at fault; 1 where runs are left unfinished or not played, or we failed. */
export function codeOf({ runs, stop }: SetResult, unjudged: boolean): ExitCode {
  const has = (outcome: PlayedRun["outcome"]): boolean => runs.some((run) => run.outcome === outcome);
  if (stop?.kind === "interrupted") return EXIT.interrupted;
  if (stop?.kind === "disk") return EXIT.failed;
  if (stop?.kind === "fault" || has("endpoint_fault")) return EXIT.endpointFault;
  return unjudged || has("engine_fault") || has("cancelled") || has(null) ? EXIT.failed : EXIT.done;
}
