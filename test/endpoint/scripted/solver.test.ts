import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { scenarioOf, solutionOf } from "../../../src/cases/index.ts";
import { admitCall, callTool, openSession, type Json, type Tier } from "../../../src/runtime/index.ts";
import { horn } from "../../contracts/horn-plays.ts";
import { ask, messageOf, start, TOOL, USER } from "./asking.ts";
import { solver, type ScriptedEndpoint } from "./index.ts";

describe("the solver", () => {
  /** Plays a case with the calls that the endpoint answers, as the plainest client would. */
  async function playThrough(
    endpoint: ScriptedEndpoint,
    tier: Tier,
    fold: (answer: string, i: number) => string = (answer) => answer,
  ): Promise<{ readonly calls: readonly (readonly [string, Json])[]; readonly ends: unknown }> {
    const messages: object[] = [USER];
    const calls: (readonly [string, Json])[] = [];
    let session = openSession(scenarioOf(horn, tier));
    for (;;) {
      const message = messageOf(await ask(endpoint, { messages, tools: [TOOL] }));
      const made = message["tool_calls"] as
        | readonly { id: string; function: { name: string; arguments: string } }[]
        | undefined;
      if (made === undefined) return { calls, ends: message["content"] };
      messages.push(message);
      for (const call of made) {
        const input = JSON.parse(call.function.arguments) as Json;
        const turn = callTool(session, admitCall(call.function.name, input));
        session = turn.session;
        calls.push([call.function.name, input]);
        const content = fold(JSON.stringify(turn.answer), calls.length);
        messages.push({ role: "tool", tool_call_id: call.id, content });
      }
    }
  }

  it.each([
    ["easy", 1],
    ["hard", 4],
    ["extreme", "round"],
  ] as const)("plays the reference in %s, %s calls a message, and is done", async (tier, parallel) => {
    const endpoint = await start({ policy: solver([horn], { parallel }) });
    const { calls, ends } = await playThrough(endpoint, tier);
    const reference = solutionOf(horn, tier)
      .flat()
      .map(({ tool, input }) => [tool, input]);
    expect(calls).toEqual([["help", {}], ["get_context", {}], ...reference]);
    expect(ends).toBe("That was the whole story.");
  });

  it("is not confused by old answers that were folded", async () => {
    const endpoint = await start({ policy: solver([horn], { parallel: 4 }) });
    const { ends } = await playThrough(endpoint, "hard", (answer, i) =>
      i > 2 ? "(folded: commit_step, accepted)" : answer,
    );
    expect(ends).toBe("That was the whole story.");
  });
});

it("the program prints its address and serves a case from it", async () => {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", main, "--case", "ark_001", "--quirk", "no_usage"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const told = await ask({ url: line.toString().trim() }, { tools: [TOOL] });
    expect((messageOf(told)["tool_calls"] as readonly { function: { name: string } }[])[0]?.function.name).toBe("help");
    expect(told.data["usage"]).toBeUndefined();
  } finally {
    child.kill();
  }
});
