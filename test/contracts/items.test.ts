import { describe, expect, it } from "vitest";
import { isScored, itemsOf, type CaseContract } from "../../src/contracts/index.ts";

const structure = (id: string, level: string) => ({
  id,
  level,
  says: id,
  usedBy: "e1",
  reference: "x",
  refusedWhen: [],
  allowedWhen: [],
});
const event = (id: string) => ({ id, says: id, involves: ["x"], defining: ["x.at"], accepts: [] });
const contract = {
  rounds: [
    {
      round: 1,
      events: [event("e1"), event("e2")],
      structures: [
        structure("a_type", "type"),
        structure("an_entity", "entity"),
        structure("a_capability", "capability"),
      ],
      probes: [{ id: "p1", says: "p1", after: "e1", forbids: { holds: "true" } }],
      relations: [
        { id: "r1_tm1", kind: "TM", before: "e1", after: "e2", immediate: false, told: "t" },
        { id: "r1_cc1", kind: "CC", events: ["e1", "e2"], mode: "overlap", told: "t" },
      ],
    },
    {
      round: 2,
      events: [event("e3")],
      structures: [],
      probes: [],
      relations: [{ id: "r2_ca1", kind: "CA", causes: ["e1"], effect: "e3", told: "t" }],
    },
  ],
} as unknown as CaseContract;

describe("the items of a contract", () => {
  it("CT1 are listed round by round: events, structures, probes, relations", () => {
    expect(itemsOf(contract).map(({ id, kind, round }) => `${round} ${kind} ${id}`)).toEqual([
      "1 E e1",
      "1 E e2",
      "1 A a_type",
      "1 A an_entity",
      "1 A a_capability",
      "1 P p1",
      "1 TM r1_tm1",
      "1 CC r1_cc1",
      "2 E e3",
      "2 CA r2_ca1",
    ]);
  });

  it("CT16 count in all tiers, but structures only where the agent constructs them, and types never", () => {
    const scoredIn = (tier: "easy" | "hard" | "extreme") =>
      itemsOf(contract)
        .filter((item) => isScored(item, tier))
        .map(({ id }) => id as string);
    const always = ["e1", "e2", "p1", "r1_tm1", "r1_cc1", "e3", "r2_ca1"];
    expect(scoredIn("easy")).toEqual(always);
    expect(scoredIn("hard").filter((id) => !always.includes(id))).toEqual(["a_capability"]);
    expect(scoredIn("extreme").filter((id) => !always.includes(id))).toEqual(["an_entity", "a_capability"]);
  });
});
