/**
 * From what stands on the command line to an opened endpoint. For every command that asks a model (`doctor`, `judge`,
 * `calibrate`, `run`):
 *
 *     options in commands.ts:   { model: …, ...ENDPOINT_OPTIONS, ...REQUEST_OPTIONS, concurrency: … }  (model-options.ts)
 *     in the command:           const { endpoint, settings, model, said, open } = openEndpointFrom(args);
 *
 *     openEndpointFrom(flags: ModelFlags, options?: OpenOptions): OpenedModel       throws UserError (exit 2)
 *
 * `said` tells every setting with where it came from (`settingLines` prints it). `{ keyless: true }` opens without a key,
 * for a dry run that sends nothing. Commands that open several pass one `new Gates()`: models at one host share a gate.
 * `open(model)` is the same endpoint with other settings of the model.
 */
import { setTimeout as sleepFor } from "node:timers/promises";
import {
  endpointSettingsSchema,
  modelSettingsSchema,
  openEndpoint,
  openGates,
  readKey,
  type Endpoint,
  type EndpointSettings,
  type EndpointSurroundings,
  type Gate,
  type ModelSettings,
} from "../endpoint/index.ts";
import { mergeLayers, type Layer, type Setting } from "./config/layers.ts";
import { lookForKeys, refuseKeyInSettings } from "./given-key.ts";
import { UserError } from "./user-error.ts";

/** The flags of model-options.ts as yargs hands them on; undefined where one was not given. */
export interface ModelFlags {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
  readonly noApiKey?: boolean | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly attempts?: number | undefined;
  /** Seconds. */
  readonly longestWait?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly stream?: boolean | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly contextTokens?: number | undefined;
  /** A JSON object as text. */
  readonly extra?: string | undefined;
  readonly toolChoice?: string | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  readonly emptyContent?: string | undefined;
  readonly textCalls?: boolean | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A model with where it is asked, and where each setting came from; nothing is opened yet. */
export interface ResolvedModel {
  readonly settings: EndpointSettings;
  readonly model: ModelSettings;
  readonly said: readonly Setting[];
  /** Keys of `model` that the command line or a file states: what a preflight finds does not overrule them. */
  readonly stated: ReadonlySet<string>;
}

export interface OpenedModel extends ResolvedModel {
  readonly endpoint: Endpoint;
  /** The same endpoint, key and gate with other settings of the model: for probes, and for what they found. */
  readonly open: (model: ModelSettings) => Endpoint;
}

export interface OpenOptions {
  /** Default `process.env`. */
  readonly env?: Environment;
  readonly gates?: Gates;
  /** Opens without a key: nothing is sent. */
  readonly keyless?: boolean;
  /** Ends requests that are under way: see cut.ts. */
  readonly cut?: AbortSignal;
  /** Weaker than flags and environment, stronger than the defaults of the schemas. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** Resolves the one model that flags name and opens it. Throws UserError where something is missing or not possible. */
export function openEndpointFrom(flags: ModelFlags, options: OpenOptions = {}): OpenedModel {
  if (flags.model === undefined) throw new UserError("no model is named", "name it with --model NAME");
  const env = options.env ?? process.env;
  const resolved = resolveModel(flags, [{ values: options.defaults ?? {}, from: () => "default" }], env);
  return openModel(resolved, options);
}

/** What flags, then `below` (the strongest first), then the environment say of one model. Throws UserError. */
export function resolveModel(flags: ModelFlags, below: readonly Layer[], env: Environment): ResolvedModel {
  const stated = layerOfFlags(flags);
  const url = env["OPENAI_BASE_URL"];
  const surroundings: Layer = {
    values: url === undefined || url === "" ? {} : { baseUrl: url },
    from: () => "OPENAI_BASE_URL",
  };
  const all = [stated, ...below, surroundings];
  if (all.every(({ values }) => values["baseUrl"] === undefined))
    throw new UserError(
      "no address is named",
      "name it with --base-url URL, baseUrl in the config file, or OPENAI_BASE_URL",
    );
  const endpoint = mergeLayers(endpointSettingsSchema, all.map(only(endpointSettingsSchema.shape)));
  const model = mergeLayers(modelSettingsSchema, all.map(only(modelSettingsSchema.shape)));
  const said = [...model.said, ...endpoint.said];
  refuseKeyInSettings(said, lookForKeys([endpoint.value.apiKeyEnv], env));
  return {
    settings: endpoint.value,
    model: model.value,
    said,
    stated: model.stated,
  };
}

/** Opens a resolved model; its key is read from the environment and stays in the endpoint. Throws UserError. */
export function openModel(resolved: ResolvedModel, options: OpenOptions = {}): OpenedModel {
  const key = options.keyless === true ? undefined : requireKey(resolved.settings, options.env ?? process.env);
  const gate = (options.gates ?? new Gates()).of(resolved.settings);
  const surroundings = surroundingsWith(key, options.cut);
  const open = (model: ModelSettings): Endpoint => openEndpoint(resolved.settings, model, surroundings, gate);
  return { ...resolved, endpoint: open(resolved.model), open };
}

/** The gates of one command: one for each host. Of what models there allow at once, the least holds. */
export class Gates {
  readonly #open = openGates(surroundingsWith(undefined));

  of(settings: EndpointSettings): Gate {
    return this.#open(settings);
  }
}

/** The key that the settings name. Throws UserError. */
export function requireKey(settings: EndpointSettings, env: Environment): string | undefined {
  const key = readKey(settings, env);
  if (!key.ok) throw new UserError(key.error, "--api-key-env VAR or --no-api-key");
  return key.value;
}

/** The clock, the sleep and the randomness of this process. */
export function surroundingsWith(key: string | undefined, cut?: AbortSignal): EndpointSurroundings {
  return {
    key,
    ...(cut === undefined ? {} : { cut }),
    nowMs: () => Date.now(),
    sleep: async (ms, signal) => {
      await sleepFor(ms, undefined, { signal }).catch(() => {});
    },
    random: () => Math.random(),
  };
}

const FLAG_OF: Readonly<Record<string, string>> = {
  model: "--model",
  baseUrl: "--base-url",
  apiKeyEnv: "--api-key-env",
  timeoutMs: "--timeout",
  attempts: "--attempts",
  longestWaitMs: "--longest-wait",
  concurrency: "--concurrency",
  stream: "--stream",
  maxTokens: "--max-tokens",
  temperature: "--temperature",
  topP: "--top-p",
  seed: "--seed",
  reasoningEffort: "--reasoning-effort",
  contextTokens: "--context-tokens",
  extra: "--extra",
  toolChoice: "--tool-choice",
  parallelToolCalls: "--parallel-tool-calls",
  emptyContent: "--empty-content",
  textCalls: "--text-calls",
};

/** Flags as the settings they state. Throws UserError. */
export function layerOfFlags(flags: ModelFlags): Layer {
  if (flags.noApiKey === true && flags.apiKeyEnv !== undefined)
    throw new UserError("--api-key-env and --no-api-key are both given", "keep one of the two");
  const { noApiKey, timeout, longestWait, extra, ...same } = flags;
  const known = Object.fromEntries(Object.entries(same).filter(([key]) => Object.hasOwn(FLAG_OF, key)));
  const values = {
    ...known,
    ...(noApiKey === true ? { apiKeyEnv: null } : {}),
    timeoutMs: milliseconds("timeout", timeout, endpointSettingsSchema.shape.timeoutMs.unwrap()),
    longestWaitMs: milliseconds("longest-wait", longestWait, endpointSettingsSchema.shape.longestWaitMs.unwrap()),
    extra: extra === undefined ? undefined : jsonOf(extra),
  };
  const from = (key: string): string =>
    key === "apiKeyEnv" && noApiKey === true ? "--no-api-key" : (FLAG_OF[key] ?? key);
  for (const [key, value] of Object.entries(values))
    if (typeof value === "number" && !Number.isFinite(value)) throw new UserError(`${from(key)} takes a number`);
  return { values, from };
}

/** A flag in seconds as the setting in ms; its bounds are said in the unit of the flag. */
function milliseconds(
  option: string,
  seconds: number | undefined,
  bounds: { readonly minValue: number | null; readonly maxValue: number | null },
): number | undefined {
  if (seconds === undefined) return undefined;
  if (!Number.isFinite(seconds)) throw new UserError(`--${option} takes a number of seconds`);
  const ms = Math.round(seconds * 1000);
  const { minValue, maxValue } = bounds;
  const seen = `--${option}: is ${seconds} s, allowed is`;
  if (minValue !== null && ms < minValue) throw new UserError(`${seen} at least ${minValue / 1000} s`);
  if (maxValue !== null && ms > maxValue) throw new UserError(`${seen} at most ${maxValue / 1000} s`);
  return ms;
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below: what was given is not repeated, since it may hold anything.
  }
  throw new UserError("--extra takes a JSON object", `such as '{"top_k": 20}'`);
}

/** A layer with only the keys of a schema. */
function only(shape: Readonly<Record<string, unknown>>): (layer: Layer) => Layer {
  return ({ values, from }) => ({
    values: Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(shape, key))),
    from,
  });
}
