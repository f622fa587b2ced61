import { expect, it } from "vitest";
import { modelAgent } from "../../src/agents/index.ts";
import { foldLine } from "../../src/agents/model/fold-line.ts";
import { modelSettingsSchema, type ChatRequest } from "../../src/endpoint/index.ts";
import { POND_CALLS } from "../tracks/pond-calls.ts";
import { deductionPlanOf, entriesOf, logOf, play, pond, cutRun, lineEnds, tempFolder } from "../tracks/run-fixture.ts";
import { byTurn, calls, fakeEndpoint, type FakeEndpoint } from "./fake-endpoint.ts";

const ANSWERS = POND_CALLS.M2.map(({ tool, input }) => calls([tool, input]));

/** A model with a window in which not all of the conversation fits. */
function agentAt(endpoint: FakeEndpoint) {
  const model = modelSettingsSchema.parse({ model: "tiny-1", contextTokens: 6500, maxTokens: 500, stream: false });
  return modelAgent({ name: "scripted", model, endpoint, lane: { name: "tiny", concurrency: 1 } });
}

it("AG43 DD91 old answers of a run of deduction are folded, and the introduction never is", async () => {
  const endpoint = fakeEndpoint(byTurn(ANSWERS));
  const plan = deductionPlanOf(agentAt(endpoint), pond);
  const whole = await play(plan, tempFolder());
  expect(whole.outcome).toBe("finished");
  expect((await entriesOf(whole.path)).flatMap((entry) => (entry.kind === "fold" ? [entry.why] : []))).toContain(
    "window",
  );
  const last = JSON.parse(endpoint.requests.at(-1) ?? "{}") as ChatRequest;
  const told = last.messages.flatMap(({ role, content }) =>
    role === "tool" && typeof content === "string" ? [content] : [],
  );
  expect(told.filter((text) => text.startsWith("(folded: help "))).toHaveLength(1);
  expect(told.filter((text) => text.includes("Tilda keeps the mill"))).toHaveLength(1);

  // Taken up in the middle, the same is asked.
  const ends = lineEnds(logOf(whole));
  const resumed = await play(
    deductionPlanOf(agentAt(fakeEndpoint(byTurn(ANSWERS))), pond),
    cutRun(whole, ends[Math.floor(ends.length / 2)] ?? 0),
  );
  expect(logOf(resumed).length).toBeGreaterThan(0);
  expect((await entriesOf(resumed.path)).map(({ kind }) => kind)).toEqual(
    (await entriesOf(whole.path)).map(({ kind }) => kind),
  );
});

it.each([
  [
    "get_context",
    { ok: true, round: 2, intro: { text: "…" } },
    "get_context in round 2; the introduction stands again in a later answer",
  ],
  [
    "end_round",
    { ok: true, round: 3, clock: 18, finished: false, next: { round: 4, asked: {} } },
    "end_round, round 3 closed, clock 18; read_data from log shows it",
  ],
  [
    "commit_step",
    { ok: true, round: 3, predicted: {} },
    "commit_step, submitted in round 3; get_context says what stands",
  ],
  ["commit_step", { ok: false, error: { code: "unknown_path" } }, "commit_step, refused: unknown_path"],
] as const)("AG43 DD91 says what %s was", (tool, answer, said) => {
  expect(foldLine(tool, {}, answer)).toBe(`(folded: ${said})`);
});
