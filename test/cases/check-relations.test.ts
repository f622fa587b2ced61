import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findContradictions } from "../../src/cases/contradictions.ts";
import { precedenceGraph, smallestCircles, type CaseRelation } from "../../src/cases/precedence.ts";
import type { EventId, ItemId, RelationItem } from "../../src/contracts/index.ts";
import { caseAfter, expectLines, faultsAfter, secondRound, type Edit } from "./broken-case.ts";

const edit = (from: string, to: string): Edit => ({ file: "rounds/01.yaml", from, to });
const together = "events: [hound_held, gate_opened], mode: start_together";

describe("CT2 a relation", () => {
  expectLines([
    [
      "names an event there is not",
      edit("causes: [milk_poured]", "causes: [milk_pourd]"),
      'horn/rounds/01.yaml:84:26 relation 5 causal causes 1: there is no event "milk_pourd". Did you mean "milk_poured"?',
    ],
    [
      "has no cause",
      edit("causes: [milk_poured]", "causes: []"),
      "horn/rounds/01.yaml:84:25 relation 5 causal causes: has 0 entries, allowed are at least 1.",
    ],
    [
      "concerns one event only",
      edit("events: [hound_held, gate_opened]", "events: [hound_held]"),
      "horn/rounds/01.yaml:82:29 relation 3 concurrent events: has 1 entry, allowed are at least 2.",
    ],
    [
      "says two things",
      edit(
        "- { causal: { causes: [milk_poured], effect: word_told }",
        "- { chain: [milk_poured, word_told], causal: { causes: [milk_poured], effect: word_told }",
      ),
      "horn/rounds/01.yaml:84:5 relation 5: it says 2 things: causal, chain. A relation has exactly one of causal, precedes, chain, concurrent.",
    ],
    [
      "says nothing",
      edit("- { causal: { causes: [milk_poured], effect: word_told }, told", "- { told"),
      "horn/rounds/01.yaml:84:5 relation 5: it says nothing. A relation has exactly one of causal, precedes, chain, concurrent.",
    ],
    [
      "names one event twice",
      edit("before: horn_lined, after: knife_left", "before: horn_lined, after: horn_lined"),
      'horn/rounds/01.yaml:80:17 relation 1 precedes: event "horn_lined" is named twice in it.',
    ],
    [
      "has a temporal end in an earlier round",
      secondRound({ relations: '{ precedes: { before: knife_left, after: knife_home }, told: "Because" }' }),
      'horn/rounds/02.yaml:6:27 relation 1 precedes before: event "knife_left" belongs to round 1. Only events of this round can stand here.',
    ],
    [
      "has its effect in an earlier round",
      secondRound({ relations: '{ causal: { causes: [knife_left], effect: hall_entered }, told: "Because" }' }),
      'horn/rounds/02.yaml:6:47 relation 1 causal effect: event "hall_entered" belongs to round 1. Only events of this round can stand here.',
    ],
    [
      "has a cause in a later round",
      [secondRound({}), edit("causes: [milk_poured]", "causes: [milk_poured, knife_home]")],
      'horn/rounds/01.yaml:84:39 relation 5 causal causes 2: event "knife_home" belongs to round 2, which comes later.',
    ],
  ]);

  it("CT2 may have a cause in an earlier round, while at most a third of the causal ones do", () => {
    const crossing = '{ causal: { causes: [knife_left], effect: knife_home }, told: "Because" }';
    expect(faultsAfter(secondRound({ relations: crossing }))).toEqual([]);
    // Round 1 has four causal relations: with three that cross, two of the seven may.
    expect(faultsAfter(secondRound({ relations: [crossing, crossing, crossing].join("\n  - ") }))).toEqual([
      "horn/rounds/02.yaml:8:5 relation 3: 3 of 7 causal relations have a cause in an earlier round; this is the first beyond a third. Order across rounds cannot fail: name causes of the round itself.",
    ]);
  });

  it("CT2 gets an id of its round, its kind and its place among its kind; a chain gives one temporal item a link", () => {
    const loaded = caseAfter(
      edit(
        "- { precedes: { before: horn_lined, after: knife_left }",
        "- { chain: [horn_lined, knife_left, hound_held]",
      ),
      secondRound({ relations: '{ causal: { causes: [knife_left], effect: knife_home }, told: "Because" }' }),
    );
    const said = loaded.contract.rounds.map((round) =>
      round.relations.map((item) => (item.kind === "TM" ? `${item.id} ${item.before}<${item.after}` : item.id)),
    );
    expect(said).toEqual([
      [
        "r1_tm1 horn_lined<knife_left",
        "r1_tm2 knife_left<hound_held",
        "r1_tm3 knife_left<hound_held",
        "r1_cc1",
        "r1_ca1",
        "r1_ca2",
        "r1_tm4 hall_entered<milk_poured",
        "r1_tm5 word_told<fire_taken",
        "r1_ca3",
        "r1_ca4",
      ],
      ["r2_ca1"],
    ]);
  });
});

describe("relations that cannot hold together", () => {
  const added = (relation: string): Edit =>
    edit("relations:\n", `relations:\n  - { ${relation}, told: "that was from the spring, earlier" }\n`);
  expectLines([
    [
      "go in a circle, told at the relation that closes it",
      added("precedes: { before: hound_held, after: horn_lined }"),
      "horn/rounds/01.yaml:82:5 relation 3: the relations go in a circle: horn_lined → knife_left → hound_held → horn_lined. Each must end before the next begins: take one of them away.",
    ],
    [
      "go in a large circle around a small one, which is the one that is told",
      [
        added("precedes: { before: hearth_lit, after: horn_lined }"),
        added("precedes: { before: word_told, after: milk_poured }"),
      ],
      "horn/rounds/01.yaml:86:5 relation 7: the relations go in a circle: milk_poured → word_told → milk_poured. Each must end before the next begins: take one of them away.",
    ],
    [
      "start together although one precedes the other",
      edit(together, "events: [hound_held, knife_left], mode: start_together"),
      "horn/rounds/01.yaml:82:5 relation 3: these cannot all hold: knife_left is before hound_held; hound_held and knife_left start together.",
    ],
    [
      "overlap although one causes the other",
      edit(together, "events: [milk_poured, word_told], mode: overlap"),
      "horn/rounds/01.yaml:84:5 relation 5: these cannot all hold: milk_poured and word_told overlap; milk_poured causes word_told.",
    ],
    [
      "end together although one precedes the other through a third",
      edit(together, "events: [hound_held, horn_lined], mode: end_together"),
      "horn/rounds/01.yaml:82:5 relation 3: these cannot all hold: horn_lined is before knife_left; knife_left is before hound_held; hound_held and horn_lined end together.",
    ],
    [
      "leave no place for what is immediate",
      edit("before: horn_lined, after: knife_left }", "before: horn_lined, after: hearth_lit, immediate: true }"),
      'horn/rounds/01.yaml:80:5 relation 1: horn_lined is immediately before hearth_lit, but other relations put "fire_taken" between them.',
    ],
  ]);

  it("are found exactly where no intervals satisfy them", () => {
    fc.assert(
      fc.property(fc.array(relationOfThree, { maxLength: 6 }), (items) => {
        const relations = items.map((item, i): CaseRelation => ({ round: 1, path: ["relations", i], item }));
        const isRefused =
          smallestCircles(precedenceGraph(relations)).length > 0 || findContradictions(relations).length > 0;
        expect(isRefused).toBe(!isSatisfiable(items));
      }),
      { numRuns: 300 },
    );
  });

  it("CS6 make a group that is impossible by itself, and no smaller one is", () => {
    fc.assert(
      fc.property(fc.array(relationOfThree, { maxLength: 6 }), (items) => {
        const relations = items.map((item, i): CaseRelation => ({ round: 1, path: ["relations", i], item }));
        fc.pre(smallestCircles(precedenceGraph(relations)).length === 0);
        const groups = findContradictions(relations);
        for (const group of groups) expect(isSatisfiable(group.map(({ item }) => item))).toBe(false);
        const impossible = subsetsOf(items).filter((some) => !isSatisfiable(some));
        expect(groups[0]?.length).toBe(impossible.map(({ length }) => length).sort((a, b) => a - b)[0]);
      }),
      { numRuns: 150 },
    );
  });
});

const pair = fc
  .constantFrom(...(["ab", "ba", "ac", "ca", "bc", "cb"] as const))
  .map(([one, two]) => [one, two] as [EventId, EventId]);
const relationOfThree: fc.Arbitrary<RelationItem> = fc.oneof(
  pair.map(([before, after]): RelationItem => ({
    id: "r1_tm1" as ItemId,
    kind: "TM",
    before,
    after,
    immediate: false,
    told: "",
  })),
  pair.map(([cause, effect]): RelationItem => ({
    id: "r1_ca1" as ItemId,
    kind: "CA",
    causes: [cause],
    effect,
    told: "",
  })),
  fc
    .tuple(pair, fc.constantFrom("start_together", "overlap", "end_together"))
    .map(([events, mode]): RelationItem => ({ id: "r1_cc1" as ItemId, kind: "CC", events, mode, told: "" })),
);

function subsetsOf(items: readonly RelationItem[]): readonly (readonly RelationItem[])[] {
  return items.reduce<readonly (readonly RelationItem[])[]>(
    (all, item) => [...all, ...all.map((some) => [...some, item])],
    [[]],
  );
}

/** By trying all intervals within six ticks: three events need no more. */
function isSatisfiable(items: readonly RelationItem[]): boolean {
  const spans = Array.from({ length: 7 }, (_, start) =>
    Array.from({ length: 6 - start }, (_, i) => ({ start, end: start + i + 1 })),
  ).flat();
  return spans.some((a) => spans.some((b) => spans.some((c) => items.every((item) => holds(item, { a, b, c })))));
}

type Spans = Readonly<Record<string, { readonly start: number; readonly end: number }>>;

function holds(item: RelationItem, spans: Spans): boolean {
  const of = (event: string) => spans[event] as { readonly start: number; readonly end: number };
  if (item.kind === "TM") return of(item.before).end <= of(item.after).start;
  if (item.kind === "CA") return item.causes.every((cause) => of(cause).end <= of(item.effect).start);
  const [a, b] = item.events.map(of) as [Spans[string] & {}, Spans[string] & {}];
  if (item.mode === "start_together") return a.start === b.start;
  return item.mode === "end_together" ? a.end === b.end : Math.max(a.start, b.start) < Math.min(a.end, b.end);
}
