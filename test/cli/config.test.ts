import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENTS } from "../../src/agents/index.ts";
import { agentNameOf } from "../../src/cli/config/agent-name.ts";
import { readConfig, type ConfigFile } from "../../src/cli/config/read-config.ts";
import { runSettingsOf, type RunFlags, type RunSettings } from "../../src/cli/config/run-settings.ts";
import { UserError } from "../../src/cli/user-error.ts";
import { workFolder } from "./cli.ts";

const BUILT_IN = AGENTS.map(({ name }) => name);

/** A config file with this text, in a folder of its own; where it lies is called DIR in what is said of it. */
function configFile(text: string): { readonly file: string; readonly folder: string } {
  const folder = workFolder();
  const file = join(folder, "bench.yaml");
  writeFileSync(file, text);
  return { file, folder };
}

function read(text: string): ConfigFile {
  return readConfig(configFile(text).file, BUILT_IN) as ConfigFile;
}

function settings(text: string | undefined, flags: RunFlags = {}, env = {}): RunSettings {
  return runSettingsOf(flags, text === undefined ? undefined : read(text), env, BUILT_IN);
}

/** The tiers of settings that are of maintenance. */
function tiersOf(found: RunSettings): readonly string[] {
  return found.track === "maintenance" ? found.tiers : [];
}

/** What is said, with the folder of the file called DIR. */
function refusal(text: string | undefined, flags: RunFlags = {}, env = {}): readonly string[] {
  try {
    settings(text, flags, env);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [error.message, ...error.details].map((line) => line.replaceAll(/\S*\/worldagent-cli-[^/]+/g, "DIR"));
  }
  throw new Error("nothing was refused");
}

const BENCH = `v: 1
cases: [horn, "ark_*"]
tiers: easy,hard
repeats: 3
out: runs/bench
concurrency: 2
prices: prices.yaml
budgets: { tokens: 1000000, costUsd: 2.5, minutes: 30 }
endpoints:
  local: { baseUrl: "http://127.0.0.1:8000/v1", apiKeyEnv: null, concurrency: 8 }
  far:
    baseUrl: https://models.example/v1
    attempts: 3
agents:
  - reference
  - agent: model
    model: Qwen/Qwen3-32B
    endpoint: local
    temperature: 0.5
  - { agent: model, model: big, name: big-hot, endpoint: far, temperature: 1, timeoutMs: 5000 }
`;

describe("AG20 a set of models from a config file", () => {
  it("has axes, budgets, endpoints and agents, and says of each setting where it came from", () => {
    const { file, folder } = configFile(BENCH);
    const found = runSettingsOf({}, readConfig(file, BUILT_IN), {}, BUILT_IN);
    expect({ ...found, agents: undefined, said: undefined }).toEqual({
      track: "maintenance",
      cases: ["horn", "ark_*"],
      tiers: ["easy", "hard"],
      repeats: 3,
      out: join(folder, "runs/bench"),
      judge: "exact",
      concurrency: 2,
      prices: join(folder, "prices.yaml"),
      budgets: { tokens: 1_000_000, costUsd: 2.5, minutes: 30 },
      agents: undefined,
      said: undefined,
    });
    const at = (place: string) => `${file}:${place}`;
    expect(found.said.map(({ name, value, from }) => [name, value, from])).toEqual([
      ["track", "maintenance", "default"],
      ["cases", ["horn", "ark_*"], at("2:8")],
      ["tiers", ["easy", "hard"], at("3:8")],
      ["repeats", 3, at("4:10")],
      ["out", join(folder, "runs/bench"), at("5:6")],
      ["judge", "exact", "default"],
      ["concurrency", 2, at("6:14")],
      ["prices", join(folder, "prices.yaml"), at("7:9")],
      ["budgets.tokens", 1_000_000, at("8:20")],
      ["budgets.costUsd", 2.5, at("8:38")],
      ["budgets.minutes", 30, at("8:52")],
      ["agents.reference", "built-in", at("15:5")],
      ["agents.qwen-qwen3-32b.name", "qwen-qwen3-32b", "default"],
      ["agents.qwen-qwen3-32b.model", "Qwen/Qwen3-32B", at("17:12")],
      ["agents.qwen-qwen3-32b.stream", false, "default"],
      ["agents.qwen-qwen3-32b.toolChoice", "auto", "default"],
      ["agents.qwen-qwen3-32b.emptyContent", "null", "default"],
      ["agents.qwen-qwen3-32b.maxTokensAs", "max_tokens", "default"],
      ["agents.qwen-qwen3-32b.temperature", 0.5, at("19:18")],
      ["agents.qwen-qwen3-32b.textCalls", false, "default"],
      ["agents.qwen-qwen3-32b.baseUrl", "http://127.0.0.1:8000/v1", at("10:21")],
      ["agents.qwen-qwen3-32b.apiKeyEnv", null, at("10:60")],
      ["agents.qwen-qwen3-32b.concurrency", 8, at("10:79")],
      ["agents.qwen-qwen3-32b.timeoutMs", 300_000, "default"],
      ["agents.qwen-qwen3-32b.attempts", 6, "default"],
      ["agents.qwen-qwen3-32b.longestWaitMs", 120_000, "default"],
      ["agents.big-hot.name", "big-hot", at("20:39")],
      ["agents.big-hot.model", "big", at("20:28")],
      ["agents.big-hot.stream", false, "default"],
      ["agents.big-hot.toolChoice", "auto", "default"],
      ["agents.big-hot.emptyContent", "null", "default"],
      ["agents.big-hot.maxTokensAs", "max_tokens", "default"],
      ["agents.big-hot.temperature", 1, at("20:76")],
      ["agents.big-hot.textCalls", false, "default"],
      ["agents.big-hot.baseUrl", "https://models.example/v1", at("12:14")],
      ["agents.big-hot.apiKeyEnv", "OPENAI_API_KEY", "default"],
      ["agents.big-hot.concurrency", 2, at("6:14")],
      ["agents.big-hot.timeoutMs", 5000, at("20:90")],
      ["agents.big-hot.attempts", 3, at("13:15")],
      ["agents.big-hot.longestWaitMs", 120_000, "default"],
    ]);
  });

  it("is overridden by flags, for every model of the command, and by --agent in what is played", () => {
    const flags = {
      agent: ["big-hot"],
      tier: ["extreme"],
      repeats: 1,
      concurrency: 5,
      temperature: 0,
      timeout: 2,
      stream: true,
      budgetTokens: 10,
      out: "elsewhere",
    };
    const found = settings(BENCH, flags);
    expect([tiersOf(found), found.repeats, found.out, found.concurrency, found.budgets.tokens]).toEqual([
      ["extreme"],
      1,
      "elsewhere",
      5,
      10,
    ]);
    expect(found.agents.map(({ name }) => name)).toEqual(["big-hot"]);
    const changed = found.said.filter(({ from }) => from.startsWith("--")).map(({ name, from }) => [name, from]);
    expect(changed).toEqual([
      ["tiers", "--tier"],
      ["repeats", "--repeats"],
      ["out", "--out"],
      ["concurrency", "--concurrency"],
      ["budgets.tokens", "--budget-tokens"],
      ["agents.big-hot.stream", "--stream"],
      ["agents.big-hot.temperature", "--temperature"],
      ["agents.big-hot.concurrency", "--concurrency"],
      ["agents.big-hot.timeoutMs", "--timeout"],
    ]);
    const [spec] = found.agents;
    expect(spec?.kind === "model" && [...spec.resolved.stated].toSorted()).toEqual(["model", "stream", "temperature"]);
  });

  it("takes the address from the environment where nothing else names one, and says so", () => {
    const env = { OPENAI_BASE_URL: "http://localhost:1234/v1" };
    const flags = { cases: ["horn"], tier: ["hard"], out: "o", agent: ["model"], model: ["tiny"] };
    const addressOf = (found: RunSettings) => found.said.find(({ name }) => name === "agents.tiny.baseUrl");
    expect(addressOf(settings(undefined, flags, env))).toEqual({
      name: "agents.tiny.baseUrl",
      value: "http://localhost:1234/v1",
      from: "OPENAI_BASE_URL",
    });
    expect(addressOf(settings(undefined, { ...flags, baseUrl: "http://h/v1" }, env))?.from).toBe("--base-url");
  });

  it("is found in the present folder without being named, and is not needed", () => {
    const folder = workFolder();
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(readConfig(undefined, BUILT_IN)).toBeUndefined();
      mkdirSync("worldagent.config.yaml");
      expect(readConfig(undefined, BUILT_IN)).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });
});

describe("AG20 a config file with a fault is refused with file, line and column, and what is near", () => {
  const faults: readonly (readonly [string, string, readonly string[]])[] = [
    ["an unknown key", "v: 1\nteirs: [hard]\n", ['DIR/bench.yaml:2:1 unknown key "teirs". Did you mean "tiers"?']],
    [
      "an unknown key of a model",
      "v: 1\nagents:\n  - { agent: model, model: m, temprature: 1 }\n",
      ['DIR/bench.yaml:3:31 agents 1: unknown key "temprature". Did you mean "temperature"?'],
    ],
    [
      "an unknown key of an endpoint",
      "v: 1\nendpoints:\n  a: { baseUrl: http://h/v1, atempts: 2 }\n",
      ['DIR/bench.yaml:3:30 endpoints a: unknown key "atempts". Did you mean "attempts"?'],
    ],
    [
      "several faults, each in its line",
      "v: 2\nrepeats: 0\n",
      [
        "DIR/bench.yaml has 2 faults",
        "DIR/bench.yaml:1:4 v: 2 is not possible here. It is 1.",
        "DIR/bench.yaml:2:10 repeats: is 0, allowed is at least 1.",
      ],
    ],
    [
      "a budget of nothing",
      "v: 1\nbudgets: { costUsd: 0 }\n",
      ["DIR/bench.yaml:2:21 budgets costUsd: must be more than 0."],
    ],
    [
      "a model without its name",
      "v: 1\nagents:\n  - agent: model\n",
      ['DIR/bench.yaml:3:5 agents 1: "model" is missing. It is a text.'],
    ],
    [
      "a model whose name is misspelled",
      "v: 1\nagents:\n  - { agent: model, modle: m }\n",
      [
        "DIR/bench.yaml has 2 faults",
        'DIR/bench.yaml:3:5 agents 1: "model" is missing. It is a text.',
        'DIR/bench.yaml:3:21 agents 1: unknown key "modle". Did you mean "model"?',
      ],
    ],
    [
      "an agent that is none",
      "v: 1\ncases: horn\nagents: [refrence]\n",
      ['DIR/bench.yaml:3:10 there is no agent "refrence": did you mean "reference"?'],
    ],
    [
      "an agent that is none, as a map",
      "v: 1\nagents: [{ agent: modl, model: m }]\n",
      ['DIR/bench.yaml:2:19 agents 1 agent: "modl" is not possible here. Did you mean "model"?'],
    ],
    [
      "an endpoint that is none",
      "v: 1\nendpoints: { local: { baseUrl: http://h/v1 } }\nagents: [{ agent: model, model: m, endpoint: locl }]\n",
      ['DIR/bench.yaml:3:46 there is no endpoint "locl": did you mean "local"?'],
    ],
    [
      "the name of a built-in agent for a model",
      "v: 1\nagents: [{ agent: model, model: m, name: idle, baseUrl: http://h/v1 }]\n",
      ['DIR/bench.yaml:2:42 the name "idle" belongs to another agent: choose another'],
    ],
    [
      "two models under one name",
      "v: 1\nagents:\n  - { agent: model, model: A/b, baseUrl: http://h/v1 }\n  - { agent: model, model: a-b, baseUrl: http://h/v1 }\n",
      [
        'DIR/bench.yaml:4:5 the model A/b and the model a-b would both be kept as "a-b": give one of them another name: NAME',
      ],
    ],
    [
      "a built-in agent that is listed twice",
      "v: 1\nagents: [idle, reference, idle]\n",
      ["DIR/bench.yaml:2:27 the agent idle is listed twice: leave one away; repeats: N plays it N times"],
    ],
    [
      "a model that is listed twice",
      "v: 1\nagents:\n  - { agent: model, model: m, baseUrl: http://h/v1 }\n  - { agent: model, model: m, baseUrl: http://h/v1, seed: 1 }\n",
      ["DIR/bench.yaml:4:5 the model m is listed twice: leave one away, or give one another name: NAME"],
    ],
    [
      "a member of every request that the program sets itself",
      "v: 1\nagents:\n  - { agent: model, model: m, extra: { top_k: 1, temperature: 1 } }\n",
      [
        'DIR/bench.yaml:3:63 agents 1 extra temperature: "temperature" is set by this program; state it as temperature (--temperature).',
      ],
    ],
    [
      "an alias",
      "v: 1\ncases: &a [horn]\ntiers: *a\n",
      [
        "DIR/bench.yaml has 2 faults",
        "DIR/bench.yaml:2:8 an anchor (&) has no place in a config file. Write the value out where it is needed.",
        "DIR/bench.yaml:3:8 an alias (*) has no place in a config file. Write the value out; a text that begins with * or & needs quotes.",
      ],
    ],
    ["no map", "- v: 1\n", ["DIR/bench.yaml:1:1 the file is a list, not a map of keys."]],
    ["nothing", "", ["DIR/bench.yaml:1:1 the file is empty."]],
    ["more than it may hold", `#${"x".repeat(1024 * 1024)}`, ["DIR/bench.yaml has 1048577 bytes, more than 1048576"]],
  ];
  it.each(faults)("%s", (_what, text, lines) => {
    expect(refusal(text)).toEqual(lines);
  });

  it.each([
    [
      "a key by its name",
      "v: 1\nendpoints:\n  a: { baseUrl: http://h/v1, apiKey: hunter2hunter2 }\n",
      "hunter2",
      "3:38",
    ],
    [
      "a key by its look",
      "v: 1\nagents: [{ agent: model, model: m, apiKeyEnv: sk-abcdefghijklmnop1234 }]\n",
      "sk-ab",
      "2:47",
    ],
    ["a key in extra", "v: 1\nagents: [{ agent: model, model: m, extra: { token: abc12345 } }]\n", "abc12345", "2:52"],
  ])("a secret is refused with advice and never repeated: %s", (_what, text, secret, place) => {
    const lines = refusal(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`DIR/bench.yaml:${place} `);
    expect(lines[0]).toContain("no record may hold one: put it into an environment variable and name that with");
    expect(lines.join("\n")).not.toContain(secret);
  });

  it("a password in an address is refused and never repeated", () => {
    const lines = refusal('v: 1\nendpoints: { a: { baseUrl: "http://me:geheim@h/v1" } }\n');
    expect(lines[0]).toMatch(
      /^DIR\/bench\.yaml:2:28 endpoints a baseUrl: the address holds a user, a password or a key/,
    );
    expect(lines.join("\n")).not.toContain("geheim");
  });

  it("a file that is not there is answered with what is near", () => {
    const { file } = configFile("v: 1\n");
    expect(() => readConfig(file.replace("bench", "bnch"), BUILT_IN)).toThrow(`did you mean "${file}"?`);
  });
});

describe("AG20 a word of the config file that names nothing is told with its place, one of a flag with the flag", () => {
  const whole = "v: 1\ncases: horn\nout: o\nagents: [idle]\n";
  it.each([
    ["tiers: [easy, hrad]\n", {}, 'DIR/bench.yaml:5:15 there is no tier "hrad": did you mean "hard"?'],
    ['tiers: "easy, hrad"\n', {}, 'DIR/bench.yaml:5:8 there is no tier "hrad": did you mean "hard"?'],
    ['tiers: "easy,"\n', {}, "DIR/bench.yaml:5:8 tiers names nothing, or has a comma too many"],
    ["tiers: hard\njudge: exat\n", {}, 'DIR/bench.yaml:6:8 there is no judge "exat": there are: exact, none'],
    ["tiers: hard\n", { tier: ["hrad"] }, 'there is no tier "hrad": did you mean "hard"?'],
    ["tiers: hard\n", { judge: "exat" }, 'there is no judge "exat": there are: exact, none'],
  ])("%j", (more, flags, line) => {
    expect(refusal(whole + more, flags)).toEqual([line]);
  });
});

describe("AG20 a key that the program holds is refused in a file, whatever it looks like, and never repeated", () => {
  const HELD = "plainsecretvalue9";
  const env = { HOST_KEY: HELD, OPENAI_API_KEY: "another-of-old" };
  const head = 'v: 1\nendpoints: { h: { baseUrl: "http://h/v1", apiKeyEnv: HOST_KEY } }\n';
  const agent = (text: string) => `${head}agents: [{ agent: model, endpoint: h, ${text} }]\n`;
  const address = (url: string) => `v: 1\nendpoints: { h: { baseUrl: "${url}", apiKeyEnv: HOST_KEY } }\n`;
  it.each([
    ["an extra member", agent(`model: m, extra: { a: { b: [1, ${HELD}] } }`), "3:70"],
    ["a member's name", agent(`model: m, extra: { ${HELD}: 1 }`), "3:56"],
    ["a model", agent(`model: pre-${HELD.toUpperCase()}`), "3:46"],
    ["a name that is none", agent(`model: m, name: "${HELD} x"`), "3:55"],
    ["an address", address(`http://${HELD}.h/v1`), "2:28"],
    ["an address with escapes", address(`http://h/%70${HELD.slice(1)}`), "2:28"],
    ["the key of models that name none", agent("model: another-of-old"), "3:46"],
  ])("%s", (_what, text, place) => {
    const { file } = configFile(text);
    let said = "";
    try {
      readConfig(file, BUILT_IN, env);
    } catch (error) {
      said = String(error);
    }
    expect(said).toMatch(/bench\.yaml:\d+:\d+ .*: this holds the key that is read from the environment/);
    expect(said).toContain(`bench.yaml:${place} `);
    expect(said.toLowerCase()).not.toMatch(/plainsecretvalue9|another-of-old/);
  });

  it("a short word is no key, and the name of a variable is not its value", () => {
    const { file } = configFile(agent("model: nothing, extra: { a: HOST_KEY }"));
    expect(readConfig(file, BUILT_IN, { HOST_KEY: "nothing" })?.config.agents).toHaveLength(1);
  });
});

describe("AG20 the name a model's runs are kept under", () => {
  it.each([
    ["Qwen/Qwen3-32B", "qwen-qwen3-32b"],
    ["gpt-4.1", "gpt-4-1"],
    ["7b:latest", "m-7b-latest"],
    ["reference", "m-reference"],
    ["model", "m-model"],
    ["Größe", "gro-e"],
    ["模型", "m"],
    [`${"x".repeat(63)}/y`, "x".repeat(63)],
  ])("%s is kept as %s", (model, name) => {
    expect(agentNameOf(model, BUILT_IN)).toBe(name);
  });
});
