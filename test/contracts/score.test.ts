import { describe, expect, it } from "vitest";
import { canonicalJson, TIERS } from "../../src/runtime/index.ts";
import type { AuditedItem } from "../../src/contracts/audited-item.ts";
import type { CaseContract, ItemId, RoundContract } from "../../src/contracts/contract.ts";
import { rateSchema } from "../../src/contracts/rate.ts";
import { scoreRun, scoreSchema } from "../../src/contracts/score.ts";
import {
  causal,
  event,
  FIRST,
  inputOf,
  itemOf,
  rate,
  RIGHT,
  score,
  SECOND,
  structure,
  type Play,
} from "./score-play.ts";

describe("the score of a run", () => {
  it("CT20 that did everything right is 1 in both scores, whole output", () => {
    const short: CaseContract = {
      rounds: [
        { ...FIRST, structures: [structure("a_type", "type")], probes: [], relations: [causal("ca1", "e1", "e2")] },
      ],
    };
    const play: Play = { contract: short, roundsPlayed: 1, stepOf: { e1: 1, e2: 2 }, others: { a_type: "pass" } };
    const none = rate(0, 0);
    const rates = {
      completion: rate(2, 2),
      relation: rate(1, 1),
      components: { E: rate(2, 2), A: none, P: none, CA: rate(1, 1), TM: none, CC: none },
    };
    expect(scoreRun({ ...inputOf(play), agent: "scripted" })).toEqual({
      v: 1,
      case: "ark_001",
      tier: "extreme",
      agent: "scripted",
      outcome: "finished",
      judge: "exact",
      ...rates,
      mix: 1,
      undecided: 0,
      rounds: [{ round: 1, played: true, ...rates }],
      items: [
        { id: "e1", kind: "E", round: 1, scored: true, status: "pass", reason: "seen e1", triggers: ["t1_1"] },
        { id: "e2", kind: "E", round: 1, scored: true, status: "pass", reason: "seen e2", triggers: ["t2_1"] },
        {
          id: "a_type",
          kind: "A",
          level: "type",
          round: 1,
          scored: false,
          status: "pass",
          reason: "seen a_type",
          constructions: [1],
        },
        { id: "ca1", kind: "CA", round: 1, scored: true, status: "pass", reason: "holds" },
      ],
    });
  });

  it("CT20 of silence is exactly 0 in every tier, on every item", () => {
    for (const tier of TIERS) {
      const silent = score({ tier, steps: 0 });
      expect([silent.completion.rate, silent.relation.rate, silent.mix]).toEqual([0, 0, 0]);
      expect(silent.items.every((item) => item.status === "fail")).toBe(true);
      expect(
        silent.items.filter((item) => "EAP".includes(item.kind)).every((item) => item.reason === "not judged"),
      ).toBe(true);
    }
  });

  it("CT20 with one item of each kind wrong loses exactly those", () => {
    expect(score(RIGHT)).toMatchObject({ completion: rate(7, 7), relation: rate(4, 4), mix: 1 });
    // e4 a step later: its overlap with e3 is gone and nothing else.
    const near = score({ ...RIGHT, stepOf: { e1: 1, e2: 2, e3: 3, e4: 4 } });
    expect(near).toMatchObject({
      completion: rate(7, 7),
      relation: rate(3, 4),
      mix: (1 + 3 / 4) / 2,
      components: { CC: rate(0, 1) },
    });
    expect(itemOf(near, "cc2")).toEqual({
      id: "cc2",
      kind: "CC",
      round: 2,
      scored: true,
      status: "fail",
      reason: "e3 [2, 3) and e4 [3, 4) do not overlap, later start and earlier end are 3 ≥ 3",
      witness: {
        kind: "overlap",
        a: { event: "e3", start: 2, end: 3 },
        b: { event: "e4", start: 3, end: 4 },
        inequality: { left: 3, sign: "≥", right: 3 },
      },
    });
    const others = { ...RIGHT.others, a_capability: "fail", p1: "fail" } as const;
    const wrong = score({ stepOf: { e1: 2, e2: 1, e3: 3 }, others: { ...others, e4: "fail" } });
    expect(wrong.components).toEqual({
      E: rate(3, 4),
      A: rate(1, 2),
      P: rate(0, 1),
      CA: rate(0, 2),
      TM: rate(0, 1),
      CC: rate(0, 1),
    });
    expect(wrong).toMatchObject({ completion: rate(4, 7), relation: rate(0, 4), mix: 2 / 7 });
    expect(itemOf(wrong, "ca1")).toMatchObject({ reason: "e1 [1, 2) ends after e2 [0, 1) begins: 2 > 0" });
    expect(itemOf(wrong, "ca2")).toMatchObject({
      reason: "e4 does not hold",
      witness: { kind: "absent", event: "e4" },
    });
  });

  it("CT16 counts a structure only in the tiers that leave it to the agent, and a type in none", () => {
    const counted = TIERS.map((tier) => score({ ...RIGHT, tier }).components.A.scored);
    expect(counted).toEqual([0, 1, 2]);
    const withoutType = { ...RIGHT.others, a_type: "fail" } as const;
    expect(score({ ...RIGHT, others: withoutType }).completion).toEqual(rate(7, 7));
    expect(score({ ...RIGHT, tier: "easy" }).components.A).toEqual({ passed: 0, scored: 0, rate: null });
  });

  it("CT21 of a run that stopped early keeps its full denominators", () => {
    const others = { a_type: "pass", a_entity: "pass", a_capability: "pass", p1: "pass" } as const;
    const early = score({ roundsPlayed: 1, stepOf: { e1: 1, e2: 2 }, others });
    expect(early).toMatchObject({
      outcome: "limit",
      completion: rate(5, 7),
      relation: rate(2, 4),
      mix: (5 / 7 + 1 / 2) / 2,
    });
    expect(early.rounds.map((r) => [r.round, r.played, r.completion, r.relation])).toEqual([
      [1, true, rate(5, 5), rate(2, 2)],
      [2, false, rate(0, 2), rate(0, 2)],
    ]);
    expect(itemOf(early, "e3")).toEqual({
      id: "e3",
      kind: "E",
      round: 2,
      scored: true,
      status: "fail",
      reason: "not played",
    });
    expect(itemOf(early, "cc2")).toMatchObject({ status: "fail", reason: "e3 does not hold" });
  });

  it("CT21 is null where nothing is scored, in a round and in the whole", () => {
    const bare: RoundContract = {
      round: 1,
      events: [],
      structures: [structure("a_type", "type")],
      probes: [],
      relations: [],
    };
    const quiet = score({ contract: { rounds: [bare] }, roundsPlayed: 1, others: { a_type: "pass" } });
    expect([quiet.completion.rate, quiet.relation.rate, quiet.mix]).toEqual([null, null, null]);
    const mixed: CaseContract = { rounds: [{ ...FIRST, relations: [] }, SECOND] };
    const one = score({ ...RIGHT, contract: mixed });
    expect(one.rounds.map((r) => r.relation.rate)).toEqual([null, 1]);
    expect(one.mix).toBe(1);
    const eventsOnly = score({
      contract: { rounds: [{ ...bare, events: [event("e1")] }] },
      roundsPlayed: 1,
      stepOf: { e1: 1 },
    });
    expect([eventsOnly.completion.rate, eventsOnly.relation.rate, eventsOnly.mix]).toEqual([1, null, null]);
  });

  it("CT21 does not pass what is undecided, and counts it apart where it is scored", () => {
    const others = { ...RIGHT.others, p1: "undecided", a_type: "undecided", e4: "undecided" } as const;
    const unsure = score({ stepOf: { e1: 1, e2: 2, e3: 3 }, others });
    expect(unsure).toMatchObject({ completion: rate(5, 7), relation: rate(2, 4), undecided: 2 });
    expect(itemOf(unsure, "p1")).toMatchObject({ status: "undecided" });
    expect(itemOf(unsure, "ca2")).toMatchObject({ reason: "e4 does not hold" });
  });

  it("is refused where the input contradicts itself", () => {
    const right = inputOf(RIGHT);
    const e1 = right.audited.get("e1" as ItemId) as AuditedItem;
    const withE1 = (item: AuditedItem) => ({ ...right, audited: new Map(right.audited).set("e1" as ItemId, item) });
    const stranger = { ...right, audited: new Map(right.audited).set("e9" as ItemId, { ...e1, id: "e9" as ItemId }) };
    const unaudited = new Map([...right.audited].filter(([id]) => (id as string) !== "e1"));
    expect(() => scoreRun(withE1({ ...e1, status: "fail" }))).toThrow('event e1 is "fail" and held');
    expect(() => scoreRun({ ...right, held: new Map() })).toThrow('event e1 is "pass" and not held');
    expect(() => scoreRun(withE1({ ...e1, round: 2 }))).toThrow("the contract has no E e1 in round 2");
    expect(() => scoreRun(withE1({ ...e1, kind: "P" }))).toThrow("the contract has no P e1 in round 1");
    expect(() => scoreRun(stranger)).toThrow("the contract has no E e9 in round 1");
    expect(() => scoreRun({ ...right, audited: unaudited })).toThrow("event e1 is held and was not audited");
    expect(() => scoreRun({ ...right, roundsPlayed: 1 })).toThrow("e3 was audited in round 2, which was not played");
  });
});

describe("score.json", () => {
  it("reads back as it was written", () => {
    const written = score({ ...RIGHT, stepOf: { e1: 2, e2: 1, e3: 3, e4: 5 } });
    expect(scoreSchema.parse(JSON.parse(canonicalJson(written)))).toEqual(written);
  });
  it("is refused with a key too many, another version, or a rate that its counts do not give", () => {
    const written = score(RIGHT);
    expect(scoreSchema.safeParse({ ...written, total: 1 }).success).toBe(false);
    expect(scoreSchema.safeParse({ ...written, v: 2 }).success).toBe(false);
    expect(scoreSchema.safeParse({ ...written, completion: { passed: 6, scored: 7, rate: 1 } }).success).toBe(false);
    expect(rateSchema.safeParse({ passed: 0, scored: 0, rate: 0 }).success).toBe(false);
    expect(rateSchema.safeParse({ passed: 2, scored: 1, rate: 1 }).success).toBe(false);
    expect(rateSchema.safeParse({ passed: 0, scored: 0, rate: null }).success).toBe(true);
  });
});
