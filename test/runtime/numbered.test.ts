import { describe, expect, it } from "vitest";
import { append, emptyLog, type AppendLog } from "../../src/runtime/append-log.ts";
import { indexAfter, indexOfStep, numberKey, type StepRecord } from "../../src/runtime/numbered.ts";
import { randomOf } from "../fuzz/random.ts";

const MANY = 10_000;
const SEED = Math.trunc(Math.random() * 1e6);

/** A log of accepted and refused steps in a random order, each kind numbered in its own. */
function longLog(seed: number): AppendLog<StepRecord> {
  const random = randomOf(seed);
  const count = { accepted: 0, rejected: 0 };
  let log = emptyLog<StepRecord>();
  for (let i = 0; i < MANY; i += 1) {
    // Long stretches of one kind, too.
    const kind = random.once(i % 3_000 < 1_500 ? 2 : 50) ? "rejected" : "accepted";
    count[kind] += 1;
    const step = kind === "accepted" ? count.accepted : `r${count.rejected}`;
    log = append(log, { kind, step } as StepRecord);
  }
  return log;
}

/** The same log, that counts how many of its items are looked at. */
function counting(log: AppendLog<StepRecord>): { readonly log: AppendLog<StepRecord>; readonly looks: () => number } {
  let looks = 0;
  const shared = new Proxy(log.shared, {
    get: (target, key) => {
      looks += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { log: { ...log, shared }, looks: () => looks };
}

describe("numbered entries", () => {
  it("RT40 a step of a long log is found at its place, by its number or the number of its refusal", () => {
    const log = longLog(SEED);
    const found = log.shared.map(({ step }) => indexOfStep(log, String(step)));
    expect(found, `seed ${SEED}`).toEqual([...log.shared.keys()]);
  });

  it("RT40 a step is found by looking at few of ten thousand", () => {
    const { log, looks } = counting(longLog(1));
    for (const id of ["1", "5000", "r1", "r700", "99999", "r99999"]) indexOfStep(log, id);
    expect(looks()).toBeLessThan(6 * 20);
  });

  it.each([
    "0",
    "r0",
    "-1",
    "01",
    "1.0",
    "1e1",
    " 1",
    "r",
    "rr1",
    "r01",
    "",
    "x",
    "NaN",
    "t1_1",
    "99999999999999999999",
  ])("RT40 there is no step %j", (id) => {
    const log = longLog(2);
    expect([indexOfStep(log, id), indexOfStep(emptyLog(), id)]).toEqual([undefined, undefined]);
  });

  it("RT40 a listing goes on after any key as if all keys stood in a row", () => {
    const keys = Array.from({ length: 120 }, (_, index) => numberKey(index));
    for (const after of [...keys, "", "0", "00000005", "0000000501", "5", "-1", "a", "\u0000", "🐎"]) {
      const first = keys.findIndex((key) => key > after);
      expect(indexAfter(after, keys.length)).toBe(first === -1 ? keys.length : first);
    }
  });
});
