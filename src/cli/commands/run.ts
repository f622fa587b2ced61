import { basename, resolve } from "node:path";
import { AGENTS } from "../../agents/index.ts";
import { costOf, isReached, readPrices, type Preflight, type Prices } from "../../endpoint/index.ts";
import { escapeText, preflightLines, scoreLines } from "../../report/index.ts";
import {
  agentOfRun,
  forgetAgent,
  readPlanned,
  readRunProgress,
  requireSet,
  runNamesIn,
  runPath,
  type CostOf,
} from "../../records/index.ts";
import {
  idOfPlan,
  planSet,
  playSet,
  requireFit,
  requireSameCases,
  type Agent,
  type JudgedRun,
  type RunPlan,
  type ScoredRun,
  type SetBudgets,
  type SetPlan,
  type SetResult,
} from "../../tracks/index.ts";
import type { AnyCase } from "../../cases/index.ts";
import { suggest } from "../../runtime/index.ts";
import { sayCommand } from "../called-as.ts";
import type { ModelSpec } from "../config/agent-specs.ts";
import { inPlace, readConfig, type ConfigFile } from "../config/read-config.ts";
import { placeOfSaid, runSettingsOf, type RunFlags, type RunSettings } from "../config/run-settings.ts";
import { settingLines } from "../config/setting-lines.ts";
import { kindsOf, sayKinds } from "../config/track-axes.ts";
import { makeCut, type Cut } from "../cut.ts";
import { keepDrawing, SetDisplay } from "../display.ts";
import { requireKey } from "../endpoints.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { lookForKeys, refuseKeyInFlags, refuseKeyInSettings } from "../given-key.ts";
import { listenForInterrupt, type Interrupt } from "../interrupt.ts";
import { judgePlayed, sayUnjudged, scorePlayed, scorePlayedRun } from "../judge/played.ts";
import { openAgents, type ReadyAgents, type Unfit } from "../open-agents.ts";
import { note, print, printJson } from "../output.ts";
import { closingLines, codeOf, countOutcomes, heldLine, runJson, stopLine } from "../run-result.ts";
import { readSurroundings } from "../surroundings.ts";
import { caseRoots, foldersNamed, loadAnyCases } from "../cases/of-track.ts";
import { UserError } from "../user-error.ts";

export interface RunArguments extends RunFlags {
  readonly config?: string | undefined;
  readonly noPreflight: boolean;
  readonly resume: boolean;
  readonly forget?: string | undefined;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

const MOST_RUNS = 100_000;

/** Plays a set, and judges and scores it where the judge applies. */
export async function run(args: RunArguments): Promise<ExitCode> {
  const builtIn = AGENTS.map(({ name }) => name);
  if (args.model !== undefined) refuseKeyInFlags(args, process.env);
  const config = readConfig(args.config, builtIn, process.env);
  const settings = runSettingsOf(args, config, process.env, builtIn);
  refuseKeyOfModels(args, settings, process.env);
  const cases = loadCases(args.casesDir, settings, config);
  const prices = pricesOf(settings);
  requireSet(settings.out);
  await requireSameCases(cases, settings.out);
  for (const spec of settings.agents) if (spec.kind === "model") requireKey(spec.resolved.settings, process.env);
  if (args.forget !== undefined) await forget(args.forget, settings.out);
  const asksModels = settings.agents.some(({ kind }) => kind === "model");
  if ((asksModels || config !== undefined) && !args.json) for (const line of settingLines(settings.said)) note(line);

  // Probing takes time, too: Ctrl-C is heard from here on.
  let say = note;
  const interrupt = listenForInterrupt(() =>
    say(
      asksModels
        ? "Stopping after the answers under way; Ctrl-C again stops at once."
        : "Stopping after the call under way; Ctrl-C again stops at once.",
    ),
  );
  const cut = makeCut();
  try {
    const opened = await openAgents(settings.agents, {
      builtIn: AGENTS,
      out: settings.out,
      env: process.env,
      preflight: !args.noPreflight,
      stop: interrupt.signal,
      cut: cut.signal,
      onPreflight: sayPreflight,
    });
    if (opened.kind === "stopped") return endInterrupted(settings);
    if (opened.kind === "unfit") return endUnfit(opened.unfit, settings, args.json);
    return await playAll(opened, { args, settings, cases, prices, interrupt, cut, setSay: (line) => (say = line) });
  } finally {
    cut.release();
    interrupt.release();
  }
}

interface Playing {
  readonly args: RunArguments;
  readonly settings: RunSettings;
  readonly cases: readonly AnyCase[];
  readonly prices: Prices | undefined;
  readonly interrupt: Interrupt;
  readonly cut: Cut;
  readonly setSay: (say: (line: string) => void) => void;
}

async function playAll({ agents, inFlight, keep }: ReadyAgents, playing: Playing): Promise<ExitCode> {
  const { args, settings, cases, prices, interrupt, cut } = playing;
  const { out, concurrency, said } = settings;
  const judges = settings.track === "maintenance" && settings.judge === "exact";
  const scores = judges || settings.track === "deduction";
  const { plans, refused } = planOf(settings, cases, agents);
  for (const { agent, what, why } of refused) note(`${agent} does not play ${what}: ${why}; left out`);
  if (plans.length === 0) throw new UserError("no run is left to play");
  await requireFit(plans, out);
  keep();
  await sayResumption(plans, out, args.resume);

  const display = new SetDisplay(plans.length, process.stderr, process.env, () => Date.now(), inFlight);
  playing.setSay((line) => display.say(line));
  const stopDrawing = keepDrawing(display);
  const unjudged: JudgedRun[] = [];
  const scoredNow: ScoredRun[] = [];
  let result: SetResult;
  const budgets = budgetsOf(settings);
  cut.start(budgets.wallMs);
  try {
    result = await playSet(plans, out, readSurroundings(), {
      concurrency,
      budgets,
      costOf: costBy(prices),
      signal: interrupt.signal,
      onEvent: (event) => display.take(event),
      afterRun: async (plan, played) => {
        if (judges) await judgePlayed(plan, played, (line) => display.say(line), unjudged);
        const scored = plan.track === "deduction" ? await scorePlayedRun(plan, played) : undefined;
        if (scored !== undefined) scoredNow.push(scored);
      },
    });
  } finally {
    stopDrawing();
    display.close();
    playing.setSay(note);
  }
  for (const { cause } of result.runs) debug(cause);
  const scored = scores ? await scorePlayed(plans, out, scoredNow) : [];
  const faults = sayUnjudged(unjudged, scored, out);
  if (args.json) printJson(runJson(out, result, scored, said));
  else if (scores) print(scoreLines(scored));
  else print(Object.entries(countOutcomes(result.runs)).map(([outcome, n]) => `${outcome}: ${n}`));
  if (agents.some(({ lane }) => lane !== undefined)) for (const line of closingLines(result)) note(escapeText(line));
  const held = heldLine(result.runs, sayAgain());
  if (held !== undefined) note(escapeText(held));
  if (result.stop !== undefined) note(escapeText(stopLine(result.stop, sayAgain(), out, said)));
  return codeOf(result, faults > 0);
}

/** A key of one model may stand in the settings of another, or in what is said of none. */
function refuseKeyOfModels(args: RunArguments, { agents, said }: RunSettings, env: NodeJS.ProcessEnv): void {
  const variables = agents.flatMap((spec) => (spec.kind === "model" ? [spec.resolved.settings.apiKeyEnv] : []));
  refuseKeyInFlags(args, env, variables);
  refuseKeyInSettings(said, lookForKeys(variables, env));
}

/** Takes a model out of the set that never answered. */
async function forget(name: string, out: string): Promise<void> {
  const forgotten = await forgetAgent(out, name);
  if (forgotten === undefined) {
    const known = [...new Set([...readPlanned(out), ...runNamesIn(out)].map(agentOfRun))];
    throw new UserError(`--forget: ${out} knows no agent "${name}"`, suggest(name, known));
  }
  const { planned, removed } = forgotten;
  const folders =
    removed === 0 ? "" : `, and ${removed} begun without an answer ${removed === 1 ? "is" : "are"} removed`;
  note(
    escapeText(
      `${name} is forgotten: ${planned} planned ${planned === 1 ? "run is" : "runs are"} no longer${folders}.`,
    ),
  );
}

function loadCases(
  casesDir: string | undefined,
  settings: RunSettings,
  config: ConfigFile | undefined,
): readonly AnyCase[] {
  const { track, cases, agents, repeats, said } = settings;
  const kinds = kindsOf(settings);
  for (const spec of agents) {
    const agent = spec.kind === "model" ? undefined : AGENTS.find(({ name }) => name === spec.name);
    const reasons = kinds.map((kind) => agent?.refuses?.(kind));
    if (reasons.every((why) => why !== undefined))
      throw new UserError(`${spec.name} does not play ${sayKinds(settings)}`, reasons[0]);
  }
  const roots = caseRoots(casesDir);
  for (const word of cases) inPlace(placeOfSaid(said, config, "cases", word), () => foldersNamed(roots, [word], track));
  const folders = foldersNamed(roots, cases, track);
  const folds = settings.track === "deduction" ? settings.folds.length : 1;
  const runs = folders.length * kinds.length * folds * agents.length * repeats;
  if (runs > MOST_RUNS) throw new UserError(`that is ${runs} runs, and a set holds at most ${MOST_RUNS}`);
  return loadAnyCases(folders);
}

function planOf(settings: RunSettings, cases: readonly AnyCase[], agents: readonly Agent[]): SetPlan<RunPlan> {
  const { repeats } = settings;
  if (settings.track === "maintenance") {
    const { track, tiers } = settings;
    return planSet({ track, cases: cases.filter((one) => one.track === track), tiers, agents, repeats });
  }
  const { track, conditions, modes, folds } = settings;
  const own = cases.filter((one) => one.track === track);
  return planSet({ track, cases: own, conditions, modes, folds, agents, repeats });
}

/** The prices that are stated. A budget of money that could never be reached, since a price is missing, is refused. */
function pricesOf({ prices: path, budgets, agents, said }: RunSettings): Prices | undefined {
  const from = said.find(({ name }) => name === "budgets.costUsd")?.from ?? "the budget";
  if (path === undefined) {
    if (budgets.costUsd !== undefined)
      throw new UserError(`${from} needs the prices of the models`, "name a price file with --prices FILE");
    return undefined;
  }
  const read = readPrices(path);
  if (!read.ok) throw new UserError(read.error);
  const prices = read.value;
  const models = agents.flatMap((spec) => (spec.kind === "model" ? [spec.resolved.model.model] : []));
  const unpriced = models.filter((model) => !Object.hasOwn(prices.models, model));
  if (budgets.costUsd !== undefined && unpriced.length > 0)
    throw new UserError(`${from} needs the price of ${unpriced.join(", ")}`, `add it to ${path}`);
  return prices;
}

/** What an answer costs by the price of the model that its agent asks for. */
function costBy(prices: Prices | undefined): CostOf {
  return ({ usage }, { settings }) => {
    const { model } = settings;
    const name = typeof model === "object" && model !== null && "model" in model ? model["model"] : undefined;
    return prices === undefined || typeof name !== "string" ? null : costOf(usage, name, prices);
  };
}

function budgetsOf({ budgets: { tokens, costUsd, minutes } }: RunSettings): SetBudgets {
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(minutes === undefined ? {} : { wallMs: Math.max(1, Math.round(minutes * 60_000)) }),
  };
}

/** Says in one line what of the set is there already. */
async function sayResumption(plans: readonly RunPlan[], out: string, asked: boolean): Promise<void> {
  let [begun, finished] = [0, 0];
  // One after the other: a large set has more runs than a process may have files open.
  for (const plan of plans) {
    const { state } = await readRunProgress(runPath(out, idOfPlan(plan)));
    if (state === "sealed") finished += 1;
    else if (state !== "absent") begun += 1;
  }
  if (finished + begun > 0) {
    note(`In ${out}: ${begun} begun ${begun === 1 ? "run goes" : "runs go"} on, ${finished} finished left alone.`);
  } else if (asked) note(`In ${out} nothing was begun yet: every run is new.`);
}

function sayPreflight({ name, resolved }: ModelSpec, found?: Preflight): void {
  if (found === undefined) note(escapeText(`Probing ${name}: ${resolved.model.model} at ${resolved.settings.baseUrl}`));
  // Of an endpoint that does not answer there is one thing to say, and it is said at the end.
  else if (isReached(found)) for (const line of preflightLines(found)) note(line);
}

function endInterrupted({ out }: RunSettings): ExitCode {
  note(escapeText(stopLine({ kind: "interrupted" }, sayAgain(), out, [])));
  return EXIT.interrupted;
}

/** Nothing was played: what each model lacks, and what to do about it. */
function endUnfit(unfit: readonly Unfit[], { out, said }: RunSettings, json: boolean): ExitCode {
  if (json) {
    const stopped = { kind: "preflight", agents: unfit.map(({ agent, preflight }) => ({ agent, preflight })) };
    const nothing = { planned: 0, outcomes: {}, tokens: 0, costUsd: 0, runs: [] };
    printJson({ set: basename(resolve(out)), path: out, ...nothing, stopped, settings: said });
  }
  for (const { agent, model, host, preflight, unreached } of unfit) {
    const failed = preflight.probes.find(({ status }) => status === "fail");
    const what = unreached ? `${host} does not answer for ${model}` : `${model} at ${host} cannot play`;
    const why = [failed?.seen, failed?.advice].filter((one) => one !== undefined).join(". ");
    note(escapeText(`worldagent: ${agent} is not played: ${what}: ${why}`));
  }
  note(
    `Nothing was played. --no-preflight plays all the same; when it is mended, go on with: ${escapeText(sayAgain())}`,
  );
  return unfit.some(({ unreached }) => unreached) ? EXIT.endpointFault : EXIT.failed;
}

/** The command as it was given; what was to be forgotten is, and is not there a second time. */
function sayAgain(): string {
  const words = process.argv.slice(2);
  const isForget = (word: string | undefined): boolean => word !== undefined && /^--forget(?:=|$)/.test(word);
  return sayCommand(words.filter((word, i) => !isForget(word) && words[i - 1] !== "--forget"));
}
