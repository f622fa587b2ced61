/** A whole step of ours beside the stack one would put together by hand: the same world, the same doings, the same durability. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admitCall, callTool, type Json } from "../../src/runtime/index.ts";
import { actorSteps, FileLines, handState, HandStack, NOWHERE, ruleOfGift, type Patcher } from "./by-hand.ts";
import { growthOf, measure, type Growth, type MeasureOptions, type Variant } from "./measure.ts";
import { caseOfTown, recordTown } from "./recorded-town.ts";
import { DOINGS, sessionIn, townOf } from "./town.ts";

export interface StackBench {
  /** Lines handed to the operating system, and lines on disk before the next step; ours is the first of each. */
  readonly written: readonly Growth[];
  readonly synced: readonly Growth[];
  /** The same steps without a log, and libraries that do part of one; ours is the first. */
  readonly parts: readonly Growth[];
}

const ENTITIES = 20;
const make = DOINGS["a move, a gift, a wage"];

export async function benchStack(options: MeasureOptions): Promise<StackBench> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    return {
      written: growthOf(await measure(await wholeSteps(folder, false, 100), options)),
      synced: growthOf(await measure(await wholeSteps(folder, true, 10), options)),
      parts: growthOf(await measure(parts(), options)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function wholeSteps(folder: string, sync: boolean, many: number): Promise<readonly Variant[]> {
  const place = mkdtempSync(join(folder, sync ? "synced-" : "written-"));
  const run = await recordTown(place, caseOfTown({ entities: ENTITIES }), sync);
  const byHand = (patcher: Patcher): Variant => {
    const stack = new HandStack(handState(ENTITIES), patcher, new FileLines(join(place, `${patcher}.jsonl`), sync));
    return repeated(`by hand, ${patcher}`, many, (input) => stack.step(input));
  };
  const ours = repeated("worldagent", many, (input) => {
    const answer = run.call(admitCall("commit_step", input));
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  });
  return [ours, byHand("immer"), byHand("mutative")];
}

function parts(): readonly Variant[] {
  const actor = actorSteps();
  const isAllowed = ruleOfGift();
  const facts = { thing_at: "person_2", giver: "person_2", giver_at: "hall", taker_at: "hall" };
  let session = sessionIn(townOf({ entities: ENTITIES }));
  const byHand = (patcher: Patcher): Variant => {
    const stack = new HandStack(handState(ENTITIES), patcher, NOWHERE);
    return repeated(`by hand, ${patcher}`, 100, (input) => stack.step(input));
  };
  return [
    repeated("worldagent: callTool", 100, (input) => {
      const turn = callTool(session, admitCall("commit_step", input));
      if (!turn.answer.ok) throw new Error(JSON.stringify(turn.answer));
      session = turn.session;
    }),
    byHand("immer"),
    byHand("mutative"),
    repeated("xstate: three actor.send", 100, (input) => actor.step(input)),
    {
      name: "json-rules-engine: one guard of three",
      run: async () => {
        for (let n = 0; n < 100; n += 1) if (!(await isAllowed(facts))) throw new Error("the gift is refused");
        return 100;
      },
    },
  ];
}

function repeated(name: string, many: number, step: (input: Json) => void): Variant {
  let i = 0;
  return {
    name,
    run: () => {
      for (let n = 0; n < many; n += 1, i += 1) step(make(i));
      return many;
    },
  };
}
