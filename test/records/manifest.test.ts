import { describe, expect, it } from "vitest";
import {
  compareManifests,
  findSecret,
  manifestSchema,
  parseRunId,
  runIdOf,
  withoutTime,
  type Manifest,
} from "../../src/records/index.ts";
import { DIGEST_B, manifest, thrown } from "./fixtures.ts";

const { tier: _, ...tierless } = manifest;
const deduction: Manifest = { ...tierless, track: "deduction", condition: "naming", mode: "M2", fold: 3 };

describe("a manifest", () => {
  it("of either track parses to itself", () => {
    expect(manifestSchema.parse(manifest)).toEqual(manifest);
    expect(manifestSchema.parse(deduction)).toEqual(deduction);
  });

  it("takes no key it does not know, and needs those of its track", () => {
    const wrong: readonly unknown[] = [
      { ...manifest, apiKey: "x" },
      { ...manifest, agent: { ...manifest.agent, key: "x" } },
      { ...manifest, fold: 1 },
      { ...deduction, tier: "easy" },
      tierless,
      { ...manifest, repeat: 0 },
      { ...manifest, start: "yesterday" },
      { ...manifest, worldDigest: "A".repeat(64) },
      { ...manifest, case: "../evil" },
      { ...manifest, agent: { name: "a/b", settings: {} } },
      { ...manifest, budgets: { calls: NaN } },
    ];
    expect(wrong.filter((value) => manifestSchema.safeParse(value).success)).toEqual([]);
  });

  it("refuses what looks like a secret, wherever it stands, and names the place", () => {
    const settings = { headers: [{ name: "x" }, { "X-Api-Key": "abc" }] };
    const parsed = manifestSchema.safeParse({ ...manifest, agent: { name: "model", settings } });
    expect(parsed.error?.issues[0]?.path.join(".")).toBe("agent.settings.headers.1.X-Api-Key");
    const secrets: readonly unknown[] = [
      { apiKey: "x" },
      { api_key: "x" },
      { authorization: "Basic abc" },
      { auth_token: "x" },
      { password: "x" },
      { clientSecret: { value: "x" } },
      "sk-proj-0123456789abcdefghij",
      "Bearer abcdefghijk",
      ["https://user:pass@host/v1"],
      "https://host/v1?key=abc",
    ];
    expect(secrets.filter((secret) => findSecret({ in: secret })?.startsWith("in") !== true)).toEqual([]);
    const harmless = {
      max_tokens: 100,
      token: null,
      apiKeyEnv: "OPENAI_API_KEY",
      tokens: { input: 5 },
      host: "http://localhost:8080/v1",
      prompt: "The brass key opens the gate; the token is hidden. risk-averse-millers-everywhere",
      monkey: "x",
    };
    expect(findSecret(harmless)).toBeUndefined();
  });

  it("without its time differs in nothing else", () => {
    expect({ ...withoutTime(manifest), start: manifest.start }).toEqual(manifest);
    expect(withoutTime(manifest)).not.toHaveProperty("start");
  });
});

describe("comparing the saved manifest with the planned one", () => {
  it("passes over the start and tells the surroundings from the run", () => {
    const planned: Manifest = {
      ...manifest,
      start: "2031-01-01T00:00:00Z",
      nodeVersion: "22.1.0",
      gitCommit: "c".repeat(40),
      agent: { ...manifest.agent, settings: { prompt: "keep the mill running", maxTokens: 8192, seed: 1 } },
    };
    expect(compareManifests(manifest, planned)).toEqual({
      run: [
        { path: "agent.settings.maxTokens", saved: "4096", planned: "8192" },
        { path: "agent.settings.seed", saved: "absent", planned: "1" },
      ],
      surroundings: [
        { path: "gitCommit", saved: "null", planned: `"${"c".repeat(40)}"` },
        { path: "nodeVersion", saved: '"20.20.2"', planned: '"22.1.0"' },
      ],
    });
    expect(compareManifests(manifest, { ...manifest, start: "2031-01-01T00:00:00Z" })).toEqual({
      run: [],
      surroundings: [],
    });
    expect(compareManifests(manifest, { ...manifest, worldDigest: DIGEST_B }).run.map((d) => d.path)).toEqual([
      "worldDigest",
    ]);
  });
});

describe("a run's id", () => {
  it("is its key, and parses", () => {
    expect(runIdOf(manifest)).toBe("mill_001.hard.last-change.1");
    expect(runIdOf(deduction)).toBe("mill_001.naming.m2.3.last-change.1");
    for (const id of [runIdOf(manifest), runIdOf(deduction)]) expect(parseRunId(id)).toBe(id);
  });

  it("cannot leave its set's folder", async () => {
    for (const name of ["..", "a/b", "a.b", "", "A", "a\\b", "a\0b", "x".repeat(65)]) {
      await thrown("bad_name", () => runIdOf({ ...manifest, agent: { name, settings: {} } }));
      await thrown("bad_name", () => runIdOf({ ...manifest, case: name }));
    }
    for (const text of [
      "",
      ".",
      "..",
      "mill.hard.x",
      "mill.hard.x.0",
      "mill.hard.x.1/..",
      "mill.naming.m3.1.x.1",
      "mill.hard.x.1\n",
    ]) {
      expect(parseRunId(text)).toBeUndefined();
    }
  });
});
