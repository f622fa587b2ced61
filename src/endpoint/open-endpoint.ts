/** A model at an address: asked with retries, at a gate shared with everybody who asks there. */
import { setMaxListeners } from "node:events";
import type { Adaptation, Attempt, Tolerated } from "../records/index.ts";
import { adaptationFor } from "./adapt.ts";
import { attemptChat } from "./attempt.ts";
import type { Asked, ChatReply, ChatRequest, Endpoint, InFlight, JsonObject } from "./chat.ts";
import { openClient, type Client } from "./client.ts";
import { estimateTokens } from "./estimate.ts";
import { openGate, type EndpointSurroundings, type Gate } from "./gate.ts";
import type { Heard } from "./heard.ts";
import { makeRedactor } from "./redact.ts";
import { requestBody } from "./request.ts";
import { sayLongWait, waitBeforeNext } from "./retry.ts";
import type { EndpointSettings, ModelSettings } from "./settings.ts";
import { notesOn } from "./notes.ts";
import { takeAnswer, type TakenAnswer } from "./take-answer.ts";
import { readUsage } from "./usage.ts";

export type { EndpointSurroundings } from "./gate.ts";

/** Adaptations of one request: there are not more parameters. */
const MAX_ADAPTATIONS = 12;

/** Waiters that were here before go first. */
const AGAIN = 1;

/**
 * Opens a model at an address. Nothing is sent before the first question. `gate` is the one of the address, where more than
 * one model is asked there.
 */
export function openEndpoint(
  settings: EndpointSettings,
  model: ModelSettings,
  surroundings: EndpointSurroundings,
  gate: Gate = openGate(settings, surroundings),
): Endpoint {
  const redactor = makeRedactor(surroundings.key);
  const { key, nowMs, sleep, random, cut } = surroundings;
  // as many listeners as there are requests under way are no leak to warn of
  if (cut !== undefined) setMaxListeners(0, cut);
  const underWay = new Set<InFlight>();
  let client: Promise<Client> | undefined;

  const send = async (body: JsonObject, label: string): Promise<Heard> => {
    const entry: InFlight = { label, sinceMs: nowMs() };
    underWay.add(entry);
    try {
      client ??= openClient(settings.baseUrl, key);
      return await attemptChat(await client, body, { timeoutMs: settings.timeoutMs, nowMs, cut });
    } finally {
      underWay.delete(entry);
    }
  };

  const ask = async (request: ChatRequest, stop: AbortSignal): Promise<Asked> => {
    // one signal stops a whole set: as many listeners as there are runs are no leak to warn of
    setMaxListeners(0, stop);
    const attempts: Attempt[] = [];
    let adapted: readonly Adaptation[] = request.adapted;
    for (let made = 1; ;) {
      const body = requestBody(model, { ...request, adapted });
      const heard = await gate.pass(() => send(body, request.label), stop, made > 1 ? AGAIN : 0);
      if (heard === undefined) return { kind: "stopped" };
      const taken = takeAnswer(heard, redactor, body);
      if ("message" in taken)
        return { kind: "answered", reply: replyOf(taken, { request, body, attempts, adapted, cut: redactor.text }) };
      // what was cut off is no fault of the endpoint
      if (cut?.aborted === true) return { kind: "stopped" };
      const { fault } = taken;
      const learnt =
        adapted.length - request.adapted.length < MAX_ADAPTATIONS && heard.kind === "error"
          ? adaptationFor(fault, heard.facts, body, adapted)
          : undefined;
      if (learnt !== undefined) {
        // the refused request cost nothing, and the next is another one: no attempt is used up
        adapted = [...adapted, learnt];
        attempts.push({ fault, waitMs: 0 });
        continue;
      }
      const retryAfterMs = heard.kind === "error" ? heard.retryAfterMs : undefined;
      const waitMs = taken.isFinal ? undefined : waitBeforeNext({ fault, made, retryAfterMs }, settings, random());
      if (waitMs === undefined)
        return { kind: "failed", fault: sayLongWait(fault, retryAfterMs, settings.longestWaitMs), attempts };
      if (stop.aborted) return { kind: "stopped" };
      if (request.mayRetry?.([...attempts, { fault, waitMs }]) === false) return { kind: "failed", fault, attempts };
      attempts.push({ fault, waitMs });
      made += 1;
      if (fault.kind === "rate_limited") gate.pause(retryAfterMs ?? waitMs);
      await sleep(waitMs, stop);
      if (stop.aborted) return { kind: "stopped" };
    }
  };

  const { host, pathname } = new URL(settings.baseUrl);
  return {
    host,
    path: pathname.replace(/\/+$/, ""),
    ask,
    inFlight: () => [...underWay].sort((a, b) => a.sinceMs - b.sinceMs),
  };
}

interface Sent {
  readonly request: ChatRequest;
  readonly body: JsonObject;
  readonly attempts: readonly Attempt[];
  readonly adapted: readonly Adaptation[];
  /** Takes the key out of what an endpoint tells of usage: a count may be anything. */
  readonly cut: (text: string) => string;
}

function replyOf(answer: TakenAnswer, { request, body, attempts, adapted, cut }: Sent): ChatReply {
  const { message, finish, model } = answer;
  const { usage, tolerated: aboutUsage } = readUsage(answer.usage);
  const taught = adapted.slice(request.adapted.length).map(({ parameter, sentAs }): Tolerated => ({
    quirk: "adapted_parameter",
    says: sentAs === null ? `${parameter} is refused and left out` : `${parameter} is refused and sent as ${sentAs}`,
  }));
  return {
    message,
    finish,
    model,
    usage,
    ...(usage === null ? { estimatedTokens: estimateTokens(body) + estimateTokens(message) } : {}),
    tolerated: [
      ...taught,
      ...answer.quirks,
      ...notesOn(message, finish),
      ...aboutUsage.map((one) => ({ ...one, says: cut(one.says) })),
    ],
    attempts,
    adapted,
  };
}
