/** What `run` shows on stderr while it runs: one line redrawn in place on a terminal, a line for each run elsewhere. */
import { escapeText, isFault, progressLine } from "../report/index.ts";
import type { RunName, SetEvent } from "../tracks/index.ts";
import { CLEAR_LINE, isLive } from "./terminal.ts";

/** What a display needs to know of stderr. */
export interface DisplayStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

const REDRAW_MS = 100;

export class SetDisplay {
  readonly #stream: DisplayStream;
  readonly #planned: number;
  readonly #live: boolean;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  readonly #running = new Map<string, { readonly run: RunName; round: number; calls: number }>();
  #done = 0;
  #failed = 0;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(
    planned: number,
    stream: DisplayStream,
    environment: Readonly<Record<string, string | undefined>>,
    nowMs: () => number,
  ) {
    this.#planned = planned;
    this.#stream = stream;
    this.#live = isLive(stream, environment);
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  take(event: SetEvent): void {
    const id = event.run.run;
    switch (event.kind) {
      case "begun":
        this.#running.set(id, { run: event.run, round: 1, calls: 0 });
        return this.#draw();
      case "call": {
        const running = this.#running.get(id);
        if (running !== undefined) Object.assign(running, { round: event.round, calls: event.calls });
        return this.#draw();
      }
      case "notice":
        return this.say(event.text);
      case "done": {
        const begun = this.#running.delete(id);
        this.#done += 1;
        const { outcome, fault, skipped } = event.run;
        const failed = outcome === null || isFault({ outcome });
        if (failed) this.#failed += 1;
        // After Ctrl-C: of a run that was not reached there is nothing to say.
        if (!begun) return this.#draw();
        const how = skipped ? `${outcome ?? ""} before, left alone` : (outcome ?? "not played");
        this.say(`[${this.#done}/${this.#planned}] ${id} ${how}${fault === undefined ? "" : `: ${fault}`}`);
      }
    }
  }

  /** A line that stays. */
  say(text: string): void {
    this.#stream.write(`${this.#live ? CLEAR_LINE : ""}${escapeText(text)}\n`);
    this.#drawnMs = Number.NEGATIVE_INFINITY;
    this.#draw();
  }

  /** Takes the redrawn line away. */
  close(): void {
    if (this.#live) this.#stream.write(CLEAR_LINE);
  }

  #draw(): void {
    const now = this.#nowMs();
    if (!this.#live || now - this.#drawnMs < REDRAW_MS || this.#done === this.#planned) return;
    this.#drawnMs = now;
    const running = [...this.#running.values()];
    const progress = {
      planned: this.#planned,
      done: this.#done,
      failed: this.#failed,
      running,
      elapsedMs: now - this.#startMs,
    };
    this.#stream.write(`${CLEAR_LINE}${progressLine(progress, (this.#stream.columns || 80) - 1)}`);
  }
}
