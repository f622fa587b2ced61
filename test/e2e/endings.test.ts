/** How runs end that a model or its endpoint does not bring to the end of the case, and that none of them keeps the key. */
import { describe, expect, it } from "vitest";
import { planSet, playSet, type SetResult } from "../../src/tracks/index.ts";
import { horn } from "../contracts/horn-plays.ts";
import {
  chatty,
  idle,
  looper,
  scripted,
  solver,
  type FaultName,
  type Policy,
  type ScriptedOptions,
} from "../endpoint/scripted/index.ts";
import { textIn } from "../endpoint/scripted/wire.ts";
import { surroundings } from "../tracks/run-fixture.ts";
import { agentOf, serve, settingsOf } from "./support/model.ts";
import { playModel, type Came } from "./support/play.ts";
import { guardedFolder, KEY, leaksIn } from "./support/secret.ts";

const solving = solver([horn], { parallel: "round" });

async function playAt(options: ScriptedOptions, stream = false): Promise<Came> {
  const { url } = await serve(options);
  return await playModel(horn, "easy", settingsOf(url, { stream }, { attempts: 3, timeoutMs: 300 }), guardedFolder());
}

describe("models", () => {
  const endOf = async (policy: Policy): Promise<readonly unknown[]> => {
    const { outcome, score } = await playAt({ policy });
    return [outcome, score?.map((share) => share.split("/")[0])];
  };

  it("one that talks and never acts is nudged three times and stopped", async () => {
    expect(await endOf(chatty)).toEqual(["stopped", ["0", "0"]]);
  });

  it("one that ends every round comes to the end and scores nothing", async () => {
    expect(await endOf(idle)).toEqual(["finished", ["0", "0"]]);
  });

  it("one that reads the same page for ever spends its calls", async () => {
    expect(await endOf(looper)).toEqual(["limit", ["0", "0"]]);
  });

  it("one that is beside itself is answered with errors, and none of them is an exception", async () => {
    const calls = [
      { tool: "fly", input: {} },
      { tool: "commit_step", input: { triggers: "all" } },
      { tool: "read_data", input: [1, 2] as never },
    ];
    const { outcome, entries } = await playAt({
      policy: scripted([{ text: "", calls }, { calls: [{ tool: "end_round", input: {} }] }]),
    });
    expect(outcome).toBe("finished");
    const codes = entries.flatMap((entry) =>
      entry.kind === "call" ? [(entry.answer as { error?: { code: string } }).error?.code] : [],
    );
    expect(codes).toEqual(["unknown_tool", "wrong_type", "malformed_input", undefined]);
  });
});

describe("endpoints", () => {
  it.each<readonly [FaultName, boolean]>([
    ["rate_limited_seconds", false],
    ["rate_limited_date", false],
    ["rate_limited_milliseconds", true],
    ["rate_limited_bare", false],
    ["server_error", false],
    ["overloaded", true],
    ["cut", false],
    ["cut", true],
    ["cut_quietly", false],
    ["cut_quietly", true],
    ["stall", false],
    ["stall", true],
    ["drip", false],
    ["drip", true],
    ["error_inside", false],
    ["error_inside", true],
    ["reset", false],
    ["reset", true],
  ])("%s once (stream: %s) costs an attempt and nothing else", async (kind, stream) => {
    const { outcome, isWhole, entries } = await playAt(
      { policy: solving, faults: { numbers: [2], kinds: [kind] } },
      stream,
    );
    const attempts = entries.map((entry) => (entry.kind === "answer" ? entry.attempts.length : 0));
    expect({ outcome, isWhole, attempts: attempts.filter((count) => count > 0) }).toEqual({
      outcome: "finished",
      isWhole: true,
      attempts: [1],
    });
  });

  it.each<readonly [FaultName, string]>([
    ["server_error", "server_error"],
    ["stall", "timeout"],
    ["drip", "timeout"],
    ["reset", "connection"],
    ["cut_quietly", "cut_stream"],
    ["rate_limited_long", "rate_limited"],
  ])("%s for ever ends the run by an endpoint's fault, which is not sealed", async (kind, named) => {
    const { outcome, entries } = await playAt({ policy: solving, faults: { from: 2, kinds: [kind] } }, true);
    expect(outcome).toBe("endpoint_fault");
    expect(entries.slice(-2)).toMatchObject([{ kind: "fault", fault: { kind: named } }, { kind: "outcome" }]);
  });

  it("a filter of the endpoint blocks the run, and nobody asks twice", async () => {
    const { outcome, entries } = await playAt({
      policy: solving,
      faults: { from: 2, kinds: ["content_filter_refuses"] },
    });
    expect(outcome).toBe("blocked");
    expect(entries.at(-3)).toMatchObject({ kind: "fault", attempts: [] });
  });

  it.each([
    ["header", /^$/],
    ["text", /^\[authorized as \[key\], \[key\]\]$/],
  ] as const)("an answer is heard although the key comes back in its %s, and kept without", async (echoesKey, kept) => {
    const { outcome, isWhole, entries } = await playAt({ policy: solving, echoesKey });
    expect({ outcome, isWhole }).toEqual({ outcome: "finished", isWhole: true });
    const [text] = entries.flatMap((entry) => (entry.kind === "answer" ? [textIn(entry.message)] : []));
    expect(text).toMatch(kept);
  });
});

describe("what stops a whole set", () => {
  async function playThree(
    options: ScriptedOptions,
  ): Promise<{ readonly result: SetResult; readonly asked: number; readonly folder: string }> {
    const { url, requests } = await serve(options);
    const agent = agentOf(settingsOf(url, {}, { concurrency: 1 }));
    const { plans } = planSet({ track: "maintenance", cases: [horn], tiers: ["easy"], agents: [agent], repeats: 3 });
    const folder = guardedFolder();
    const result = await playSet(plans, folder, surroundings, { sync: false });
    return { result, asked: requests().length, folder };
  }

  it.each<readonly [string, Partial<ScriptedOptions>]>([
    ["a wrong key, which the refusal repeats", { key: "another" }],
    ["a quota that is used up", { faults: { from: 1, kinds: ["quota_used_up"] } }],
    ["a model nobody has", { models: ["other"] }],
    ["a page for people", { faults: { from: 1, kinds: ["html"] } }],
  ])("%s", async (_, options) => {
    const { result, asked, folder } = await playThree({ policy: solving, ...options });
    expect(asked).toBe(1);
    expect(result.runs.map(({ outcome }) => outcome)).toEqual(["endpoint_fault", "cancelled", "cancelled"]);
    expect(result.stop?.kind).toBe("fault");
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(leaksIn(folder)).toEqual([]);
  });
});
