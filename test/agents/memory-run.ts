/** A run whose log is a list in memory: what the loop asks, keeps and calls, without disk. */
import { scenarioOf } from "../../src/cases/index.ts";
import type { JournalBody, LogBody, RunId } from "../../src/records/index.ts";
import {
  admitCall,
  admitText,
  callTool,
  canonicalJson,
  digestOfWorld,
  isOver,
  openSession,
  outcomeOf,
  sameJson,
  type AdmittedCall,
  type Json,
  type MaintenanceSession,
  type Tier,
} from "../../src/runtime/index.ts";
import type { Agent, AgentCall, AgentEnd, Journal } from "../../src/tracks/index.ts";
import { horn } from "../tracks/run-fixture.ts";

export interface MemoryRun {
  readonly log: readonly LogBody[];
  /** What the agent said when it ended; undefined where the case ended, or the agent said nothing. */
  readonly end: AgentEnd | undefined;
  readonly session: MaintenanceSession;
}

export interface MemoryOptions {
  readonly tier?: Tier;
  /** Lines to take the run up from. */
  readonly logged?: readonly LogBody[];
  readonly stop?: AbortSignal;
}

/** Plays a run of the horn case, or takes it up after `logged`. */
export async function playInMemory(agent: Agent, options: MemoryOptions = {}): Promise<MemoryRun> {
  const { tier = "easy", logged = [], stop = new AbortController().signal } = options;
  const log = new MemoryLog(logged);
  let session = openSession(scenarioOf(horn, tier));
  const playing = agent.play({
    track: "maintenance",
    tier,
    case: horn,
    run: "horn.easy.model.1" as RunId,
    journal: log,
    stop,
  });
  let next = await playing.next();
  while (next.done !== true) {
    const call = admit(next.value);
    const turn = callTool(session, call);
    session = turn.session;
    const { answer } = log.place({
      kind: "call",
      tool: call.tool,
      ...(call.ok ? { input: call.input } : { refused: call.error }),
      answer: turn.answer as Json,
      digest: digestOfWorld(session.world),
    });
    if (isOver(session)) {
      await playing.return(undefined);
      return { log: log.lines, end: undefined, session };
    }
    next = await playing.next(answer as typeof turn.answer);
  }
  return { log: log.lines, end: next.value, session };
}

export function outcomeIn({ session }: MemoryRun): string {
  return outcomeOf(session).kind;
}

function admit({ tool, input, text }: AgentCall): AdmittedCall {
  return text === undefined ? admitCall(tool, input) : admitText(tool, text);
}

/** Gives back what was logged, in the form in which a disk holds it: with sorted keys. */
class MemoryLog implements Journal {
  readonly lines: LogBody[] = [];
  readonly #logged: readonly LogBody[];

  constructor(logged: readonly LogBody[]) {
    this.#logged = logged.map((line) => JSON.parse(canonicalJson(line)) as LogBody);
  }

  readonly keep = (line: JournalBody): void => {
    this.place(line);
  };

  readonly fetch: Journal["fetch"] = async (make) => {
    const line = (this.#next() as JournalBody | undefined) ?? (await make(() => true));
    if (line !== undefined) this.lines.push(line);
    return line;
  };

  place<T extends LogBody>(line: T): T {
    const logged = this.#next();
    if (logged !== undefined && !sameJson(logged, line))
      throw new Error(`line ${this.lines.length} is ${canonicalJson(line)}, not ${canonicalJson(logged)}`);
    const placed = (logged ?? line) as T;
    this.lines.push(placed);
    return placed;
  }

  #next(): LogBody | undefined {
    return this.#logged[this.lines.length];
  }
}
