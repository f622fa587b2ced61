/** A model under test: the chat loop with one model at one endpoint. */
import type { Endpoint, ModelSettings } from "../../endpoint/index.ts";
import type { Adaptation } from "../../records/index.ts";
import type { Json } from "../../runtime/index.ts";
import type { Agent } from "../../tracks/index.ts";
import { LOOP_DEFAULTS, LOOP_VERSION } from "./defaults.ts";
import { playChat } from "./loop.ts";
import { CHAT_WORDS, PROMPT_DIGEST, PROMPT_VERSION } from "./system-prompt.ts";
import { CHAT_TOOLS, TOOLS_DIGEST } from "./tools.ts";

export interface ModelAgentOptions {
  /** Part of a run's id: `[a-z][a-z0-9_-]*`. */
  readonly name: string;
  readonly model: ModelSettings;
  readonly endpoint: Endpoint;
  /** Parameters that the endpoint is known to refuse, so that no request has to find it out. */
  readonly adapted?: readonly Adaptation[];
  /** One sentence in place of the usual one. */
  readonly says?: string;
  /** Runs of all agents with one lane are under way together, at most `concurrency` of them. */
  readonly lane: NonNullable<Agent["lane"]>;
}

/** The agent that plays by asking a model. Its settings hold all that can change what it does, and no secret. */
export function modelAgent({ name, model, endpoint, adapted = [], says, lane }: ModelAgentOptions): Agent {
  const setup = { model, endpoint, adapted, loop: LOOP_DEFAULTS };
  return {
    name,
    says: says ?? `asks ${model.model.slice(0, 80)} at ${endpoint.host.slice(0, 80)}`,
    settings: settingsOf(endpoint, model, adapted),
    lane,
    play: (context) =>
      playChat({ ...setup, tools: CHAT_TOOLS[context.track], words: CHAT_WORDS[context.track] }, context),
  };
}

function settingsOf({ host, path }: Endpoint, model: ModelSettings, adapted: readonly Adaptation[]): Agent["settings"] {
  return {
    kind: "model",
    v: LOOP_VERSION,
    prompt: { v: PROMPT_VERSION, digest: PROMPT_DIGEST },
    tools: TOOLS_DIGEST,
    loop: LOOP_DEFAULTS,
    host,
    path,
    // What is not stated is left out: a member that is undefined is no JSON.
    model: JSON.parse(JSON.stringify(model)) as Json,
    adapted: adapted.map(({ parameter, sentAs }) => ({ parameter, sentAs })),
  };
}
