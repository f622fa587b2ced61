import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { triggerId } from "../../src/runtime/index.ts";
import type { EventId, RelationItem } from "../../src/contracts/contract.ts";
import { settleRelation, type HeldEvent, type Settlement, type StepFacts } from "../../src/contracts/relations.ts";
import {
  causal,
  concurrent,
  event,
  relationArbitrary,
  temporal,
  traceArbitrary,
  type Trace,
  type TracedStep,
} from "./relations-trace.ts";

const [A, B, C, D] = ["a", "b", "c", "d"].map(event) as [EventId, EventId, EventId, EventId];

/** An event over [start, end), bound to one trigger of one step. */
function held(id: EventId, start: number, end: number, step = start + 1, lastStep = step): [EventId, HeldEvent] {
  const triggers = [...new Set([step, lastStep])].map((number) => triggerId(number, 1));
  return [id, { id, round: 1, interval: { start, end }, firstStep: step, lastStep, triggers }];
}

function settle(
  item: RelationItem,
  events: readonly [EventId, HeldEvent][],
  steps: readonly StepFacts[] = [],
): Settlement {
  const boundTo = new Map(events.flatMap(([id, { triggers }]) => triggers.map((trigger) => [trigger, [id]] as const)));
  return settleRelation(item, new Map(events), new Map(steps.map((step) => [step.step, step])), boundTo);
}

const doing = (step: number, advance = 0): StepFacts => ({ step, triggers: [triggerId(step, 1)], advance });
const wait = (step: number, advance: number): StepFacts => ({ step, triggers: [], advance });

describe("a causal relation", () => {
  it("CT12 holds where every cause ends no later than the effect begins", () => {
    expect(settle(causal([A, B], C), [held(A, 0, 2), held(B, 1, 3), held(C, 3, 4)])).toEqual({ holds: true });
  });
  it("CT12 does not hold where a cause comes after the effect", () => {
    expect(settle(causal([A], B), [held(A, 5, 6), held(B, 0, 1)])).toEqual({
      holds: false,
      witness: {
        kind: "order",
        a: { event: A, start: 5, end: 6 },
        b: { event: B, start: 0, end: 1 },
        inequality: { left: 6, sign: ">", right: 0 },
      },
    });
  });
  it("CT12 does not hold where one of two causes ends a single tick too late", () => {
    expect(settle(causal([A, B], C), [held(A, 0, 2), held(B, 1, 4), held(C, 3, 4)])).toMatchObject({
      witness: { kind: "order", a: { event: B }, inequality: { left: 4, sign: ">", right: 3 } },
    });
  });
  it("CT12 does not hold where cause and effect are one simultaneous act", () => {
    expect(settle(causal([A], B), [held(A, 0, 1), held(B, 0, 1)])).toMatchObject({ holds: false });
  });
  it("CT12 CT15 names a missing event before a wrong order, and causes as listed before the effect", () => {
    expect(settle(causal([A, B], C), [held(A, 5, 6)])).toEqual({ holds: false, witness: { kind: "absent", event: B } });
    expect(settle(causal([B, A], C), [])).toEqual({ holds: false, witness: { kind: "absent", event: B } });
    expect(settle(causal([A], C), [held(A, 0, 1)])).toEqual({ holds: false, witness: { kind: "absent", event: C } });
  });
  it("CT12 CT15 names the first late cause as listed", () => {
    const events = [held(A, 6, 9), held(B, 5, 6), held(C, 0, 1)];
    expect(settle(causal([B, A], C), events)).toMatchObject({ witness: { a: { event: B } } });
  });
});

describe("a temporal relation", () => {
  it("CT13 holds where before ends as after begins", () => {
    expect(settle(temporal(A, B), [held(A, 0, 3), held(B, 3, 4)])).toEqual({ holds: true });
  });
  it("CT13 does not hold the other way round", () => {
    expect(settle(temporal(B, A), [held(A, 0, 3), held(B, 3, 4)])).toMatchObject({
      holds: false,
      witness: { kind: "order" },
    });
  });
  it("CT13 does not hold where the two share a tick", () => {
    expect(settle(temporal(A, B), [held(A, 0, 3), held(B, 2, 4)])).toMatchObject({
      witness: { inequality: { left: 3, sign: ">", right: 2 } },
    });
  });
  it("CT13 bears anything in between unless it is immediate", () => {
    const steps = [doing(1, 2), doing(2), wait(3, 5), doing(4)];
    expect(settle(temporal(A, B), [held(A, 0, 1, 1), held(C, 3, 4, 2), held(B, 9, 10, 4)], steps)).toEqual({
      holds: true,
    });
  });
});

describe("an immediate temporal relation", () => {
  const [before, after] = [held(A, 0, 1, 1), held(B, 9, 10, 3)];
  const item = temporal(A, B, true);

  it("CT13 holds where one step follows the other", () => {
    expect(settle(item, [held(A, 0, 1, 1), held(B, 1, 2, 2)], [doing(1), doing(2)])).toEqual({ holds: true });
  });
  it("CT13 is not broken by a trigger that is bound to no event", () => {
    expect(settle(item, [before, after], [doing(1), doing(2), doing(3)])).toEqual({ holds: true });
  });
  it("CT13 is not broken by what shares a step with either event, nor by the advance of the later one", () => {
    const events = [held(A, 0, 1, 1), held(B, 1, 2, 2), held(C, 0, 1, 1), held(D, 1, 2, 2)];
    expect(settle(item, events, [doing(1), doing(2, 7)])).toEqual({ holds: true });
  });
  it("CT13 is not broken by what happens while before is still going on", () => {
    const steps = [doing(1, 4), doing(2), doing(3), doing(4)];
    expect(settle(item, [held(A, 0, 6, 1, 3), held(C, 5, 6, 2), held(B, 6, 7, 4)], steps)).toEqual({ holds: true });
  });
  it("CT13 is broken by a trigger bound to another event", () => {
    expect(settle(item, [before, held(C, 5, 6, 2), after], [doing(1), doing(2), doing(3)])).toEqual({
      holds: false,
      witness: {
        kind: "between",
        before: { event: A, lastStep: 1 },
        after: { event: B, firstStep: 3 },
        step: 2,
        what: { kind: "trigger", trigger: "t2_1", event: C },
      },
    });
  });
  it("CT13 is broken by a wait", () => {
    expect(settle(item, [before, after], [doing(1), wait(2, 3), doing(3)])).toMatchObject({
      witness: { kind: "between", step: 2, what: { kind: "wait", ticks: 3 } },
    });
  });
  it("CT13 is broken by the advance of an unbound step between", () => {
    expect(settle(item, [before, after], [doing(1), doing(2, 1), doing(3)])).toMatchObject({
      witness: { kind: "between", step: 2, what: { kind: "advance", ticks: 1 } },
    });
  });
  it("CT13 is broken by the advance of before's own last step", () => {
    expect(settle(item, [held(A, 0, 1, 1), held(B, 2, 3, 2)], [doing(1, 1), doing(2)])).toMatchObject({
      witness: { kind: "between", step: 1, what: { kind: "advance", ticks: 1 } },
    });
  });
  it("names the order first, then the earliest step", () => {
    expect(settle(item, [held(A, 5, 6, 2), held(B, 0, 1, 1)], [doing(1), doing(2)])).toMatchObject({
      witness: { kind: "order" },
    });
    const steps = [doing(1), doing(2, 2), wait(3, 1), doing(4)];
    expect(settle(item, [before, held(B, 9, 10, 4)], steps)).toMatchObject({
      witness: { step: 2, what: { kind: "advance" } },
    });
  });
  it("names the bound trigger before the advance of the same step", () => {
    expect(settle(item, [before, held(C, 5, 6, 2), after], [doing(1), doing(2, 4), doing(3)])).toMatchObject({
      witness: { step: 2, what: { kind: "trigger", event: C } },
    });
  });
  it("is never settled from a trace with a hole", () => {
    expect(() => settle(item, [before, after], [doing(1), doing(3)])).toThrow("step 2 is not among the accepted steps");
  });
});

describe("a concurrency relation", () => {
  it("CT14 start_together: equal starts hold, whatever the ends; one tick apart does not", () => {
    const item = concurrent([A, B], "start_together");
    expect(settle(item, [held(A, 2, 3), held(B, 2, 9)])).toEqual({ holds: true });
    expect(settle(item, [held(A, 2, 9), held(B, 3, 9)])).toMatchObject({
      witness: { kind: "start", inequality: { left: 2, sign: "≠", right: 3 } },
    });
    expect(settle(item, [held(A, 0, 1), held(B, 7, 8)])).toMatchObject({ holds: false });
  });
  it("CT14 overlap: one shared tick holds; touching ends do not", () => {
    const item = concurrent([A, B], "overlap");
    expect(settle(item, [held(A, 0, 4), held(B, 3, 9)])).toEqual({ holds: true });
    expect(settle(item, [held(A, 0, 3), held(B, 3, 9)])).toMatchObject({
      witness: { kind: "overlap", inequality: { left: 3, sign: "≥", right: 3 } },
    });
    expect(settle(item, [held(A, 8, 9), held(B, 0, 1)])).toMatchObject({
      witness: { kind: "overlap", inequality: { left: 8, sign: "≥", right: 1 } },
    });
  });
  it("CT14 end_together: equal ends hold, whatever the starts; one tick apart does not", () => {
    const item = concurrent([A, B], "end_together");
    expect(settle(item, [held(A, 0, 4), held(B, 3, 4)])).toEqual({ holds: true });
    expect(settle(item, [held(A, 3, 4), held(B, 3, 5)])).toMatchObject({
      witness: { kind: "end", inequality: { left: 4, sign: "≠", right: 5 } },
    });
    expect(settle(item, [held(A, 0, 1), held(B, 7, 8)])).toMatchObject({ holds: false });
  });
  it("CT14 does not hold over an event that does not hold", () => {
    expect(settle(concurrent([A, B], "overlap"), [held(A, 0, 4)])).toEqual({
      holds: false,
      witness: { kind: "absent", event: B },
    });
  });
});

/** A third definition, by counting: an event is the set of its ticks, a relation a statement about sets. */
function holdsByTicks(item: RelationItem, trace: Trace): boolean {
  const ticks = (id: EventId) => ticksOf(trace, id);
  switch (item.kind) {
    case "CA":
      return item.causes.every((cause) => allBefore(ticks(cause), ticks(item.effect)));
    case "TM":
      return (
        allBefore(ticks(item.before), ticks(item.after)) &&
        (!item.immediate || nothingBetween(item.before, item.after, trace.log))
      );
    case "CC": {
      const [a, b] = item.events.map(ticks) as [Set<number>, Set<number>];
      if (a.size === 0 || b.size === 0) return false;
      if (item.mode === "overlap") return [...a].some((tick) => b.has(tick));
      const edge = item.mode === "start_together" ? Math.min : Math.max;
      return edge(...a) === edge(...b);
    }
  }
}

function ticksOf(trace: Trace, id: EventId): Set<number> {
  const own = trace.log.flatMap((step) => step.triggers).filter((trigger) => trigger.events.includes(id));
  const ticks = new Set<number>();
  for (let tick = 0; tick < 100; tick += 1) {
    if (own.some((trigger) => trigger.start <= tick) && own.some((trigger) => tick < trigger.end)) ticks.add(tick);
  }
  return ticks;
}

function allBefore(a: Set<number>, b: Set<number>): boolean {
  return a.size > 0 && b.size > 0 && [...a].every((x) => [...b].every((y) => x < y));
}

function nothingBetween(before: EventId, after: EventId, log: readonly TracedStep[]): boolean {
  const realises = (step: TracedStep, id: EventId) => step.triggers.some((trigger) => trigger.events.includes(id));
  const from = log.findLastIndex((step) => realises(step, before));
  const between = log.slice(
    from + 1,
    log.findIndex((step) => realises(step, after)),
  );
  return (
    log[from]?.advance === 0 &&
    between.every((step) => step.triggers.length > 0 && step.advance === 0) &&
    between
      .flatMap((step) => step.triggers.flatMap((trigger) => trigger.events))
      .every((id) => id === before || id === after)
  );
}

describe("on random traces", () => {
  it("CT12 CT13 CT14 settling a relation agrees with counting ticks", () => {
    fc.assert(
      fc.property(traceArbitrary, relationArbitrary, (trace, item) => {
        const settled = settleRelation(item, trace.held, trace.steps, trace.boundTo);
        expect(settled.holds).toBe(holdsByTicks(item, trace));
      }),
      { numRuns: 5_000 },
    );
  });

  it("every way to hold and to fail occurs, so that the agreement is no empty one", () => {
    const seen = new Map<string, number>();
    for (const [trace, item] of fc.sample(fc.tuple(traceArbitrary, relationArbitrary), { seed: 7, numRuns: 5_000 })) {
      const settled = settleRelation(item, trace.held, trace.steps, trace.boundTo);
      const mode = item.kind === "CC" ? item.mode : item.kind === "TM" && item.immediate ? "immediate" : "";
      const what = settled.holds
        ? "holds"
        : settled.witness.kind === "between"
          ? settled.witness.what.kind
          : settled.witness.kind;
      const key = `${item.kind} ${mode} ${what}`.replace("  ", " ");
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const ways = [...seen].filter(([, times]) => times >= 10).map(([key]) => key);
    expect(ways.sort()).toEqual([
      "CA absent",
      "CA holds",
      "CA order",
      "CC end_together absent",
      "CC end_together end",
      "CC end_together holds",
      "CC overlap absent",
      "CC overlap holds",
      "CC overlap overlap",
      "CC start_together absent",
      "CC start_together holds",
      "CC start_together start",
      "TM absent",
      "TM holds",
      "TM immediate absent",
      "TM immediate advance",
      "TM immediate holds",
      "TM immediate order",
      "TM immediate trigger",
      "TM immediate wait",
      "TM order",
    ]);
  });
});
