/** The sessions that are fuzzed: three tiers of the village, two modes of the pond, none of them ever short of budget. */
import type { Budgets } from "../../src/runtime/budget.ts";
import { openSession, type Session } from "../../src/runtime/session.ts";
import { pond } from "../runtime/toy-dynamics.ts";
import { randomWorld } from "../runtime/support/random-steps.ts";
import { village } from "../runtime/support/village.ts";
import type { Player } from "./calls.ts";

const ROUNDS = 100;

function plenty(rounds: number): Budgets {
  return { rounds: Array.from({ length: rounds }, () => ({ steps: 1e9, calls: 1e9 })), runCalls: 1e12 };
}

/** What holds after every step in the village: in the engine's words, and in the fuzzer's own (checks.ts). */
const INVARIANTS = [{ expr: "all(person).all(p, p.coins <= 60)" }, { expr: "jug.litres + cup.litres <= 9" }];

const HARD = village({ invariants: INVARIANTS });
const EXTREME = village({ types: {}, entities: {} });

export function openFor(player: Player): Session {
  if (player === "M1" || player === "M2") {
    // 8 ticks a segment, 4 a decision
    return pond({ mode: player, ticks: 8 * ROUNDS, budgets: plenty(player === "M1" ? ROUNDS : 2 * ROUNDS) });
  }
  return openSession({
    track: "maintenance",
    caseId: "fuzz_001",
    tier: player,
    unit: "minute",
    world: { easy: randomWorld, hard: HARD, extreme: EXTREME }[player],
    narratives: Array.from({ length: ROUNDS }, (_, i) => `Round ${i + 1}. ${"Ann heats the milk. ".repeat(20)}`),
    budgets: plenty(ROUNDS),
  });
}
