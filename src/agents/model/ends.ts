/** When the loop ends a run before the case is finished, and what is then said of it. */
import { stopsEverything, type ModelSettings } from "../../endpoint/index.ts";
import type { AnswerBody, EndpointFault, FaultBody, FaultKind } from "../../records/index.ts";
import type { ToolAnswer } from "../../runtime/index.ts";
import type { AgentEnd } from "../../tracks/index.ts";

/** How a run can end that is played by the chat loop, in the order of docs/chat-loop.md. */
export const STOP_RULES: readonly { readonly outcome: AgentEnd["outcome"]; readonly when: string }[] = [
  { outcome: "finished", when: "The last round is closed. Calls after that in the same message are not made." },
  {
    outcome: "limit",
    when: "The calls of the run are spent; which budget, its setting and the measured value are kept.",
  },
  {
    outcome: "stopped",
    when: "One answer more without a tool call than there are nudges in a row. An empty answer counts as one without a call.",
  },
  {
    outcome: "blocked",
    when: 'A filter or a refusal: finish reason "content_filter", a refusal in place of calls, or a fault of the endpoint that says so. Never asked again.',
  },
  {
    outcome: "context_overflow",
    when: "The endpoint says that its window is passed and nothing is left that may be folded.",
  },
  {
    outcome: "engine_fault",
    when: "Deduction: the rules of the case contradict each other where the run has come to. That is no fault of the model; the run is excluded and counted.",
  },
  {
    outcome: "endpoint_fault",
    when: "The endpoint brings no answer, after every attempt. The run is not sealed: the next command takes it up where it was left. A wrong key, a quota that is used up, an unknown model and an address that is no API stop the whole set.",
  },
  {
    outcome: "cancelled",
    when: "Ctrl-C, or a budget of the set. An answer under way is heard to its end; the run is left open and goes on with the next command.",
  },
];

/** Whether an answer was kept from us: by a filter, or because the model refuses. Undefined where it was not. */
export function blockedBy(line: AnswerBody, calls: number): AgentEnd | undefined {
  const { refusal } = line.message;
  const refused = typeof refusal === "string" && refusal.trim() !== "" && calls === 0;
  if (line.finish === "content_filter") {
    const message = 'the endpoint cut the answer by a filter (finish reason "content_filter")';
    return { outcome: "blocked", detail: { by: "filter", request: line.request, message } };
  }
  if (!refused) return undefined;
  return { outcome: "blocked", detail: { by: "refusal", request: line.request, message: refusal.slice(0, 2000) } };
}

/** A run whose model goes on without calls after `nudges` nudges. `line` is its last answer. */
export function withoutCalls(line: AnswerBody, nudges: number, { maxTokens }: ModelSettings): AgentEnd {
  const cut = line.finish !== "length" ? "" : `; the last one was cut by ${limitOf(maxTokens)}`;
  const message = `${nudges + 1} answers in a row held no tool call, after ${nudges} nudges${cut}`;
  return { outcome: "stopped", detail: { reason: "no_call", nudges, finish: line.finish, message } };
}

function limitOf(maxTokens: number | undefined): string {
  return maxTokens === undefined ? "the endpoint's limit of an answer" : `the limit of ${maxTokens} tokens (maxTokens)`;
}

/** A request that brought no answer and is not asked again in another form. */
export function endOfFault({ fault }: FaultBody): AgentEnd {
  const detail = { kind: fault.kind, status: fault.status, message: fault.message };
  if (fault.kind === "blocked") return { outcome: "blocked", detail: { by: "endpoint", ...detail } };
  if (fault.kind === "context_overflow") return { outcome: "context_overflow", detail };
  if (!stopsEverything(fault)) return { outcome: "endpoint_fault", detail };
  return { outcome: "endpoint_fault", detail, stopsSet: sayWhy(fault) };
}

const WHY: Partial<Record<FaultKind, string>> = {
  auth: "the endpoint does not accept the key",
  quota: "the quota of the key is used up",
  unknown_model: "the endpoint has no such model",
  not_an_api: "what answers at the base URL is no OpenAI-compatible API",
};

function sayWhy({ kind, status, message }: EndpointFault): string {
  return `${WHY[kind] ?? kind}${status === null ? "" : ` (HTTP ${status})`}: ${message}`;
}

const LAST_CODES: ReadonlySet<string> = new Set(["case_finished", "run_budget_spent", "engine_fault"]);

/** Whether an answer of a tool says that no call changes anything any more. */
export function isLast(answer: ToolAnswer): boolean {
  if (!answer.ok) return LAST_CODES.has(answer.error.code);
  return "finished" in answer && answer.finished;
}
