/** Which stretches of writes come to a mark: on writes of one path, drawn up by hand. */
import { describe, expect, it } from "vitest";
import type { PathMark } from "../../src/contracts/marks.ts";
import { realisationsOf } from "../../src/contracts/realisation.ts";
import type { TraceStep } from "../../src/contracts/trace.ts";
import { triggerId, type Write } from "../../src/runtime/index.ts";

const PATH = "kettle.state";
type Value = string | number | boolean;
const same = (before: Value, after: Value) => (before === after ? ({ same: true } as const) : {});
const to = (before: Value, after: Value, path = PATH): Write => ({
  kind: "set",
  path,
  before,
  after,
  ...same(before, after),
});
const add = (before: number, by: number): Write => ({ kind: "add", path: PATH, before, after: before + by, by });

/** What one trigger writes, and the ticks it takes where they are not those of its step. */
interface Doing {
  readonly writes: readonly Write[];
  readonly start?: number;
  readonly end?: number;
}

/** Steps of a tick each, one after the other; a step is its triggers. */
function stepsOf(...steps: readonly (readonly Doing[])[]): readonly TraceStep[] {
  return steps.map((triggers, order) => {
    const step = order + 1;
    const record = {
      step,
      triggers: triggers.map(({ writes, start = order, end = order + 1 }, i) => ({
        id: triggerId(step, i + 1),
        writes,
        start,
        end,
      })),
    };
    return { kind: "step", order, record } as unknown as TraceStep;
  });
}

const one = (...writes: readonly Write[]): readonly Doing[] => [{ writes }];
const reach = (before: Value, after: Value): PathMark => ({ kind: "reach", path: PATH, before, after });

/** Each realisation as its triggers, those that did not begin at the value before in brackets. */
function found(mark: PathMark, ...steps: readonly (readonly Doing[])[]): readonly string[] {
  return realisationsOf({ paths: [mark] }, stepsOf(...steps)).map(({ triggers, whole }) =>
    whole ? triggers.join(" ") : `(${triggers.join(" ")})`,
  );
}

const BOIL = reach("cold", "boiling");

describe("a value that is reached", () => {
  it.each<[string, PathMark, readonly Write[], readonly string[]]>([
    ["at once", BOIL, [to("cold", "boiling")], ["t1_1"]],
    ["by a step between", BOIL, [to("cold", "warm"), to("warm", "boiling")], ["t1_1 t2_1"]],
    ["not at all", BOIL, [to("cold", "warm")], []],
    ["twice", BOIL, [to("cold", "boiling"), to("boiling", "cold"), to("cold", "boiling")], ["t1_1", "t3_1"]],
    [
      "from the last time it was as before",
      BOIL,
      [to("cold", "warm"), to("warm", "cold"), to("cold", "boiling")],
      ["t3_1"],
    ],
    ["from elsewhere, in one write", BOIL, [to("iced", "boiling")], ["(t1_1)"]],
    ["from elsewhere, the last write of several", BOIL, [to("iced", "warm"), to("warm", "boiling")], ["(t2_1)"]],
    ["from elsewhere to where it then was as before", BOIL, [to("iced", "cold"), to("cold", "boiling")], ["t2_1"]],
    ["a number from elsewhere, in all its writes", reach(20, 100), [to(10, 60), to(60, 100)], ["(t1_1 t2_1)"]],
    [
      "a number from elsewhere, in those after it last stood there",
      reach(20, 100),
      [to(10, 100), to(100, 60), to(60, 100)],
      ["(t1_1)", "(t2_1 t3_1)"],
    ],
  ])("CT23 %s", (_, mark, writes, expected) => {
    expect(found(mark, ...writes.map((write) => one(write)))).toEqual(expected);
  });
});

describe("an amount", () => {
  const four: PathMark = { kind: "amount", path: PATH, total: 4 };
  it.each<[string, readonly (readonly Doing[])[], readonly string[]]>([
    ["in one add", [one(add(0, 4))], ["t1_1"]],
    ["in two", [one(add(0, 1)), one(add(1, 3))], ["t1_1 t2_1"]],
    ["in the shortest stretch that comes to it", [one(add(0, 2)), one(add(2, 2)), one(add(4, 2))], ["t2_1 t3_1"]],
    ["with some that was taken back", [one(add(0, 6)), one(add(6, -2))], ["t1_1 t2_1"]],
    ["by what was set, as the difference it made", [one(to(1, 3)), one(add(3, 2))], ["t1_1 t2_1"]],
    ["twice, sharing no stroke", [one(add(0, 4)), one(add(4, 4))], ["t1_1", "t2_1"]],
    [
      "of two triggers in a step, each by itself",
      [[{ writes: [add(0, 4)] }, { writes: [add(0, 4)] }]],
      ["t1_1", "t1_2"],
    ],
    ["of which a part is missing", [one(add(0, 3))], []],
  ])("CT23 %s", (_, steps, expected) => {
    expect(found(four, ...steps)).toEqual(expected);
  });
});

describe("a write that changes nothing", () => {
  const idle = to("boiling", "boiling");
  const elsewhere = to(false, true, "lid.open");
  it.each<[string, readonly (readonly Doing[])[], readonly string[]]>([
    ["begins no stretch", [one(to("cold", "cold")), one(to("cold", "boiling"))], ["t2_1"]],
    ["is none by itself", [one(idle)], []],
    ["extends the stretch it meets", [one(to("cold", "boiling")), one(idle)], ["t1_1 t2_1"]],
    ["and one by one those that meet it", [one(to("cold", "boiling")), one(idle), one(idle)], ["t1_1 t2_1 t3_1"]],
    [
      "extends one it overlaps",
      [[{ writes: [to("cold", "boiling")], end: 5 }], [{ writes: [idle], start: 3, end: 4 }]],
      ["t1_1 t2_1"],
    ],
    ["not one that is over", [one(to("cold", "boiling")), one(elsewhere), one(idle)], ["t1_1"]],
    ["not where its trigger changes something else", [one(to("cold", "boiling")), one(idle, elsewhere)], ["t1_1"]],
    [
      "not where the value changed in between",
      [one(to("cold", "boiling")), one(to("boiling", "warm")), one(to("warm", "warm"))],
      ["t1_1"],
    ],
  ])("CT24 %s", (_, steps, expected) => {
    expect(found(BOIL, ...steps)).toEqual(expected);
  });
});
