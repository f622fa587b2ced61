import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, LEVELS, TIERS } from "../../src/runtime/index.ts";
import { ITEM_KINDS, type RoundContract } from "../../src/contracts/contract.ts";
import { itemsOf } from "../../src/contracts/items.ts";
import type { Rate } from "../../src/contracts/rate.ts";
import { scoreRun, scoreSchema } from "../../src/contracts/score.ts";
import {
  causal,
  event,
  inputOf,
  probe,
  rate,
  score,
  structure,
  temporal,
  together,
  type Play,
  type Status,
} from "./score-play.ts";

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
        relations:
          draft.events === 0
            ? []
            : draft.relations.map(([kind, a, b], i) => make[kind](`r${round}_${i}`, pick(a), pick(b))),
      };
    });
    return fc.integer({ min: 0, max: rounds.length }).chain((roundsPlayed) => {
      const played = itemsOf({ rounds }).filter((item) => item.round <= roundsPlayed && "EAP".includes(item.kind));
      const fate = fc.record({
        status: fc.constantFrom<(Status | "unjudged")[]>("pass", "pass", "fail", "undecided", "unjudged"),
        step: fc.integer({ min: 1, max: 9 }),
      });
      return fc
        .record({
          tier: fc.constantFrom(...TIERS),
          fates: fc.array(fate, { minLength: played.length, maxLength: played.length }),
        })
        .map(({ tier, fates }): Play => {
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

  it("CT20 the rounds' counts sum to the pooled ones, and the components' to the two scores", () => {
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

  it("CT21 denominators depend on contract and tier alone, never on the play", () => {
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

  it("CT20 a score depends on its input alone and survives the disk", () => {
    fc.assert(
      fc.property(playArbitrary, (play) => {
        const input = inputOf(play);
        const shuffled = {
          ...input,
          audited: new Map([...input.audited].reverse()),
          held: new Map([...input.held].reverse()),
        };
        expect(canonicalJson(scoreRun(shuffled))).toBe(canonicalJson(scoreRun(input)));
        expect(scoreSchema.parse(JSON.parse(canonicalJson(scoreRun(input))))).toEqual(scoreRun(input));
      }),
      { numRuns: 500 },
    );
  });
});
