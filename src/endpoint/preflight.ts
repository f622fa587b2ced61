/**
 * Asks an endpoint, once and before anything is played, everything that a run will depend on. What it finds is plain
 * data for a table, for a set's ledger and for the settings of its runs.
 */
import type { EndpointFault } from "../records/index.ts";
import { adviceFor, sayNear, type AdviceContext } from "./advice.ts";
import type { EndpointSurroundings, Gate } from "./gate.ts";
import { openEndpoint } from "./open-endpoint.ts";
import { Asker, sayFault } from "./preflight/asker.ts";
import { notMade, PROBES, probe, type Found, type Preflight, type Probe } from "./preflight/findings.ts";
import { listModels, type ServedModel } from "./preflight/models.ts";
import { probeAnswer, probeLongPrompt, probeStream } from "./preflight/probe-answers.ts";
import { probeToolCall } from "./preflight/probe-call.ts";
import { probeParallel } from "./preflight/probe-parallel.ts";
import { probeToolAnswer } from "./preflight/probe-round-trip.ts";
import type { EndpointSettings, ModelSettings } from "./settings.ts";

export interface PreflightOptions {
  /** After it no further probe is made. */
  readonly stop: AbortSignal;
  /** The gate that the endpoint shares with others. */
  readonly gate?: Gate;
}

/** Somebody waits for the result: what a run would sit out is said instead. */
const MOST_ATTEMPTS = 4;
const LONGEST_WAIT_MS = 20_000;
const LIST_DEADLINE_MS = 30_000;
const AGAIN_AFTER_MS = 1_000;

/** The models that are served, or why they are not known. */
type ModelList = Awaited<ReturnType<typeof listModels>>;

/**
 * Probes `model` at an endpoint: some ten requests, of which two are long. Never throws for what the endpoint does;
 * undefined where it was stopped before its end.
 */
export async function runPreflight(
  settings: EndpointSettings,
  model: ModelSettings,
  surroundings: EndpointSurroundings,
  { stop, gate }: PreflightOptions,
): Promise<Preflight | undefined> {
  const patient: EndpointSettings = {
    ...settings,
    attempts: Math.min(settings.attempts, MOST_ATTEMPTS),
    longestWaitMs: Math.min(settings.longestWaitMs, LONGEST_WAIT_MS),
  };
  const list = await listTwice(patient, model.model, surroundings, stop);
  const advice: AdviceContext = {
    baseUrl: settings.baseUrl,
    apiKeyEnv: surroundings.key === undefined ? null : settings.apiKeyEnv,
    model: model.model,
    models: list.ok ? list.value.map(({ id }) => id) : undefined,
  };
  const open = (changed: ModelSettings) => openEndpoint(patient, changed, surroundings, gate);
  const asker = new Asker({ model, open, stop, advice });
  const listed = sayList(list, model, advice);
  if (listed.status === "fail") return stop.aborted ? undefined : endEarly([listed], asker);
  return await probeModel(asker, list, listed);
}

/** Once more where no connection came about: a set should not end on a single lost packet. */
async function listTwice(
  settings: EndpointSettings,
  model: string,
  surroundings: EndpointSurroundings,
  stop: AbortSignal,
): Promise<ModelList> {
  const brief = { ...settings, timeoutMs: Math.min(settings.timeoutMs, LIST_DEADLINE_MS) };
  const first = await listModels(brief, surroundings, model);
  if (first.ok || first.error.kind !== "connection" || stop.aborted) return first;
  await surroundings.sleep(AGAIN_AFTER_MS, stop);
  return stop.aborted ? first : await listModels(brief, surroundings, model);
}

async function probeModel(asker: Asker, list: ModelList, listed: Probe): Promise<Preflight | undefined> {
  const whole = await probeAnswer(asker);
  const refused = whole.status === "fail";
  if (asker.stopped) return undefined;
  if (refused && !(asker.model.stream && whole.fault === "bad_request")) return endEarly([listed, whole], asker);
  const stream = await probeStream(asker, whole);
  if (asker.stopped) return undefined;
  if (refused && stream.status === "fail") return endEarly([listed, whole, stream], asker);
  // Some servers answer in pieces only, which is what the settings ask for.
  const answer: Probe = refused
    ? { ...whole, status: "warn", advice: "Keep --stream: whole answers are refused." }
    : whole;
  const contextTokens = list.ok ? windowIn(list.value, asker.model.model) : undefined;
  const long = await probeLongPrompt(asker, asker.model.contextTokens ?? contextTokens);
  const call = await probeToolCall(asker);
  const trip = call.heard === undefined ? undefined : await probeToolAnswer(asker, call.heard);
  const parallel = trip?.emptyContent === undefined ? undefined : await probeParallel(asker);
  if (asker.stopped) return undefined;
  const found: Found = {
    ...(trip?.emptyContent === undefined ? {} : { emptyContent: trip.emptyContent }),
    ...(call.toolChoice === undefined ? {} : { toolChoice: call.toolChoice }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    adapted: asker.adapted.map(({ parameter, sentAs }) => ({ parameter, sentAs })),
    usage: asker.usage.counted === asker.usage.answers,
    parallelCalls: false,
    ...parallel?.found,
  };
  const made = [listed, answer, stream, long, call.probe, ...(trip?.probes ?? [])];
  const last = [...(parallel === undefined ? [] : [parallel.probe]), sayUsage(asker), sayParameters(asker)];
  return endWith([...made, ...last], found, asker);
}

/** Nothing more can be learnt. */
function endEarly(made: readonly Probe[], asker: Asker): Preflight {
  return endWith(made, { adapted: [], usage: false, parallelCalls: false }, asker);
}

function endWith(made: readonly Probe[], found: Found, asker: Asker): Preflight {
  const probes = PROBES.map((name) => made.find((one) => one.name === name) ?? notMade(name));
  return { v: 1, ok: probes.every(({ status }) => status !== "fail"), probes, found, tokens: asker.tokens };
}

/**
 * Whether every later request would meet this fault. A list that is merely not there speaks against nothing, nor does a
 * key that may not read it (403).
 */
function isHard({ kind, status }: EndpointFault): boolean {
  return kind === "connection" || kind === "timeout" || (kind === "auth" && status === 401);
}

function sayList(list: ModelList, { model }: ModelSettings, advice: AdviceContext): Probe {
  const name = "models";
  if (!list.ok) {
    return isHard(list.error)
      ? probe(name, "fail", sayFault(list.error), {
          advice: adviceFor(list.error, advice),
          fault: list.error.kind,
        })
      : probe(name, "skipped", `no list of models: ${sayFault(list.error)}`);
  }
  const ids = list.value.map(({ id }) => id);
  const count = `${ids.length} ${ids.length === 1 ? "model" : "models"}`;
  if (ids.length === 0)
    return probe(name, "warn", "a list without models", { advice: "The server may still be loading its model." });
  if (ids.includes(model)) {
    const window = windowIn(list.value, model);
    return probe(name, "ok", `${count}, ${model} among them${window === undefined ? "" : `, window ${window} tokens`}`);
  }
  return probe(name, "warn", `${count}, ${model} not among them`, {
    advice: `If the name is wrong, mend --model; ${sayNear(model, ids)}.`,
  });
}

/** The window of a model; that of the only one, since servers of a single model often take any name for it. */
function windowIn(models: readonly ServedModel[], model: string): number | undefined {
  const [only, ...others] = models;
  const listed = models.find(({ id }) => id === model) ?? (others.length === 0 ? only : undefined);
  return listed?.contextTokens;
}

function sayUsage(asker: Asker): Probe {
  const { answers, counted } = asker.usage;
  if (counted === answers) return probe("usage", "ok", "every answer tells its tokens");
  const seen = counted === 0 ? "no answer tells its tokens" : `${counted} of ${answers} answers tell their tokens`;
  return probe("usage", "warn", seen, { advice: "Budgets in tokens go by an estimate, and costs are not known." });
}

/** Parameters whose loss changes what a model does. */
const TELLING = new Set(["temperature", "top_p", "seed", "reasoning_effort", "max_tokens", "max_completion_tokens"]);

function sayParameters(asker: Asker): Probe {
  const { adapted } = asker;
  if (adapted.length === 0) return probe("parameters", "ok", "none is refused");
  const seen = adapted
    .map(({ parameter, sentAs }) =>
      sentAs === null ? `${parameter} is refused and left out` : `${parameter} is sent as ${sentAs}`,
    )
    .join("; ");
  const lost = adapted.filter(({ parameter, sentAs }) => sentAs === null && TELLING.has(parameter));
  return lost.length === 0
    ? probe("parameters", "ok", seen)
    : probe("parameters", "warn", seen, {
        advice: `The model runs with its own ${lost.map(({ parameter }) => parameter).join(", ")}; leave it out of the settings, since results say what was sent.`,
      });
}
