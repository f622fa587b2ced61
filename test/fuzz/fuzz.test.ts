import { describe, expect, it } from "vitest";
import { FUZZ_BOUNDS, describeFailure, engine, fuzz, type FuzzReport } from "./fuzz.ts";

/** Calls of each of the two runs; `npm run fuzz -- --calls 1000000 --seed 7` plays more. */
const CALLS = 50_000;
const FIXED_SEED = 2026;
const FRESH_SEED = Date.now() % 1_000_000_000;

function expectSound(report: FuzzReport): void {
  if (report.failure !== undefined) throw new Error(describeFailure(report.failure));
  expect(report.calls).toBe(CALLS);
}

describe("hostile agents", () => {
  it("RT80 RT81 RT82 find nothing in fifty thousand calls of all tiers and modes", { timeout: 300_000 }, () => {
    const report = fuzz({ seed: FIXED_SEED, calls: CALLS });
    expectSound(report);
    // the games are games: much is done, and nearly every refusal there is occurs
    expect(report.accepted).toBeGreaterThan(CALLS / 5);
    expect(report.mostEntities).toBeGreaterThan(200);
    expect(Object.keys(report.codes).length).toBeGreaterThan(45);
  });

  it(
    "RT80 RT81 RT82 find nothing in fifty thousand calls of a seed that nobody has played",
    { timeout: 300_000 },
    () => {
      console.log(`fuzz: seed ${FRESH_SEED}`);
      const report = fuzz({ seed: FRESH_SEED, calls: CALLS });
      expectSound(report);
      expect(report.slowestMs).toBeLessThan(FUZZ_BOUNDS.callMs);
    },
  );

  it("RT83 a call is played again by its seed and number", () => {
    const callsOf = (seed: number, only?: number) => {
      const seen: string[] = [];
      fuzz({
        seed,
        calls: 900,
        only,
        engine: (session, call) => {
          seen.push(
            JSON.stringify([call.tool, call.text ?? call.input], (_, one) => (typeof one === "bigint" ? "" : one)),
          );
          return engine(session, call);
        },
      });
      return seen;
    };
    const whole = callsOf(9);
    expect(callsOf(9)).toEqual(whole);
    // the second game alone, up to its 77th call
    expect(callsOf(9, 477)).toEqual(whole.slice(400, 477));
    expect(callsOf(10)).not.toEqual(whole);
  });
});
