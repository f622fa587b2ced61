/** How far two judges agree on the same items: one is taken for the truth, the other is measured by it. */
import { shareOf, type Share } from "./interval.ts";

/** One item, as the judge that is taken for the truth sees it and as the measured one does. */
export interface VerdictPair {
  readonly truth: "pass" | "fail";
  readonly seen: "pass" | "fail" | "undecided";
}

export interface Kappa {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** `pass` is the positive class. Undecided verdicts are counted apart and are in none of the rates. */
export interface Agreement {
  /** Pairs in which the measured judge decided. */
  readonly decided: number;
  readonly undecided: number;
  readonly truePass: number;
  readonly falsePass: number;
  readonly trueFail: number;
  readonly falseFail: number;
  /** (truePass + trueFail) / decided */
  readonly accuracy: Share;
  /** truePass / (truePass + falsePass) */
  readonly precision: Share;
  /** truePass / (truePass + falseFail) */
  readonly recall: Share;
  readonly kappa: Kappa;
}

export function agreementOf(pairs: readonly VerdictPair[]): Agreement {
  const count = (truth: VerdictPair["truth"], seen: VerdictPair["seen"]): number =>
    pairs.filter((pair) => pair.truth === truth && pair.seen === seen).length;
  const [truePass, falsePass] = [count("pass", "pass"), count("fail", "pass")];
  const [trueFail, falseFail] = [count("fail", "fail"), count("pass", "fail")];
  const decided = truePass + falsePass + trueFail + falseFail;
  return {
    decided,
    undecided: pairs.length - decided,
    truePass,
    falsePass,
    trueFail,
    falseFail,
    accuracy: shareOf(truePass + trueFail, decided),
    precision: shareOf(truePass, truePass + falsePass),
    recall: shareOf(truePass, truePass + falseFail),
    kappa: kappaOf({ truePass, falsePass, trueFail, falseFail }),
  };
}

type Table = Pick<Agreement, "truePass" | "falsePass" | "trueFail" | "falseFail">;

/**
 * Cohen's kappa (J. Cohen, "A coefficient of agreement for nominal scales", 1960):
 *
 *     kappa = (po - pe) / (1 - pe),   po = agreed / n,   pe = agreement expected from the margins
 *
 * Its interval holds pe fixed, as Cohen's standard error does, and takes Wilson's interval of po, so that it does not
 * collapse on perfect agreement. null where there is nothing, or where both judges gave but one and the same verdict
 * (pe = 1): then there is no chance to correct for.
 */
export function kappaOf({ truePass, falsePass, trueFail, falseFail }: Table): Kappa {
  const n = truePass + falsePass + trueFail + falseFail;
  const none: Kappa = { value: null, low: null, high: null };
  if (n === 0) return none;
  // In whole numbers, so that pe = 1 is met exactly.
  const expected = (truePass + falseFail) * (truePass + falsePass) + (trueFail + falsePass) * (trueFail + falseFail);
  if (expected === n * n) return none;
  const pe = expected / (n * n);
  const po = shareOf(truePass + trueFail, n);
  const correct = (share: number | null): number => ((share as number) - pe) / (1 - pe);
  return { value: correct(po.rate), low: Math.max(-1, correct(po.low)), high: correct(po.high) };
}

/**
 * How far a judge that was asked several times agrees with itself: over all pairs of decided votes on one item, the share
 * that say the same. An answer that could not be read says nothing.
 */
export function selfAgreementOf(votesByItem: Iterable<readonly VerdictPair["seen"][]>): Share {
  let [same, pairs] = [0, 0];
  for (const all of votesByItem) {
    const votes = all.filter((vote) => vote !== "undecided");
    for (let i = 0; i < votes.length; i += 1) {
      for (let j = i + 1; j < votes.length; j += 1) {
        pairs += 1;
        if (votes[i] === votes[j]) same += 1;
      }
    }
  }
  return shareOf(same, pairs);
}

/** What more than half of the decided votes say; undecided where there is no such thing. */
export function majorityOf(votes: readonly VerdictPair["seen"][]): VerdictPair["seen"] {
  const count = (verdict: VerdictPair["seen"]): number => votes.filter((vote) => vote === verdict).length;
  const [passes, fails] = [count("pass"), count("fail")];
  if (passes === fails) return "undecided";
  return passes > fails ? "pass" : "fail";
}
