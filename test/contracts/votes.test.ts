/** From several votes to one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  identitySchema,
  judgmentSchema,
  settleIdentityVotes,
  settleVotes,
  type Identity,
  type Judgment,
} from "../../src/contracts/index.ts";

type Said = readonly [verdict: "pass" | "fail" | "undecided", ...triggers: readonly string[]];

function votesOn(item: string, ...said: readonly Said[]): readonly Judgment[] {
  return said.map(([verdict, ...triggers], i) =>
    judgmentSchema.parse({
      v: 1,
      item,
      kind: "E",
      round: 1,
      vote: i + 1,
      verdict,
      triggers,
      constructions: [],
      reason: `vote ${i + 1} says so`,
    }),
  );
}

const settledOf = (...said: readonly Said[]): Judgment =>
  settleVotes(votesOn("gate_shut", ...said)).get("gate_shut") as Judgment;

describe("several votes on an item", () => {
  it("CT31 one vote stands as it is", () => {
    const [one] = votesOn("gate_shut", ["pass", "t1_1"]);
    expect(settleVotes([one as Judgment]).get("gate_shut")).toBe(one);
  });

  it.each<[string, readonly Said[], string, readonly string[], string]>([
    [
      "more than half pass",
      [["pass", "t1_1"], ["fail"], ["pass", "t1_1"]],
      "pass",
      ["t1_1"],
      "2 of 3 votes: vote 1 says so",
    ],
    [
      "more than half fail",
      [["pass", "t1_1"], ["fail", "t2_1"], ["fail"]],
      "fail",
      ["t2_1"],
      "2 of 3 votes: vote 2 says so",
    ],
    [
      "all are of one mind",
      [
        ["pass", "t1_1"],
        ["pass", "t1_1"],
      ],
      "pass",
      ["t1_1"],
      "vote 1 says so",
    ],
    [
      "those that did not decide are not counted against it",
      [["undecided"], ["pass", "t1_1"], ["undecided"]],
      "pass",
      ["t1_1"],
      "1 of 3 votes: vote 2 says so",
    ],
    [
      "a tie leaves it undecided",
      [["pass", "t1_1"], ["fail"]],
      "undecided",
      [],
      "no majority of 2 votes: 1 pass, 1 fail",
    ],
    ["nobody decided", [["undecided"], ["undecided"]], "undecided", [], "no majority of 2 votes: 2 undecided"],
    [
      "the evidence is that which most of them give",
      [
        ["pass", "t1_1"],
        ["pass", "t2_1", "t3_1"],
        ["pass", "t3_1", "t2_1"],
      ],
      "pass",
      ["t2_1", "t3_1"],
      "vote 2 says so",
    ],
    [
      "of equally frequent evidence it is the lowest vote's",
      [["fail"], ["pass", "t4_1"], ["pass", "t1_1"]],
      "pass",
      ["t4_1"],
      "2 of 3 votes: vote 2 says so",
    ],
  ])("CT31 %s", (_, said, verdict, triggers, reason) => {
    const settled = settledOf(...said);
    expect([settled.verdict, settled.triggers, settled.reason]).toEqual([verdict, triggers, reason]);
  });

  it("CT31 the order of the lines changes nothing, and each item has its own", () => {
    const verdict = fc.constantFrom<Said>(["pass", "t1_1"], ["pass", "t2_1"], ["fail"], ["undecided"]);
    fc.assert(
      fc.property(
        fc.array(verdict, { minLength: 1, maxLength: 5 }),
        fc.array(verdict, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        (a, b, seed) => {
          const lines = [...votesOn("a", ...a), ...votesOn("b", ...b)];
          const turned = [...lines.slice(seed % lines.length), ...lines.slice(0, seed % lines.length)].reverse();
          const [first, second] = [settleVotes(lines), settleVotes(turned)];
          expect([second.get("a"), second.get("b")]).toEqual([first.get("a"), first.get("b")]);
          expect(first.get("a")).toEqual(settleVotes(votesOn("a", ...a)).get("a"));
        },
      ),
    );
  });

  it("CT36 an undecided item was given no answer only where no vote was", () => {
    const unheard = (all: readonly Judgment[]) => all.map((one): Judgment => ({ ...one, noAnswer: true }));
    const votes = votesOn("gate_shut", ["undecided"], ["undecided"]);
    const [first, second] = votes as readonly [Judgment, Judgment];
    expect(settleVotes(unheard(votes)).get("gate_shut")?.noAnswer).toBe(true);
    expect(settleVotes([...unheard([first]), second]).get("gate_shut")?.noAnswer).toBeUndefined();
  });
});

describe("several votes on who an entity is", () => {
  type Who = readonly [Identity["verdict"], string | null];
  const votes = (...said: readonly Who[]): readonly Identity[] =>
    said.map(([verdict, is], i) =>
      identitySchema.parse({ v: 1, kind: "identity", entity: "odile", vote: i + 1, verdict, is, reason: "so it is" }),
    );

  it.each<[string, readonly Who[], readonly [string, string | null]]>([
    [
      "more than half name one",
      [
        ["found", "keeper"],
        ["found", "maid"],
        ["found", "keeper"],
      ],
      ["found", "keeper"],
    ],
    [
      "each names another",
      [
        ["found", "keeper"],
        ["found", "maid"],
      ],
      ["undecided", null],
    ],
    [
      "three name three",
      [
        ["found", "keeper"],
        ["found", "maid"],
        ["absent", null],
      ],
      ["undecided", null],
    ],
    [
      "more than half find nobody",
      [
        ["absent", null],
        ["found", "maid"],
        ["absent", null],
      ],
      ["absent", null],
    ],
    [
      "one decides",
      [
        ["undecided", null],
        ["found", "maid"],
      ],
      ["found", "maid"],
    ],
  ])("CT31 %s", (_, said, expected) => {
    const settled = settleIdentityVotes(votes(...said)).get("odile");
    expect([settled?.verdict, settled?.is]).toEqual(expected);
  });
});
