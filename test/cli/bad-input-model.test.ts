import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chatty } from "../endpoint/scripted/index.ts";
import { HORN, inFolder, typed, workFolder, type Ended } from "./cli.ts";
import { endpoint, KEY, runWords, WITHOUT_KEY, withKey } from "./model-set.ts";

/** Nothing listens there, and nothing is asked there: what is wrong is found before. */
const NOWHERE = "http://127.0.0.1:9/v1";
const NO_KEY = "--no-api-key";

/** The lines in which the program says what is wrong. */
function complaints(stderr: string): readonly string[] {
  return typed(stderr)
    .split("\n")
    .filter((line) => line.startsWith("worldagent: "))
    .map((line) => line.replace("worldagent: ", ""));
}

/** Runs the command in this process and a folder, without a key where none is given. */
async function withoutKey(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await inFolder(folder, words, { ...WITHOUT_KEY, ...env });
}

describe("AG3 AG20 what is wrong with the words of a set of models is said in one line before anything is asked", () => {
  const mistakes: readonly (readonly [string, readonly string[], string])[] = [
    [
      "no key",
      [],
      `no key for ${NOWHERE}: the environment variable OPENAI_API_KEY is empty. Set it, name another variable, or say that the server wants no key (apiKeyEnv: null): --api-key-env VAR or --no-api-key`,
    ],
    [
      "a key in place of the name of its variable",
      ["--api-key-env", "sk-abcdefghijklmnopqrst"],
      "--api-key-env: this looks like a key, and no record may hold one: put it into an environment variable and name that with --api-key-env or apiKeyEnv",
    ],
    [
      "a key and no key",
      [NO_KEY, "--api-key-env", "MY_KEY"],
      "--api-key-env and --no-api-key are both given: keep one of the two",
    ],
    [
      "a budget of no tokens",
      [NO_KEY, "--budget-tokens", "0"],
      "--budget-tokens takes a whole number above 0: leave it away for no limit",
    ],
    [
      "a budget of no dollars",
      [NO_KEY, "--budget-cost", "0"],
      "--budget-cost takes a number above 0: leave it away for no limit",
    ],
    [
      "a budget of no time",
      [NO_KEY, "--budget-minutes", "x"],
      "--budget-minutes takes a number above 0: leave it away for no limit",
    ],
    [
      "a budget of dollars without prices",
      [NO_KEY, "--budget-cost", "1"],
      "--budget-cost needs the prices of the models: name a price file with --prices FILE",
    ],
    [
      "a budget of dollars without the price of a model",
      [NO_KEY, "--budget-cost", "1", "--prices", "prices.yaml"],
      "--budget-cost needs the price of scripted: add it to prices.yaml",
    ],
    [
      "a price file with a typo",
      [NO_KEY, "--prices", "typo.yaml"],
      'typo.yaml: models.m: unknown key "cachedInputs", did you mean "cachedInput"?',
    ],
    ["a price file that is none", [NO_KEY, "--prices", "nowhere.yaml"], "nowhere.yaml: does not exist"],
    [
      "a config file with a typo",
      [NO_KEY, "--config", "typo.config.yaml"],
      'typo.config.yaml:2:1 unknown key "teirs". Did you mean "tiers"?',
    ],
    ["a number that is none", [NO_KEY, "--temperature", "warm"], "--temperature takes a number"],
    ["a number out of its range", [NO_KEY, "--temperature", "3"], "--temperature: is 3, allowed is at most 2"],
    ["a deadline of nothing", [NO_KEY, "--timeout", "0"], "--timeout: is 0 s, allowed is at least 0.1 s"],
    ["a deadline in a year", [NO_KEY, "--timeout", "31536000"], "--timeout: is 31536000 s, allowed is at most 3600 s"],
    ["a wait of no end", [NO_KEY, "--longest-wait", "3601"], "--longest-wait: is 3601 s, allowed is at most 3600 s"],
    ["a wait that is none", [NO_KEY, "--longest-wait", "-1"], "--longest-wait: is -1 s, allowed is at least 0 s"],
    ["seconds that are none", [NO_KEY, "--timeout", "soon"], "--timeout takes a number of seconds"],
    ...(
      [
        ["messages", undefined],
        ["tools", undefined],
        ["functions", undefined],
        ["response_format", undefined],
        ["n", undefined],
        ["model", "model (--model)"],
        ["function_call", "toolChoice (--tool-choice)"],
        ["tool_choice", "toolChoice (--tool-choice)"],
        ["parallel_tool_calls", "parallelToolCalls (--parallel-tool-calls)"],
        ["stream", "stream (--stream)"],
        ["stream_options", "stream (--stream)"],
        ["max_tokens", "maxTokens (--max-tokens)"],
        ["max_completion_tokens", "maxTokens (--max-tokens) and maxTokensAs: max_completion_tokens in the config file"],
        ["temperature", "temperature (--temperature)"],
        ["top_p", "topP (--top-p)"],
        ["seed", "seed (--seed)"],
        ["reasoning_effort", "reasoningEffort (--reasoning-effort)"],
      ] as const
    ).map(([name, instead]): readonly [string, readonly string[], string] => [
      `a member ${name} of every request`,
      [NO_KEY, "--extra", JSON.stringify({ top_k: 1, [name]: null })],
      instead === undefined
        ? `--extra: "${name}" is set by this program alone; leave it out`
        : `--extra: "${name}" is set by this program; state it as ${instead}`,
    ]),
    [
      "a word of a closed list",
      [NO_KEY, "--tool-choice", "atuo"],
      '--tool-choice: "atuo" is not possible here: did you mean "auto"?',
    ],
    [
      "members that are no JSON",
      [NO_KEY, "--extra", "top_k=1"],
      `--extra takes a JSON object: such as '{"top_k": 20}'`,
    ],
    [
      "a key among the members",
      [NO_KEY, "--extra", '{"api_key":"geheim"}'],
      "--extra: this looks like a key, and no record may hold one: put it into an environment variable and name that with --api-key-env or apiKeyEnv",
    ],
    [
      "a name that is none",
      [NO_KEY, "--name", "A b"],
      '--name: "A b" is no name: lower-case letters, digits, _ and -, at most 64, beginning with a letter',
    ],
    ["a name that is taken", [NO_KEY, "--name", "idle"], '--name: "idle" belongs to another agent: choose another'],
    [
      "concurrency beyond all bounds",
      [NO_KEY, "--concurrency", "257"],
      "--concurrency takes a whole number from 1 to 256",
    ],
  ];
  it.each(mistakes)("%s", async (_what, more, line) => {
    const cwd = workFolder();
    writeFileSync(join(cwd, "prices.yaml"), "v: 1\nmodels: { m: { input: 1, output: 2 } }\n");
    writeFileSync(join(cwd, "typo.yaml"), "v: 1\nmodels: { m: { input: 1, output: 2, cachedInputs: 1 } }\n");
    writeFileSync(join(cwd, "typo.config.yaml"), "v: 1\nteirs: [hard]\n");
    const { code, stdout, stderr } = await withoutKey(cwd, [...runWords(NOWHERE), ...more]);
    expect([code, stdout, complaints(stderr)]).toEqual([2, "", [line]]);
    expect(stderr).not.toContain("geheim");
    expect(existsSync(join(cwd, "s"))).toBe(false);
  });

  const HORN_RUN = ["run", "--cases", "horn", "--tier", "hard", "--out", "s", ...HORN];
  const wrongly: readonly (readonly [string, readonly string[], string])[] = [
    [
      "a model without its agent",
      ["--agent", "idle", "--model", "m"],
      "--model is for the agent model: add --agent model",
    ],
    ["the agent model without a model", ["--agent", "model"], "--agent model needs the model's name: add --model NAME"],
    [
      "a model's setting where there is no model",
      ["--agent", "idle", "--temperature", "1"],
      "--temperature is for a model, and no agent of this command is one: add --agent model --model NAME",
    ],
    [
      "a model without an address",
      ["--agent", "model", "--model", "m"],
      "no address is named: name it with --base-url URL, baseUrl in the config file, or OPENAI_BASE_URL",
    ],
    [
      "an address that is none",
      ["--agent", "model", "--model", "m", "--base-url", "localhost:8000/v1"],
      "--base-url: not an http or https address",
    ],
    [
      "an address with a password in it",
      ["--agent", "model", "--model", "m", "--base-url", "http://me:geheim@localhost:8000/v1"],
      "--base-url: the address holds a user, a password or a key, and no record may hold one: leave it out, put the key into an environment variable and name that with --api-key-env or apiKeyEnv",
    ],
    [
      "two models under one name",
      ["--agent", "model", "--model", "a/b,A-B", "--base-url", NOWHERE],
      'the model a/b and the model A-B would both be kept as "a-b": give one of them another name: --name NAME, or name: in the config file',
    ],
    [
      "one name for two models",
      ["--agent", "model", "--model", "a,b", "--base-url", NOWHERE, "--name", "c"],
      "--name names one model, and this command plays 2: name each in the config file",
    ],
    [
      "an agent that is near to model",
      ["--agent", "modle", "--model", "a", "--base-url", NOWHERE],
      'there is no agent "modle": did you mean "model"?',
    ],
  ];
  it.each(wrongly)("%s", async (_what, more, line) => {
    const { code, stdout, stderr } = await withoutKey(workFolder(), [...HORN_RUN, ...more]);
    expect([code, stdout, complaints(stderr)]).toEqual([2, "", [line]]);
    expect(stderr).not.toContain("geheim");
  });

  describe("the key itself in a flag is refused, whatever it looks like, and never repeated", () => {
    const HELD = "Plain/secret+value9";
    const escaped = HELD.replace("/", String.raw`\u002f`).replace("+", String.raw`\u002b`);
    const words = runWords(NOWHERE);
    const instead = (of: string, by: string): readonly string[] => words.map((word) => (word === of ? by : word));
    const asked = ["doctor", "--model", "m", "--base-url", NOWHERE];
    const judging = ["judge", "s", "--judge", "model", "--model", "m", "--base-url", NOWHERE];
    const editing = ["calibrate", "--edits", "horn", "--model", "m", "--base-url", NOWHERE];
    it.each([
      ["--extra", [...words, "--extra", JSON.stringify({ a: { b: [HELD] } })]],
      ["--extra", [...words, "--extra", JSON.stringify({ [`x${HELD}`]: 1 })]],
      ["--extra", [...words, "--extra", `{"a":"${escaped}"}`]],
      ["--model", instead("scripted", HELD)],
      ["--name", [...words, "--name", HELD]],
      ["--out", instead("s", `runs/${HELD}`)],
      ["--base-url", instead(NOWHERE, `http://${HELD.replace("/", "%2F").toLowerCase()}.localhost/v1`)],
      ["--tool-choice", [...words, "--tool-choice", HELD]],
      ["--cases", instead("horn", HELD)],
      ["--reasoning-effort", [...words, "--reasoning-effort", HELD]],
      ["--extra", [...asked, "--extra", JSON.stringify({ a: HELD })]],
      ["--as", [...judging, "--as", HELD]],
      ["the folder of the set", judging.with(1, HELD)],
      ["--out", [...editing, "--out", HELD]],
    ])("%s", async (flag, given) => {
      const cwd = workFolder();
      const { code, stdout, stderr } = await withoutKey(cwd, given, { OPENAI_API_KEY: HELD });
      expect([code, stdout, complaints(stderr)]).toEqual([
        2,
        "",
        [`${flag}: this holds the key that is read from the environment, and no record may hold it: leave it out`],
      ]);
      expect(stderr.toLowerCase()).not.toContain(HELD.toLowerCase());
      expect(readdirSync(cwd)).toEqual([]);
    });

    it("also one of another variable, and one in the file in place of a flag", async () => {
      const env = { OPENAI_API_KEY: "", HELD_KEY: HELD };
      const flags = [...words, "--api-key-env", "HELD_KEY", "--reasoning-effort", HELD];
      expect(complaints((await withoutKey(workFolder(), flags, env)).stderr)).toEqual([
        expect.stringMatching(/^--reasoning-effort: this holds the key /),
      ]);
      const cwd = workFolder();
      writeFileSync(
        join(cwd, "worldagent.config.yaml"),
        `v: 1\nagents: [{ agent: model, model: m, baseUrl: "${NOWHERE}", apiKeyEnv: HELD_KEY }]\n`,
      );
      const named = ["run", "--cases", "horn", "--tier", "hard", ...HORN, "--out", `${HELD}/s`];
      expect(complaints((await withoutKey(cwd, named, env)).stderr)).toEqual([
        expect.stringMatching(/^--out: this holds the key /),
      ]);
    });

    it("a short stand-in is none, and neither is what no model of the command reads", async () => {
      const short = await withoutKey(workFolder(), [...words, "--name", "nothing", "--prices", "no"], {
        OPENAI_API_KEY: "nothing",
      });
      expect(complaints(short.stderr)).toEqual(["no: does not exist"]);
      const idle = ["run", "--cases", "horn", "--tier", "hard", "--agent", "idle", "--out", "whatever9", ...HORN];
      expect((await withoutKey(workFolder(), idle, { OPENAI_API_KEY: "whatever9" })).code).toBe(0);
    });
  });

  it("AG20 a case of the config file that is none is told with its place", async () => {
    const cwd = workFolder();
    writeFileSync(join(cwd, "worldagent.config.yaml"), "v: 1\ncases: [horn, hron]\n");
    const words = ["run", "--tier", "hard", "--agent", "idle", "--out", "s", ...HORN];
    expect(complaints((await withoutKey(cwd, words)).stderr)).toEqual([
      expect.stringMatching(/^worldagent\.config\.yaml:2:15 .*hron.*did you mean "horn"\?$/),
    ]);
    expect(complaints((await withoutKey(cwd, [...words, "--cases", "hron"])).stderr)).toEqual([
      expect.stringMatching(/^there is no case "?hron/),
    ]);
  });

  it("an output folder that holds something else is left as it is", async () => {
    const cwd = workFolder();
    mkdirSync(join(cwd, "s"));
    writeFileSync(join(cwd, "s/notes.txt"), "mine");
    const { code, stderr } = await withoutKey(cwd, [...runWords(NOWHERE), NO_KEY]);
    expect([code, complaints(stderr), readdirSync(join(cwd, "s"))]).toEqual([
      2,
      ["s: it holds other things and no runs (notes.txt). Name a folder that is new, empty, or a set of runs."],
      ["notes.txt"],
    ]);
  });
});

describe("AG21 AG24 an endpoint that will not do is found before anything is played, and said in one line", () => {
  /** What is said of it; the address is called HOST. */
  const said = (stderr: string, url: string) =>
    complaints(stderr).map((line) => line.replaceAll(new URL(url).host, "HOST"));

  it("a wrong key", async () => {
    const cwd = workFolder();
    const { url } = await endpoint({ key: "another" });
    const { code, stdout, stderr } = await withKey(runWords(url), { cwd });
    expect([code, stdout]).toEqual([3, ""]);
    expect(said(stderr, url)).toEqual([
      expect.stringMatching(
        /^scripted is not played: HOST does not answer for scripted: auth \(HTTP 401\): .*OPENAI_API_KEY/,
      ),
    ]);
    expect(stderr).not.toContain(KEY);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("a model that is not there, with what is near to it", async () => {
    const { url } = await endpoint({ models: ["scripted-7b"] });
    const { code, stderr } = await withKey(runWords(url), { cwd: workFolder() });
    expect(code).toBe(3);
    expect(said(stderr, url)).toEqual([
      expect.stringMatching(
        /^scripted is not played: HOST does not answer for scripted: unknown_model \(HTTP 404\): .*scripted-7b/,
      ),
    ]);
  });

  it("nobody at the address", async () => {
    const { url, stop } = await endpoint();
    await stop();
    const { code, stderr } = await withKey(runWords(url, "--attempts", "1"), { cwd: workFolder() });
    expect(code).toBe(3);
    expect(said(stderr, url)).toEqual([
      "scripted is not played: HOST does not answer for scripted: connection: connect ECONNREFUSED HOST. Nothing listens at HOST: start the server there, or mend --base-url.",
    ]);
  });

  it("a web page", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Welcome</title><p>Hello.");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await withKey(runWords(url, "--attempts", "1"), { cwd: workFolder() });
    server.close();
    expect(code).toBe(3);
    expect(said(stderr, url)).toEqual([
      expect.stringMatching(/^scripted is not played: HOST does not answer for scripted: not_an_api .*\/v1/),
    ]);
  });

  it("a model that calls no tools; with --no-preflight it is played all the same, and stops", async () => {
    const cwd = workFolder();
    const { url } = await endpoint({ policy: chatty });
    const { code, stdout, stderr } = await withKey(runWords(url, "--json"), { cwd });
    expect(code).toBe(1);
    expect(said(stderr, url)).toEqual([
      expect.stringMatching(/^scripted is not played: scripted at HOST cannot play: /),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      set: "s",
      planned: 0,
      outcomes: {},
      runs: [],
      stopped: { kind: "preflight", agents: [{ agent: "scripted", preflight: { ok: false } }] },
    });
    expect(readdirSync(cwd)).toEqual([]);
    const played = await withKey(runWords(url, "--no-preflight", "--json"), { cwd });
    expect([played.code, JSON.parse(played.stdout)]).toMatchObject([0, { outcomes: { stopped: 1 } }]);
  });

  it("one of two models that will not do keeps the other from being begun", async () => {
    const cwd = workFolder();
    const server = await endpoint({ models: ["scripted"] });
    const words = runWords(server.url).map((word) => (word === "scripted" ? "scripted,absent" : word));
    const { code, stderr } = await withKey(words, { cwd });
    expect([code, said(stderr, server.url)]).toEqual([3, [expect.stringMatching(/^absent is not played: /)]]);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
