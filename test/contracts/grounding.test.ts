import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseContract, EventId, ItemId, RelationItem } from "../../src/contracts/contract.ts";
import { groundRelations, type Grounding } from "../../src/contracts/grounding/grounding.ts";
import { provenanceGraphOf, type Dependence } from "../../src/contracts/grounding/provenance-graph.ts";
import { replayWithout } from "../../src/contracts/grounding/replay-without.ts";
import type { HeldEvent } from "../../src/contracts/relations.ts";
import { buildTrace, type Trace } from "../../src/contracts/trace.ts";
import { digestOfWorld, type TriggerId, type World } from "../../src/runtime/index.ts";
import type { AcceptedStep, EffectRecord } from "../../src/runtime/record.ts";
import { acceptedOf, randomStep, randomWorld } from "../runtime/support/random-steps.ts";
import { accepted, having, submit, village, type LooseTrigger } from "../runtime/support/village.ts";
import { call, toySession } from "../runtime/toy-world.ts";

/** Plays steps that are all accepted, and rebuilds the run from their records. */
function traceOf(world: World, steps: readonly (readonly LooseTrigger[])[]): Trace {
  let now = world;
  const records: AcceptedStep[] = steps.map((triggers, i) => {
    const { world: next, record } = accepted(submit(now, triggers, { step: i + 1 }));
    now = next;
    return record;
  });
  const trace = buildTrace(world, records);
  if (!trace.ok) throw new Error(trace.error.seen);
  return trace.value;
}

/** Events by the triggers that realise them, and one causal item `ca`. */
function ground(
  trace: Trace,
  events: Readonly<Record<string, readonly string[]>>,
  causes: readonly string[],
  effect: string,
): Grounding | undefined {
  const held = new Map(
    Object.entries(events).map(([id, triggers]) => {
      const traced = triggers.map((one) => {
        const found = trace.triggers.get(one as TriggerId);
        if (found === undefined) throw new Error(`no trigger ${one}`);
        return found;
      });
      const steps = traced.map(({ step }) => step.record.step);
      const event: HeldEvent = {
        id: id as EventId,
        round: 1,
        interval: {
          start: Math.min(...traced.map(({ trigger }) => trigger.start)),
          end: Math.max(...traced.map(({ trigger }) => trigger.end)),
        },
        firstStep: Math.min(...steps),
        lastStep: Math.max(...steps),
        triggers: traced.map(({ trigger }) => trigger.id),
      };
      return [event.id, event];
    }),
  );
  const item: RelationItem = {
    id: "ca" as ItemId,
    kind: "CA",
    causes: causes as EventId[],
    effect: effect as EventId,
    told: "because",
  };
  const contract: CaseContract = {
    rounds: [{ round: 1, events: [], structures: [], probes: [], relations: [item] }],
  };
  return groundRelations(contract, trace, { held, steps: new Map(), boundTo: new Map() }).get(item.id);
}

const world = having(village(), {
  fill: { params: { vessel: { type: "jug" }, n: { kind: "number" } }, effects: [{ add: "vessel.litres", by: "n" }] },
  wake: { params: { who: { type: "person" } }, effects: [{ set: "who.awake", value: true }] },
  doze: { params: { who: { type: "person" } }, effects: [{ set: "who.awake", value: false }] },
  pour: {
    params: { from: { type: "jug" }, to: { type: "jug" } },
    requires: [{ expr: "from.litres >= 2" }],
    effects: [
      { add: "from.litres", by: -2 },
      { add: "to.litres", by: 2 },
    ],
  },
  drink: {
    params: { who: { type: "person" }, vessel: { type: "jug" } },
    requires: [{ expr: "vessel.litres >= 1" }],
    effects: [
      { add: "vessel.litres", by: -1 },
      { add: "who.coins", by: 1 },
    ],
  },
  pay: { params: { who: { type: "person" } }, effects: [{ add: "who.coins", by: 2 }] },
  weave: { params: { n: { kind: "int" } }, effects: [{ create: "crate", id: { expr: '"roll_" + n' }, at: "mill" }] },
  count: {
    params: { who: { type: "person" } },
    requires: [{ expr: "count(all(crate)) >= 3" }],
    effects: [{ set: "who.mood", value: "glad" }],
  },
  smash: { params: { what: {} }, effects: [{ destroy: "what" }] },
});
const on = (capability: string, args: LooseTrigger["args"] = {}): LooseTrigger => ({ capability, args });

describe("causal grounding", () => {
  it("CT40 CT41 order without cause is neither mediated nor but-for", () => {
    const trace = traceOf(world, [[on("doze", { who: "cat" })], [on("pay", { who: "ann" })]]);
    expect(ground(trace, { first: ["t1_1"], then: ["t2_1"] }, ["first"], "then")).toEqual({
      mediated: false,
      butFor: false,
      causes: [{ cause: "first", way: null, without: [{ trigger: "t2_1", outcome: "changed", path: "ann.coins" }] }],
    });
  });

  it("CT40 CT41 a cause that runs through a third event is mediated by it, and nothing would be but for it", () => {
    const trace = traceOf(world, [
      [on("fill", { vessel: "jug", n: 2 }), on("doze", { who: "cat" })],
      [on("pour", { from: "jug", to: "cup" })],
      [on("drink", { who: "ann", vessel: "cup" })],
    ]);
    expect(ground(trace, { fill: ["t1_1"], drink: ["t3_1"] }, ["fill"], "drink")).toMatchObject({
      mediated: true,
      butFor: true,
      causes: [
        {
          way: [
            { from: "t1_1", path: "jug.litres", to: "t2_1" },
            { from: "t2_1", path: "cup.litres", to: "t3_1" },
          ],
        },
      ],
    });
  });

  it("CT41 the replay shows which refusal the effect meets without its cause", () => {
    const dry = traceOf(world, [[on("fill", { vessel: "cup", n: 1 })], [on("drink", { who: "ann", vessel: "cup" })]]);
    expect(ground(dry, { fill: ["t1_1"], drink: ["t2_1"] }, ["fill"], "drink")).toEqual({
      mediated: true,
      butFor: true,
      causes: [
        {
          cause: "fill",
          way: [{ from: "t1_1", path: "cup.litres", to: "t2_1" }],
          without: [{ trigger: "t2_1", outcome: "refused", code: "requirement_not_met" }],
        },
      ],
    });
  });

  it("CT40 CT41 of two causes that each suffice both are mediated, and but for neither would the effect be missing", () => {
    const trace = traceOf(world, [
      [on("fill", { vessel: "cup", n: 2 })],
      [on("fill", { vessel: "cup", n: 2 })],
      [on("drink", { who: "ann", vessel: "cup" })],
    ]);
    const both = ground(trace, { a: ["t1_1"], b: ["t2_1"], drink: ["t3_1"] }, ["a", "b"], "drink");
    expect(both).toMatchObject({ mediated: true, butFor: false });
    expect(both?.causes.map(({ without }) => without)).toEqual([
      [{ trigger: "t3_1", outcome: "changed", path: "ann.coins" }],
      [{ trigger: "t3_1", outcome: "changed", path: "ann.coins" }],
    ]);
  });

  it("CT40 who counts things depends on who made them, and on who destroyed others", () => {
    const trace = traceOf(world, [
      [on("weave", { n: 1 })],
      [on("weave", { n: 2 })],
      [on("smash", { what: "roll_2" })],
      [on("count", { who: "ann" })],
    ]);
    const graph = provenanceGraphOf(trace);
    expect((graph.predecessors("t4_1") ?? []).toSorted()).toEqual(["t1_1", "t3_1"]);
    expect(ground(trace, { weave: ["t1_1"], count: ["t4_1"] }, ["weave"], "count")).toMatchObject({
      mediated: true,
      butFor: true,
    });
  });

  it("CT40 what is written as it was gives no ground, and no trigger depends on one of its own step", () => {
    const trace = traceOf(world, [
      [on("wake", { who: "ann" }), on("fill", { vessel: "cup", n: 2 })],
      [on("pay", { who: "ann" }), on("drink", { who: "ann", vessel: "cup" })],
    ]);
    expect(
      provenanceGraphOf(trace)
        .edges()
        .map(({ v, w }) => `${v} ${w}`),
    ).toEqual(["t1_2 t2_2"]);
  });

  it("CT42 an item that does not hold has no ground", () => {
    const trace = traceOf(world, [[on("pay", { who: "ann" })], [on("pay", { who: "bob" })]]);
    expect(ground(trace, { a: ["t1_1"], b: ["t2_1"] }, ["b"], "a")).toBeUndefined();
    expect(ground(trace, { a: ["t1_1"] }, ["a"], "b")).toBeUndefined();
  });

  it("CT41 in a step of several what no longer holds falls away, and what still holds runs on", () => {
    const trace = traceOf(world, [
      [on("fill", { vessel: "cup", n: 1 })],
      [on("drink", { who: "ann", vessel: "cup" }), on("pay", { who: "bob" })],
      [on("pay", { who: "bob" })],
    ]);
    expect([...replayWithout(trace, new Set(["t1_1" as TriggerId]), 3).triggers]).toEqual([
      ["t2_1", { kind: "refused", code: "requirement_not_met" }],
      ["t2_2", { kind: "changed", path: "bob.coins" }],
      ["t3_1", { kind: "changed", path: "bob.coins" }],
    ]);
  });

  it("CT41 what the cause created is not there without it, though it was given a name by construction afterwards", () => {
    const records: EffectRecord[] = [];
    let session = toySession("extreme");
    const calls = [
      ["construct", { op: "create", type: { id: "pot", fields: { heat: { kind: "int" } } } }],
      [
        "construct",
        { op: "create", capability: { id: "throw_it", effects: [{ create: "pot", id: "urn", at: null }] } },
      ],
      [
        "construct",
        { op: "create", capability: { id: "warm", effects: [{ add: "it.heat", by: 1, for: { each: "pot" } }] } },
      ],
      ["commit_step", { triggers: [{ capability: "throw_it", args: {} }] }],
      ["construct", { op: "update", entity: { id: "urn", type: "pot", name: "The Urn" } }],
      ["commit_step", { triggers: [{ capability: "warm", args: {} }] }],
    ] as const;
    for (const [tool, input] of calls) {
      const turn = call(session, tool, input);
      expect(turn.answer).toMatchObject({ ok: true });
      session = turn.session;
      if (turn.record !== undefined) records.push(turn.record);
    }
    const built = buildTrace(toySession("extreme").world, records);
    if (!built.ok) throw new Error(built.error.seen);
    expect([...replayWithout(built.value, new Set(["t1_1" as TriggerId]), 2).triggers]).toEqual([
      ["t2_1", { kind: "unchanged" }],
    ]);
  });

  it("CT40 CT41 in any run each edge is something written and then read, and without what did nothing the run is the run", () => {
    const watched = having(randomWorld, { watch: {} });
    let edges = 0;
    fc.assert(
      fc.property(fc.array(randomStep, { minLength: 5, maxLength: 10, size: "max" }), (steps) => {
        let now = watched;
        const records: AcceptedStep[] = [];
        for (const { triggers, ...more } of steps) {
          const all = [{ capability: "watch" }, ...acceptedOf(now, triggers)];
          const outcome = accepted(submit(now, all, { ...more, step: records.length + 1 }));
          records.push(outcome.record);
          now = outcome.world;
        }
        const built = buildTrace(watched, records);
        if (!built.ok) throw new Error(built.error.seen);
        const trace = built.value;
        const graph = provenanceGraphOf(trace);
        for (const { v, w } of graph.edges()) {
          edges += 1;
          const [from, to] = [trace.triggers.get(v as TriggerId), trace.triggers.get(w as TriggerId)];
          expect(from?.step.record.step).toBeLessThan(to?.step.record.step ?? 0);
          for (const path of (graph.edge(v, w) as Dependence).paths) {
            const [id, field] = path.split(".");
            expect(from?.trigger.writes.some((one) => one.path === path || one.path === id)).toBe(true);
            const reads = to?.trigger.reads ?? [];
            expect(reads.some((one) => one === path || one.endsWith(field === undefined ? ".*" : `.*.${field}`))).toBe(
              true,
            );
          }
        }
        const traced = [...trace.triggers.values()].map(({ trigger }) => trigger);
        const [idle, others] = [true, false].map((is) => traced.filter((one) => (one.capability === "watch") === is));
        const replay = replayWithout(trace, new Set(idle?.map(({ id }) => id)), records.length);
        expect(digestOfWorld(replay.world)).toBe(digestOfWorld(now));
        expect([...replay.triggers].map(([id, { kind }]) => [id, kind])).toEqual(
          others?.map(({ id, writes }) => [
            id,
            writes.some((one) => !("same" in one && one.same === true)) ? "changed" : "unchanged",
          ]),
        );
      }),
      { numRuns: 60 },
    );
    expect(edges).toBeGreaterThan(30);
  });
});
