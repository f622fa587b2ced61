/**
 * What `run` shows on stderr while it runs: one line redrawn in place on a terminal; elsewhere a line for each run, and
 * one a minute of how things stand.
 */
import type { InFlight } from "../endpoint/index.ts";
import {
  escapeText,
  isFault,
  NOTHING_ASKED,
  progressLine,
  progressText,
  type AskedSoFar,
  type SetProgress,
} from "../report/index.ts";
import type { RunName, SetEvent } from "../tracks/index.ts";
import { CLEAR_LINE, isLive } from "./terminal.ts";

/** What a display needs to know of stderr. */
export interface DisplayStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

const REDRAW_MS = 100;
const TICK_MS = 1_000;
const PLAIN_EVERY_MS = 60_000;

export class SetDisplay {
  readonly #stream: DisplayStream;
  readonly #planned: number;
  readonly #live: boolean;
  readonly #nowMs: () => number;
  readonly #inFlight: () => readonly InFlight[];
  readonly #startMs: number;
  readonly #running = new Map<string, { readonly run: RunName; round: number; calls: number }>();
  #done = 0;
  #failed = 0;
  #skipped = 0;
  #asked: AskedSoFar = NOTHING_ASKED;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #saidMs: number;

  /** `nowMs` is the clock that the endpoints were given too; `inFlight` is what they are asked at this moment. */
  constructor(
    planned: number,
    stream: DisplayStream,
    environment: Readonly<Record<string, string | undefined>>,
    nowMs: () => number,
    inFlight: () => readonly InFlight[] = () => [],
  ) {
    this.#planned = planned;
    this.#stream = stream;
    this.#live = isLive(stream, environment);
    this.#nowMs = nowMs;
    this.#inFlight = inFlight;
    this.#startMs = nowMs();
    this.#saidMs = this.#startMs;
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
      case "answer":
        if (!event.replayed) this.#asked = withAnswer(this.#asked, event);
        return this.#draw();
      case "notice":
        return this.say(event.text);
      case "done": {
        const begun = this.#running.delete(id);
        this.#done += 1;
        const { outcome, fault, skipped } = event.run;
        const failed = outcome === null || isFault({ outcome });
        if (failed) this.#failed += 1;
        if (skipped) this.#skipped += 1;
        // After Ctrl-C: of a run that was not reached there is nothing to say.
        if (!begun) return this.#draw();
        const how = skipped ? `${outcome ?? ""} before, left alone` : (outcome ?? "not played");
        this.say(`[${this.#done}/${this.#planned}] ${id} ${how}${fault === undefined ? "" : `: ${fault}`}`);
      }
    }
  }

  /** A line that stays. */
  say(text: string): void {
    this.#write(text);
    this.#drawnMs = Number.NEGATIVE_INFINITY;
    this.#draw();
  }

  /** Time has passed in which perhaps nothing happened: what waits, waits longer. */
  tick(): void {
    if (this.#live) return this.#draw();
    const now = this.#nowMs();
    if (now - this.#saidMs < PLAIN_EVERY_MS) return;
    this.#saidMs = now;
    this.#write(progressText(this.#progressAt(now)));
  }

  /** Takes the redrawn line away. */
  close(): void {
    if (this.#live) this.#stream.write(CLEAR_LINE);
  }

  #write(text: string): void {
    this.#stream.write(`${this.#live ? CLEAR_LINE : ""}${escapeText(text)}\n`);
  }

  #draw(): void {
    if (!this.#live || this.#done === this.#planned) return;
    const now = this.#nowMs();
    if (now - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = now;
    const line = progressLine(this.#progressAt(now), (this.#stream.columns || 80) - 1);
    this.#stream.write(`${CLEAR_LINE}${escapeText(line)}`);
  }

  #progressAt(now: number): SetProgress {
    const oldest = this.#inFlight().reduce<InFlight | undefined>(
      (old, one) => (old === undefined || one.sinceMs < old.sinceMs ? one : old),
      undefined,
    );
    return {
      planned: this.#planned,
      done: this.#done,
      failed: this.#failed,
      skipped: this.#skipped,
      running: [...this.#running.values()],
      ...(this.#asked.answers === 0 ? {} : { asked: this.#asked }),
      ...(oldest === undefined ? {} : { oldest: { label: oldest.label, ageMs: Math.max(0, now - oldest.sinceMs) } }),
      elapsedMs: now - this.#startMs,
    };
  }
}

/** Ticks a display once a second until the returned function is called; keeps no process alive. */
export function keepDrawing(display: Pick<SetDisplay, "tick">): () => void {
  const timer = setInterval(() => display.tick(), TICK_MS).unref();
  return () => clearInterval(timer);
}

function withAnswer(asked: AskedSoFar, answer: Extract<SetEvent, { readonly kind: "answer" }>): AskedSoFar {
  return {
    answers: asked.answers + 1,
    tokens: asked.tokens + (answer.tokens ?? 0),
    estimated: asked.estimated || answer.estimated,
    uncounted: asked.uncounted + (answer.tokens === null ? 1 : 0),
    costUsd: asked.costUsd + (answer.costUsd ?? 0),
    unpriced: asked.unpriced + (answer.costUsd === null ? 1 : 0),
  };
}
