import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, promptTokensFell } from "../../src/endpoint/index.ts";
import { readUsage } from "../../src/endpoint/usage.ts";

function bucketsOf(...told: readonly unknown[]): readonly unknown[] {
  const { usage, tolerated } = readUsage(told);
  const quirks = tolerated.map(({ quirk }) => quirk);
  return usage === null
    ? [null, quirks]
    : [usage.input, usage.cachedInput, usage.output, usage.reasoning, usage.total, quirks];
}

describe("tokens in disjoint buckets", () => {
  it.each<[string, unknown, readonly unknown[]]>([
    ["plain", { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }, [100, 0, 20, 0, 120, []]],
    [
      "OpenAI: details inside the counts",
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      [40, 60, 5, 15, 120, []],
    ],
    [
      "DeepSeek: hits and misses",
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_cache_hit_tokens: 60,
        prompt_cache_miss_tokens: 40,
      },
      [40, 60, 20, 0, 120, []],
    ],
    [
      "Anthropic: what was cached beside the prompt",
      { input_tokens: 40, output_tokens: 20, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 },
      [50, 60, 20, 0, 130, []],
    ],
    [
      "a gateway that counts what was cached within the prompt",
      { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cache_read_input_tokens: 60 },
      [40, 60, 20, 0, 120, []],
    ],
    [
      "a gateway that counts it beside the prompt, as its total shows",
      { prompt_tokens: 40, completion_tokens: 20, total_tokens: 120, cache_read_input_tokens: 60 },
      [40, 60, 20, 0, 120, []],
    ],
    [
      "xAI: thinking beside the answer, as its total shows",
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 150,
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      [100, 0, 20, 30, 150, []],
    ],
    [
      "Gemini: thinking in the total alone",
      { prompt_tokens: 100, completion_tokens: 20, total_tokens: 150 },
      [100, 0, 20, 30, 150, ["usage_mismatch"]],
    ],
    [
      "a total that is too small",
      { prompt_tokens: 100, completion_tokens: 20, total_tokens: 90 },
      [100, 0, 20, 0, 90, ["usage_mismatch"]],
    ],
    ["no total", { prompt_tokens: 100, completion_tokens: 20 }, [100, 0, 20, 0, 120, []]],
    ["no count of the answer", { prompt_tokens: 100, total_tokens: 120 }, [100, 0, 20, 0, 120, []]],
    [
      "details of nothing",
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, prompt_tokens_details: null },
      [1, 0, 2, 0, 3, []],
    ],
    [
      "more cached than sent",
      { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, prompt_tokens_details: { cached_tokens: 50 } },
      [10, 0, 2, 0, 12, ["usage_mismatch"]],
    ],
    [
      "more cached than sent, and no total",
      { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 50 } },
      [10, 0, 2, 0, 12, ["usage_mismatch"]],
    ],
    [
      "counts as text",
      { prompt_tokens: "100", completion_tokens: "20", total_tokens: "120" },
      [100, 0, 20, 0, 120, ["usage_mismatch"]],
    ],
    [
      "a part that is no count",
      { prompt_tokens: 100, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: -7 } },
      [100, 0, 10, 0, 110, ["usage_mismatch"]],
    ],
    [
      "nothing that fits together",
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 5,
        prompt_tokens_details: { cached_tokens: 500 },
        completion_tokens_details: { reasoning_tokens: -7 },
      },
      [100, 0, 10, 0, 5, ["usage_mismatch", "usage_mismatch", "usage_mismatch"]],
    ],
  ])("%s", (_, told, expected) => {
    expect(bucketsOf(told)).toEqual(expected);
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ total_tokens: 120 }],
    [{ prompt_tokens: -1, completion_tokens: 2 }],
    [{ prompt_tokens: "10", completion_tokens: 2.5 }],
    [{ prompt_tokens: 2 ** 41, completion_tokens: 2 }],
    [{ prompt_tokens: "1e3", completion_tokens: "-1" }],
    [[]],
  ])("%j is no usage: null, not 0", (told) => {
    expect(bucketsOf(told)).toEqual([null, ["missing_usage"]]);
  });

  it("says what is told as a count and is none", () => {
    expect(readUsage([{ prompt_tokens: "10", completion_tokens: 2.5 }]).tolerated).toEqual([
      {
        quirk: "missing_usage",
        says: 'the endpoint tells no count of tokens (prompt_tokens is the text "10", completion_tokens is 2.5); they are estimated',
      },
    ]);
    expect(readUsage([{}]).tolerated[0]?.says).toBe("the endpoint tells no tokens; they are estimated");
  });

  it("more that was cached than was sent never makes a prompt cheaper", () => {
    const count = fc.nat(1000);
    fc.assert(
      fc.property(
        count,
        count,
        fc.option(count),
        fc.constantFrom("prompt_tokens", "input_tokens"),
        (n, cached, total, name) => {
          const told = {
            [name]: n,
            completion_tokens: 0,
            cached_tokens: cached,
            ...(total === null ? {} : { total_tokens: total }),
          };
          const { usage, tolerated } = readUsage([told]);
          const price = (usage?.input ?? 0) * 10 + (usage?.cachedInput ?? 0);
          const honest = Math.max(0, n - cached) * 10 + Math.min(cached, n);
          expect(price).toBeGreaterThanOrEqual(honest);
          const isTooMuch = cached > n;
          expect(!isTooMuch || price >= n * 10).toBe(true);
          expect(!isTooMuch || usage?.cachedInput !== 0 || tolerated.length > 0).toBe(true);
        },
      ),
    );
  });

  it("counts that run on through a stream are not summed", () => {
    const running = [1, 2, 3].map((answer) => ({
      prompt_tokens: 100,
      completion_tokens: answer,
      total_tokens: 100 + answer,
    }));
    expect(bucketsOf(...running)).toEqual([100, 0, 3, 0, 103, []]);
  });

  it("counts that are spread over a stream are put together", () => {
    expect(
      bucketsOf(
        { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 },
        { prompt_tokens: 0, completion_tokens: 20, total_tokens: 20 },
      ),
    ).toEqual([100, 0, 20, 0, 120, []]);
    expect(bucketsOf({ prompt_tokens: 100 }, { completion_tokens: 20 }, { total_tokens: 120 })).toEqual([
      100,
      0,
      20,
      0,
      120,
      [],
    ]);
    expect(
      bucketsOf({ input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 1 }, { output_tokens: 20 }),
    ).toEqual([40, 60, 20, 0, 120, []]);
  });

  it("whatever is told, no bucket is negative and they sum to the total where nothing is noted", () => {
    const count = fc.option(fc.nat(1000), { nil: undefined });
    const told = fc.record({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      prompt_tokens_details: fc.record({ cached_tokens: count }),
      completion_tokens_details: fc.record({ reasoning_tokens: count }),
    });
    fc.assert(
      fc.property(fc.array(told, { maxLength: 3 }), (pieces) => {
        const { usage, tolerated } = readUsage(pieces);
        if (usage === null) return;
        const parts = [usage.input, usage.cachedInput, usage.output, usage.reasoning];
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
        const isSummed = parts.reduce((sum, part) => sum + part) === usage.total;
        expect(isSummed || tolerated.length > 0).toBe(true);
      }),
    );
  });
});

describe("prompt tokens", () => {
  it("that fall or stand still while more is sent are noted", () => {
    expect(promptTokensFell({ told: 4096, estimated: 5000 }, { told: 4096, estimated: 6000 })?.quirk).toBe(
      "prompt_tokens_fell",
    );
    expect(promptTokensFell({ told: 4096, estimated: 5000 }, { told: 3000, estimated: 6000 })?.says).toContain(
      "4096 prompt tokens, then 3000",
    );
  });

  it("that grow, or fall where less is sent, are not", () => {
    expect(promptTokensFell({ told: 4096, estimated: 5000 }, { told: 4500, estimated: 6000 })).toBeUndefined();
    expect(promptTokensFell({ told: 4096, estimated: 5000 }, { told: 2000, estimated: 3000 })).toBeUndefined();
    expect(promptTokensFell({ told: 4096, estimated: 5000 }, { told: 4096, estimated: 5010 })).toBeUndefined();
  });

  it("are estimated by the bytes of their JSON", () => {
    expect(estimateTokens("x".repeat(35))).toBe(10);
    expect(estimateTokens("ü".repeat(35))).toBe(20);
    expect(estimateTokens({ a: "xx" })).toBe(3);
    expect(estimateTokens("")).toBe(0);
  });
});
