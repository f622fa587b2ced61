/** A model at an address: asked with retries, at a gate shared with everybody who asks there. */
import { setMaxListeners } from "node:events";
import type { Adaptation, Attempt, EndpointFault, Tolerated } from "../records/index.ts";
import { adaptationFor } from "./adapt.ts";
import { attemptChat } from "./attempt.ts";
import type { Asked, ChatReply, ChatRequest, Endpoint, InFlight, JsonObject } from "./chat.ts";
import { openClient, type Client } from "./client.ts";
import { estimateTokens } from "./estimate.ts";
import { ownFault, statedFault } from "./fault.ts";
import { openGate, type EndpointSurroundings, type Gate } from "./gate.ts";
import type { Heard, HeardAnswer } from "./heard.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { makeRedactor, type Redactor } from "./redact.ts";
import { requestBody } from "./request.ts";
import { waitBeforeNext } from "./retry.ts";
import type { EndpointSettings, ModelSettings } from "./settings.ts";
import { notesOn } from "./notes.ts";
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
  const { key, nowMs, sleep, random } = surroundings;
  const underWay = new Set<InFlight>();
  let client: Promise<Client> | undefined;

  const send = async (body: JsonObject, label: string): Promise<Heard> => {
    const entry: InFlight = { label, sinceMs: nowMs() };
    underWay.add(entry);
    try {
      client ??= openClient(settings.baseUrl, key);
      return await attemptChat(await client, body, { timeoutMs: settings.timeoutMs, nowMs });
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
      const judged = judge(heard, redactor);
      if ("message" in judged)
        return { kind: "answered", reply: replyOf(judged, { request, body, attempts, adapted }) };
      const { fault } = judged;
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
      const waitMs = waitBeforeNext({ fault, made, retryAfterMs }, settings, random());
      if (waitMs === undefined) return { kind: "failed", fault, attempts };
      if (stop.aborted) return { kind: "stopped" };
      attempts.push({ fault, waitMs });
      made += 1;
      if (fault.kind === "rate_limited") gate.pause(retryAfterMs ?? waitMs);
      await sleep(waitMs, stop);
      if (stop.aborted) return { kind: "stopped" };
    }
  };

  return {
    host: new URL(settings.baseUrl).host,
    ask,
    inFlight: () => [...underWay].sort((a, b) => a.sinceMs - b.sinceMs),
  };
}

/** An answer without secrets, and of a size that can be kept; or the fault in its place. */
type Judged = (Omit<HeardAnswer, "message"> & { readonly message: JsonObject }) | { readonly fault: EndpointFault };

function judge(heard: Heard, redactor: Redactor): Judged {
  switch (heard.kind) {
    case "error":
      return { fault: statedFault(heard.facts, heard.status, redactor.text) };
    case "nothing":
      return { fault: { ...heard.fault, message: redactor.text(heard.fault.message) } };
    case "answer": {
      const message = redactor.value(heard.message);
      if (message === undefined) return { fault: ownFault("bad_answer", "a message that is nested too deeply", 200) };
      const fault = faultOfMessage(message as JsonObject);
      if (fault !== undefined) return { fault };
      return {
        ...heard,
        message: message as JsonObject,
        finish: heard.finish === null ? null : redactor.text(heard.finish).slice(0, 200),
        model: heard.model === null ? null : redactor.text(heard.model).slice(0, 256),
      };
    }
  }
}

/** Why a message cannot be kept in a log. */
function faultOfMessage(message: JsonObject): EndpointFault | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(message));
  if (bytes > MAX_MESSAGE_BYTES) {
    return ownFault("bad_answer", `a message of ${bytes} bytes; at most ${MAX_MESSAGE_BYTES} are taken`, 200);
  }
  // JSON of 1e999 is read as a number that no JSON can hold
  return holdsInfinity(message) ? ownFault("bad_answer", "a message with a number that is not finite", 200) : undefined;
}

function holdsInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInfinity);
}

interface Sent {
  readonly request: ChatRequest;
  readonly body: JsonObject;
  readonly attempts: readonly Attempt[];
  readonly adapted: readonly Adaptation[];
}

function replyOf(
  answer: Exclude<Judged, { fault: EndpointFault }>,
  { request, body, attempts, adapted }: Sent,
): ChatReply {
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
    tolerated: [...taught, ...answer.quirks, ...notesOn(message, finish), ...aboutUsage],
    attempts,
    adapted,
  };
}
