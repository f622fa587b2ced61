import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { chatty } from "../endpoint/scripted/index.ts";
import { HORN, inProcess, typed, workFolder, type Ended } from "./cli.ts";
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

/** Runs the command in this process and a folder, without a key. */
async function inFolder(folder: string, words: readonly string[]): Promise<Ended> {
  for (const [name, value] of Object.entries(WITHOUT_KEY)) vi.stubEnv(name, value);
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await inProcess(words);
  } finally {
    process.chdir(before);
  }
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
    ["a deadline of nothing", [NO_KEY, "--timeout", "0"], "--timeout: is 0, allowed is at least 100"],
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
    const { code, stdout, stderr } = await inFolder(cwd, [...runWords(NOWHERE), ...more]);
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
    const { code, stdout, stderr } = await inFolder(workFolder(), [...HORN_RUN, ...more]);
    expect([code, stdout, complaints(stderr)]).toEqual([2, "", [line]]);
    expect(stderr).not.toContain("geheim");
  });

  it("an output folder that holds something else is left as it is", async () => {
    const cwd = workFolder();
    mkdirSync(join(cwd, "s"));
    writeFileSync(join(cwd, "s/notes.txt"), "mine");
    const { code, stderr } = await inFolder(cwd, [...runWords(NOWHERE), NO_KEY]);
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
