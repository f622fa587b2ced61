import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  addPlanned,
  addSetAgent,
  readPlanned,
  readSetAgents,
  requireRunId,
  type SetAgent,
} from "../../src/records/index.ts";
import { tempFolder, thrown } from "./fixtures.ts";

const agent: SetAgent = {
  name: "gpt",
  settings: { model: { name: "gpt-9", temperature: 0 }, host: "api.example" },
  preflight: { toolCalls: "yes", usage: "yes" },
};

const fileOf = (set: string, name = "gpt"): string => join(set, "agents", `${name}.json`);

describe("the agents of a set", () => {
  it("RC17 are kept with their settings and what a preflight found, as people can read them", () => {
    const set = join(tempFolder(), "a", "set");
    expect(readSetAgents(set)).toEqual([]);
    expect(addSetAgent(set, agent)).toEqual(agent);
    addSetAgent(set, { ...agent, name: "another" });
    expect(readSetAgents(set)).toEqual([{ ...agent, name: "another" }, agent]);
    expect(readFileSync(fileOf(set), "utf8")).toBe(`{
  "name": "gpt",
  "preflight": {
    "toolCalls": "yes",
    "usage": "yes"
  },
  "settings": {
    "host": "api.example",
    "model": {
      "name": "gpt-9",
      "temperature": 0
    }
  },
  "v": 1
}
`);
  });

  it("RC17 of the same settings keep the preflight they have, or get one where they had none", () => {
    const set = tempFolder();
    const bare = { ...agent, preflight: null };
    expect(addSetAgent(set, bare)).toEqual(bare);
    expect(addSetAgent(set, agent)).toEqual(agent);
    expect(addSetAgent(set, { ...agent, preflight: { toolCalls: "no" } })).toEqual(agent);
    expect(addSetAgent(set, bare)).toEqual(agent);
    // Whatever order their keys come in.
    const { model, host } = agent.settings;
    expect(addSetAgent(set, { ...agent, settings: { host: host ?? null, model: model ?? null } })).toEqual(agent);
  });

  it("RC17 of other settings are refused with both values, and stay as they are", async () => {
    const set = tempFolder();
    addSetAgent(set, agent);
    const before = readFileSync(fileOf(set), "utf8");
    const other = { ...agent, settings: { ...agent.settings, model: { name: "gpt-9", temperature: 1, seed: 7 } } };
    const error = await thrown("other_agent", () => addSetAgent(set, other));
    expect(error.message).toBe(
      `${fileOf(set)}: the agent gpt has other settings in this set: model.seed was nothing and is 7; model.temperature was 0 and is 1. Give the settings it has there, give it another name (--name NAME, or name: in the config file), or begin a new set (--out DIR).`,
    );
    expect(readFileSync(fileOf(set), "utf8")).toBe(before);
  });

  it("RC17 hold no secret, neither in settings nor in what a preflight found", async () => {
    const set = join(tempFolder(), "set");
    const secrets: readonly Partial<SetAgent>[] = [
      { settings: { apiKey: "abc" } },
      { settings: { baseUrl: "http://me:word@host/v1" } },
      { preflight: { said: "Bearer abcdefgh12345678" } },
    ];
    for (const secret of secrets) {
      const error = await thrown("bad_entry", () => addSetAgent(set, { ...agent, ...secret }));
      expect(error.message).toMatch(/looks like a secret, which no record may hold/);
      expect(error.message).not.toMatch(/abc|word@/);
    }
    expect(existsSync(set)).toBe(false);
  });

  it("RC18 are added to no folder that holds something else", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "thesis.docx"), "");
    await thrown("not_a_set", () => addSetAgent(folder, agent));
    expect(readdirSync(folder)).toEqual(["thesis.docx"]);
  });

  it("bear a name that can be a file's", async () => {
    const set = tempFolder();
    for (const name of ["../gpt", "GPT", "", "a.b"])
      await thrown("bad_name", () => addSetAgent(set, { ...agent, name }));
    expect(readdirSync(set)).toEqual([]);
  });

  it("that cannot be read are named, with what to do", async () => {
    const set = tempFolder();
    addSetAgent(set, agent);
    for (const text of ["{", '{"v":2}', '{"v":1,"name":"other","settings":{},"preflight":null}']) {
      writeFileSync(fileOf(set), text);
      const error = await thrown("bad_file", () => readSetAgents(set));
      expect(error.where).toBe(fileOf(set));
      expect(error.message).toContain("the next command that plays the agent writes it again");
      await thrown("bad_file", () => addSetAgent(set, agent));
    }
  });

  it("what hides beside them is passed over", () => {
    const set = tempFolder();
    addSetAgent(set, agent);
    mkdirSync(join(set, "agents", "more"));
    for (const name of [".gpt.json.12-1.tmp", ".DS_Store", "notes.txt"]) writeFileSync(join(set, "agents", name), "");
    expect(readSetAgents(set)).toEqual([agent]);
  });
});

it("RC17 processes that amend a set at once lose nothing of each other's", async () => {
  const set = join(tempFolder(), "set");
  const COUNT = 12;
  const names = ["a", "b", "c"];
  const file = new URL("./ledger-child.ts", import.meta.url).pathname;
  const ends = await Promise.all(
    names.map(async (name) => {
      const child = spawn(process.execPath, ["--import", "tsx", file, set, name, String(COUNT)], { stdio: "inherit" });
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    }),
  );
  expect(ends).toEqual([0, 0, 0]);
  const counts = Array.from({ length: COUNT }, (_, i) => i + 1);
  const runs = [...names.map((name) => `mill.easy.${name}`), "mill.hard.shared"].flatMap((kind) =>
    counts.map((i) => requireRunId(`${kind}.${i}`)),
  );
  expect(readPlanned(set)).toEqual(runs.toSorted());
  const agents = [...names, "shared"].flatMap((name) => counts.map((i) => `${name}_${i}`));
  expect(readSetAgents(set).map(({ name }) => name)).toEqual(agents.toSorted());
  // What they held they let go of, and no half-written file is left.
  expect(readdirSync(set).toSorted()).toEqual(["agents", "planned.json"]);
  expect(readdirSync(join(set, "agents")).filter((name) => !name.endsWith(".json"))).toEqual([]);
}, 60_000);

it("RC17 a lock that a killed process left on a set is passed over", () => {
  const set = tempFolder();
  const dead = { host: "", nonce: "n", pid: 2 ** 22 + 1, started: null };
  const run = requireRunId("mill.easy.x.1");
  addPlanned(set, [run]);
  writeFileSync(join(set, "lock.1"), JSON.stringify({ ...dead, host: hostname() }));
  addPlanned(set, [requireRunId("mill.easy.x.2")]);
  expect(readPlanned(set)).toHaveLength(2);
  expect(readdirSync(set)).toEqual(["planned.json"]);
});
