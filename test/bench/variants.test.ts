import { expect, it } from "vitest";
import { handState, HandStack, NOWHERE, ruleOfGift } from "../../scripts/bench/by-hand.ts";
import { growthOf, measure } from "../../scripts/bench/measure.ts";
import { DOINGS, sessionIn, townOf, type Doing } from "../../scripts/bench/town.ts";
import { admitCall, callTool, countEntities } from "../../src/runtime/index.ts";

it("every kind of step is accepted again and again, and leaves as many entities as there were", () => {
  for (const [doing, make] of Object.entries<Doing>(DOINGS)) {
    let session = sessionIn(townOf({ entities: 20, lawful: true }));
    for (let i = 0; i < 6; i += 1) {
      const turn = callTool(session, admitCall("commit_step", make(i)));
      expect([doing, turn.answer.ok]).toEqual([doing, true]);
      session = turn.session;
    }
    expect([doing, countEntities(session.world.entities)]).toEqual([doing, 20]);
  }
});

it("the stack by hand refuses a whole step where a guard fails", () => {
  const stack = new HandStack(handState(20), "mutative", NOWHERE);
  const before = stack.state;
  const wage = { capability: "earn", args: { who: "person_2", n: 1 } };
  const wayToNowhere = { capability: "go", args: { who: "person_0", to: "hall" } };
  expect(() => stack.step({ triggers: [wage, wayToNowhere] })).toThrow("refused: go");
  expect(stack.state).toBe(before);
});

it("the rule of a gift asks whether the giver has the thing and the taker is there", async () => {
  const isAllowed = ruleOfGift();
  const facts = { thing_at: "person_2", giver: "person_2", giver_at: "hall", taker_at: "hall" };
  expect(await isAllowed(facts)).toBe(true);
  expect(await isAllowed({ ...facts, thing_at: "person_4" })).toBe(false);
  expect(await isAllowed({ ...facts, taker_at: "yard" })).toBe(false);
});

it("ratios are those of the same round", () => {
  const measured = (name: string, speeds: readonly number[]) => ({
    name,
    speeds,
    perSecond: 0,
    quartiles: [0, 0] as const,
  });
  // The machine was four times as fast in the second round; the second variant cost twice the first in all of them.
  const [first, second] = growthOf([measured("first", [100, 400, 200]), measured("second", [50, 200, 100])]);
  expect(first).toMatchObject({ ratio: 1, ratioSpread: [1, 1] });
  expect(second).toMatchObject({ ratio: 2, ratioSpread: [2, 2] });
});

it("variants take turns, and the round that warms up does not count", async () => {
  const turns: string[] = [];
  const variant = (name: string) => ({ name, run: () => turns.push(name) });
  const measured = await measure([variant("a"), variant("b")], { rounds: 2, leastMs: 0 });
  expect(turns.join("")).toBe("ababab");
  expect(measured.map(({ name, speeds }) => [name, speeds.length])).toEqual([
    ["a", 2],
    ["b", 2],
  ]);
});
