/**
 * Plays and judges a mutant once. Easy and hard begin in one world but for its capabilities, and hard builds them at the
 * head of a round: where a mutant changes only the steps of a round, both play the same. So does a stripped mutant where
 * no requirement refused the other. In extreme entities come into being on the way and there are no invariants: it
 * shares with no other tier.
 */
import type { RoundContract } from "../../../contracts/index.ts";
import type { Base } from "./base.ts";
import type { Judged } from "./kills.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { judgeReplayed, replay, type Replayed } from "./replay.ts";
import { actsOf, type Act, type Script } from "./script.ts";

/** A mutant that was played: on which base, by which script, and what it came to. */
export interface Run {
  readonly base: Base;
  readonly script: Script;
  readonly replayed: Replayed;
  readonly judged: Judged;
}

/** The runs of the mutants of one round, by what is done in it, or, of a guarded one that changes more, by its script. */
export type Runs = Map<string | Script, Run>;

export function runOnce(runs: Runs, base: Base, round: RoundContract, mutant: Mutant): Run {
  const key = keyOf(base, round.round, mutant);
  const { script, stripped } = mutant;
  const known = runs.get(key?.(stripped) ?? script);
  if (known !== undefined && (key !== undefined || !stripped)) return known;
  const replayed = replay(base, script, { stripped });
  const run: Run = { base, script, replayed, judged: judgeReplayed(base, replayed) };
  if (key === undefined) {
    if (!stripped) runs.set(script, run);
    return run;
  }
  runs.set(key(stripped), run);
  const isUnguarded = replayed.refused.every(({ error }) => error.code !== "requirement_not_met");
  if (!stripped && isUnguarded) runs.set(key(true), run);
  return run;
}

/** What a play follows from; undefined where more is changed than the steps of one round. */
function keyOf(base: Base, round: number, { script }: Mutant): ((stripped: boolean) => string) | undefined {
  const [own, acts] = [actsOf(base.script, round), actsOf(script, round)];
  if (script.some((other, i) => i + 1 !== round && other !== base.script[i])) return undefined;
  const made = own.findLastIndex(({ kind }) => kind === "call") + 1;
  if (own.slice(0, made).some((act, i) => act !== acts[i])) return undefined;
  const done = acts.slice(made);
  if (done.some(({ kind }) => kind === "call")) return undefined;
  const text = `${base.tier === "extreme" ? "without" : "with"} all entities ${JSON.stringify(done.map(sayAct))}`;
  return (stripped) => `${stripped ? "stripped" : "guarded"} ${text}`;
}

function sayAct(act: Act): unknown {
  switch (act.kind) {
    case "step":
      return act.step;
    case "grant":
      return [act.id, act.capability];
    case "call":
      return act.call;
  }
}
