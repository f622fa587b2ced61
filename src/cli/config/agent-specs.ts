/** Which agents a command plays: words of `--agent`, models of `--model`, and what a config file lists. */
import { suggest } from "../../runtime/index.ts";
import { wordsOf } from "../choose.ts";
import { layerOfFlags, resolveModel, type Environment, type ModelFlags, type ResolvedModel } from "../endpoints.ts";
import { UserError } from "../user-error.ts";
import { agentNameOf, isReserved } from "./agent-name.ts";
import type { Layer } from "./layers.ts";
import { faultIn, type ConfigFile } from "./read-config.ts";

export type AgentSpec =
  | { readonly kind: "built-in"; readonly name: string; readonly from: string }
  | { readonly kind: "model"; readonly name: string; readonly nameFrom: string; readonly resolved: ResolvedModel };
export type ModelSpec = Extract<AgentSpec, { kind: "model" }>;

export interface AgentFlags extends Omit<ModelFlags, "model"> {
  readonly agent?: readonly string[] | undefined;
  readonly model?: readonly string[] | undefined;
  readonly name?: string | undefined;
}

/** What the agents of a command are resolved from. */
export interface AgentSources {
  readonly flags: AgentFlags;
  readonly config: ConfigFile | undefined;
  readonly env: Environment;
  /** The names of the built-in agents. */
  readonly builtIn: readonly string[];
}

/**
 * The agents of a command, each once; undefined where nothing names any. `--agent` replaces the list of the file; its
 * words are `model`, a built-in agent, or the name of an agent of the file. Throws UserError.
 */
export function agentSpecsOf(sources: AgentSources): readonly AgentSpec[] | undefined {
  const { flags, config } = sources;
  const listed = config === undefined ? [] : entriesOf(sources, config);
  const words = flags.agent === undefined ? undefined : wordsOf("agent", flags.agent);
  const chosen = words === undefined ? listed : words.flatMap((word) => named(word, listed, sources));
  if (flags.model !== undefined && words?.includes("model") !== true)
    throw new UserError("--model is for the agent model", "add --agent model");
  if (chosen.length === 0) return undefined;
  const specs = chosen.map((entry) => entry.open());
  const unique = specs.filter(
    ({ kind, name }, i) => kind === "model" || specs.findIndex((one) => one.kind === kind && one.name === name) === i,
  );
  requireModelsForFlags(flags, unique);
  const final = renamed(unique, sources);
  requireOneNameEach(final);
  return final;
}

/** An agent that may be played; what it asks is resolved only where it is. */
interface Entry {
  readonly name: string;
  /** The model's name at its endpoint; a built-in agent has none. */
  readonly model?: string;
  readonly open: () => AgentSpec;
}

function entriesOf(sources: AgentSources, config: ConfigFile): readonly Entry[] {
  const entries = entriesIn(sources, config);
  for (const [i, { name, model }] of entries.entries()) {
    const other = entries.slice(0, i).find((one) => one.name === name);
    if (other === undefined) continue;
    const path = ["agents", i];
    if (model === undefined || model === other.model)
      throw faultIn(
        config,
        path,
        `${model === undefined ? `the agent ${name}` : `the model ${model}`} is listed twice`,
        model === undefined
          ? "leave one away; repeats: N plays it N times"
          : "leave one away, or give one another name: NAME",
      );
    throw faultIn(
      config,
      path,
      `the model ${other.model ?? name} and the model ${model} would both be kept as "${name}"`,
      "give one of them another name: NAME",
    );
  }
  return entries;
}

function entriesIn({ flags, env, builtIn }: AgentSources, config: ConfigFile): readonly Entry[] {
  return (config.config.agents ?? []).map((entry, i): Entry => {
    const path = ["agents", i];
    const kind = typeof entry === "string" ? entry : entry.agent;
    if (kind !== "model" && !builtIn.includes(kind)) {
      throw faultIn(config, path, `there is no agent "${kind}"`, suggest(kind, [...builtIn, "model"]));
    }
    if (typeof entry === "string" || !("model" in entry)) {
      if (kind === "model")
        throw faultIn(config, path, "an agent of kind model needs its model", "write { agent: model, model: NAME }");
      return { name: kind, open: () => ({ kind: "built-in", name: kind, from: config.place(path) }) };
    }
    if (entry.name !== undefined && isReserved(entry.name, builtIn))
      throw faultIn(config, [...path, "name"], `the name "${entry.name}" belongs to another agent`, "choose another");
    const name = entry.name ?? agentNameOf(entry.model, builtIn);
    const nameFrom = entry.name === undefined ? "default" : config.place([...path, "name"]);
    const open = (): ModelSpec => {
      const below = [
        entryLayer(config, path),
        ...endpointLayer(config, i, entry.endpoint),
        ...concurrencyLayer(config),
      ];
      return { kind: "model", name, nameFrom, resolved: resolveModel({ ...flags, model: undefined }, below, env) };
    };
    return { name, model: entry.model, open };
  });
}

/** What an entry of the file states of its model. */
function entryLayer(config: ConfigFile, path: readonly (string | number)[]): Layer {
  const { agent: _agent, name: _name, endpoint: _endpoint, ...values } = config.statedAt(path);
  return { values, from: (key) => config.place([...path, key]) };
}

function endpointLayer(config: ConfigFile, i: number, name: string | undefined): readonly Layer[] {
  if (name === undefined) return [];
  const known = Object.keys(config.config.endpoints ?? {});
  if (!known.includes(name))
    throw faultIn(
      config,
      ["agents", i, "endpoint"],
      `there is no endpoint "${name}"`,
      known.length === 0 ? "describe it under endpoints" : suggest(name, known),
    );
  const path = ["endpoints", name];
  return [{ values: config.statedAt(path), from: (key) => config.place([...path, key]) }];
}

function concurrencyLayer(config: ConfigFile | undefined): readonly Layer[] {
  const concurrency = config?.config.concurrency;
  if (config === undefined || concurrency === undefined) return [];
  return [{ values: { concurrency }, from: () => config.place(["concurrency"]) }];
}

function named(word: string, listed: readonly Entry[], sources: AgentSources): readonly Entry[] {
  const { flags, config, env, builtIn } = sources;
  if (word === "model") {
    if (flags.model === undefined) throw new UserError("--agent model needs the model's name", "add --model NAME");
    return wordsOf("model", flags.model).map((model): Entry => {
      const name = agentNameOf(model, builtIn);
      const open = (): ModelSpec => {
        const resolved = resolveModel({ ...flags, model }, concurrencyLayer(config), env);
        return { kind: "model", name, nameFrom: "default", resolved };
      };
      return { name, open };
    });
  }
  if (builtIn.includes(word)) return [{ name: word, open: () => ({ kind: "built-in", name: word, from: "--agent" }) }];
  const found = listed.filter(({ name }) => name === word);
  if (found.length > 0) return found;
  const known = ["model", ...builtIn, ...listed.map(({ name }) => name)];
  // Whoever names a model means the agent that asks one, whatever is as near by its letters.
  const hint = flags.model === undefined ? suggest(word, [...new Set(known)]) : 'did you mean "model"?';
  throw new UserError(`there is no agent "${word}"`, hint);
}

/** `--name` names the only model there is. */
function renamed(specs: readonly AgentSpec[], { flags: { name }, builtIn }: AgentSources): readonly AgentSpec[] {
  if (name === undefined) return specs;
  const models = specs.filter(({ kind }) => kind === "model").length;
  if (models !== 1)
    throw new UserError(`--name names one model, and this command plays ${models}`, "name each in the config file");
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name))
    throw new UserError(
      `--name: "${name}" is no name`,
      "lower-case letters, digits, _ and -, at most 64, beginning with a letter",
    );
  if (isReserved(name, builtIn)) throw new UserError(`--name: "${name}" belongs to another agent`, "choose another");
  return specs.map((spec) => (spec.kind === "model" ? { ...spec, name, nameFrom: "--name" } : spec));
}

function requireModelsForFlags(flags: AgentFlags, specs: readonly AgentSpec[]): void {
  if (specs.some(({ kind }) => kind === "model")) return;
  // --concurrency is of every agent.
  const { values, from } = layerOfFlags({ ...flags, model: undefined, concurrency: undefined });
  const [stray] = Object.entries(values).filter(([, value]) => value !== undefined);
  const word = stray === undefined ? (flags.name === undefined ? undefined : "--name") : from(stray[0]);
  if (word !== undefined)
    throw new UserError(
      `${word} is for a model, and no agent of this command is one`,
      "add --agent model --model NAME",
    );
}

function requireOneNameEach(specs: readonly AgentSpec[]): void {
  const seen = new Map<string, AgentSpec>();
  for (const spec of specs) {
    const other = seen.get(spec.name);
    if (other !== undefined)
      throw new UserError(
        `${modelOf(other)} and ${modelOf(spec)} would both be kept as "${spec.name}"`,
        "give one of them another name: --name NAME, or name: in the config file",
      );
    seen.set(spec.name, spec);
  }
}

function modelOf(spec: AgentSpec): string {
  return spec.kind === "model" ? `the model ${spec.resolved.model.model}` : `the agent ${spec.name}`;
}
