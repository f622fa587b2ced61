/** Why a set stops before everything planned in it was played, and the one switch that stops it. */
import type { RunId } from "../../records/index.ts";

/** A budget of a set. */
export type SetBudgetName = "set_tokens" | "set_cost" | "set_wall";

/** Which budget was reached, its setting and what was measured: tokens, USD or milliseconds. */
export interface BudgetStop {
  readonly kind: "budget";
  readonly which: SetBudgetName;
  readonly setting: number;
  readonly measured: number;
}

export type SetStop =
  /** Who gave the command stopped it. */
  | { readonly kind: "interrupted" }
  /** A run ended in a way that every other would: a wrong key, a quota that is used up. */
  | { readonly kind: "fault"; readonly run: RunId; readonly agent: string; readonly why: string }
  /** The disk fails: it is full, read-only or out of order, and would meet every later run too. */
  | { readonly kind: "disk"; readonly run: RunId; readonly why: string }
  | BudgetStop;

/**
 * The stop of a set: after it nothing new is begun, and what is under way is heard to its end. The first reason stays.
 */
export class StopSwitch {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onStop: ((stop: SetStop) => void) | undefined;
  readonly #interrupt = (): void => this.stop({ kind: "interrupted" });
  #why: SetStop | undefined;

  constructor(outer: AbortSignal | undefined, onStop: ((stop: SetStop) => void) | undefined) {
    this.#outer = outer;
    this.#onStop = onStop;
    if (outer?.aborted === true) this.#interrupt();
    else outer?.addEventListener("abort", this.#interrupt, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it stopped; undefined where it did not, and where it broke off. */
  get why(): SetStop | undefined {
    return this.#why;
  }

  stop(why: SetStop): void {
    if (this.signal.aborted) return;
    this.#why = why;
    this.#controller.abort();
    this.#onStop?.(why);
  }

  /** Stops without a reason to tell: an exception is on its way. */
  breakOff(): void {
    this.#controller.abort();
  }

  /** No longer listens to the outer signal. */
  release(): void {
    this.#outer?.removeEventListener("abort", this.#interrupt);
  }
}
