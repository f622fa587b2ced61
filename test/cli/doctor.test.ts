import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { preflightSchema } from "../../src/endpoint/index.ts";
import {
  firstOf,
  obliging,
  startScriptedEndpoint,
  type ScriptedEndpoint,
  type ScriptedOptions,
} from "../endpoint/scripted/index.ts";
import { inProcess, type Ended } from "./cli.ts";

const KEY = "sk-doctor-0123456789abcdef";
const opened: ScriptedEndpoint[] = [];

beforeEach(() => {
  vi.stubEnv("OPENAI_BASE_URL", undefined);
  vi.stubEnv("OPENAI_API_KEY", KEY);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of opened.splice(0)) await one.stop();
});

async function serve(options: Partial<ScriptedOptions> = {}): Promise<string> {
  const endpoint = await startScriptedEndpoint({ policy: firstOf(obliging), key: KEY, ...options });
  opened.push(endpoint);
  return endpoint.url;
}

async function doctor(...words: readonly string[]): Promise<Ended> {
  const ended = await inProcess(["doctor", "--model", "scripted", ...words]);
  expect(ended.stdout + ended.stderr).not.toContain(KEY);
  return ended;
}

describe("AG32 worldagent doctor", () => {
  it("prints a table, what is to be known, and ends with 0 where all is well", async () => {
    const url = await serve();
    const { code, stdout, stderr } = await doctor("--base-url", url, "--stream");
    expect(code).toBe(0);
    expect(stderr).toBe(`Probing scripted at ${url} with some ten requests.\n`);
    const lines = stdout.split("\n");
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ["probe", "result"],
      ["models", "ok"],
      ["answer", "ok"],
      ["stream", "ok"],
      ["long_prompt", "ok"],
      ["tool_call", "ok"],
      ["tool_answer", "ok"],
      ["empty_content", "ok"],
      ["parallel_calls", "ok"],
      ["usage", "ok"],
      ["parameters", "ok"],
      [""],
      [expect.stringMatching(/^All well\. The probes cost \d+ tokens\.$/)],
      [""],
    ]);
  });

  it("ends with 0 where there are warnings only, and says what they mean", async () => {
    const { code, stdout } = await doctor("--base-url", await serve({ quirks: ["no_usage"] }));
    expect(code).toBe(0);
    expect(stdout).toContain("\nusage: Budgets in tokens go by an estimate, and costs are not known.\n");
    expect(stdout).toContain("\nIt will do, with 1 warning.");
  });

  it("ends with 1 where a probe fails, and says what to do", async () => {
    const { code, stdout } = await doctor("--base-url", await serve({ quirks: ["calls_as_text"] }));
    expect(code).toBe(1);
    expect(stdout).toContain("\ntool_call: This server returned the call as text: start it with a tool parser");
  });

  it("with --json prints what was found and nothing else", async () => {
    const url = await serve({ quirks: ["refuses_tools"] });
    const { code, stdout } = await doctor("--base-url", url, "--json");
    const { baseUrl, model, reached, ...found } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect([code, baseUrl, model, reached]).toEqual([1, url, "scripted", true]);
    expect(preflightSchema.parse(found)).toMatchObject({
      ok: false,
      probes: expect.arrayContaining([expect.objectContaining({ name: "tool_call", status: "fail" })]),
    });
  });

  it("ends with 3 where nothing listens", async () => {
    const url = await serve();
    await opened.splice(0)[0]?.stop();
    const { code, stdout } = await doctor("--base-url", url);
    expect(code).toBe(3);
    expect(stdout).toContain(`\nmodels: Nothing listens at ${new URL(url).host}: start the server there`);
  });

  it("ends with 3 where the key is refused, and shows no part of it though the endpoint does", async () => {
    vi.stubEnv("MY_KEY", "sk-wrong-0123456789abcdef");
    const { code, stdout, stderr } = await doctor("--base-url", await serve(), "--api-key-env", "MY_KEY");
    expect(code).toBe(3);
    expect(stdout).toContain("refuses the key in MY_KEY");
    expect(stdout + stderr).not.toContain("sk-wrong-0123456789abcdef");
  });

  it("ends with 3 where there is no such model", async () => {
    const { code, stdout } = await doctor("--base-url", await serve({ models: ["scripted-large"] }));
    expect(code).toBe(3);
    expect(stdout).toContain("There is no model scripted there; near it: scripted-large.");
  });

  it.each<readonly [string, readonly string[], RegExp]>([
    ["no address", [], /^worldagent: no address is named: name it with --base-url URL/],
    ["an address with a password", ["--base-url", "http://me:secret@127.0.0.1/v1"], /^worldagent: .*password/],
    ["something that is no address", ["--base-url", "ftp://127.0.0.1"], /^worldagent: .*not an http or https address/],
    [
      "no key",
      ["--base-url", "http://127.0.0.1:9/v1", "--api-key-env", "NO_SUCH_KEY"],
      /^worldagent: .*NO_SUCH_KEY is not set/,
    ],
    ["an option that is none", ["--base-ulr", "http://127.0.0.1:9/v1"], /did you mean "--base-url"\?/],
  ])("ends with 2 and one line on wrong use: %s", async (_, words, said) => {
    const { code, stdout, stderr } = await doctor(...words);
    expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1]);
    expect(stderr).toMatch(said);
    expect(stderr).not.toContain("secret");
  });
});
