import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ScriptedEndpoint } from "../endpoint/scripted/index.ts";
import { endOf, HORN, startCli, typed, workFolder } from "./cli.ts";
import { endpoint, filesIn, KEY, runWords, WITH_KEY, withKey } from "./model-set.ts";

const resultShape = z.object({
  set: z.string(),
  planned: z.int(),
  outcomes: z.record(z.string(), z.int()),
  tokens: z.int(),
  costUsd: z.number().nullable(),
  stopped: z.looseObject({ kind: z.string() }).nullable(),
  settings: z.array(z.object({ name: z.string(), value: z.json(), from: z.string() })),
  runs: z.array(
    z.object({ run: z.string(), agent: z.string(), outcome: z.string(), completion: z.number().optional() }),
  ),
});

const resultOf = (stdout: string) => resultShape.parse(JSON.parse(stdout));

/** How many completions were asked for, those of preflights included. */
function asked(server: ScriptedEndpoint): number {
  return server.requests().length;
}

/** Serials of the answers in the logs of a set, in any order. */
function loggedSerials(set: string): readonly string[] {
  return [...filesIn(set)]
    .filter(([path]) => path.endsWith("log.jsonl"))
    .flatMap(([, text]) => text.split("\n"))
    .filter((line) => line.includes('"kind":"answer"'))
    .map((line) => z.object({ message: z.object({ serial: z.string() }) }).parse(JSON.parse(line)).message.serial);
}

describe("a model over HTTP", () => {
  it("AG21 is probed once, plays, is judged, and leaves its key nowhere; the same command asks nothing more", async () => {
    const cwd = workFolder();
    const server = await endpoint();
    const first = await withKey([...runWords(server.url), "--json"], { cwd });
    expect(first.code).toBe(0);
    const { settings, tokens, ...result } = resultOf(first.stdout);
    expect(result).toEqual({
      set: "s",
      planned: 1,
      outcomes: { finished: 1 },
      costUsd: null,
      stopped: null,
      runs: [{ run: "horn.hard.scripted.1", agent: "scripted", outcome: "finished", completion: 1 }],
    });
    expect(tokens).toBeGreaterThan(0);
    expect(settings.find(({ name }) => name === "agents.scripted.baseUrl")).toEqual({
      name: "agents.scripted.baseUrl",
      value: server.url,
      from: "--base-url",
    });
    const ledger = z
      .object({
        name: z.string(),
        settings: z.looseObject({ host: z.string() }),
        preflight: z.looseObject({ ok: z.boolean() }),
      })
      .parse(JSON.parse(readFileSync(join(cwd, "s/agents/scripted.json"), "utf8")));
    expect([ledger.name, ledger.settings.host, ledger.preflight.ok]).toEqual([
      "scripted",
      new URL(server.url).host,
      true,
    ]);
    for (const text of [first.stdout, first.stderr, ...filesIn(cwd).values()]) expect(text).not.toContain(KEY);

    const before = asked(server);
    const again = await withKey([...runWords(server.url), "--json"], { cwd });
    expect([again.code, asked(server)]).toEqual([0, before]);
    expect(again.stderr.split("\n")[0]).toBe("In s: 0 begun runs go on, 1 finished left alone.");
    expect(resultOf(again.stdout)).toMatchObject({ outcomes: { finished: 1 }, tokens: 0, costUsd: 0 });
  });

  it("AG22 more repeats and another model amend the set: only what is missing is played", async () => {
    const cwd = workFolder();
    const server = await endpoint({ models: ["scripted", "Other/Model"] });
    await withKey(runWords(server.url), { cwd });
    const answers = loggedSerials(join(cwd, "s")).length;
    const more = runWords(server.url, "--repeats", "2", "--json").map((word) =>
      word === "scripted" ? "scripted,Other/Model" : word,
    );
    const second = await withKey(more, { cwd });
    expect(second.code).toBe(0);
    expect(resultOf(second.stdout)).toMatchObject({
      outcomes: { finished: 4 },
      runs: [
        { run: "horn.hard.scripted.1", completion: 1 },
        { run: "horn.hard.scripted.2", completion: 1 },
        { run: "horn.hard.other-model.1", completion: 1 },
        { run: "horn.hard.other-model.2", completion: 1 },
      ],
    });
    const serials = loggedSerials(join(cwd, "s"));
    expect(serials).toHaveLength(4 * answers);
    expect(new Set(serials).size).toBe(serials.length);
    expect(second.stderr).toContain("Probing other-model: Other/Model at ");
    expect(second.stderr).not.toContain("Probing scripted: ");
  });

  it("AG22 one name is one configuration: other settings under it are refused with both values, before anything is asked", async () => {
    const cwd = workFolder();
    const server = await endpoint();
    await withKey(runWords(server.url, "--no-preflight"), { cwd });
    const before = asked(server);
    const { code, stderr } = await withKey(runWords(server.url, "--temperature", "0.5"), { cwd });
    expect([code, asked(server)]).toEqual([2, before]);
    const [line] = stderr.split("\n").filter((one) => one.startsWith("worldagent: "));
    expect(line).toMatch(/scripted has other settings in this set: .*temperature was nothing and is 0\.5/);
    const warm = ["--temperature", "0.5", "--name", "warm", "--no-preflight", "--json"];
    const named = await withKey(runWords(server.url, ...warm), { cwd });
    expect([named.code, resultOf(named.stdout).runs.map(({ run }) => run)]).toEqual([0, ["horn.hard.warm.1"]]);
  });

  it("AG20 a config file plays several models and built-in agents in one command, priced by its price file", async () => {
    const cwd = workFolder();
    const server = await endpoint({ models: ["a", "b"] });
    writeFileSync(
      join(cwd, "worldagent.config.yaml"),
      [
        "v: 1",
        "cases: horn",
        "tiers: [hard]",
        "out: s",
        "prices: prices.yaml",
        `endpoints: { here: { baseUrl: "${server.url}", concurrency: 2 } }`,
        "agents:",
        "  - { agent: model, model: a, endpoint: here, stream: true }",
        "  - { agent: model, model: b, endpoint: here, name: bee, maxTokens: 5000 }",
        "  - idle",
        "",
      ].join("\n"),
    );
    writeFileSync(
      join(cwd, "prices.yaml"),
      "v: 1\nmodels:\n  a: { input: 1, output: 2 }\n  b: { input: 0, output: 0 }\n",
    );
    const { code, stdout, stderr } = await withKey(["run", "--no-preflight", ...HORN], { cwd });
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, 5)).toEqual([
      "Judge: exact. 3 scored of 3 planned.",
      "",
      "case  tier  agent  run  outcome   completion    relation      E    A    P   CA  CA but-for   TM   CC  undecided",
      "horn  hard  a        1  finished  1.00 (15/15)  1.00 (9/9)  9/9  4/4  2/2  4/4         4/4  4/4  1/1          0",
      "horn  hard  bee      1  finished  1.00 (15/15)  1.00 (9/9)  9/9  4/4  2/2  4/4         4/4  4/4  1/1          0",
    ]);
    const lines = stderr.split("\n");
    expect(lines).toContainEqual(
      expect.stringMatching(/^agents\.bee\.maxTokens +5000 +worldagent\.config\.yaml:9:69$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^agents\.a\.concurrency +2 +worldagent\.config\.yaml:6:\d+$/));
    expect(lines.at(-2)).toMatch(/^3 finished\. This command: \d+ tokens in \d+ answers, \$0\.\d+\.$/);
  });
});

describe("a set that stops", () => {
  it("AG23 stops at its budget of tokens, says which and how to go on, ends with 1, and goes on where it was", async () => {
    const cwd = workFolder();
    const server = await endpoint();
    const whole = runWords(server.url, "--repeats", "3", "--json");
    const limited = [...whole, "--budget-tokens", "20000"];
    const first = await withKey(limited, { cwd });
    expect(first.code).toBe(1);
    const { stopped, outcomes, tokens } = resultOf(first.stdout);
    expect(stopped).toMatchObject({ kind: "budget", which: "set_tokens", setting: 20_000, measured: tokens });
    expect(tokens).toBeGreaterThanOrEqual(20_000);
    expect(outcomes["cancelled"]).toBeGreaterThanOrEqual(1);
    expect(typed(first.stderr).split("\n").at(-2)).toBe(
      `Stopped: the budget of 20000 tokens (--budget-tokens) is reached, measured were ${tokens} tokens. ` +
        `Runs under way are left open. To go on, raise it: worldagent ${typed(limited.join(" "))}`,
    );
    const before = asked(server);
    const same = await withKey(limited, { cwd });
    expect([same.code, asked(server)]).toEqual([1, before]);

    const rest = await withKey(whole, { cwd });
    expect([rest.code, resultOf(rest.stdout).outcomes]).toEqual([0, { finished: 3 }]);
    const serials = loggedSerials(join(cwd, "s"));
    expect(new Set(serials).size).toBe(serials.length);
    const preflight = server.requests().filter(({ serial }) => serial !== null && !serials.includes(serial));
    expect(preflight.map(({ number }) => number)).toEqual(preflight.map((_, i) => i + 1));
  });

  it("AG23 stops at its budget of dollars, by the prices given", async () => {
    const cwd = workFolder();
    const server = await endpoint();
    writeFileSync(join(cwd, "p.yaml"), "v: 1\nmodels: { scripted: { input: 10, output: 10 } }\n");
    const budget = ["--prices", "p.yaml", "--budget-cost", "0.05", "--no-preflight", "--json"];
    const { code, stdout, stderr } = await withKey(runWords(server.url, "--repeats", "3", ...budget), { cwd });
    const { stopped, tokens, costUsd } = resultOf(stdout);
    expect([code, stopped]).toMatchObject([1, { kind: "budget", which: "set_cost", setting: 0.05, measured: costUsd }]);
    expect(costUsd).toBeCloseTo(tokens * 1e-5, 9);
    expect(stderr).toContain("Stopped: the budget of $0.05 (--budget-cost) is reached");
  });

  it("AG24 stops at once on a wrong key, says so in a line with the command that goes on, and ends with 3", async () => {
    const cwd = workFolder();
    const server = await endpoint({ key: "another" });
    const words = runWords(server.url, "--repeats", "3", "--concurrency", "1", "--no-preflight", "--json");
    const { code, stdout, stderr } = await withKey(words, { cwd });
    expect([code, asked(server)]).toEqual([3, 1]);
    expect(resultOf(stdout)).toMatchObject({
      outcomes: { endpoint_fault: 1, cancelled: 2 },
      stopped: { kind: "fault", run: "horn.hard.scripted.1", agent: "scripted" },
    });
    expect(typed(stderr).split("\n").at(-2)).toMatch(
      /^Stopped at horn\.hard\.scripted\.1, since no run of scripted could do better: .* go on with: worldagent run --cases horn /,
    );
    for (const text of [stdout, stderr, ...filesIn(cwd).values()]) expect(text).not.toContain(KEY);
  });

  it("AG24 a quota that is used up stops the set, and the next command goes on from the answer it has", async () => {
    const cwd = workFolder();
    const used = await endpoint({ faults: { kinds: ["quota_used_up"], from: 4 } });
    const words = ["--no-preflight", "--concurrency", "1", "--json"];
    const first = await withKey(runWords(used.url, ...words), { cwd });
    expect([first.code, resultOf(first.stdout).outcomes]).toEqual([3, { endpoint_fault: 1 }]);
    const { port } = new URL(used.url);
    await used.stop();
    const renewed = await endpoint({ port: Number(port), seed: 2 });
    const second = await withKey(runWords(renewed.url, ...words), { cwd });
    expect([second.code, resultOf(second.stdout).outcomes]).toEqual([0, { finished: 1 }]);
    expect(loggedSerials(join(cwd, "s"))).toHaveLength(3 + renewed.requests().length);
  });

  it("AG2 AG24 Ctrl-C hears the answers under way, says how to go on and ends with 130; nothing is asked for twice", async () => {
    const cwd = workFolder();
    const server = await endpoint();
    const words = runWords(server.url, "--repeats", "12", "--concurrency", "2", "--no-preflight", "--judge", "none");
    const child = startCli(words, { cwd, env: WITH_KEY });
    const ended = endOf(child);
    while (asked(server) < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("Stopping after the answers under way; Ctrl-C again stops at once.\n");
    expect(stderr.split("\n").at(-2)).toBe(
      "Stopped. To go on, give the same command again; what was played is kept in s.",
    );
    const answered = server.requests().flatMap(({ serial }) => serial ?? []);
    expect(loggedSerials(join(cwd, "s")).toSorted()).toEqual(answered.toSorted());

    const rest = await withKey([...words, "--json"], { cwd });
    expect([rest.code, resultOf(rest.stdout).outcomes]).toEqual([0, { finished: 12 }]);
    const all = server.requests().flatMap(({ serial }) => serial ?? []);
    expect(loggedSerials(join(cwd, "s")).toSorted()).toEqual(all.toSorted());
  });

  it("AG2 a second Ctrl-C ends at once, though an answer is waited for", async () => {
    const cwd = workFolder();
    const server = await endpoint({ faults: { kinds: ["stall"], from: 1 } });
    const child = startCli(runWords(server.url, "--no-preflight"), { cwd, env: WITH_KEY });
    const ended = endOf(child);
    while (asked(server) < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await saidAfter(child, "Stopping after the answers under way", () => child.kill("SIGINT"));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  });

  it("AG2 SIGTERM ends at once, though an answer is waited for: nobody who sends it waits for minutes", async () => {
    const cwd = workFolder();
    const server = await endpoint({ faults: { kinds: ["stall"], from: 1 } });
    const child = startCli(runWords(server.url, "--no-preflight"), { cwd, env: WITH_KEY });
    const ended = endOf(child);
    while (asked(server) < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGTERM");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr.split("\n").at(-2)).toBe(
      "Interrupted. To go on, give the same command again; what was written is kept.",
    );
    expect([...filesIn(cwd).keys()].filter((path) => path.includes("lock."))).toEqual([]);
  });

  it("AG22 a mistyped model that never answered is forgotten by --forget, and the command goes on without it", async () => {
    const cwd = workFolder();
    const server = await endpoint({ models: ["scripted"] });
    const typo = runWords(server.url, "--repeats", "2", "--no-preflight").map((word) =>
      word === "scripted" ? "scripte" : word,
    );
    expect((await withKey(typo, { cwd })).code).toBe(3);
    const right = runWords(server.url, "--no-preflight");
    const refused = await withKey([...right, "--forget", "scriptd"], { cwd });
    expect([refused.code, refused.stderr.split("\n").at(-2)]).toEqual([
      2,
      'worldagent: --forget: s knows no agent "scriptd": did you mean "scripte"?',
    ]);
    const { code, stderr } = await withKey([...right, "--forget", "scripte"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^scripte is forgotten: 2 planned runs are no longer, and \d begun without an answer (?:is|are) removed\.$/m,
    );
    expect([...filesIn(join(cwd, "s")).keys()].filter((path) => path.includes("scripte."))).toEqual([]);
    expect(readFileSync(join(cwd, "s/planned.json"), "utf8")).not.toContain("scripte.");
    const again = await withKey([...right, "--forget", "scripted"], { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("a run of scripted was played")]);
  });

  it("AG23 stops when its minutes are over, and leaves what is under way open", async () => {
    const cwd = workFolder();
    const server = await endpoint();
    const words = runWords(server.url, "--repeats", "100", "--concurrency", "1", "--no-preflight", "--judge", "none");
    const { code, stdout, stderr } = await withKey([...words, "--budget-minutes", "0.01", "--json"], { cwd });
    const { stopped, outcomes } = resultOf(stdout);
    expect([code, stopped]).toMatchObject([1, { kind: "budget", which: "set_wall", setting: 600 }]);
    expect(outcomes["cancelled"]).toBeGreaterThan(0);
    expect(stderr).toContain("Stopped: the budget of 0.01 minutes (--budget-minutes) is reached");
  });

  it("AG25 closes with outcomes, tokens, cost and the faults of endpoints", async () => {
    const cwd = workFolder();
    const server = await endpoint({ faults: { kinds: ["server_error"], numbers: [3] } });
    const words = runWords(server.url, "--repeats", "2", "--concurrency", "1", "--no-preflight", "--attempts", "1");
    const { code, stdout, stderr } = await withKey(words, { cwd });
    expect(code).toBe(3);
    expect(stdout.split("\n")[0]).toBe("Judge: exact. 1 scored of 2 planned.");
    expect(stderr.split("\n").slice(-3)).toEqual([
      expect.stringMatching(
        /^1 endpoint_fault, 1 finished\. This command: \d+ tokens in \d+ answers, cost —; 1 request brought none\.$/,
      ),
      "horn.hard.scripted.1: server_error (HTTP 500): The server had an error while processing your request. Sorry about that!",
      "",
    ]);
  });
});

/** Does something to a command and waits until it says that on stderr. */
async function saidAfter(child: ChildProcess, text: string, act: () => void): Promise<void> {
  const said = new Promise<void>((resolve) => {
    let heard = "";
    child.stderr?.on("data", (part: string) => {
      heard += part;
      if (heard.includes(text)) resolve();
    });
  });
  act();
  await said;
}
