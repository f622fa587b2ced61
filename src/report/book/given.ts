/** What an agent of a tier is given of a case, asked of the very tools that would give it. */
import { scenarioOf, type Case } from "../../cases/index.ts";
import {
  admitCall,
  callTool,
  constructibleLevels,
  openSession,
  soundTurn,
  type Json,
  type MaintenanceSession,
  type Tier,
  type ToolAnswer,
  type Turn,
} from "../../runtime/index.ts";

/** Everything the six tools tell before anything is done: nothing of the contract, nothing of the reference. */
export interface Given {
  readonly caseId: string;
  readonly tier: Tier;
  /** What the agent has to construct: `capabilities`; nothing in easy. */
  readonly toConstruct: readonly string[];
  readonly unit: string;
  readonly clock: number;
  /** Every topic of `help`, in the tier's words. */
  readonly help: readonly { readonly topic: string; readonly text: string }[];
  /** What `read_data` reads, source by source; empty sources are left out. */
  readonly sources: readonly { readonly from: string; readonly entries: readonly GivenEntry[] }[];
  readonly rounds: readonly GivenRound[];
}

/** An entry of `read_data`. */
export type GivenEntry = Readonly<Record<string, unknown>>;

export interface GivenRound {
  readonly number: number;
  readonly narrative: string;
  readonly steps: number;
  readonly calls: number;
}

const SOURCES = ["map", "types", "entities", "capabilities", "invariants"] as const;
const PLURAL = { type: "types", entity: "entities", capability: "capabilities" } as const;

export function givenOf(case_: Case, tier: Tier): Given {
  const scenario = scenarioOf(case_, tier);
  // Each question is asked of a fresh session, so that no budget ever runs out.
  const start = openSession(scenario);
  const rounds: GivenRound[] = [];
  for (let session = start; rounds.length < case_.narratives.length; session = ask(session, "end_round", {}).session)
    rounds.push(roundOf(session));
  const { clock, unit } = contextOf(start, {});
  return {
    caseId: case_.id,
    tier,
    toConstruct: constructibleLevels(tier).map((level) => PLURAL[level]),
    unit,
    clock,
    help: helpOf(start),
    sources: SOURCES.map((from) => ({ from, entries: entriesOf(start, from) })).filter(
      ({ entries }) => entries.length > 0,
    ),
    rounds,
  };
}

function helpOf(session: MaintenanceSession): Given["help"] {
  const topics = helpAnswer(session, "overview").topics;
  return topics.map((topic) => ({ topic, text: helpAnswer(session, topic).text }));
}

function helpAnswer(session: MaintenanceSession, topic: string): Extract<ToolAnswer, { readonly topics: unknown }> {
  const { answer } = ask(session, "help", { topic });
  if (answer.ok && "topics" in answer) return answer;
  throw unexpected("help", answer);
}

function entriesOf(session: MaintenanceSession, from: string): readonly GivenEntry[] {
  const entries: GivenEntry[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { answer } = ask(session, "read_data", { from, ...(cursor === undefined ? {} : { cursor }) });
    if (!answer.ok || !("entries" in answer)) throw unexpected("read_data", answer);
    entries.push(...answer.entries);
    cursor = answer.cursor;
  }
  return entries;
}

function roundOf(session: MaintenanceSession): GivenRound {
  const { round, budgets } = contextOf(session, {});
  let narrative = "";
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const part = contextOf(session, cursor === undefined ? { round } : { round, cursor }).narrative;
    narrative += part.text;
    cursor = part.cursor;
  }
  return { number: round, narrative, steps: budgets.roundSteps.allowed, calls: budgets.roundCalls.allowed };
}

function contextOf(
  session: MaintenanceSession,
  input: Readonly<Record<string, Json>>,
): Extract<ToolAnswer, { readonly narrative: unknown }> {
  const { answer } = ask(session, "get_context", input);
  if (answer.ok && "narrative" in answer) return answer;
  throw unexpected("get_context", answer);
}

function ask(
  session: MaintenanceSession,
  tool: string,
  input: Readonly<Record<string, Json>>,
): Turn<MaintenanceSession> {
  return soundTurn(callTool(session, admitCall(tool, input)));
}

function unexpected(tool: string, answer: ToolAnswer): Error {
  return new Error(`givenOf: ${tool} answered ${JSON.stringify(answer).slice(0, 200)}`);
}
