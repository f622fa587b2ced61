import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { costOf, parsePrices, readPrices, type Prices } from "../../src/endpoint/index.ts";

const prices: Prices = {
  v: 1,
  models: { plain: { input: 2, output: 10 }, cached: { input: 2, cachedInput: 0.5, output: 10 } },
};
const usage = { input: 1_000_000, cachedInput: 500_000, output: 100_000, reasoning: 100_000, total: 1_700_000 };

describe("what an answer costs", () => {
  it("is summed over disjoint buckets, thinking as the answer", () => {
    expect(costOf(usage, "plain", prices)).toBe(2 + 1 + 2);
    expect(costOf(usage, "cached", prices)).toBe(2 + 0.25 + 2);
  });

  it("is null, not 0, where the price or the usage is unknown", () => {
    expect(costOf(usage, "other", prices)).toBeNull();
    expect(costOf(usage, "toString", prices)).toBeNull();
    expect(costOf(null, "plain", prices)).toBeNull();
  });
});

describe("a price file", () => {
  it("is YAML or JSON", () => {
    const yaml =
      "v: 1\nmodels:\n  plain: { input: 2, output: 10 }\n  cached: { input: 2, cachedInput: 0.5, output: 10 }\n";
    expect(parsePrices(yaml, "prices.yaml")).toEqual({ ok: true, value: prices });
    expect(parsePrices(JSON.stringify(prices), "prices.json")).toEqual({ ok: true, value: prices });
  });

  it.each<[string, string, string]>([
    [
      "a typo",
      "v: 1\nmodels: { a: { inptu: 2, output: 1 } }",
      'models.a: unknown key "inptu", did you mean "input"?; models.a.input: is missing',
    ],
    ["a typo at the top", "v: 1\nmodel: {}", 'unknown key "model", did you mean "models"?; models: is missing'],
    [
      "a price below nothing",
      "v: 1\nmodels: { a: { input: -1, output: 1 } }",
      "models.a.input: Too small: expected number to be >=0",
    ],
    [
      "a price that is not finite",
      "v: 1\nmodels: { a: { input: .inf, output: 1 } }",
      "models.a.input: Invalid input: expected number, received Infinity",
    ],
    ["another version", "v: 2\nmodels: {}", "v: Invalid input: expected 1"],
    ["no map", "- 1", "Invalid input: expected object, received array"],
    ["aliases", "v: 1\nmodels: { a: &a { input: 1, output: 1 }, b: *a }", "is no YAML: Alias resolution is disabled"],
    ["no YAML", "v: [", "is no YAML:"],
  ])("with %s is refused in one line", (_, text, said) => {
    const parsed = parsePrices(text, "prices.yaml");
    expect(parsed.ok ? "" : parsed.error).toContain(`prices.yaml: ${said}`);
    expect(parsed.ok ? "" : parsed.error).not.toContain("\n");
  });

  it("is read from disk, bounded; what is not there or no file is said", () => {
    const folder = mkdtempSync(join(tmpdir(), "prices-"));
    const path = join(folder, "prices.yaml");
    expect(readPrices(path)).toEqual({ ok: false, error: `${path}: does not exist` });
    expect(readPrices(folder)).toEqual({ ok: false, error: `${folder}: is no file` });
    writeFileSync(path, JSON.stringify(prices));
    expect(readPrices(path)).toEqual({ ok: true, value: prices });
    writeFileSync(path, "#".repeat(1024 * 1024 + 1));
    expect(readPrices(path)).toEqual({ ok: false, error: `${path}: has 1048577 bytes, allowed are 1048576` });
  });
});
