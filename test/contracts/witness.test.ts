import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { triggerId, type TriggerId } from "../../src/runtime/index.ts";
import { checkWitness } from "../../src/contracts/check-witness.ts";
import type { EventId, RelationItem } from "../../src/contracts/contract.ts";
import { eventsOfRelation, settleRelation } from "../../src/contracts/relations.ts";
import {
  sayWitness,
  witnessSchema,
  type Intruder,
  type Witness,
  type WitnessSpan,
} from "../../src/contracts/witness.ts";
import {
  concurrent,
  EVENTS,
  event,
  relationArbitrary,
  STRANGER,
  temporal,
  traceArbitrary,
  traceOf,
  type Trace,
} from "./relations-trace.ts";

const [KEY, GATE, LAMP] = EVENTS as [EventId, EventId, EventId];
const span = (id: EventId, start: number, end: number): WitnessSpan => ({ event: id, start, end });

describe("a witness in words", () => {
  const [a, b] = [span(KEY, 12, 13), span(GATE, 12, 14)];
  const place = { before: { event: KEY, lastStep: 4 }, after: { event: GATE, firstStep: 9 } };
  const sentences: readonly [Witness, string][] = [
    [{ kind: "absent", event: KEY }, "key_given does not hold"],
    [
      { kind: "order", a, b, inequality: { left: 13, sign: ">", right: 12 } },
      "key_given [12, 13) ends after gate_shut [12, 14) begins: 13 > 12",
    ],
    [
      { kind: "start", a, b: span(GATE, 13, 14), inequality: { left: 12, sign: "≠", right: 13 } },
      "key_given [12, 13) and gate_shut [13, 14) do not start together: 12 ≠ 13",
    ],
    [
      { kind: "overlap", a, b: span(GATE, 15, 16), inequality: { left: 15, sign: "≥", right: 13 } },
      "key_given [12, 13) and gate_shut [15, 16) do not overlap, later start and earlier end are 15 ≥ 13",
    ],
    [
      { kind: "end", a, b, inequality: { left: 13, sign: "≠", right: 14 } },
      "key_given [12, 13) and gate_shut [12, 14) do not end together: 13 ≠ 14",
    ],
    [
      { kind: "between", ...place, step: 5, what: { kind: "trigger", trigger: triggerId(5, 2), event: LAMP } },
      "t5_2 in step 5 is bound to lamp_lit and lies between key_given (last step 4) and gate_shut (first step 9)",
    ],
    [
      { kind: "between", ...place, step: 5, what: { kind: "wait", ticks: 1 } },
      "step 5 waits for 1 tick between key_given (last step 4) and gate_shut (first step 9)",
    ],
    [
      { kind: "between", ...place, step: 4, what: { kind: "advance", ticks: 6 } },
      "step 4 advances the clock by 6 ticks between key_given (last step 4) and gate_shut (first step 9)",
    ],
  ];
  it.each(sentences)("%j is one plain sentence, and reads back from JSON as it was", (witness, sentence) => {
    expect(sayWitness(witness)).toBe(sentence);
    expect(witnessSchema.parse(JSON.parse(JSON.stringify(witness)))).toEqual(witness);
  });
  it("is not read back with a key too many, a sign of another kind or an id that is none", () => {
    expect(witnessSchema.safeParse({ kind: "absent", event: KEY, note: "" }).success).toBe(false);
    expect(
      witnessSchema.safeParse({ kind: "order", a, b, inequality: { left: 13, sign: "≥", right: 12 } }).success,
    ).toBe(false);
    const what = { kind: "trigger", trigger: "t5", event: LAMP };
    expect(witnessSchema.safeParse({ kind: "between", ...place, step: 5, what }).success).toBe(false);
  });
});

function isAccepted(item: RelationItem, trace: Trace, witness: Witness): boolean {
  return checkWitness(item, trace.held, trace.steps, trace.boundTo, witness).accepted;
}

describe("the checker of witnesses", () => {
  const step = (id: EventId | undefined, duration = 1, advance = 0) => ({
    triggers: [{ duration, events: id === undefined ? [] : [id] }],
    untilFirst: false,
    advance,
  });
  const trace = traceOf([step(KEY), step(LAMP), step(GATE)]);
  const between: Witness = {
    kind: "between",
    before: { event: KEY, lastStep: 1 },
    after: { event: GATE, firstStep: 3 },
    step: 2,
    what: { kind: "trigger", trigger: triggerId(2, 1), event: LAMP },
  };
  const check = (item: RelationItem, witness: Witness) =>
    checkWitness(item, trace.held, trace.steps, trace.boundTo, witness);

  it("CT15 accepts a bound trigger between two events that should touch", () => {
    expect(check(temporal(KEY, GATE, true), between)).toEqual({ accepted: true });
  });
  it("CT15 refuses it where the item is not immediate, or about other events", () => {
    expect(check(temporal(KEY, GATE), between)).toEqual({ accepted: false, why: "the item is not immediate" });
    expect(check(temporal(KEY, LAMP, true), between)).toEqual({
      accepted: false,
      why: "the item is about other events",
    });
  });
  it("CT15 refuses an inequality that denies another kind of relation", () => {
    const late: Witness = {
      kind: "order",
      a: span(KEY, 0, 1),
      b: span(GATE, 2, 3),
      inequality: { left: 1, sign: ">", right: 2 },
    };
    expect(check(concurrent([KEY, GATE], "overlap"), late)).toEqual({
      accepted: false,
      why: '"order" does not deny the item',
    });
    expect(check(temporal(KEY, GATE), late)).toEqual({ accepted: false, why: "1 > 2 is not true" });
  });
  it("CT15 refuses true numbers of an event that the item does not name", () => {
    const other: Witness = {
      kind: "order",
      a: span(LAMP, 1, 2),
      b: span(KEY, 0, 1),
      inequality: { left: 2, sign: ">", right: 0 },
    };
    expect(check(temporal(LAMP, KEY), other)).toEqual({ accepted: true });
    expect(check(temporal(GATE, KEY), other)).toEqual({
      accepted: false,
      why: "the item does not relate lamp_lit to key_given",
    });
  });
  it("CT15 refuses the absence of an event that holds", () => {
    expect(check(temporal(KEY, GATE), { kind: "absent", event: KEY })).toEqual({
      accepted: false,
      why: "key_given holds",
    });
    expect(check(temporal(KEY, event("oath_sworn")), { kind: "absent", event: event("oath_sworn") })).toEqual({
      accepted: true,
    });
  });
});

/** Every witness with true numbers that the events and steps of a trace allow, most of them beside the point. */
function candidates(trace: Trace): Witness[] {
  const pool = [...EVENTS, STRANGER];
  const pairs = [...trace.held.values()].flatMap((a) => [...trace.held.values()].map((b) => [a, b] as const));
  const inequalities = pairs.flatMap(([p, q]): Witness[] => {
    const [a, b] = [span(p.id, p.interval.start, p.interval.end), span(q.id, q.interval.start, q.interval.end)];
    const [left, right] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
    return [
      { kind: "order", a, b, inequality: { left: a.end, sign: ">", right: b.start } },
      { kind: "start", a, b, inequality: { left: a.start, sign: "≠", right: b.start } },
      { kind: "overlap", a, b, inequality: { left, sign: "≥", right } },
      { kind: "end", a, b, inequality: { left: a.end, sign: "≠", right: b.end } },
    ];
  });
  const betweens = pairs.flatMap(([p, q]) =>
    trace.log.flatMap(({ step, advance, triggers }) => {
      const bound = triggers.flatMap((trigger) =>
        pool.map((id): Intruder => ({ kind: "trigger", trigger: trigger.id, event: id })),
      );
      const whats: Intruder[] = [...bound, { kind: "wait", ticks: advance }, { kind: "advance", ticks: advance }];
      const [before, after] = [
        { event: p.id, lastStep: p.lastStep },
        { event: q.id, firstStep: q.firstStep },
      ];
      return whats.map((what): Witness => ({ kind: "between", before, after, step, what }));
    }),
  );
  return [...pool.map((id): Witness => ({ kind: "absent", event: id })), ...inequalities, ...betweens];
}

const anyNumber = fc.integer({ min: 0, max: 9 });
const anyEvent = fc.constantFrom(...EVENTS, STRANGER);
const anySpan = fc.record({ event: anyEvent, start: anyNumber, end: anyNumber });
const anyInequality = <Kind extends string, Sign extends string>(kind: Kind, sign: Sign) =>
  fc.record({
    kind: fc.constant(kind),
    a: anySpan,
    b: anySpan,
    inequality: fc.record({ left: anyNumber, sign: fc.constant(sign), right: anyNumber }),
  });
const anyTrigger = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 2 }))
  .map(([n, m]) => triggerId(n, m));
const anyWitness: fc.Arbitrary<Witness> = fc.oneof(
  fc.record({ kind: fc.constant("absent"), event: anyEvent }),
  anyInequality("order", ">"),
  anyInequality("start", "≠"),
  anyInequality("overlap", "≥"),
  anyInequality("end", "≠"),
  fc.record({
    kind: fc.constant("between"),
    before: fc.record({ event: anyEvent, lastStep: anyNumber }),
    after: fc.record({ event: anyEvent, firstStep: anyNumber }),
    step: anyNumber,
    what: fc.oneof(
      fc.record({ kind: fc.constant("trigger"), trigger: anyTrigger, event: anyEvent }),
      fc.record({ kind: fc.constant("wait"), ticks: anyNumber }),
      fc.record({ kind: fc.constant("advance"), ticks: anyNumber }),
    ),
  }),
);

/** The witness with one number or id changed so that it cannot be true: one variant for each place and change. */
function tamperings(item: RelationItem, trace: Trace, witness: Witness): Witness[] {
  const named = eventsOfRelation(item);
  const others = [...EVENTS, STRANGER].filter((id) => !named.includes(id));
  const away = (number: number) => [number - 2, number - 1, number + 1, number + 100];
  const spanned = (s: WitnessSpan): WitnessSpan[] => [
    ...others.map((id) => ({ ...s, event: id })),
    ...away(s.start).map((start) => ({ ...s, start })),
    ...away(s.end).map((end) => ({ ...s, end })),
  ];
  switch (witness.kind) {
    case "absent":
      return [...others, ...named.filter((id) => trace.held.has(id))].map((id) => ({ ...witness, event: id }));
    case "between": {
      const { before, after, what } = witness;
      const outside = [0, before.lastStep - 1, after.firstStep, after.firstStep + 1];
      return [
        ...others.map((id) => ({ ...witness, before: { ...before, event: id } })),
        ...others.map((id) => ({ ...witness, after: { ...after, event: id } })),
        ...away(before.lastStep).map((lastStep) => ({ ...witness, before: { ...before, lastStep } })),
        ...away(after.firstStep).map((firstStep) => ({ ...witness, after: { ...after, firstStep } })),
        ...outside.map((number) => ({ ...witness, step: number })),
        ...tamperedIntruders(trace, witness.step, what, named).map((other) => ({ ...witness, what: other })),
      ];
    }
    default: {
      const { inequality } = witness;
      return [
        ...spanned(witness.a).map((a) => ({ ...witness, a })),
        ...spanned(witness.b).map((b) => ({ ...witness, b })),
        ...away(inequality.left).map((left) => ({ ...witness, inequality: { ...inequality, left } })),
        ...away(inequality.right).map((right) => ({ ...witness, inequality: { ...inequality, right } })),
      ] as Witness[];
    }
  }
}

function tamperedIntruders(trace: Trace, step: number, what: Intruder, named: readonly EventId[]): Intruder[] {
  if (what.kind !== "trigger") return [-1, 1, 100].map((off) => ({ ...what, ticks: what.ticks + off }));
  const bound: readonly EventId[] = trace.boundTo.get(what.trigger) ?? [];
  const wrongEvents = [...EVENTS, STRANGER].filter((id) => !bound.includes(id) || named.includes(id));
  const wrongTriggers: TriggerId[] = [
    triggerId(step, 64),
    ...[...trace.boundTo.keys()].filter((id) => !id.startsWith(`t${step}_`)),
  ];
  return [
    ...wrongEvents.map((id) => ({ ...what, event: id })),
    ...wrongTriggers.map((trigger) => ({ ...what, trigger })),
    { kind: "wait", ticks: 1 },
  ];
}

describe("on random traces", () => {
  const settle = (item: RelationItem, trace: Trace) => settleRelation(item, trace.held, trace.steps, trace.boundTo);

  it("CT15 the checker accepts every witness of the settlement", () => {
    fc.assert(
      fc.property(traceArbitrary, relationArbitrary, (trace, item) => {
        const settled = settle(item, trace);
        if (settled.holds) return;
        expect(checkWitness(item, trace.held, trace.steps, trace.boundTo, settled.witness)).toEqual({ accepted: true });
        expect(witnessSchema.parse(JSON.parse(JSON.stringify(settled.witness)))).toEqual(settled.witness);
      }),
      { numRuns: 5_000 },
    );
  });

  it("CT15 some true fact of the trace is accepted exactly where the relation does not hold", () => {
    fc.assert(
      fc.property(traceArbitrary, relationArbitrary, (trace, item) => {
        const accepted = candidates(trace).filter((witness) => isAccepted(item, trace, witness));
        expect(accepted.length > 0).toBe(!settle(item, trace).holds);
      }),
      { numRuns: 2_000 },
    );
  });

  it("CT15 no invented witness is accepted where the relation holds", () => {
    const holding = fc.tuple(traceArbitrary, relationArbitrary).filter(([trace, item]) => settle(item, trace).holds);
    fc.assert(
      fc.property(
        holding,
        fc.array(anyWitness, { minLength: 20, maxLength: 60, size: "max" }),
        ([trace, item], witnesses) => {
          expect(witnesses.filter((witness) => isAccepted(item, trace, witness))).toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("CT15 the checker refuses a witness in which one number or id was changed", () => {
    fc.assert(
      fc.property(traceArbitrary, relationArbitrary, (trace, item) => {
        const settled = settle(item, trace);
        if (settled.holds) return;
        const tampered = tamperings(item, trace, settled.witness);
        expect(tampered.length).toBeGreaterThan(0);
        expect(tampered.filter((witness) => isAccepted(item, trace, witness))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });
});
