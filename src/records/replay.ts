/** Replay: every call of a log is answered again by a fresh runtime and compared with what was logged. */
import {
  admitCall,
  callTool,
  digestOfWorld,
  openSession,
  sameJson,
  soundTurn,
  type AdmittedCall,
  type EffectRecord,
  type Scenario,
  type Session,
  type ToolAnswer,
} from "../runtime/index.ts";
import { differencesOfJson, type Difference } from "./difference.ts";
import type { CallBody, LogEntry } from "./entry.ts";

/** A replay under way. */
export class Replayer {
  #session: Session;
  #calls = 0;
  readonly #differences: Difference[] = [];
  readonly #records: EffectRecord[] = [];

  constructor(scenario: Scenario) {
    this.#session = openSession(scenario);
  }

  get session(): Session {
    return this.#session;
  }

  get calls(): number {
    return this.#calls;
  }

  /** What differed so far. After a first difference everything later may follow from it. */
  get differences(): readonly Difference[] {
    return this.#differences;
  }

  /** What the runtime itself records for the calls, not what the log says. */
  get records(): readonly EffectRecord[] {
    return this.#records;
  }

  /** Answers the call of a log entry again and returns the answer; entries of other kinds are passed over. */
  take(entry: LogEntry): ToolAnswer | undefined {
    if (entry.kind !== "call") return undefined;
    this.#calls += 1;
    const turn = soundTurn(callTool(this.#session, callOf(entry)));
    this.#session = turn.session;
    if (turn.record !== undefined) this.#records.push(turn.record);
    const where = `log.jsonl:${entry.seq + 1}`;
    this.#compare(`${where} answer`, turn.answer, entry.answer);
    this.#compare(`${where} record`, turn.record ?? null, entry.record ?? null);
    this.#compare(`${where} digest`, digestOfWorld(turn.session.world), entry.digest);
    return turn.answer;
  }

  #compare(where: string, expected: unknown, seen: unknown): void {
    if (sameJson(expected, seen)) return;
    for (const one of differencesOfJson(expected, seen, 3)) {
      this.#differences.push({
        kind: "replay",
        where: one.path === "" ? where : `${where} ${one.path}`,
        expected: one.expected,
        seen: one.seen,
      });
    }
  }
}

/** A logged call as it was admitted. The input passes the border again: a log is not trusted. */
export function callOf(entry: CallBody): AdmittedCall {
  return entry.refused === undefined
    ? admitCall(entry.tool, entry.input)
    : { ok: false, tool: entry.tool, error: entry.refused };
}
