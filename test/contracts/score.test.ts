import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, LEVELS, TIERS, triggerId, type Level, type TriggerId } from "../../src/runtime/index.ts";
import type { AuditedItem } from "../../src/contracts/audited-item.ts";
import { ITEM_KINDS, type CaseContract, type EventId, type ItemId, type RelationItem, type RoundContract } from "../../src/contracts/contract.ts";
import { itemsOf } from "../../src/contracts/items.ts";
import { rateSchema, type Rate } from "../../src/contracts/rate.ts";
import type { HeldEvent } from "../../src/contracts/relations.ts";
import { scoreRun, scoreSchema, type Score, type ScoreInput } from "../../src/contracts/score.ts";

const event = (id: string) => ({ id: id as EventId, says: id, involves: ["odile"], defining: [`odile.${id}`], accepts: [] });
const structure = (id: string, level: Level) => ({
  id: id as ItemId,
  level,
  says: id,
  usedBy: "e1" as EventId,
  reference: id,
  refusedWhen: [],
  allowedWhen: [],
});
const probe = (id: string) => ({ id: id as ItemId, says: id, after: "e1" as EventId, forbids: { holds: "valve.open" } });
const causal = (id: string, cause: string, effect: string): RelationItem => ({
  id: id as ItemId,
  kind: "CA",
  causes: [cause as EventId],
  effect: effect as EventId,
  told: "because",
});
const temporal = (id: string, before: string, after: string): RelationItem => ({
  id: id as ItemId,
  kind: "TM",
  before: before as EventId,
  after: after as EventId,
  immediate: true,
  told: "at once",
});
const together = (id: string, a: string, b: string): RelationItem => ({
  id: id as ItemId,
  kind: "CC",
  events: [a as EventId, b as EventId],
  mode: "overlap",
  told: "while",
});

const FIRST: RoundContract = {
  round: 1,
  events: [event("e1"), event("e2")],
  structures: [structure("a_type", "type"), structure("a_entity", "entity"), structure("a_capability", "capability")],
  probes: [probe("p1")],
  relations: [causal("ca1", "e1", "e2"), temporal("tm1", "e1", "e2")],
};
const SECOND: RoundContract = {
  round: 2,
  events: [event("e3"), event("e4")],
  structures: [],
  probes: [],
  relations: [causal("ca2", "e2", "e4"), together("cc2", "e3", "e4")],
};
const CONTRACT: CaseContract = { rounds: [FIRST, SECOND] };

type Status = AuditedItem["status"];

/** A run: the steps of each event that passes (one tick a step), the status of everything else that was judged. */
interface Play {
  readonly contract?: CaseContract;
  readonly tier?: ScoreInput["tier"];
  readonly roundsPlayed?: number;
  readonly stepOf?: Readonly<Record<string, number>>;
  readonly others?: Readonly<Record<string, Status>>;
  readonly steps?: number;
}

function inputOf({ contract = CONTRACT, tier = "extreme", roundsPlayed = 2, stepOf = {}, others = {}, steps = 9 }: Play): ScoreInput {
  const rounds = new Map(itemsOf(contract).map((item) => [item.id as string, item]));
  const audited = new Map<ItemId, AuditedItem>();
  const held = new Map<EventId, HeldEvent>();
  const boundTo = new Map<TriggerId, EventId[]>();
  const audit = (id: string, status: Status, triggers: TriggerId[]) => {
    const { kind, round } = rounds.get(id) as { kind: "E" | "A" | "P"; round: number };
    const constructions = kind === "A" && status === "pass" ? [1] : [];
    audited.set(id as ItemId, { id: id as ItemId, kind, round, status, reason: `seen ${id}`, triggers, constructions });
  };
  for (const [name, step] of Object.entries(stepOf)) {
    const [id, trigger] = [name as EventId, triggerId(step, 1)];
    audit(name, "pass", [trigger]);
    const round = rounds.get(name)?.round as number;
    held.set(id, { id, round, interval: { start: step - 1, end: step }, firstStep: step, lastStep: step, triggers: [trigger] });
    boundTo.set(trigger, [...(boundTo.get(trigger) ?? []), id]);
  }
  for (const [id, status] of Object.entries(others)) audit(id, status, []);
  const facts = Array.from({ length: steps }, (_, i) => ({ step: i + 1, triggers: [triggerId(i + 1, 1)], advance: 0 }));
  return {
    case: "ark_001",
    tier,
    contract,
    roundsPlayed,
    outcome: roundsPlayed === contract.rounds.length ? "finished" : "limit",
    judge: "exact",
    audited,
    held,
    boundTo,
    steps: new Map(facts.map((step) => [step.step, step])),
  };
}

const RIGHT: Play = {
  stepOf: { e1: 1, e2: 2, e3: 3, e4: 3 },
  others: { a_type: "pass", a_entity: "pass", a_capability: "pass", p1: "pass" },
};
const rate = (passed: number, scored: number): Rate => ({ passed, scored, rate: scored === 0 ? null : passed / scored });
const score = (play: Play): Score => scoreRun(inputOf(play));
const itemOf = (of: Score, id: string) => of.items.find((item) => item.id === id);

describe("the score of a run", () => {
  it("that did everything right is 1 in both scores, whole output", () => {
    const short: CaseContract = {
      rounds: [{ ...FIRST, structures: [structure("a_type", "type")], probes: [], relations: [causal("ca1", "e1", "e2")] }],
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
        { id: "a_type", kind: "A", level: "type", round: 1, scored: false, status: "pass", reason: "seen a_type", constructions: [1] },
        { id: "ca1", kind: "CA", round: 1, scored: true, status: "pass", reason: "holds" },
      ],
    });
  });

  it("of silence is exactly 0 in every tier, on every item", () => {
    for (const tier of TIERS) {
      const silent = score({ tier, steps: 0 });
      expect([silent.completion.rate, silent.relation.rate, silent.mix]).toEqual([0, 0, 0]);
      expect(silent.items.every((item) => item.status === "fail")).toBe(true);
      expect(silent.items.filter((item) => "EAP".includes(item.kind)).every((item) => item.reason === "not judged")).toBe(true);
    }
  });

  it("with one item of each kind wrong loses exactly those", () => {
    expect(score(RIGHT)).toMatchObject({ completion: rate(7, 7), relation: rate(4, 4), mix: 1 });
    // e4 a step later: its overlap with e3 is gone and nothing else.
    const near = score({ ...RIGHT, stepOf: { e1: 1, e2: 2, e3: 3, e4: 4 } });
    expect(near).toMatchObject({ completion: rate(7, 7), relation: rate(3, 4), mix: (1 + 3 / 4) / 2, components: { CC: rate(0, 1) } });
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
    expect(wrong.components).toEqual({ E: rate(3, 4), A: rate(1, 2), P: rate(0, 1), CA: rate(0, 2), TM: rate(0, 1), CC: rate(0, 1) });
    expect(wrong).toMatchObject({ completion: rate(4, 7), relation: rate(0, 4), mix: 2 / 7 });
    expect(itemOf(wrong, "ca1")).toMatchObject({ reason: "e1 [1, 2) ends after e2 [0, 1) begins: 2 > 0" });
    expect(itemOf(wrong, "ca2")).toMatchObject({ reason: "e4 does not hold", witness: { kind: "absent", event: "e4" } });
  });

  it("counts a structure only in the tiers that leave it to the agent, and a type in none", () => {
    const counted = TIERS.map((tier) => score({ ...RIGHT, tier }).components.A.scored);
    expect(counted).toEqual([0, 1, 2]);
    const withoutType = { ...RIGHT.others, a_type: "fail" } as const;
    expect(score({ ...RIGHT, others: withoutType }).completion).toEqual(rate(7, 7));
    expect(score({ ...RIGHT, tier: "easy" }).components.A).toEqual({ passed: 0, scored: 0, rate: null });
  });

  it("of a run that stopped early keeps its full denominators", () => {
    const others = { a_type: "pass", a_entity: "pass", a_capability: "pass", p1: "pass" } as const;
    const early = score({ roundsPlayed: 1, stepOf: { e1: 1, e2: 2 }, others });
    expect(early).toMatchObject({ outcome: "limit", completion: rate(5, 7), relation: rate(2, 4), mix: (5 / 7 + 1 / 2) / 2 });
    expect(early.rounds.map((r) => [r.round, r.played, r.completion, r.relation])).toEqual([
      [1, true, rate(5, 5), rate(2, 2)],
      [2, false, rate(0, 2), rate(0, 2)],
    ]);
    expect(itemOf(early, "e3")).toEqual({ id: "e3", kind: "E", round: 2, scored: true, status: "fail", reason: "not played" });
    expect(itemOf(early, "cc2")).toMatchObject({ status: "fail", reason: "e3 does not hold" });
  });

  it("is null where nothing is scored, in a round and in the whole", () => {
    const bare: RoundContract = { round: 1, events: [], structures: [structure("a_type", "type")], probes: [], relations: [] };
    const quiet = score({ contract: { rounds: [bare] }, roundsPlayed: 1, others: { a_type: "pass" } });
    expect([quiet.completion.rate, quiet.relation.rate, quiet.mix]).toEqual([null, null, null]);
    const mixed: CaseContract = { rounds: [{ ...FIRST, relations: [] }, SECOND] };
    const one = score({ ...RIGHT, contract: mixed });
    expect(one.rounds.map((r) => r.relation.rate)).toEqual([null, 1]);
    expect(one.mix).toBe(1);
    const eventsOnly = score({ contract: { rounds: [{ ...bare, events: [event("e1")] }] }, roundsPlayed: 1, stepOf: { e1: 1 } });
    expect([eventsOnly.completion.rate, eventsOnly.relation.rate, eventsOnly.mix]).toEqual([1, null, null]);
  });

  it("does not pass what is undecided, and counts it apart where it is scored", () => {
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

/** Contracts of up to three rounds with up to three items of a kind, and any play of them. */
const playArbitrary: fc.Arbitrary<Play> = fc
  .array(
    fc.record({
      events: fc.integer({ min: 0, max: 3 }),
      levels: fc.array(fc.constantFrom(...LEVELS), { maxLength: 3 }),
      probes: fc.integer({ min: 0, max: 2 }),
      relations: fc.array(fc.tuple(fc.constantFrom("CA", "TM", "CC"), fc.nat(), fc.nat()), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .chain((drafts) => {
    const rounds = drafts.map((draft, index): RoundContract => {
      const round = index + 1;
      const names = Array.from({ length: draft.events }, (_, i) => `e${round}_${i}`);
      const pick = (n: number) => names[n % names.length] as string;
      const make = { CA: causal, TM: temporal, CC: together };
      return {
        round,
        events: names.map(event),
        structures: draft.levels.map((level, i) => structure(`a${round}_${i}`, level)),
        probes: Array.from({ length: draft.probes }, (_, i) => probe(`p${round}_${i}`)),
        relations: draft.events === 0 ? [] : draft.relations.map(([kind, a, b], i) => make[kind](`r${round}_${i}`, pick(a), pick(b))),
      };
    });
    return fc.integer({ min: 0, max: rounds.length }).chain((roundsPlayed) => {
      const played = itemsOf({ rounds }).filter((item) => item.round <= roundsPlayed && "EAP".includes(item.kind));
      const fate = fc.record({
        status: fc.constantFrom<(Status | "unjudged")[]>("pass", "pass", "fail", "undecided", "unjudged"),
        step: fc.integer({ min: 1, max: 9 }),
      });
      return fc.record({ tier: fc.constantFrom(...TIERS), fates: fc.array(fate, { minLength: played.length, maxLength: played.length }) }).map(({ tier, fates }): Play => {
        const stepOf: Record<string, number> = {};
        const others: Record<string, Status> = {};
        played.forEach(({ id, kind }, i) => {
          const { status, step } = fates[i] as { status: Status | "unjudged"; step: number };
          if (kind === "E" && status === "pass") stepOf[id] = step;
          else if (status !== "unjudged") others[id] = status;
        });
        return { contract: { rounds }, tier, roundsPlayed, stepOf, others };
      });
    });
  });

describe("on random contracts and plays", () => {
  const sum = (rates: readonly Rate[]): Rate =>
    rate(
      rates.reduce((total, one) => total + one.passed, 0),
      rates.reduce((total, one) => total + one.scored, 0),
    );

  it("the rounds' counts sum to the pooled ones, and the components' to the two scores", () => {
    fc.assert(
      fc.property(playArbitrary, (play) => {
        const { rounds, completion, relation, components, mix } = score(play);
        expect(sum(rounds.map((r) => r.completion))).toEqual(completion);
        expect(sum(rounds.map((r) => r.relation))).toEqual(relation);
        for (const kind of ITEM_KINDS) expect(sum(rounds.map((r) => r.components[kind]))).toEqual(components[kind]);
        expect(sum([components.E, components.A, components.P])).toEqual(completion);
        expect(sum([components.CA, components.TM, components.CC])).toEqual(relation);
        expect(mix === null).toBe(completion.scored === 0 || relation.scored === 0);
      }),
      { numRuns: 500 },
    );
  });

  it("denominators depend on contract and tier alone, never on the play", () => {
    fc.assert(
      fc.property(playArbitrary, (play) => {
        const { contract, tier } = play as Required<Play>;
        const [played, silent] = [score(play), score({ contract, tier, roundsPlayed: 0 })];
        for (const kind of ITEM_KINDS) expect(played.components[kind].scored).toBe(silent.components[kind].scored);
        expect(silent.completion.passed + silent.relation.passed).toBe(0);
        expect(played.items.map((item) => item.id)).toEqual(itemsOf(contract).map((item) => item.id));
      }),
      { numRuns: 500 },
    );
  });

  it("a score depends on its input alone and survives the disk", () => {
    fc.assert(
      fc.property(playArbitrary, (play) => {
        const input = inputOf(play);
        const shuffled = { ...input, audited: new Map([...input.audited].reverse()), held: new Map([...input.held].reverse()) };
        expect(canonicalJson(scoreRun(shuffled))).toBe(canonicalJson(scoreRun(input)));
        expect(scoreSchema.parse(JSON.parse(canonicalJson(scoreRun(input))))).toEqual(scoreRun(input));
      }),
      { numRuns: 500 },
    );
  });
});
