/** A model that solves a case by its reference, through tool calls like any other. */
import { solutionOf, type Call, type Case } from "../../../src/cases/index.ts";
import { sameJson, TIERS, type Tier } from "../../../src/runtime/index.ts";
import type { Policy } from "./policy.ts";
import { callsIn, isObject, parseJson, textIn, type JsonObject, wordOf } from "./wire.ts";

export interface SolverOptions {
  /** Most calls of one message; "round": all up to the end of the round. Default 1. */
  readonly parallel?: number | "round";
}

/** A call of the conversation with the text of its answer. */
interface Made {
  readonly name: string;
  readonly arguments: string;
  readonly answer: string;
}

const OPENING: readonly Call[] = [
  { tool: "help", input: {} },
  { tool: "get_context", input: {} },
];

/** Times that one call is tried before the model gives up on it. */
const PATIENCE = 4;

/**
 * Plays the reference solution of whichever of these cases, in whichever tier, the answer of get_context names. How far
 * it is it sees from the calls in the conversation that were not refused; a call that was is made again.
 */
export function solver(cases: readonly Case[], { parallel = 1 }: SolverOptions = {}): Policy {
  const most = parallel === "round" ? Number.POSITIVE_INFINITY : parallel;
  return ({ messages }) => {
    const made = callsOf(messages);
    const solution = solutionIn(made, cases);
    const wanted = [...OPENING, ...(solution ?? [])];
    const { done, tries } = follow(made, wanted);
    if (done === wanted.length)
      return { text: solution === undefined ? "I know no such case." : "That was the whole story." };
    if (tries >= PATIENCE) return { text: `I cannot get ${wanted[done]?.tool} to work.` };
    return { calls: upToEndOfRound(wanted.slice(done, done + most)) };
  };
}

/** Every call of the conversation in order, each with its answer. */
function callsOf(messages: readonly JsonObject[]): readonly Made[] {
  const made: Made[] = [];
  let open = new Map<string, (answer: string) => void>();
  for (const message of messages) {
    if (message["role"] === "tool") open.get(wordOf(message["tool_call_id"]))?.(textIn(message));
    if (message["role"] !== "assistant") continue;
    open = new Map(
      callsIn(message).map(({ id, name, arguments: text }) => {
        const at = made.push({ name, arguments: text, answer: "" }) - 1;
        return [id, (answer: string) => (made[at] = { name, arguments: text, answer })];
      }),
    );
  }
  return made;
}

/** The solution of the case and tier that an answer names, all rounds in one. */
function solutionIn(made: readonly Made[], cases: readonly Case[]): readonly Call[] | undefined {
  for (const { name, answer } of made) {
    const context = name === "get_context" ? parseJson(answer) : undefined;
    if (!isObject(context)) continue;
    const case_ = cases.find(({ id }) => id === context["case"]);
    const tier = TIERS.find((one): one is Tier => one === context["tier"]);
    if (case_ !== undefined && tier !== undefined) return solved(case_, tier);
  }
  return undefined;
}

const solutions = new WeakMap<Case, Map<Tier, readonly Call[]>>();

function solved(case_: Case, tier: Tier): readonly Call[] {
  const tiers = solutions.get(case_) ?? new Map<Tier, readonly Call[]>();
  solutions.set(case_, tiers);
  const known = tiers.get(tier) ?? solutionOf(case_, tier).flat();
  tiers.set(tier, known);
  return known;
}

/** How many of the wanted calls were made and not refused, and how often the next one was tried. */
function follow(made: readonly Made[], wanted: readonly Call[]): { readonly done: number; readonly tries: number } {
  let done = 0;
  let tries = 0;
  for (const { name, arguments: text, answer } of made) {
    const next = wanted[done];
    if (next === undefined) break;
    if (name !== next.tool) continue;
    const isDone = !isRefusal(answer) && sameJson(parseJson(text), next.input);
    done += isDone ? 1 : 0;
    tries = isDone ? 0 : tries + 1;
  }
  return { done, tries };
}

/** Whether a call was refused. Of an answer that was folded, its line says so. */
function isRefusal(answer: string): boolean {
  const data = parseJson(answer);
  if (isObject(data)) return data["ok"] === false;
  return !answer.startsWith("(folded:") || answer.includes(", refused:");
}

/** A round is ended by the last call of a message: what comes after it was not read yet. */
function upToEndOfRound(calls: readonly Call[]): readonly Call[] {
  const end = calls.findIndex(({ tool }) => tool === "end_round");
  return end === -1 ? calls : calls.slice(0, end + 1);
}
