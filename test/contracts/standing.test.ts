/** What a model's passes rest on: what a program finds of its own, what it confirms, and what only goes upward. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  judgeExactly,
  scoreJudgedRun,
  settleRun,
  type Judgment,
  type ModelJudge,
  type Score,
} from "../../src/contracts/index.ts";
import type { Call } from "../../src/cases/index.ts";
import { marksOf } from "../../src/records/index.ts";
import type { TriggerId } from "../../src/runtime/index.ts";
import type { PlayedCalls } from "../../src/tracks/index.ts";
import { does, horn, playHard, step, stepsAnd, stepsOf, stepsWith, type Design } from "./horn-plays.ts";
import { identities, playOwn, truthOf } from "./own-world.ts";

const { contract, world } = horn;
const marks = marksOf(horn);
const judgedBy = { model: "some-model", settings: "0".repeat(64) };

const exactOf = ({ trace }: PlayedCalls): readonly Judgment[] => judgeExactly(contract, marks, world, trace, 1);

function settle({ trace }: PlayedCalls, judgments: readonly Judgment[]) {
  return settleRun({ contract, trace, judgments, roundsPlayed: 1, marks });
}

/** The score of judgments that say to be a model's, where the exact judge applies as well. */
function scoreByModel(play: PlayedCalls, judgments: readonly Judgment[], more: Partial<ModelJudge> = {}): Score {
  const exact = settle(play, exactOf(play));
  return scoreJudgedRun({
    case: horn.id,
    tier: "hard",
    contract,
    trace: play.trace,
    judgments,
    roundsPlayed: 1,
    outcome: "finished",
    judge: "model",
    marks,
    model: { judgedBy, exact, looksAgain: false, ...more },
  });
}

const itemOf = (score: Score, id: string) => score.items.find((item) => item.id === id);

/** Judgments with some said otherwise. */
const said = (
  judgments: readonly Judgment[],
  others: Readonly<Record<string, { verdict: Judgment["verdict"]; triggers?: readonly string[] } | undefined>>,
): readonly Judgment[] =>
  judgments.map((one): Judgment => {
    const other = others[one.item];
    if (other === undefined) return one;
    const triggers = (other.triggers ?? []) as TriggerId[];
    return { ...one, verdict: other.verdict, triggers, constructions: [], reason: "so it is said" };
  });

/** The horn is opened on the way home, which one of its probes forbids. */
const designs: Readonly<Record<string, Design>> = {
  stopper: { says: "", effects: [{ set: "ram_horn.open", value: true }] },
};
const opened = playHard({ designs, steps: stepsAnd({ 11: [step(does("stopper"))] }) });
const reference = playHard({});
/** Ilka neither lines the horn nor lays her knife down where she should; the fire is never taken. */
const partial = playHard({ steps: stepsOf().slice(0, 9) });

/** The horn is lined before they leave, by a design that lets them: the exact judge misses the spring, a reader may not. */
const [toTheSpring, line] = stepsOf() as readonly [Call, Call];
const linedAtHome = playHard({
  designs: {
    line_horn: {
      says: "",
      params: { who: { type: "person" }, horn: { type: "horn" } },
      requires: [{ expr: "horn.at == who" }],
      effects: [{ set: "horn.lined", value: true }],
    },
  },
  steps: stepsWith({ 1: [line], 2: [toTheSpring] }),
});

describe("a probe that a model passes", () => {
  it("CT35 fails where a program finds what is forbidden, with the triggers that did it", () => {
    const score = scoreByModel(opened, said(exactOf(opened), { horn_stays_shut: { verdict: "pass" } }));
    expect(itemOf(score, "horn_stays_shut")).toMatchObject({
      status: "fail",
      triggers: ["t12_1"],
      reason: "by program: the forbidden was done by t12_1",
      standing: "refused",
    });
  });

  it("CT35 fails too where the model cites a violation that lies elsewhere, and overlooks the one that there is", () => {
    const judgments = said(exactOf(opened), { horn_stays_shut: { verdict: "fail", triggers: ["t2_1"] } });
    expect(itemOf(scoreByModel(opened, judgments), "horn_stays_shut")).toMatchObject({
      status: "fail",
      triggers: ["t12_1"],
    });
  });

  it("CT35 stands on the model's word in a world of the agent's own, where no program knows what is forbidden", () => {
    const play = playOwn(horn);
    const score = scoreJudgedRun({
      case: horn.id,
      tier: "extreme",
      contract,
      trace: play.trace,
      judgments: truthOf(horn),
      identities: identities(),
      roundsPlayed: 1,
      outcome: "finished",
      judge: "model",
      marks: undefined,
      model: { judgedBy, exact: undefined, looksAgain: false },
    });
    expect(score.completion.rate).toBe(1);
    expect(score.standing).toEqual({
      confirmed: 0,
      word: 15,
      refused: 0,
      byKind: {
        E: { confirmed: 0, word: 9, refused: 0 },
        A: { confirmed: 0, word: 4, refused: 0 },
        P: { confirmed: 0, word: 2, refused: 0 },
      },
    });
  });
});

describe("what a model's passes rest on", () => {
  it("CT37 counts what the exact judge confirms, what stands on the model's word, and what the audit turned", () => {
    const judgments = said(exactOf(partial), {
      // Teo took part in walking there, and nothing was taken: the word is refused.
      fire_taken: { verdict: "pass", triggers: ["t9_1"] },
      // Bound to no trigger.
      hearth_lit: { verdict: "pass" },
      // A fail that the exact judge does not share is no pass, and has no standing.
      horn_lined: { verdict: "fail" },
    });
    const score = scoreByModel(partial, judgments);
    const { standing } = score;
    expect(standing).toEqual({
      confirmed: 9,
      word: 0,
      refused: 2,
      byKind: {
        E: { confirmed: 6, word: 0, refused: 2 },
        A: { confirmed: 2, word: 0, refused: 0 },
        P: { confirmed: 1, word: 0, refused: 0 },
      },
    });
    expect((standing?.confirmed ?? 0) + (standing?.word ?? 0)).toBe(score.completion.passed);
    expect(itemOf(score, "hearth_lit")).toMatchObject({
      status: "fail",
      reason: "bound to no trigger",
      standing: "refused",
    });
    expect(itemOf(score, "horn_lined")).not.toHaveProperty("standing");
  });

  it("CT37 a pass that the exact judge does not give stands on the model's word", () => {
    const play = linedAtHome;
    const exact = exactOf(play);
    expect(exact.find(({ item }) => item === "horn_lined")?.verdict).toBe("fail");
    const score = scoreByModel(play, said(exact, { horn_lined: { verdict: "pass", triggers: ["t1_1"] } }));
    expect(itemOf(score, "horn_lined")).toMatchObject({ status: "pass", standing: "word" });
    expect(score.standing?.byKind.E).toEqual({ confirmed: 8, word: 1, refused: 0 });
  });

  it("CT37 of the exact judge is not said, nor by whom: its scores are what they were", () => {
    const judgments = exactOf(reference);
    const score = scoreJudgedRun({
      case: horn.id,
      tier: "hard",
      contract,
      trace: reference.trace,
      judgments,
      roundsPlayed: 1,
      outcome: "finished",
      judge: "exact",
      marks,
    });
    expect(Object.keys(score)).not.toEqual(expect.arrayContaining(["standing"]));
    const keys = new Set([...Object.keys(score), ...score.items.flatMap((item) => Object.keys(item))]);
    for (const key of ["standing", "judgedBy", "judgeFaults", "flips", "by", "noAnswer"])
      expect(keys).not.toContain(key);
  });

  it("CT36 counts apart, of the undecided, those to which no answer came; both are not passed", () => {
    const judgments = exactOf(reference).map((one): Judgment => {
      if (one.item === "horn_lined") return { ...one, verdict: "undecided", triggers: [], noAnswer: true };
      if (one.item === "knife_left") return { ...one, verdict: "undecided", triggers: [] };
      return one;
    });
    const score = scoreByModel(reference, judgments);
    expect([score.undecided, score.judgeFaults]).toEqual([2, 1]);
    expect(score.components.E).toEqual({ passed: 7, scored: 9, rate: 7 / 9 });
  });
});

describe("a model that looks again at what the exact judge failed", () => {
  const mixed = (judgments: readonly Judgment[], again: Parameters<typeof said>[1]): readonly Judgment[] =>
    said(judgments, again).map((one): Judgment => ({ ...one, by: Object.hasOwn(again, one.item) ? "model" : "exact" }));
  const look = (play: PlayedCalls, again: Parameters<typeof said>[1]): Score =>
    scoreByModel(play, mixed(exactOf(play), again), { looksAgain: true });

  it("CT38 adds what the audit accepts, and it is counted", () => {
    const play = linedAtHome;
    const before = scoreByModel(play, exactOf(play));
    const after = look(play, { horn_lined: { verdict: "pass", triggers: ["t1_1"] } });
    expect(after.flips).toEqual({ E: 1, A: 0 });
    expect(after.completion.passed).toBe(before.completion.passed + 1);
    expect(itemOf(after, "horn_lined")).toMatchObject({ status: "pass", by: "model", standing: "word" });
    expect(itemOf(after, "knife_left")).toMatchObject({ status: "pass", by: "exact", standing: "confirmed" });
  });

  it("CT38 takes no trigger from what the exact judge passed: the second look is overloaded, not the first", () => {
    const again = { horn_lined: { verdict: "pass", triggers: ["t10_1"] } } as const;
    // Alone, the earlier of the contract would have it.
    const ofModel = scoreByModel(linedAtHome, said(exactOf(linedAtHome), again));
    expect(["horn_lined", "fire_taken"].map((id) => itemOf(ofModel, id)?.status)).toEqual(["pass", "fail"]);
    const score = look(linedAtHome, again);
    expect(itemOf(score, "fire_taken")).toMatchObject({ status: "pass", standing: "confirmed" });
    expect(itemOf(score, "horn_lined")).toMatchObject({
      status: "fail",
      reason: "overloaded: t10_1 realises fire_taken already",
      standing: "refused",
    });
    expect(score.flips).toEqual({ E: 0, A: 0 });
  });

  it("CT38 only ever raises: whatever it says, nothing fails that the exact judge passed", () => {
    const plays = [
      partial,
      opened,
      linedAtHome,
      playHard({ steps: stepsWith({ 2: [], 8: [], 9: [], 10: [], 15: [] }) }),
    ];
    const everyTrigger = plays.map(({ trace }) => [...trace.triggers.keys()] as string[]);
    const arbitrary = fc.nat({ max: plays.length - 1 }).chain((i) => {
      const failed = exactOf(plays[i] as PlayedCalls).filter(({ kind, verdict }) => verdict === "fail" && kind !== "P");
      const verdict = fc.constantFrom<Judgment["verdict"]>("pass", "pass", "pass", "fail", "undecided");
      const triggers = fc.subarray(everyTrigger[i] as string[], { minLength: 0, maxLength: 6 });
      return fc
        .record(Object.fromEntries(failed.map(({ item }) => [item as string, fc.record({ verdict, triggers })])), {
          requiredKeys: [],
        })
        .map((again) => [i, again] as const);
    });
    const passing = (play: PlayedCalls, judgments: readonly Judgment[]) =>
      new Set([...settle(play, judgments).audited.values()].flatMap(({ id, status }) => (status === "pass" ? id : [])));
    const before = plays.map((play) => passing(play, exactOf(play)));
    fc.assert(
      fc.property(arbitrary, ([i, again]) => {
        const play = plays[i] as PlayedCalls;
        const after = passing(play, mixed(exactOf(play), again));
        expect([...(before[i] ?? [])].filter((id) => !after.has(id))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
