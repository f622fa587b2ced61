/** A model at a scripted endpoint, asked as a run asks it. */
import { setTimeout as sleepFor } from "node:timers/promises";
import { afterEach } from "vitest";
import { modelAgent } from "../../../src/agents/index.ts";
import {
  endpointSettingsSchema,
  modelSettingsSchema,
  openEndpoint,
  openGate,
  type EndpointSettings,
  type EndpointSurroundings,
  type ModelSettings,
} from "../../../src/endpoint/index.ts";
import type { Agent } from "../../../src/tracks/index.ts";
import { startScriptedEndpoint, type ScriptedEndpoint, type ScriptedOptions } from "../../endpoint/scripted/index.ts";
import { randomAt } from "../../endpoint/scripted/random.ts";
import { KEY } from "./secret.ts";

const open: ScriptedEndpoint[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((endpoint) => endpoint.stop()));
});

/** A scripted endpoint that wants the key and goes away after the test. */
export async function serve(options: ScriptedOptions): Promise<ScriptedEndpoint> {
  const endpoint = await startScriptedEndpoint({ key: KEY, ...options });
  open.push(endpoint);
  return endpoint;
}

/** No wait between two attempts is longer: what is tested is what comes of them. */
const LONGEST_SLEEP_MS = 25;

/** The key, the clock, and a sleep that does not last. */
export function surroundingsOf(key: string | undefined = KEY): EndpointSurroundings {
  let count = 0;
  return {
    key,
    nowMs: () => Date.now(),
    sleep: async (ms, signal) => {
      await sleepFor(Math.min(ms, LONGEST_SLEEP_MS), undefined, { signal }).catch(() => {});
    },
    random: () => randomAt(1, (count += 1)),
  };
}

export interface Asked {
  readonly endpoint: EndpointSettings;
  readonly model: ModelSettings;
}

/** Settings for a model at an address; defaults where nothing is stated. */
export function settingsOf(
  url: string,
  model: Partial<ModelSettings> = {},
  endpoint: Partial<EndpointSettings> = {},
): Asked {
  return {
    endpoint: endpointSettingsSchema.parse({ baseUrl: url, timeoutMs: 10_000, ...endpoint }),
    model: modelSettingsSchema.parse({ model: "scripted", ...model }),
  };
}

/** The agent that plays by asking that model. */
export function agentOf({ endpoint, model }: Asked, name = "scripted"): Agent {
  const around = surroundingsOf();
  const { concurrency } = endpoint;
  return modelAgent({
    name,
    model,
    endpoint: openEndpoint(endpoint, model, around, openGate(endpoint, around)),
    lane: { name: "scripted", concurrency },
  });
}
