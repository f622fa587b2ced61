/** A scripted model plays deduction through the chat loop, over real HTTP: what it says is what a player's own calls come to. */
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHAT_WORDS } from "../../src/agents/model/system-prompt.ts";
import { CHAT_TOOLS } from "../../src/agents/model/tools.ts";
import type { DeductionScore } from "../../src/contracts/index.ts";
import { auditRun, readRunFolder, scoreDeductionFolder } from "../../src/records/index.ts";
import { canonicalJson, MODES, type Mode } from "../../src/runtime/index.ts";
import type { Agent, RunResult } from "../../src/tracks/index.ts";
import { scripted, type Policy } from "../endpoint/scripted/index.ts";
import { POND_CALLS } from "../tracks/pond-calls.ts";
import {
  cutRun,
  deductionPlanOf,
  entriesOf,
  lineEnds,
  logOf,
  play,
  pond,
  scripted as playerOf,
  tempFolder,
} from "../tracks/run-fixture.ts";
import { agentOf, serve, settingsOf } from "./support/model.ts";
import { guardedFolder } from "./support/secret.ts";

/** A model that makes the calls of the fixture, `most` of them in a message. */
function player(mode: Mode, most: number): Policy {
  const calls = POND_CALLS[mode];
  const messages = Array.from({ length: Math.ceil(calls.length / most) }, (_, i) => ({
    calls: calls.slice(i * most, (i + 1) * most),
  }));
  return scripted(messages);
}

async function playPond(agent: Agent, mode: Mode, folder: string): Promise<RunResult> {
  return await play(deductionPlanOf(agent, pond, { condition: "naming", mode }), folder);
}

async function scoreAt({ path }: RunResult): Promise<Omit<DeductionScore, "agent">> {
  const score = await scoreDeductionFolder(pond, await readRunFolder(path));
  if (score === undefined) throw new Error("no score");
  const { agent: _, ...rest } = score;
  return rest;
}

describe.each(MODES)("a model in %s", (mode) => {
  it.each([
    [false, 1],
    [true, 3],
  ])(
    "DD90 plays it to its end (stream: %s, calls a message: %s), and is scored as its calls are",
    async (stream, most) => {
      const endpoint = await serve({ policy: player(mode, most) });
      const played = await playPond(agentOf(settingsOf(endpoint.url, { stream })), mode, guardedFolder());
      expect(played.outcome).toBe("finished");
      const [first] = endpoint.requests();
      expect(first?.body?.["messages"]).toEqual([
        { role: "system", content: CHAT_WORDS.deduction.system },
        { role: "user", content: "Your case is open. Begin." },
      ]);
      const tools = first?.body?.["tools"] as readonly { readonly function: { readonly description: string } }[];
      expect(tools.map((tool) => tool.function.description)).toEqual(
        CHAT_TOOLS.deduction.map(({ description }) => description),
      );
      const byHand = await playPond(playerOf(POND_CALLS[mode]), mode, tempFolder());
      expect(await scoreAt(played)).toEqual(await scoreAt(byHand));
      expect((await auditRun(pond, await readRunFolder(played.path))).differences).toEqual([]);
    },
  );
});

/** All that the calls of a run came to. What an endpoint tells of its answers, such as their serials, is not in it. */
async function callsIn({ path }: RunResult): Promise<readonly string[]> {
  return (await entriesOf(path)).flatMap((entry) => {
    if (entry.kind !== "call") return [];
    const { tool, input, answer, record, digest } = entry;
    return [canonicalJson({ tool, input: input ?? null, answer, record: record ?? null, digest })];
  });
}

it("DD90 a run of a model in M2 that is taken up at any line pays for no answer twice and ends with the same calls and score", async () => {
  const endpoint = await serve({ policy: player("M2", 2), keepsBodies: false });
  const agent = agentOf(settingsOf(endpoint.url));
  const whole = await playPond(agent, "M2", guardedFolder());
  const [calls, score] = [await callsIn(whole), await scoreAt(whole)];
  const entries = await entriesOf(whole.path);
  const answers = entries.filter(({ kind }) => kind === "answer").length;
  for (const [line, bytes] of lineEnds(logOf(whole)).entries()) {
    const before = endpoint.requests().length;
    const set = cutRun(whole, bytes);
    const resumed = await playPond(agent, "M2", set);
    const logged = entries.slice(0, line + 1).filter(({ kind }) => kind === "answer").length;
    expect({ line, asked: endpoint.requests().length - before, outcome: resumed.outcome }).toEqual({
      line,
      asked: answers - logged,
      outcome: "finished",
    });
    expect(await callsIn(resumed)).toEqual(calls);
    expect(await scoreAt(resumed)).toEqual(score);
    rmSync(set, { recursive: true });
  }
});

it("DD91 a model that says no more than words is nudged in the words of deduction, stopped, and scored as silent", async () => {
  const endpoint = await serve({ policy: () => ({ text: "The pond will rise." }) });
  const played = await playPond(agentOf(settingsOf(endpoint.url)), "M2", guardedFolder());
  expect(played.outcome).toBe("stopped");
  const messages = endpoint.requests().at(-1)?.body?.["messages"] as readonly { readonly content: string }[];
  expect(messages.at(-1)?.content).toBe(CHAT_WORDS.deduction.nudge);
  expect(await scoreAt(played)).toMatchObject({
    excluded: false,
    outcome: "stopped",
    spans: { planned: 4, played: 0, unanswered: 4 },
    readings: { interval: { f1: { mean: 0, n: 4 } } },
    goal: false,
  });
});
