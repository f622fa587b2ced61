/** How far judging has come, in plain lines: one for each run that is done, and one now and then in between. */
import type { JudgeEvent } from "../../judges/index.ts";
import { escapeText } from "../../report/index.ts";

/** Answers between two lines about a set under way. */
const EVERY = 50;

export class JudgeDisplay {
  readonly #runs: number;
  readonly #say: (line: string) => void;
  #done = 0;
  #answers = 0;
  #cached = 0;
  #tokens = 0;
  #costUsd = 0;
  #unpriced = 0;

  constructor(runs: number, say: (line: string) => void) {
    this.#runs = runs;
    this.#say = say;
  }

  take(event: JudgeEvent): void {
    switch (event.kind) {
      case "begun":
        return;
      case "answer": {
        const { answer, costUsd } = event;
        this.#answers += 1;
        this.#cached += answer.cached ? 1 : 0;
        this.#tokens += answer.usage?.total ?? answer.estimatedTokens ?? 0;
        this.#costUsd += costUsd ?? 0;
        this.#unpriced += costUsd === null ? 1 : 0;
        if (this.#answers % EVERY === 0) this.#line(`${this.#answers} answers (${this.#cached} from the cache)`);
        return;
      }
      case "done": {
        const { run, result } = event.run;
        this.#done += 1;
        if (result.kind === "judged")
          this.#line(`${run}: judged, ${result.asked} asked, ${result.cached} from the cache`);
        else if (result.kind === "open") this.#line(`${run}: ${result.left} questions are left open`);
        else this.#line(`${run} is not judged: ${result.why}`);
      }
    }
  }

  #line(text: string): void {
    const cost = this.#unpriced > 0 || this.#answers === 0 ? "" : `, $${this.#costUsd.toFixed(4)}`;
    this.#say(escapeText(`[${this.#done}/${this.#runs}] ${text} · ${this.#tokens} tokens${cost}`));
  }
}
