/**
 * A scripted model plays the reference through the chat loop, at an endpoint with one quirk at a time: what is played
 * scores as if there were none, and the log says what was put up with.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { referenceAgent } from "../../src/agents/reference.ts";
import type { Case } from "../../src/cases/index.ts";
import type { ModelSettings } from "../../src/endpoint/index.ts";
import type { Outcome, Quirk } from "../../src/records/index.ts";
import type { Tier } from "../../src/runtime/index.ts";
import { horn } from "../contracts/horn-plays.ts";
import { firstOf, obliging, QUIRKS, solver, type QuirkName } from "../endpoint/scripted/index.ts";
import { entriesOf, planOf, play } from "../tracks/run-fixture.ts";
import { serve, settingsOf } from "./support/model.ts";
import { afterPreflight, caseAt, lastWorld, playModel, type Came } from "./support/play.ts";
import { guardedFolder } from "./support/secret.ts";

const ark = caseAt("cases/maintenance/ark_001");

/** What the log must say of a quirk, and what it makes of a run that it does not leave whole. */
interface Expected {
  readonly tolerated?: readonly Quirk[];
  /** Only of a stream. */
  readonly streamed?: readonly Quirk[];
  readonly outcome?: Outcome;
  readonly settings?: Partial<ModelSettings>;
}

const EXPECTED: Readonly<Record<QuirkName, Expected>> = {
  empty_arguments_text: { tolerated: ["empty_arguments"] },
  empty_arguments_blank: { tolerated: ["empty_arguments"] },
  empty_arguments_null: { tolerated: ["empty_arguments"] },
  empty_arguments_missing: { tolerated: ["empty_arguments"] },
  stray_quote: { tolerated: ["repaired_arguments"] },
  fenced_arguments: { tolerated: ["repaired_arguments"] },
  twice_encoded_arguments: { tolerated: ["repaired_arguments"] },
  arguments_as_object: { tolerated: ["repaired_arguments"] },
  malformed_arguments: { tolerated: ["placeholder_sent", "unreadable_arguments"] },
  cut_arguments: { tolerated: ["placeholder_sent", "unreadable_arguments"] },
  shared_stream_index: { streamed: ["shared_stream_index"] },
  finish_stop_with_calls: { tolerated: ["finish_reason_mismatch"] },
  calls_as_text: { tolerated: ["text_call_taken"], settings: { textCalls: true } },
  calls_as_text_now_and_then: { tolerated: ["unparsed_call"] },
  empty_call_ids: { tolerated: ["made_call_id"] },
  nine_character_ids: {},
  demands_reasoning: {},
  empty_answer: { tolerated: ["empty_answer", "placeholder_sent"] },
  refuses_empty_content: { settings: { emptyContent: "empty" } },
  refuses_null_content: {},
  no_usage: { tolerated: ["missing_usage"] },
  split_usage: {},
  cached_tokens: {},
  reasoning_tokens: {},
  refuses_max_tokens: { tolerated: ["adapted_parameter"], settings: { maxTokens: 2000 } },
  refuses_temperature: { tolerated: ["adapted_parameter"], settings: { temperature: 0 } },
  refuses_tool_choice: { tolerated: ["adapted_parameter"] },
  refuses_forced_tool_choice: { tolerated: ["adapted_parameter"], settings: { toolChoice: "required" } },
  refuses_parallel_tool_calls: { tolerated: ["adapted_parameter"], settings: { parallelToolCalls: true } },
  refuses_stream_options: { streamed: ["adapted_parameter", "missing_usage"] },
  refuses_seed: { tolerated: ["adapted_parameter"], settings: { seed: 7 } },
  refuses_response_format: {},
  refuses_json_schema: {},
  cuts_front: {},
  content_filter: { outcome: "blocked" },
  refusal: { outcome: "blocked" },
  ignores_tools: { outcome: "stopped" },
  refuses_tools: { outcome: "endpoint_fault" },
  one_call_a_message: {},
};

/** What a preflight of each endpoint finds. */
const found = new Map<QuirkName, Partial<ModelSettings>>();

async function settingsFor(quirk: QuirkName, url: string): Promise<Partial<ModelSettings>> {
  const known = found.get(quirk);
  if (known !== undefined) return known;
  const { model } = await afterPreflight(settingsOf(url, EXPECTED[quirk].settings));
  found.set(quirk, model);
  return model;
}

async function playWith(
  quirk: QuirkName,
  stream: boolean,
  parallel: number | "round",
  tier: Tier,
  { case: case_ = horn, judged = true }: { readonly case?: Case; readonly judged?: boolean } = {},
): Promise<Came> {
  const endpoint = await serve({ policy: firstOf(obliging, solver([case_], { parallel })), quirks: [quirk] });
  const settings = await settingsFor(quirk, endpoint.url);
  return await playModel(case_, tier, settingsOf(endpoint.url, { ...settings, stream }), guardedFolder(), { judged });
}

/** The world in which the reference ends, by tier. */
const ends = new Map<Tier, string | undefined>();
beforeAll(async () => {
  for (const tier of ["easy", "hard"] as const) {
    const { path } = await play(planOf(referenceAgent, tier, horn), guardedFolder());
    ends.set(tier, lastWorld(await entriesOf(path)));
  }
});

describe.each(Object.keys(QUIRKS) as QuirkName[])("%s", (quirk) => {
  const { tolerated = [], streamed = [], outcome = "finished" } = EXPECTED[quirk];
  const expected = (stream: boolean): object => ({
    outcome,
    tolerated: outcome === "finished" ? [...tolerated, ...(stream ? streamed : [])].sort() : [],
  });
  /** Of a run that does not come to its end the log says why by its outcome. */
  const seen = (came: Came): object => ({
    outcome: came.outcome,
    tolerated: outcome === "finished" ? came.tolerated : [],
  });

  it("leaves the score as it is", async () => {
    const came = await playWith(quirk, false, "round", "hard");
    expect(seen(came)).toEqual(expected(false));
    expect(came.isWhole).toBe(outcome === "finished");
  });

  it.each([
    [false, 4, "easy"],
    [true, "round", "easy"],
    [true, 4, "hard"],
  ] as const)("leads to the same world (stream: %s, calls a message: %s, %s)", async (stream, parallel, tier) => {
    const came = await playWith(quirk, stream, parallel, tier, { judged: false });
    expect(seen(came)).toEqual(expected(stream));
    expect(lastWorld(came.entries) === ends.get(tier)).toBe(outcome === "finished");
  });
});

/** Each in one tier of a case of many rounds; in all three, which takes two minutes, by `QUIRKS=all`. */
describe("ark_001", () => {
  const TIERS_OF_RUNS = ["easy", "hard", "extreme"] as const;
  const isWhole = process.env["QUIRKS"] === "all";
  let end: string | undefined;
  beforeAll(async () => {
    const { path } = await play(planOf(referenceAgent, "extreme", ark), guardedFolder());
    end = lastWorld(await entriesOf(path));
  });

  it.each(
    (Object.keys(QUIRKS) as QuirkName[]).flatMap((quirk, i) =>
      TIERS_OF_RUNS.filter((_, j) => isWhole || i % 3 === j).map(
        (tier) => [quirk, tier, (i + TIERS_OF_RUNS.indexOf(tier)) % 2 === 1] as const,
      ),
    ),
  )("with %s in %s (stream: %s) is played as if there were none", async (quirk, tier, stream) => {
    const { tolerated = [], streamed = [], outcome = "finished" } = EXPECTED[quirk];
    const came = await playWith(quirk, stream, "round", tier, { case: ark, judged: tier !== "extreme" });
    // The exact judge does not judge worlds whose ids are the agent's own: there the world says it.
    const isSame = tier === "extreme" ? lastWorld(came.entries) === end : came.isWhole;
    expect([came.outcome, isSame]).toEqual([outcome, outcome === "finished"]);
    const said = outcome === "finished" ? [...tolerated, ...(stream ? streamed : [])] : [];
    expect(came.tolerated).toEqual(expect.arrayContaining(said));
  });
});

it("a long conversation whose front is cut in silence raises a warning in the log", async () => {
  const came = await playWith("cuts_front", false, 1, "easy", { case: ark });
  expect([came.outcome, came.isWhole, came.tolerated]).toEqual(["finished", true, ["prompt_tokens_fell"]]);
});
