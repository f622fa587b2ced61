import { afterEach, describe, expect, it } from "vitest";
import type { Session, Turn } from "../../src/runtime/session.ts";
import { changeEntities } from "../../src/runtime/state/index.ts";
import { digestOfWorld, type World } from "../../src/runtime/world.ts";
import { describeFailure, engine, fuzz, type Engine, type FuzzOptions } from "./fuzz.ts";

/** The engine as it is up to the call with this number, from which on `spoil` has its way with what it answers. */
function spoiledFrom(first: number, spoil: (turn: Turn, before: Session) => Turn): Engine {
  let calls = 0;
  return (session, call) => {
    const turn = engine(session, call);
    return (calls += 1) < first ? turn : spoil(turn, session);
  };
}

function withWorld(turn: Turn, change: (world: World) => World): Turn {
  return { ...turn, session: { ...turn.session, world: change(turn.session.world) } };
}

function faultFound(planted: Engine, more: Partial<FuzzOptions> = {}): string {
  const { failure } = fuzz({ seed: 5, calls: 400, engine: planted, ...more });
  return failure === undefined ? "nothing found" : describeFailure(failure);
}

/** Burns so much CPU time: what a loop without a bound begins with. */
function burn(ms: number): void {
  const started = process.cpuUsage();
  let spent = 0;
  while (spent < ms * 1_000) {
    const { user, system } = process.cpuUsage(started);
    spent = user + system;
  }
}

describe("the fuzzer, of an engine with a fault in it,", () => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, "planted");
  });

  it("RT83 finds nothing where nothing is planted", () => {
    expect(faultFound(engine)).toBe("nothing found");
  });

  it("RT83 finds a call that takes more than a second", () => {
    let burnt = false;
    const slow = spoiledFrom(70, (turn) => {
      if (!burnt) burn(1_050);
      burnt = true;
      return turn;
    });
    expect(faultFound(slow)).toMatch(/^call 70 of seed 5 \(easy\): a call of 1\d\d\d ms/);
  });

  it("RT83 finds an exception that crosses the boundary, and one that was caught inside", () => {
    const throwing = spoiledFrom(30, () => {
      throw new RangeError("a planted exception");
    });
    expect(faultFound(throwing)).toMatch(/call 30 .*thrown across the boundary: RangeError: a planted exception/);
    const caught = spoiledFrom(30, (turn) => ({ ...turn, internal: { cause: new Error("planted") } }));
    expect(faultFound(caught)).toMatch(/call 30 .*an exception inside: Error: planted/);
  });

  it("RT83 finds a prototype that was touched, and names it", () => {
    const writing = spoiledFrom(40, (turn) => {
      Reflect.defineProperty(Object.prototype, "planted", { value: true, configurable: true });
      return turn;
    });
    const found = faultFound(writing);
    expect(found).toContain("call 40 ");
    expect(found).toContain("a built-in object was touched: planted of Object");
  });

  it("RT83 finds a function of a prototype that was put in another's place", () => {
    const at = Object.getOwnPropertyDescriptor(Array.prototype, "at") as PropertyDescriptor;
    const replacing = spoiledFrom(40, (turn) => {
      Reflect.defineProperty(Array.prototype, "at", { ...at, value: () => undefined });
      return turn;
    });
    try {
      expect(faultFound(replacing)).toContain("a built-in object was touched: at of Array");
    } finally {
      Reflect.defineProperty(Array.prototype, "at", at);
    }
  });

  it("RT83 finds a field that is out of its range, and a field too many", () => {
    const set = (field: string, value: number) =>
      spoiledFrom(50, (turn) =>
        turn.answer.ok && turn.record?.kind === "accepted"
          ? withWorld(turn, (world) => ({
              ...world,
              entities: changeEntities(world.entities, [{ kind: "set", id: "ann", field, value }]),
            }))
          : turn,
      );
    expect(faultFound(set("coins", 101))).toContain("entity ann: coins is 101, which is not");
    expect(faultFound(set("coins", 0.5))).toContain("entity ann: coins is 0.5, which is not");
    expect(faultFound(set("wings", 2))).toContain("entity ann: it has the fields awake,coins,friend,mood,wings");
    expect(faultFound(set("coins", 61))).toContain("an invariant does not hold");
  });

  it("RT83 finds a refused call that changes the world, and one that reads", () => {
    const later = (world: World): World => ({ ...world, clock: world.clock + 1 });
    const refusing = spoiledFrom(20, (turn) => (turn.answer.ok ? turn : withWorld(turn, later)));
    expect(faultFound(refusing)).toContain("a refused call changed the world");
    const reading = spoiledFrom(2, (turn) => (turn.record === undefined ? withWorld(turn, later) : turn));
    expect(faultFound(reading)).toMatch(/call 2 .*a call that reads changed the world/);
  });

  it("RT83 finds a digest that is not kept up to date", () => {
    let times = 0;
    const mutating = spoiledFrom(60, (turn) => {
      // what is remembered of a frozen world is not what it holds once something in it is written to in place
      if (turn.record?.kind !== "accepted") return turn;
      return withWorld(turn, (world) => {
        const next = Object.freeze({ ...world, map: structuredClone(world.map) });
        digestOfWorld(next);
        next.map.places["mill"] = `mill ${(times += 1)}`;
        return next;
      });
    });
    expect(faultFound(mutating)).toContain("the digest is not that of the same world built anew");
  });

  it("RT83 finds memory that is never given back", () => {
    const kept: number[][] = [];
    const leaking = spoiledFrom(1, (turn) => {
      kept.push(Array<number>(1_000_000).fill(0.5));
      return turn;
    });
    expect(faultFound(leaking, { heapMiB: 300, game: 60, calls: 60 })).toMatch(/a heap of \d+ MiB, beyond 300/);
    kept.length = 0;
  });
});
