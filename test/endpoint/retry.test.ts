import { describe, expect, it } from "vitest";
import { isWorthAnother, retryAfterOf, waitBeforeNext } from "../../src/endpoint/retry.ts";
import { FAULT_KINDS, type FaultKind } from "../../src/records/index.ts";

const settings = { attempts: 6, longestWaitMs: 120_000 };

function wait(kind: FaultKind, made: number, retryAfterMs?: number, random = 0.5): number | undefined {
  return waitBeforeNext({ fault: { kind }, made, retryAfterMs }, settings, random);
}

describe("whether there is another attempt", () => {
  it("only faults that may pass are tried again", () => {
    expect(FAULT_KINDS.filter(isWorthAnother)).toEqual([
      "rate_limited",
      "server_error",
      "timeout",
      "connection",
      "cut_stream",
      "bad_answer",
    ]);
  });

  it("not after the last attempt, and not where more is asked for than the longest wait", () => {
    expect(wait("server_error", 5)).toBeTypeOf("number");
    expect(wait("server_error", 6)).toBeUndefined();
    expect(wait("rate_limited", 1, 120_000)).toBe(120_000);
    expect(wait("rate_limited", 1, 120_001)).toBeUndefined();
    expect(wait("quota", 1, 10)).toBeUndefined();
  });
});

describe("how long is waited", () => {
  it("doubles, with full jitter, up to a minute", () => {
    const upTo = (made: number): number | undefined =>
      waitBeforeNext(
        { fault: { kind: "timeout" }, made, retryAfterMs: undefined },
        { attempts: 100, longestWaitMs: 120_000 },
        1,
      );
    expect([1, 2, 3, 8, 9, 90].map(upTo)).toEqual([500, 1000, 2000, 60_000, 60_000, 60_000]);
    expect(wait("timeout", 3, undefined, 0)).toBe(0);
    expect(wait("timeout", 3, undefined, 0.25)).toBe(500);
  });

  it("is never longer than the longest wait", () => {
    expect(
      waitBeforeNext(
        { fault: { kind: "timeout" }, made: 9, retryAfterMs: undefined },
        { attempts: 10, longestWaitMs: 50 },
        1,
      ),
    ).toBe(50);
  });

  it("is what the endpoint asks for, and a little more at random", () => {
    expect(wait("rate_limited", 1, 2000, 0)).toBe(2000);
    expect(wait("rate_limited", 1, 2000, 0.5)).toBe(2250);
    expect(wait("rate_limited", 5, 2000, 1)).toBe(3000);
  });
});

describe("what an endpoint asks to wait", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);
  const asked = (headers: Record<string, string>): number | undefined => retryAfterOf(new Headers(headers), now);

  it.each<[Record<string, string>, number | undefined]>([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.25" }, 250],
    [{ "retry-after": " 7 " }, 7000],
    [{ "retry-after-ms": "150" }, 150],
    [{ "retry-after-ms": "150", "retry-after": "2" }, 150],
    [{ "retry-after-ms": "soon", "retry-after": "2" }, 2000],
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Thursday, 01-Jan-26 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
    [{ "retry-after": "999999999999" }, 365 * 24 * 3_600_000],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "NaN" }, undefined],
    [{ "retry-after": "later" }, undefined],
    [{ "retry-after": "1e3" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("%j is %s ms", (headers, expected) => {
    expect(asked(headers)).toBe(expected);
  });
});
