/** An endpoint that answers by a policy and keeps every request it was sent, as text. */
import type { Asked, ChatReply, ChatRequest, Endpoint, JsonObject } from "../../src/endpoint/index.ts";
import type { EndpointFault, FaultKind } from "../../src/records/index.ts";
import type { Json } from "../../src/runtime/index.ts";

/** Decides from the request alone, as a model does; `asked` counts the requests before this one. */
export type Policy = (request: ChatRequest, asked: number) => Asked;

export interface FakeEndpoint extends Endpoint {
  /** Each request as JSON text, in the order in which they came. */
  readonly requests: readonly string[];
}

export function fakeEndpoint(policy: Policy): FakeEndpoint {
  const requests: string[] = [];
  return {
    host: "127.0.0.1:9",
    path: "/v1",
    requests,
    ask: async (request, stop) => {
      if (stop.aborted) return { kind: "stopped" };
      requests.push(JSON.stringify(request));
      return policy(request, requests.length - 1);
    },
    inFlight: () => [],
  };
}

/** Gives these answers one after another, whatever is asked, and the last of them again and again. */
export function inTurn(answers: readonly Asked[]): Policy {
  return (_, asked) => answers[Math.min(asked, answers.length - 1)] as Asked;
}

/** Gives the answer that is due by the number of answers that stand in the request: the same after a resumption. */
export function byTurn(answers: readonly Asked[]): Policy {
  return ({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    return answers[Math.min(turn, answers.length - 1)] as Asked;
  };
}

export function reply(message: JsonObject, more: Partial<ChatReply> = {}): Asked {
  return {
    kind: "answered",
    reply: {
      message: { role: "assistant", ...message },
      finish: "tool_calls" in message ? "tool_calls" : "stop",
      model: "tiny-1",
      usage: null,
      tolerated: [],
      attempts: [],
      adapted: [],
      ...more,
    },
  };
}

let made = 0;

/** An answer with one call for each pair of a tool and its input; an input that is a text goes out as it stands. */
export function calls(...pairs: readonly (readonly [tool: string, input: Json])[]): Asked {
  return reply(callMessage(pairs));
}

export function callMessage(pairs: readonly (readonly [tool: string, input: Json])[]): JsonObject {
  return {
    content: null,
    tool_calls: pairs.map(([name, input], i) => {
      made += 1;
      const args = typeof input === "string" ? input : JSON.stringify(input);
      return { id: `call_${made}_${i}`, type: "function", function: { name, arguments: args } };
    }),
  };
}

export function words(content: string | null, more: Partial<ChatReply> = {}): Asked {
  return reply({ content }, more);
}

export function fails(kind: FaultKind, more: Partial<EndpointFault> = {}): Asked {
  return {
    kind: "failed",
    fault: { kind, status: null, code: null, message: `a fault: ${kind}`, ...more },
    attempts: [],
  };
}

/** Usage whose prompt has `tokens` tokens. */
export function prompt(tokens: number): Pick<ChatReply, "usage"> {
  return { usage: { input: tokens, cachedInput: 0, output: 10, reasoning: 0, total: tokens + 10 } };
}
