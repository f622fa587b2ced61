/** An agent that asks as a model's does, of a table instead of an endpoint; it counts how often it really asked. */
import type { AnswerBody, EndpointFault, JournalBody, Usage } from "../../src/records/index.ts";
import type { Agent, AgentCall, AgentEnd } from "../../src/tracks/index.ts";
import { answerBody } from "../records/fixtures.ts";

export const LOOK: AgentCall = { tool: "get_context", input: {} };
export const READ: AgentCall = { tool: "read_data", input: { from: "map" } };
export const END: AgentCall = { tool: "end_round", input: {} };
/** No JSON: what a model writes in a bad moment. */
export const GARBLED: AgentCall = { tool: "read_data", text: '{"from": "map"' };

/** One answer of the table: the calls it holds, and what the agent keeps after them. */
export interface Turn {
  readonly calls: readonly AgentCall[];
  readonly then?: readonly JournalBody[];
  /** What comes in place of an answer. */
  readonly fault?: EndpointFault;
}

export interface AskingOptions extends Partial<Omit<Agent, "play">> {
  readonly usage?: Usage | null;
  readonly answer?: Partial<AnswerBody>;
  /** Awaited before each answer comes. */
  readonly before?: (request: number) => void | Promise<void>;
  /** How a run ends that has met a fault. */
  readonly end?: (fault: EndpointFault) => AgentEnd;
}

export interface AskingAgent {
  readonly agent: Agent;
  /** The numbers of the requests that were really made, in their order. */
  readonly asked: readonly number[];
}

export const SERVER_ERROR: EndpointFault = {
  kind: "server_error",
  status: 503,
  code: null,
  message: "no worker is free",
};

/** An agent that plays these turns and stops. */
export function asking(turns: readonly Turn[], options: AskingOptions = {}): AskingAgent {
  const { usage = USAGE, answer = {}, before, end, ...more } = options;
  const asked: number[] = [];
  const agent: Agent = {
    name: "asking",
    says: "asks a table what to do",
    settings: {},
    ...more,
    async *play({ journal, stop }) {
      journal.keep({ kind: "message", role: "system", text: "Keep the world running." });
      journal.keep({ kind: "message", role: "user", text: "Begin." });
      for (const [i, turn] of turns.entries()) {
        const request = i + 1;
        const line = await journal.fetch(async () => {
          asked.push(request);
          await before?.(request);
          return turn.fault === undefined
            ? answerBody(request, usage, answer)
            : { kind: "fault", request, fault: turn.fault, attempts: [] };
        });
        if (line === undefined) return { outcome: stop.aborted ? "cancelled" : "stopped" };
        if (line.kind === "fault")
          return end?.(line.fault) ?? { outcome: "endpoint_fault", detail: { kind: line.fault.kind } };
        for (const call of turn.calls) yield call;
        for (const kept of turn.then ?? []) journal.keep(kept);
      }
      return undefined;
    },
  };
  return { agent, asked };
}

export const USAGE: Usage = { input: 70, cachedInput: 0, output: 30, reasoning: 0, total: 100 };

export const NUDGE: JournalBody = { kind: "message", role: "user", text: "Go on with a tool call." };
export const FOLD: JournalBody = { kind: "fold", calls: [1], why: "window" };
