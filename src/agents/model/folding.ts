/** Which answers of tools are folded, and when. Pure: numbers in, numbers out. */
import type { ModelSettings } from "../../endpoint/index.ts";
import type { LoopSettings } from "./defaults.ts";

/** An answer of a tool as it stands in the conversation. */
export interface StandingAnswer {
  /** The number of its call, from 1 in the run. */
  readonly number: number;
  /** Tokens that folding it would free, by estimate. */
  readonly frees: number;
  /** Names the part of the story it holds, where it holds one. */
  readonly story: string | undefined;
}

/** Tokens that a request may hold, less what is kept free for its answer; undefined where the window is not stated. */
export function roomOf(model: ModelSettings, loop: LoopSettings): number | undefined {
  const { contextTokens: window, maxTokens } = model;
  if (window === undefined) return undefined;
  return window - Math.min(maxTokens ?? loop.reserve, Math.floor(window / 2));
}

/**
 * The answers that may be folded, the first to go first: the oldest, without the last `kept` and without the story. A
 * part of the story that stands in several answers is told once: the last of them stays, and the others go when nothing
 * else is left.
 */
export function foldable(
  answers: readonly StandingAnswer[],
  lastCall: number,
  kept: number,
): readonly StandingAnswer[] {
  const old = answers.filter(({ number, frees }) => number <= lastCall - kept && frees > 0);
  const lastOf = new Map(answers.map(({ story, number }) => [story, number]));
  return [
    ...old.filter(({ story }) => story === undefined),
    ...old.filter(({ story, number }) => story !== undefined && lastOf.get(story) !== number),
  ];
}

/** Of `candidates` the first ones that free `need` tokens together, or all where that is not enough. */
export function firstFreeing(candidates: readonly StandingAnswer[], need: number): readonly number[] {
  const chosen: number[] = [];
  let freed = 0;
  for (const { number, frees } of candidates) {
    if (freed >= need) break;
    chosen.push(number);
    freed += frees;
  }
  return chosen;
}

/** What to fold so that a conversation of `tokens` fits a window with `room`; none where it fits as it is. */
export function foldsForWindow(
  tokens: number,
  room: number,
  candidates: readonly StandingAnswer[],
  loop: LoopSettings,
): readonly number[] {
  return tokens > room * loop.foldAbove ? firstFreeing(candidates, tokens - room * loop.foldBelow) : [];
}

/** What to fold where the endpoint says that its window is passed: a share of what can be folded, and at least one. */
export function foldsForOverflow(candidates: readonly StandingAnswer[], loop: LoopSettings): readonly number[] {
  const all = candidates.reduce((sum, { frees }) => sum + frees, 0);
  return firstFreeing(candidates, all * loop.overflowShare);
}
