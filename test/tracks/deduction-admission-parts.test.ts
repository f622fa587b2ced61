import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changesBetween,
  compileCondition,
  isTrue,
  type CompiledExpression,
  type MergedWrites,
  type NaturalWrite,
  type World,
} from "../../src/runtime/index.ts";
import { checkTruth, differences } from "../../src/tracks/deduction/admission/check-truth.ts";
import { sharesOf } from "../../src/tracks/deduction/admission/check-quiet.ts";
import { drawsOf } from "../../src/tracks/deduction/admission/draw.ts";
import { measureGoal } from "../../src/tracks/deduction/admission/goal-measure.ts";
import { chooseWait, play, type Play } from "../../src/tracks/deduction/admission/play.ts";
import { playAll, type Plays } from "../../src/tracks/deduction/admission/plays.ts";
import { boundProblems, type DeductionProblem } from "../../src/tracks/deduction/admission/problem.ts";
import { numbersInExpression, numbersOfRule } from "../../src/tracks/deduction/admission/rule-numbers.ts";
import type { RuleText } from "../../src/tracks/deduction/admission/rule-text.ts";
import { digitsIn, isTold, mannersIn, numberWordsIn } from "../../src/tracks/deduction/admission/told-numbers.ts";
import { benchOf } from "../../src/tracks/deduction/admission/verify.ts";
import { Watch } from "../../src/tracks/deduction/admission/watch.ts";
import { weirAfter } from "./weir-case.ts";

const weir = weirAfter();
const bench = benchOf(weir);
const first = bench.worlds[0] as World;

function finish<T>(finding: Generator<unknown, T>): T {
  for (let next = finding.next(); ; next = finding.next()) if (next.done === true) return next.value;
}

describe("the numbers of a rule", () => {
  const rule = (parts: Partial<RuleText>): RuleText => ({
    kind: "process",
    id: "rule",
    name: "A rule",
    says: "It goes on.",
    tells: "It goes on.",
    expressions: [],
    effects: [],
    ...parts,
  });
  const needed = (parts: Partial<RuleText>): readonly number[] =>
    [...numbersOfRule(rule(parts), new Map()).needed].sort((a, b) => a - b);

  it("DD108 of an expression are its literals, without those of texts and names", () => {
    expect(numbersInExpression("a1.b2 > 3 && x_4.y == '5 of 6' ? 7.5 : -8 % 9")).toEqual([3, 7.5, 8, 9]);
    expect(numbersInExpression('letter_9.at == "10" && clock>=11')).toEqual([11]);
  });

  it("DD108 of a rule are its times, its literals without their signs, and what its effects hold", () => {
    expect(
      needed({ every: 6, phase: 5, expressions: ["p.energy > 2"], effects: [{ add: "p.energy", by: -3 }] }),
    ).toEqual([2, 3, 5, 6]);
    expect(needed({ every: 1, phase: 0, effects: [{ set: "p.energy", value: 4 }] })).toEqual([4]);
    expect(
      needed({
        effects: [{ create: "letter", id: { expr: "'letter_' + clock" }, fields: { read: 2, kept: { expr: "3" } } }],
      }),
    ).toEqual([2, 3]);
    expect(needed({ effects: [{ add: "it.level", by: "clock % 7", for: { where: "it.level < 9" } }] })).toEqual([7, 9]);
    expect(needed({ duration: 8 })).toEqual([8]);
  });

  it("DD108 of ticks in even steps are the first, the last and the step", () => {
    expect(needed({ at: [30, 31] })).toEqual([30, 31]);
    expect(needed({ at: [30, 31, 32, 33] })).toEqual([30, 33]);
    expect(needed({ at: [12, 36, 60, 84] })).toEqual([12, 24, 84]);
    expect(needed({ at: [12, 36, 61] })).toEqual([12, 36, 61]);
  });

  it("DD108 that may be told beside them are the bounds of fields it mentions and the first times it fires", () => {
    const { allowed } = numbersOfRule(
      rule({ every: 24, phase: 5, effects: [{ add: "p.energy", by: 2 }] }),
      new Map([
        ["energy", [0, 20]],
        ["level", [0, 40]],
      ]),
    );
    expect([...allowed].sort((a, b) => a - b)).toEqual([0, 2, 5, 20, 24, 29, 53, 77]);
  });
});

describe("the numbers of a text", () => {
  it("DD108 are read with decimals and thousands, as a share and with a sign, and not out of ids", () => {
    expect(digitsIn("At hours 6, 30 and 54 letter_12 loses 2.5 of 1,200, a fall of -3.")).toEqual([
      6, 30, 54, 2.5, 1200, 3,
    ]);
    expect(digitsIn("It keeps 40 % of it, from 10 to 12.")).toEqual([40, 0.4, 10, 12]);
    expect(digitsIn("Every 2nd day x2 and 3pm.")).toEqual([]);
  });

  it("DD108 in words are found, but not in other words", () => {
    expect(numberWordsIn("Two of the seven stones often weighed forty.").map(({ value }) => value)).toEqual([2, 7, 40]);
    expect(mannersIn("Half asleep, twice as slow.", new Set([2]))).toEqual(["half", "twice"]);
    expect(mannersIn("Half asleep.", new Set([3]))).toEqual([]);
  });

  it("DD108 in open stand in digits; one may be a word, parts as one says them, and nothing need not be said", () => {
    expect(isTold("A jug is emptied.", 1)).toBe(true);
    expect(isTold("Two jugs are emptied.", 2)).toBe(false);
    expect(isTold("2 jugs are emptied.", 2)).toBe(true);
    expect(isTold("12 jugs are emptied.", 2)).toBe(false);
    expect(isTold("Half of it goes.", 2)).toBe(true);
    expect(isTold("All of it goes.", 0)).toBe(true);
  });
});

describe("how near a goal is", () => {
  const compiled = (text: string): CompiledExpression => {
    const found = compileCondition(first, text);
    if (!found.ok) throw new Error(found.error.message);
    return found.value;
  };
  const measured = (text: string): number => measureGoal(compiled(text), first);

  it("DD107 is 1 exactly where it holds, and between otherwise", () => {
    const atoms = [
      "store.salt >= 4",
      "store.grain > 10",
      "wheel.turning",
      "all(person).all(p, p.trust > 3)",
      "all(pond).exists(q, q.level > 30)",
      "count(all(person).filter(p, p.mood == 'cross')) <= 2",
      "heaven.wind == 9",
    ];
    const expression = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(...atoms),
        tie("tree").map((a) => `!(${a})`),
        fc.tuple(tie("tree"), tie("tree")).map(([a, b]) => `(${a} && ${b})`),
        fc.tuple(tie("tree"), tie("tree")).map(([a, b]) => `(${a} || ${b})`),
      ),
    })).tree;
    fc.assert(
      fc.property(expression, (text) => {
        if (text.length > 400) return;
        const goal = compiled(text);
        const value = measureGoal(goal, first);
        expect(value === 1).toBe(isTrue(goal, first));
        expect(value >= 0 && value <= 1).toBe(true);
      }),
    );
  });

  it("DD107 grows with every conjunct that holds, and with what a comparison comes closer", () => {
    expect(measured("store.salt >= 1")).toBeGreaterThan(measured("store.salt >= 2"));
    expect(measured("store.grain >= 50")).toBeGreaterThan(measured("store.grain >= 80"));
    expect(measured("store.grain >= 50 && store.bread >= 1")).toBeGreaterThan(
      measured("store.grain >= 50 && store.salt >= 9"),
    );
    expect(measured("all(person).all(p, p.trust > 3)")).toBeGreaterThan(measured("all(person).all(p, p.trust > 15)"));
    // Nobody is there yet, but the one who is nearest is seen.
    expect(measured("count(all(person).filter(p, p.trust >= 11)) >= 1")).toBeGreaterThan(
      measured("count(all(person).filter(p, p.trust >= 19)) >= 1"),
    );
  });
});

describe("the plays of a case", () => {
  const plays: Plays = finish(playAll(bench, 2));

  it("DD102 go to the end of the case, and as far beyond as a lookahead looks", () => {
    for (const played of [...plays.waiting, ...plays.random.flat()]) {
      const ends = played.spans.map(({ to }) => to);
      expect(ends).toContain(96);
      expect(ends.at(-1)).toBe(144);
    }
    expect(plays.random[0]?.[0]?.spans.map(({ action }) => action)).not.toEqual(
      plays.random[0]?.[1]?.spans.map(({ action }) => action),
    );
  });

  it("DD110 differ as fields compared one by one do", () => {
    for (const played of plays.random.flat())
      for (const { before, after } of played.spans)
        expect(differences(bench.dynamics, before, after)).toEqual(changesBetween(bench.dynamics, before, after));
  });

  it("DD110 have counterfactual truths that a run made anew comes to; a play that did not happen so is found out", () => {
    const [acted] = plays.random[0] ?? [];
    const checked = finish(checkTruth(bench, [acted as Play]));
    expect(checked).toMatchObject({ problems: [], figures: { action: 7, happening: 7 } });
    // The spans of a play by waiting, told as if salt had been boiled.
    const waited = play(bench.dynamics, { fold: 1, by: "waiting", world: first, choose: chooseWait, until: 96 });
    const boil = { action: "boil", args: {} };
    const told: Play = { ...waited, spans: waited.spans.map((span) => ({ ...span, action: boil })) };
    const { problems } = finish(checkTruth(bench, [told]));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every(({ check, where }) => check === 10 && (where === "fold 1" || where === "case"))).toBe(true);
    expect(problems[0]?.message).toMatch(/^waiting, tick 12, (?:action|happening) \{.*a fresh run comes to/);
  });
});

describe("what is drawn", () => {
  it("DD102 follows from its seed alone, and reaches every choice", () => {
    const take = (seed: string): readonly number[] => {
      const draw = drawsOf(seed);
      return Array.from({ length: 200 }, () => draw(7));
    };
    expect(take("a")).toEqual(take("a"));
    expect(take("a")).not.toEqual(take("b"));
    expect(new Set(take("a"))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
  });
});

describe("writes within a tick", () => {
  const write = (path: string, before: number, after: number, by: string): NaturalWrite => ({
    path,
    before,
    after,
    by: [by],
  });
  const merged = (tick: number, ...writes: readonly NaturalWrite[]): MergedWrites => ({ tick, priority: 0, writes });

  it("DD102 that are taken back are counted by path, of the ticks in which it is written", () => {
    const watch = new Watch();
    for (let tick = 1; tick <= 4; tick += 1) {
      watch.onMerge(merged(tick, write("a.x", 1, 2, "up"), write("b.y", tick, tick + 1, "on")));
      if (tick === 2) watch.onMerge(merged(tick, write("a.x", 2, 1, "down")));
    }
    watch.close();
    expect(watch.oscillations(0.25)).toEqual([]);
    expect(watch.oscillations(0.2)).toEqual([{ path: "a.x", by: ["up"], backBy: ["down"], ticks: 1, of: 4, first: 2 }]);
    expect([...watch.writers].sort()).toEqual(["down", "on", "up"]);
  });
});

describe("spans by their changes", () => {
  it("DD105 are shares of those that are not quiet", () => {
    expect(sharesOf([0, 1, 2, 3, 6, 7, 12, 13, 40, 5])).toEqual({
      spans: 10,
      quiet: 0.1,
      shares: { "1-2": 2 / 9, "3-6": 3 / 9, "7-12": 2 / 9, "13+": 2 / 9 },
      mean: 8.9,
    });
    expect(sharesOf([])).toMatchObject({ spans: 0, quiet: 0, mean: 0 });
  });
});

describe("problems", () => {
  it("DD100 of one check are told as far as one reads them, and the rest is counted", () => {
    const many = Array.from({ length: 20 }, (_, i): DeductionProblem => ({
      check: 8,
      where: `process p${i}`,
      message: "m",
      hint: "h",
    }));
    const told = boundProblems(many);
    expect(told.slice(0, 12)).toEqual(many.slice(0, 12));
    expect(told.slice(12)).toEqual([
      { check: 8, where: "case", message: "8 more of this check were found", hint: "mend those above first" },
    ]);
    expect(boundProblems(many.slice(0, 12))).toEqual(many.slice(0, 12));
  });
});
