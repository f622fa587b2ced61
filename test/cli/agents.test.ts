import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AGENTS, chatMethod } from "../../src/agents/index.ts";
import { CHAT_WORDS, NUDGE_UNPARSED, OPENING } from "../../src/agents/model/system-prompt.ts";
import { methodLines, withMethod } from "../../src/cli/method-text.ts";
import { OUTCOMES } from "../../src/records/index.ts";
import { inProcess } from "./cli.ts";

describe("worldagent agents", () => {
  it("lists every agent, the model among them", async () => {
    const { code, stdout, stderr } = await inProcess(["agents", "list", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const listed = JSON.parse(stdout) as readonly { readonly name: string; readonly tiers: readonly string[] }[];
    expect(listed.map(({ name }) => name)).toEqual([...AGENTS.map(({ name }) => name), "model"]);
    expect(listed.at(-1)?.tiers).toEqual(["easy", "hard", "extreme"]);
    expect((await inProcess(["agents", "list"])).stdout).toContain(
      "model        easy, hard, extreme, deduction  asks a model",
    );
  });

  it("shows all that the chat loop says to a model, its digests, every default with its meaning, and when a run ends", async () => {
    const { code, stdout } = await inProcess(["agents", "show", "model"]);
    const method = chatMethod();
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(2, -1)).toEqual(methodLines(method));
    const words = Object.values(CHAT_WORDS).flatMap(({ system, nudge }) => [...system.split("\n"), nudge]);
    for (const text of [...words, OPENING, NUDGE_UNPARSED]) expect(stdout).toContain(text);
    for (const digest of [method.prompt.digest, method.tools.digest]) expect(stdout).toContain(digest);
    for (const { name, says } of Object.values(method.settings).flat())
      expect(stdout).toMatch(new RegExp(`^  ${name} .*${says.slice(0, 10).replaceAll(/\W/g, ".")}`, "m"));
  });

  it("gives the same as data", async () => {
    const { stdout } = await inProcess(["agents", "show", "model", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      name: "model",
      says: "asks a model over an OpenAI-compatible endpoint, in a chat loop; needs --model and --base-url",
      tiers: ["easy", "hard", "extreme"],
      deduction: true,
      method: chatMethod(),
    });
  });

  it("names every outcome that a run of a model can have", () => {
    const named = chatMethod().ends.map(({ outcome }) => outcome);
    expect([...named].sort()).toEqual([...OUTCOMES].sort());
  });

  it("shows the settings of an agent that asks nobody, and says what is near to a name that is none", async () => {
    expect((await inProcess(["agents", "show", "idle"])).stdout).toBe(
      "idle ends every round at once\nplays: easy, hard, extreme, deduction\nsettings:\n  v: 1\n",
    );
    expect(await inProcess(["agents", "show", "modell"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "model"?') as string,
    });
  });

  it("docs/chat-loop.md holds what agents show model prints (npm run docs)", () => {
    const page = readFileSync(new URL("../../docs/chat-loop.md", import.meta.url), "utf8");
    expect(page).toBe(withMethod(page, chatMethod()));
    for (const { system } of Object.values(CHAT_WORDS)) expect(page).toContain(system.split("\n")[0]);
  });
});
