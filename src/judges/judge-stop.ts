/** Why a set is not judged to its end, and the one switch that stops it. */
import type { EndpointFault } from "../records/index.ts";
import type { BudgetStop, Clock } from "../tracks/index.ts";

export type JudgeStop =
  /** Who gave the command stopped it. */
  | { readonly kind: "interrupted" }
  /** A fault that every other question would meet: a wrong key, a quota that is used up. */
  | { readonly kind: "fault"; readonly fault: EndpointFault }
  | BudgetStop;

/** After it nothing new is asked, and what is under way is heard to its end. The first reason stays. */
export class JudgeSwitch {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #interrupt = (): void => this.stop({ kind: "interrupted" });
  #why: JudgeStop | undefined;
  #forget: () => void = () => {};

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer?.aborted === true) this.#interrupt();
    else outer?.addEventListener("abort", this.#interrupt, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it stopped; undefined where it did not. */
  get why(): JudgeStop | undefined {
    return this.#why;
  }

  stop(why: JudgeStop): void {
    if (this.signal.aborted) return;
    this.#why = why;
    this.#controller.abort();
  }

  /** Stops without a reason to tell: an exception is on its way. */
  breakOff(): void {
    this.#controller.abort();
  }

  /** Stops when so much time has passed from now on. */
  stopAfter(wallMs: number, clock: Clock): void {
    const since = clock.nowMs();
    const stop = (): void =>
      this.stop({ kind: "budget", which: "set_wall", setting: wallMs, measured: Math.round(clock.nowMs() - since) });
    this.#forget = clock.after(wallMs, stop);
  }

  /** Lets go of the timer and of the outer signal. */
  release(): void {
    this.#forget();
    this.#outer?.removeEventListener("abort", this.#interrupt);
  }
}
