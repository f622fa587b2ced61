/** What `judge --judge model` says when it is done: lines for people, JSON for machines, the exit code. */
import type { StandingCounts } from "../../contracts/index.ts";
import {
  ANSWER_TOKENS,
  nameOfReparsed,
  type EstimatedRun,
  type EstimateOptions,
  type JudgedSet,
  type JudgeEstimate,
  type ModelJudge,
  type ReparsedRun,
  type RunInJudgedSet,
} from "../../judges/index.ts";
import { sayCost, tableLines } from "../../report/index.ts";
import { sayCommand } from "../called-as.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";

export interface AboutJudging {
  readonly judge: ModelJudge;
  readonly host: string;
  readonly as: string;
  readonly set: string;
  readonly casesDir: string | undefined;
}

type Judged = Extract<RunInJudgedSet["result"], { kind: "judged" }>;

function judgedOf({ runs }: JudgedSet): readonly Judged[] {
  return runs.flatMap(({ result }) => (result.kind === "judged" ? [result] : []));
}

function sumOf<T>(all: readonly T[], count: (one: T) => number): number {
  return all.reduce((sum, one) => sum + count(one), 0);
}

/** The closing lines. */
export function judgedLines(judged: JudgedSet, { judge, host, as, set, casesDir }: AboutJudging): readonly string[] {
  const done = judgedOf(judged);
  const { spent } = judged;
  const votes = judge.votes === 1 ? "1 vote" : `${judge.votes} votes`;
  const scores = done.map(({ score }) => score);
  const undecided = sumOf(scores, (score) => score.undecided);
  const silent = sumOf(scores, (score) => score.judgeFaults ?? 0);
  return [
    `Judge: ${judge.name}, ${judge.model.model} at ${host}, ${votes} an item. ${done.length} judged of ${count(judged.runs.length, "run")}, as ${as}.`,
    `${count(spent.answers, "answer")}, ${count(spent.tokens, "token")}${spent.estimated > 0 ? ` (of ${spent.estimated} answers estimated)` : ""}, ${sayCost(spent)}; ${sumOf(done, (one) => one.cached)} more from the cache.`,
    ...(done.length === 0 ? [] : [sayStanding(done), ...sayFlips(done)]),
    ...(undecided === 0 ? [] : [`Undecided: ${undecided}, to ${silent} of which the endpoint brought no answer.`]),
    ...saySilent(scores),
    ...(done.length === 0 ? [] : [`To score them: ${sayCommand(["score", set, "--as", as], casesDir)}`]),
  ];
}

/** Runs about which the endpoint refused to say anything: they are judged to their end, and yet hold no verdict. */
function saySilent(scores: readonly Judged["score"][]): readonly string[] {
  const silent = scores.filter(({ items }) => {
    const own = items.filter(({ kind, scored }) => scored && "EAP".includes(kind));
    return own.length > 0 && own.every(({ noAnswer }) => noAnswer === true);
  }).length;
  if (silent === 0) return [];
  return [
    `Of ${silent} of ${count(scores.length, "judged run")} the endpoint refused every question: nothing of ${silent === 1 ? "it" : "them"} is judged, and asking again would bring the same.`,
  ];
}

/** How much of what passes rests on the judge's word alone. */
function sayStanding(done: readonly Judged[]): string {
  const { confirmed, word, refused } = standingIn(done);
  const passes = confirmed + word;
  const share = passes === 0 ? "" : ` (${((100 * word) / passes).toFixed(0)} %)`;
  return `${word} of ${passes} passes rest on the judge's word alone${share}; the audit turned ${refused}.`;
}

function standingIn(done: readonly Judged[]): Pick<StandingCounts, "confirmed" | "word" | "refused"> {
  const of = (key: "confirmed" | "word" | "refused"): number => sumOf(done, ({ score }) => score.standing?.[key] ?? 0);
  return { confirmed: of("confirmed"), word: of("word"), refused: of("refused") };
}

function sayFlips(done: readonly Judged[]): readonly string[] {
  const flips = done.flatMap(({ score }) => score.flips ?? []);
  if (flips.length === 0) return [];
  return [
    `Flips of what the exact judge failed: ${count(
      sumOf(flips, ({ E }) => E),
      "event",
    )}, ${count(
      sumOf(flips, ({ A }) => A),
      "structure",
    )}.`,
  ];
}

/** Why it stopped and how to go on; undefined where it did not. */
export function stopOfJudged({ stop, runs }: JudgedSet, about: AboutJudging): string | undefined {
  const again = "To go on, give the same command again; nothing that was answered is asked again.";
  switch (stop?.kind) {
    case "interrupted":
      return `Stopped. ${again}`;
    case "fault":
      return `Stopped, since ${about.host} answers no question: ${stop.fault.message} (${stop.fault.kind}). When that is mended, give the same command again; nothing that was answered is asked again.`;
    case "budget":
      return `Stopped: the budget of ${BUDGETS[stop.which](stop.setting)} is reached, measured were ${BUDGETS[stop.which](stop.measured)}. To go on, raise it and give the command again.`;
    case undefined: {
      const fault = runs.map(({ result }) => (result.kind === "open" ? result.fault : undefined)).findLast(Boolean);
      return fault && `Some questions were not answered: ${fault.message} (${fault.kind}). ${again}`;
    }
  }
}

const BUDGETS = {
  set_tokens: (n: number) => `${n} tokens`,
  set_cost: (n: number) => `$${Number(n.toFixed(6))}`,
  set_wall: (n: number) => `${Number((n / 60_000).toFixed(2))} minutes`,
} as const;

/** 130 where somebody stopped it; 3 where the endpoint was at fault; 1 where a budget leaves runs open, or a record does. */
export function codeOfJudged(judged: JudgedSet): ExitCode {
  const { stop, runs } = judged;
  const has = (kind: RunInJudgedSet["result"]["kind"]): boolean => runs.some(({ result }) => result.kind === kind);
  if (stop?.kind === "interrupted") return EXIT.interrupted;
  if (stop?.kind === "fault") return EXIT.endpointFault;
  if (runs.some(({ result }) => result.kind === "open" && result.fault !== undefined)) return EXIT.endpointFault;
  return stop !== undefined || has("open") || has("fault") || !has("judged") ? EXIT.failed : EXIT.done;
}

/** The shape of `judge --json` where the judge is a model. */
export function judgedJson(judged: JudgedSet, { judge, host, as }: AboutJudging): unknown {
  const { spent, spentInAll, stop, format } = judged;
  return {
    judge: judge.name,
    model: judge.model.model,
    host,
    votes: judge.votes,
    format: format ?? null,
    as,
    judged: judgedOf(judged).length,
    runs: judged.runs.map(({ run, result }) => ({ run, ...runJson(result) })),
    standing: standingIn(judgedOf(judged)),
    spent: sumsJson(spent),
    spentInAll: sumsJson(spentInAll),
    stopped: stop ?? null,
  };
}

function runJson(result: RunInJudgedSet["result"]): Readonly<Record<string, unknown>> {
  switch (result.kind) {
    case "judged": {
      const { score, asked, cached } = result;
      const { undecided, judgeFaults = 0, standing = null, flips = null } = score;
      return { status: "judged", asked, cached, undecided, judgeFaults, standing, flips };
    }
    case "open":
      return { status: "open", left: result.left, ...(result.fault === undefined ? {} : { fault: result.fault }) };
    case "left":
    case "fault":
      return { status: result.kind, why: result.why };
  }
}

function sumsJson({ answers, tokens, estimated, costUsd, unpriced }: JudgedSet["spent"]): unknown {
  return { answers, tokens, estimated, costUsd: unpriced > 0 ? null : roundCost(costUsd), unpriced };
}

/** To a billionth of a dollar: a sum of floats has digits that mean nothing. */
function roundCost(costUsd: number): number {
  return Number(costUsd.toFixed(9));
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

type Estimates = readonly { readonly run: string; readonly estimate: EstimatedRun }[];

/** What would be asked, run by run and in all. */
export function estimateLines(estimates: Estimates, { judge, host }: EstimateOptions): readonly string[] {
  const known = estimates.flatMap(({ run, estimate }) => (estimate.kind === "estimate" ? [{ run, ...estimate }] : []));
  const left = estimates.flatMap(({ run, estimate }) =>
    estimate.kind === "estimate" ? [] : [{ run, why: estimate.why }],
  );
  const total = { run: "in all", ...totalOf(known) };
  return [
    `Dry run: nothing is sent. ${judge.name}, ${judge.model.model} at ${host}.`,
    ...tableLines<{ run: string } & Omit<JudgeEstimate, "kind">>(
      [
        { head: "run", cell: ({ run }) => run },
        { head: "who is who", cell: ({ identities }) => String(identities) },
        { head: "events", cell: ({ items }) => String(items.event) },
        { head: "structures", cell: ({ items }) => String(items.structure) },
        { head: "probes", cell: ({ items }) => String(items.probe) },
        { head: "answered", cell: ({ settled }) => String(settled) },
        { head: "requests", cell: ({ requests }) => String(requests) },
        { head: "tokens sent", cell: ({ promptTokens }) => String(promptTokens) },
        { head: "tokens back", cell: ({ answerTokens }) => String(answerTokens) },
        { head: "cost", cell: ({ costUsd }) => (costUsd === null ? "—" : `$${costUsd.toFixed(4)}`) },
      ],
      [...known, total],
    ),
    ...left.map(({ run, why }) => `${run} is not judged: ${why}`),
    ...(total.tooLong === 0
      ? []
      : [
          `${count(total.tooLong, "question")} will not be asked: what a judge must be shown is longer than a prompt. Undecided.`,
        ]),
    `Tokens are estimated: prompts at 3 bytes a token, ${ANSWER_TOKENS} an answer, thinking not counted. What the cache holds would be free; an answer that cannot be read is asked for again.`,
  ];
}

function totalOf(all: readonly JudgeEstimate[]): Omit<JudgeEstimate, "kind"> {
  const costs = all.map(({ costUsd }) => costUsd);
  return {
    identities: sumOf(all, (one) => one.identities),
    items: {
      event: sumOf(all, ({ items }) => items.event),
      structure: sumOf(all, ({ items }) => items.structure),
      probe: sumOf(all, ({ items }) => items.probe),
    },
    requests: sumOf(all, (one) => one.requests),
    settled: sumOf(all, (one) => one.settled),
    tooLong: sumOf(all, (one) => one.tooLong),
    promptTokens: sumOf(all, (one) => one.promptTokens),
    answerTokens: sumOf(all, (one) => one.answerTokens),
    costUsd: costs.includes(null) ? null : roundCost(sumOf(costs, (one) => one ?? 0)),
  };
}

export function estimateJson(estimates: Estimates, { judge, host, as }: EstimateOptions): unknown {
  const known = estimates.flatMap(({ estimate }) => (estimate.kind === "estimate" ? [estimate] : []));
  return {
    dryRun: true,
    judge: judge.name,
    model: judge.model.model,
    host,
    votes: judge.votes,
    as,
    runs: estimates.map(({ run, estimate: { kind, ...rest } }) =>
      kind === "estimate" ? { run, ...rest } : { run, status: kind, ...rest },
    ),
    total: totalOf(known),
  };
}

type Reparsed = readonly { readonly run: string; readonly result: ReparsedRun }[];

export function reparsedLines(
  read: Reparsed,
  as: string,
  { set, casesDir }: { readonly set: string; readonly casesDir?: string | undefined },
): readonly string[] {
  const name = nameOfReparsed(as);
  const done = read.filter(({ result }) => result.kind === "judged");
  return [
    ...read.flatMap(({ run, result }) => (result.kind === "judged" ? [] : [`${run} is not read again: ${result.why}`])),
    `${done.length} of ${read.length} runs read again from the answers ${as}, as ${name}. Nobody was asked.`,
    ...(done.length === 0 ? [] : [`To score them: ${sayCommand(["score", set, "--as", name], casesDir)}`]),
  ];
}

export function reparsedJson(read: Reparsed, as: string): unknown {
  return {
    answers: as,
    as: nameOfReparsed(as),
    judged: read.filter(({ result }) => result.kind === "judged").length,
    runs: read.map(({ run, result }) =>
      result.kind === "judged"
        ? { run, status: "judged", parser: result.parser, undecided: result.score.undecided }
        : { run, status: result.kind, why: result.why },
    ),
  };
}
