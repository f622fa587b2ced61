/** From the agents a command names to agents that can play: endpoints opened, probed once, and kept in the set's ledger. */
import { modelAgent } from "../agents/index.ts";
import {
  applyFindings,
  isReached,
  preflightSchema,
  type Endpoint,
  type InFlight,
  type ModelSettings,
  type Preflight,
} from "../endpoint/index.ts";
import { addSetAgent, readSetAgents, type Adaptation, type SetAgent } from "../records/index.ts";
import type { Json } from "../runtime/index.ts";
import type { Agent } from "../tracks/index.ts";
import { agentOf } from "./choose.ts";
import type { AgentSpec, ModelSpec } from "./config/agent-specs.ts";
import { Gates, openModel, type Environment, type OpenedModel } from "./endpoints.ts";
import { preflightModel } from "./preflight.ts";

/** A model of which a preflight says that it cannot play. */
export interface Unfit {
  readonly agent: string;
  readonly model: string;
  readonly host: string;
  readonly preflight: Preflight;
  /** The endpoint is at fault: nothing is known of the model. */
  readonly unreached: boolean;
}

export type OpenedAgents =
  | ReadyAgents
  | { readonly kind: "unfit"; readonly unfit: readonly Unfit[] }
  /** `stop` came before everything was probed. */
  | { readonly kind: "stopped" };

export interface ReadyAgents {
  readonly kind: "ready";
  readonly agents: readonly Agent[];
  /** What the models are asked at this moment. */
  readonly inFlight: () => readonly InFlight[];
  /** Writes the models into the set's ledger: only once it is known that they fit the set. Throws RecordError. */
  readonly keep: () => void;
}

export interface OpenAgentsOptions {
  readonly builtIn: readonly Agent[];
  readonly out: string;
  readonly env: Environment;
  /** Whether models that the set does not know yet are probed. */
  readonly preflight: boolean;
  readonly stop: AbortSignal;
  /** Ends requests under way. */
  readonly cut: AbortSignal;
  /** Told before an endpoint is probed, and what was found. */
  readonly onPreflight: (spec: ModelSpec, found?: Preflight) => void;
}

/**
 * Opens every agent and writes nothing. A model that the set knows is played as the set has it, by what a preflight found
 * then; any other is probed first. Throws UserError where a key is missing, and RecordError where the set has an agent
 * of that name with other settings, before anything is probed.
 */
export async function openAgents(specs: readonly AgentSpec[], options: OpenAgentsOptions): Promise<OpenedAgents> {
  const gates = new Gates();
  const models = specs.flatMap((spec) => (spec.kind === "model" ? [spec] : []));
  const opened = models.map((spec) => ({
    spec,
    model: openModel(spec.resolved, { env: options.env, gates, cut: options.cut }),
  }));
  const known = new Map((models.length === 0 ? [] : readSetAgents(options.out)).map((one) => [one.name, one]));
  const old = opened
    .filter(({ spec }) => known.has(spec.name))
    .map(({ spec, model }) => playerOf(spec, model, preflightOf(known.get(spec.name))));
  for (const { entry } of old) addSetAgent(options.out, entry);
  const unknown = opened.filter(({ spec }) => !known.has(spec.name));
  const found = await probeAll(
    unknown.map(({ spec }) => spec),
    gates,
    options,
  );
  if (found === undefined) return { kind: "stopped" };
  const unfit = unknown.flatMap(({ spec }) => unfitOf(spec, found.get(spec.name)));
  if (unfit.length > 0) return { kind: "unfit", unfit };
  const fresh = unknown.map(({ spec, model }) => playerOf(spec, model, found.get(spec.name)));
  const players = new Map([...old, ...fresh].map((player) => [player.entry.name, player]));
  return {
    kind: "ready",
    agents: specs.map(({ name }) => players.get(name)?.agent ?? agentOf(name, options.builtIn)),
    inFlight: () => [...players.values()].flatMap(({ endpoint }) => endpoint.inFlight()),
    keep: () => {
      for (const { entry } of fresh) addSetAgent(options.out, entry);
    },
  };
}

/** What preflights found, by the agent's name; undefined where `stop` came. */
async function probeAll(
  models: readonly ModelSpec[],
  gates: Gates,
  { preflight, env, stop, onPreflight }: OpenAgentsOptions,
): Promise<ReadonlyMap<string, Preflight> | undefined> {
  const found = new Map<string, Preflight>();
  for (const spec of models) {
    if (stop.aborted) return undefined;
    if (!preflight) continue;
    onPreflight(spec);
    const one = await preflightModel(spec.resolved, stop, { env, gates });
    if (one === undefined) return undefined;
    onPreflight(spec, one);
    found.set(spec.name, one);
  }
  return found;
}

function unfitOf({ name, resolved }: ModelSpec, preflight: Preflight | undefined): readonly Unfit[] {
  if (preflight === undefined || preflight.ok) return [];
  const { host } = new URL(resolved.settings.baseUrl);
  return [{ agent: name, model: resolved.model.model, host, preflight, unreached: !isReached(preflight) }];
}

/** A model that can play, and how the set's ledger holds it. */
interface Player {
  readonly agent: Agent;
  readonly endpoint: Endpoint;
  readonly entry: SetAgent;
}

function playerOf({ name, resolved }: ModelSpec, opened: OpenedModel, preflight: Preflight | undefined): Player {
  const model: ModelSettings =
    preflight === undefined ? resolved.model : applyFindings(resolved.model, preflight.found, resolved.stated);
  const endpoint = opened.open(model);
  const lane = { name: endpoint.host, concurrency: resolved.settings.concurrency };
  const agent = modelAgent({ name, model, endpoint, adapted: lastingIn(preflight), lane });
  const entry = { name, settings: agent.settings, preflight: preflight === undefined ? null : asJson(preflight) };
  return { agent, endpoint, entry };
}

/** What a probe sends in its own way (a forced call, an answer in pieces) says nothing of what runs send. */
const OF_PROBES: ReadonlySet<string> = new Set(["tool_choice", "parallel_tool_calls", "response_format", "stream"]);

/** The parameters that runs need not try, since a preflight found them refused. */
function lastingIn(preflight: Preflight | undefined): readonly Adaptation[] {
  return (preflight?.found.adapted ?? []).filter(({ parameter }) => !OF_PROBES.has(parameter));
}

/** The preflight that a set keeps of an agent; undefined where none was made, or by a version that kept it otherwise. */
function preflightOf(agent: SetAgent | undefined): Preflight | undefined {
  const parsed = preflightSchema.safeParse(agent?.preflight);
  return parsed.success ? parsed.data : undefined;
}

/** Plain data: members that are undefined are no JSON. */
function asJson(value: Preflight): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
