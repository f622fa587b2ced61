/** A call is all or nothing, wherever it breaks off; and the check of that finds engines that are not so. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AdmittedCall } from "../../src/runtime/admit.ts";
import type { AppendLog } from "../../src/runtime/append-log.ts";
import type { MaintenanceScenario } from "../../src/runtime/maintenance/view.ts";
import type { Session } from "../../src/runtime/session.ts";
import type { EntityChange, EntityTable } from "../../src/runtime/state/index.ts";
import { breakAt, point, Points, putPoints, withVariant, type Variant } from "./support/breaking-engine.ts";
import type { Engine } from "./support/all-or-nothing.ts";

putPoints();
const { admitCall } = await import("../../src/runtime/admit.ts");
const { callTool, openSession, soundTurn } = await import("../../src/runtime/index.ts");
const { checkAllOrNothing } = await import("./support/all-or-nothing.ts");
const { acceptedOf, randomPlay, randomTriggers, randomWorld } = await import("./support/random-steps.ts");
const { afterRounds, emptyAnswer, pond } = await import("./toy-dynamics.ts");
const { call, play, toySession } = await import("./toy-world.ts");

const rounds = [1, 2].map(() => ({ steps: 1_000, calls: 1_000 }));
const scenario: MaintenanceScenario = {
  track: "maintenance",
  caseId: "village",
  tier: "easy",
  unit: "minute",
  world: randomWorld,
  narratives: ["It is market day.", "It is the day after."],
  budgets: { rounds, runCalls: 4_000 },
};
const village = openSession(scenario);

const step = (triggers: readonly unknown[]): AdmittedCall => admitCall("commit_step", { triggers });
const on = (capability: string, args: Readonly<Record<string, unknown>> = {}) => ({ capability, args });

/** Accepted in the village, with an effect of every kind. */
const FULL = step([
  on("feast"),
  on("weave", { n: 1 }),
  on("smash", { what: "bag" }),
  on("join", { who: "cat" }),
  on("leave", { who: "bob" }),
  on("pour", { into: "cup", n: 1.2 }),
  on("fill", { into: "jug", n: 2 }),
  on("go", { who: "ann", to: "ford" }),
]);

/** Where a step writes: into a list, a map or a set, by freezing, or by a function of a file that keeps something. */
const WRITES: readonly string[] = [
  ...["freeze", "map.set", "push", "set.add", "weakmap.set"].map((name) => `before ${name}`),
  "after append-log.ts append",
  "after digest.ts sha256",
  "after invariant-check.ts rememberHolding",
  "after merge.ts mergeOperations",
  "after merged-state.ts applyMerged",
  "after number.ts sumExactly",
  "after state/buckets.ts rootOf",
  "after state/buckets.ts withChanges",
  "after state/references.ts keepReferences",
  "after state/retired.ts retire",
  "after state/sorted-ids.ts SortedIds.with",
  "after state/table.ts changeEntities",
  "after step.ts commitStep",
  "after world.ts digestOfWorld",
  "after writes.ts writesOf",
];
const isWrite = (name: string): boolean => WRITES.includes(name);
/** Every write, and what a planted fault adds. */
const isPlanted = (name: string): boolean => isWrite(name) || name === "between two changes";

const LIFT = { id: "lift", params: { who: { type: "person" } }, effects: [{ set: "who.at", expr: "kitchen" }] };

/** Calls of every kind, each short: they are broken at every point there is. */
const CALLS: readonly (readonly [name: string, before: () => Session, call: AdmittedCall])[] = [
  [
    "an accepted step",
    () => village,
    step([on("weave", { n: 1 }), on("smash", { what: "bag" }), on("join", { who: "cat" })]),
  ],
  ["a refused step", () => village, step([on("leave", { who: "bob" }), on("leave", { who: "bob" }), on("fly")])],
  ["a wait", () => village, admitCall("commit_step", { advance: 3 })],
  ["a malformed step", () => village, step([{ capability: 7 }])],
  ["a query", () => village, admitCall("read_data", { from: "entities", where: "it.at == mill" })],
  ["a context", () => village, admitCall("get_context", {})],
  ["the end of a round", () => village, admitCall("end_round", {})],
  ["the end of the case", () => play(village, [["end_round", {}]]), admitCall("end_round", {})],
  ["a capability", () => toySession("hard"), admitCall("construct", { op: "create", capability: LIFT })],
  ["a type", () => toySession("extreme"), admitCall("construct", { op: "create", type: { id: "box" } })],
  ["a submission", () => pond({ mode: "M2" }), admitCall("commit_step", emptyAnswer(pond({ mode: "M2" })))],
];

describe("a call that breaks inside", () => {
  it("RT71 writes of a step are all found", () => {
    const points = new Points(() => true);
    breakAt(-1, points, () => callTool(village, FULL));
    expect(WRITES.filter((name) => !points.names.includes(name))).toEqual([]);
  });

  it.each(CALLS)("RT70 RT71 %s that breaks at any point at all is refused and nothing else", (_, before, broken) => {
    const { points, reason } = checkAllOrNothing(callTool, before, broken);
    expect(reason).toBeUndefined();
    expect(points).toBeGreaterThan(5);
  });

  it("RT71 a step of one to eight triggers has all its effects and one record, or none and one refusal", () => {
    let points = 0;
    fc.assert(
      fc.property(randomPlay, randomTriggers, fc.integer({ min: 0, max: 3 }), (prelude, list, kind) => {
        const before = prelude.reduce((now, one) => call(now, "commit_step", one).session, village);
        const triggers = kind === 0 ? list : acceptedOf(before.world, list);
        const checked = checkAllOrNothing(callTool, () => before, step(triggers), isWrite);
        points += checked.points;
        if (checked.reason !== undefined) throw new Error(checked.reason);
      }),
      { numRuns: 10 },
    );
    expect(points).toBeGreaterThan(200);
  });

  it.each(["M1", "M2"] as const)(
    "RT71 an end of a round of deduction (%s) closes it whole or leaves it open",
    (mode) => {
      const before = afterRounds(pond({ mode }), 1);
      const end = admitCall("end_round", {});
      const answered = callTool(before, admitCall("commit_step", emptyAnswer(before))).session;
      const { points, reason } = checkAllOrNothing(
        callTool,
        () => answered,
        end,
        (name) => /^after (deduction|append-log|digest|world|state)/.test(name),
      );
      expect(reason).toBeUndefined();
      expect(points).toBeGreaterThan(5);
    },
  );

  it("RT70 where what refuses breaks too, the call is not even counted", () => {
    const broken: Variant = { "append-log.ts append": () => () => fail("no room") };
    const turn = withVariant(broken, () => callTool(village, FULL));
    expect(turn.session).toBe(village);
    expect([turn.answer, turn.record]).toMatchObject([{ ok: false, error: { code: "internal_error" } }, undefined]);
    expect(() => soundTurn(turn)).toThrow("no room");
    expect(soundTurn(callTool(village, FULL)).answer.ok).toBe(true);
  });
});

function fail(why: string): never {
  throw new Error(why);
}

/** The village with a table that can be written in place, as the first planted fault needs it. */
function writable(): Session {
  return { ...village, world: { ...village.world, entities: { ...village.world.entities } } };
}

/** Writes into the table that the session before holds, and takes it back when all is well. */
const inPlace: Variant = {
  "state/table.ts changeEntities": (real) => (table: EntityTable, changes: readonly EntityChange[]) => {
    const change = real as (table: EntityTable, changes: readonly EntityChange[]) => EntityTable;
    const before = { ...table };
    for (const one of changes) {
      point("between two changes");
      Object.assign(table, change({ ...table }, [one]));
    }
    const after = Object.freeze({ ...table });
    Object.assign(table, before);
    return after;
  },
};

/** One log for all sessions: it grows when it is written, not when the step is done. */
const oneLog: Variant = {
  "append-log.ts append": (real) => (log: AppendLog<unknown>, item: unknown) =>
    Object.assign(log, (real as (log: AppendLog<unknown>, item: unknown) => AppendLog<unknown>)(log, item)),
};

const withParts =
  (parts: Variant): Engine =>
  (session, made) =>
    withVariant(parts, () => callTool(session, made));

const PLANTED: readonly (readonly [what: string, engine: Engine, before: () => Session, reason: RegExp])[] = [
  [
    "that writes into its table in place",
    withParts(inPlace),
    writable,
    /between two changes: the session from before is another$/,
  ],
  ["whose log grows in place", withParts(oneLog), () => openSession(scenario), /: the session from before is another$/],
  [
    "that lets exceptions out",
    (session, made) => soundTurn(callTool(session, made)),
    () => village,
    /^point 0, .*: an exception leaves the call$/,
  ],
  [
    "that says what broke",
    (session, made) => {
      const turn = callTool(session, made);
      if (turn.answer.ok || turn.internal === undefined) return turn;
      return { ...turn, answer: { ok: false, error: { ...turn.answer.error, message: String(turn.internal.cause) } } };
    },
    () => village,
    /: it answers .*Error: /,
  ],
  [
    "that keeps the world of a step it refuses",
    (session, made) => {
      const turn = callTool(session, made);
      const { world } = callTool(session, step([on("feast")])).session;
      return turn.internal === undefined ? turn : { ...turn, session: { ...turn.session, world } };
    },
    () => village,
    /: the world is another$/,
  ],
];

describe("this check", () => {
  it.each(PLANTED)("RT71 finds an engine %s", (_, engine, before, reason) => {
    expect(checkAllOrNothing(engine, before, FULL, isPlanted).reason).toMatch(reason);
  });
});
