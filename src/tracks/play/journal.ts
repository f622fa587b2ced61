/**
 * A run as its agent plays it: what was logged before is given again, line by line, and compared; the first thing that
 * is not in the log is really done.
 */
import { join } from "node:path";
import {
  differencesOfJson,
  isSameCall,
  LOG_FILE,
  RecordError,
  type AnswerBody,
  type Attempt,
  type FaultBody,
  type JournalBody,
  type LoggedLine,
  type RecordedRun,
} from "../../records/index.ts";
import type { AdmittedCall, ToolAnswer } from "../../runtime/index.ts";
import type { Journal } from "../agent.ts";

export interface JournalOptions {
  /** Aborted when nothing new may be asked. */
  readonly stop: AbortSignal;
  /** Asked before something new is asked of anyone; false leaves the run open where it stands. */
  readonly mayAsk?: () => boolean;
  /** Asked before something that failed is tried again, with the attempts that failed; false gives it up. */
  readonly mayRetry?: (failed: readonly Attempt[]) => boolean;
  /** Told of each answer of a model, new ones and those given again. */
  readonly onAnswer?: (answer: AnswerBody, replayed: boolean) => void;
  /** Told of each request of now that brought no answer. */
  readonly onFault?: (fault: FaultBody) => void;
}

/** Kinds of lines that come from outside, as `fetch` brings them. */
const FROM_OUTSIDE: ReadonlySet<JournalBody["kind"]> = new Set(["answer", "fault"]);

export class JournaledRun {
  /** What the agent is given of it. */
  readonly journal: Journal = {
    keep: (line) => this.#keep(line),
    fetch: async (make) => await this.#fetch(make),
  };
  readonly #run: RecordedRun;
  readonly #options: JournalOptions;
  #calls = 0;
  #asking = false;
  #broken: RecordError | undefined;
  #leftOpen = false;

  constructor(run: RecordedRun, options: JournalOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** Calls that were answered so far, those given again among them. */
  get calls(): number {
    return this.#calls;
  }

  /** Something was to be asked and nothing came. Whatever an agent does then, it would not do when the run is taken up. */
  get isLeftOpen(): boolean {
    return this.#leftOpen;
  }

  /** Throws where the agent did not do again what is logged, also where the agent itself passed over that. */
  requireSameAsLogged(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Answers a call, from the log where it is there. Throws RecordError. */
  call(call: AdmittedCall): ToolAnswer {
    const logged = this.#run.next;
    this.#calls += 1;
    if (logged === undefined) return this.#run.call(call);
    if (logged.kind !== "call" || !isSameCall(logged.call, call)) {
      const there = logged.kind === "call" ? "" : `, which has a line of kind ${logged.line.kind} there`;
      throw this.#diverge(logged, `the agent does not make call ${this.#calls} as the log holds it${there}`);
    }
    this.#run.takeNext();
    return logged.answer;
  }

  /** Where the agent ends and the log goes on. */
  requireEnd(): void {
    const logged = this.#run.next;
    if (logged === undefined) return;
    const there = logged.kind === "call" ? `call ${this.#calls + 1}` : `the line of kind ${logged.line.kind}`;
    const what = `the agent does not make ${there} as the log holds it: it stops before`;
    throw this.#diverge(logged, what);
  }

  #keep(line: JournalBody): void {
    this.#requireTurn("keep");
    const logged = this.#run.next;
    if (logged === undefined) {
      this.#run.keep(line);
      return;
    }
    const [difference] = logged.kind === "journal" ? differencesOfJson(logged.line, line, 1) : [];
    if (logged.kind === "call" || difference !== undefined) {
      const there =
        difference === undefined
          ? "which has a call there"
          : `in which ${difference.path} is ${difference.expected} and not ${difference.seen}`;
      throw this.#diverge(
        logged,
        `the agent does not keep the line of kind ${line.kind} as the log holds it, ${there}`,
      );
    }
    this.#run.takeNext();
  }

  async #fetch(make: Parameters<Journal["fetch"]>[0]): Promise<JournalBody | undefined> {
    this.#requireTurn("fetch");
    const logged = this.#run.next;
    if (logged !== undefined) return this.#giveAgain(logged);
    const { stop, mayAsk } = this.#options;
    if (stop.aborted || mayAsk?.() === false) {
      this.#leftOpen = true;
      return undefined;
    }
    this.#asking = true;
    // Where `make` throws, nothing came either.
    this.#leftOpen = true;
    try {
      const made = await make((failed) => this.#options.mayRetry?.(failed) ?? true);
      if (made === undefined) return undefined;
      // An answer that was waited for is kept, also after the stop: it is paid for.
      const kept = this.#run.keep(made);
      this.#leftOpen = false;
      if (kept.kind === "answer") this.#options.onAnswer?.(kept, false);
      if (kept.kind === "fault") this.#options.onFault?.(kept);
      return kept;
    } finally {
      this.#asking = false;
    }
  }

  #giveAgain(logged: LoggedLine): JournalBody {
    if (logged.kind === "call" || !FROM_OUTSIDE.has(logged.line.kind)) {
      const there = logged.kind === "call" ? "a call" : `a line of kind ${logged.line.kind}`;
      throw this.#diverge(logged, `the agent asks for something where the log holds ${there}`);
    }
    this.#run.takeNext();
    if (logged.line.kind === "answer") this.#options.onAnswer?.(logged.line, true);
    return logged.line;
  }

  /** Faults of the agent's program, which no log can hold. */
  #requireTurn(doing: "keep" | "fetch"): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#asking) throw new Error(`journal.${doing}: a fetch is still under way, and lines have one order`);
    if (this.#leftOpen) throw new Error(`journal.${doing}: nothing came of the fetch before, and the run is to end`);
  }

  #diverge(logged: LoggedLine, what: string): RecordError {
    this.#broken ??= new RecordError("log_damaged", {
      where: `${join(this.#run.path, LOG_FILE)}:${logged.seq + 1}`,
      what: `given the same answers, ${what}`,
      remedy: "Go on with it by the version of this program it was begun with, or begin a new set (--out DIR)",
    });
    return this.#broken;
  }
}
