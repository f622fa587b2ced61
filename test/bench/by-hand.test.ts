import { expect, it } from "vitest";
import { actorSteps, handState, HandStack, type Lines } from "../../scripts/bench/by-hand.ts";
import { DOINGS, sessionIn, townOf } from "../../scripts/bench/town.ts";
import { admitCall, callTool, getEntity, type Json } from "../../src/runtime/index.ts";
import { valueOf } from "../../src/runtime/state/index.ts";

it("the stacks that are put together by hand do what a step of ours does", () => {
  const nowhere = { append: () => undefined, close: () => undefined } as unknown as Lines;
  const stacks = (["immer", "mutative"] as const).map((patcher) => new HandStack(handState(20), patcher, nowhere));
  const actor = actorSteps();
  let session = sessionIn(townOf({ entities: 20 }));
  for (let i = 0; i < 7; i += 1) {
    const input: Json = DOINGS["a move, a gift, a wage"](i);
    const turn = callTool(session, admitCall("commit_step", input));
    expect(turn.answer).toMatchObject({ ok: true });
    session = turn.session;
    for (const stack of stacks) stack.step(input);
    actor.step(input);
  }
  for (const { persons, items } of [...stacks.map(({ state }) => state), actor.state()]) {
    const theirs = Object.entries({ ...persons, ...items });
    expect(theirs).toHaveLength(20);
    const ours = theirs.map(([id, fields]) => {
      const entity = getEntity(session.world.entities, id);
      return [id, Object.fromEntries(Object.keys(fields).map((field) => [field, entity && valueOf(entity, field)]))];
    });
    expect(ours).toEqual(theirs);
  }
});
