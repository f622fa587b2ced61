import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idleAgent } from "../../src/agents/idle.ts";
import { lexicalAgent } from "../../src/agents/lexical.ts";
import { isDenial, numbersIn, piecesOf, stemOf, tokensOf } from "../../src/agents/lexical/words.ts";
import { loadCase, type Case } from "../../src/cases/index.ts";
import { readEntries, type CallBody } from "../../src/records/index.ts";
import { changedHorn, horn, pond, play, playAndScore, planOf, tempFolder } from "../tracks/run-fixture.ts";
import { describeAgent } from "./conformance.ts";

/** The horn case at easy with budgets of its own. */
function hornWith(stepsPerRound: number, callsPerRound: number): Case {
  return changedHorn(
    "case.yaml",
    "clock:",
    `budgets: { easy: { stepsPerRound: ${stepsPerRound}, callsPerRound: ${callsPerRound} } }\nclock:`,
  );
}

// A short run: taking it up at each line costs the square of its length.
describeAgent(lexicalAgent, { case: hornWith(16, 40), deduction: pond });

async function callsOn(case_: Case): Promise<{ readonly outcome: string; readonly calls: readonly CallBody[] }> {
  const { path, outcome } = await play(planOf(lexicalAgent, "easy", case_), tempFolder());
  const calls: CallBody[] = [];
  for await (const entry of readEntries(join(path, "log.jsonl"))) if (entry.kind === "call") calls.push(entry);
  return { outcome, calls };
}

/** A step in one line: `walk ilka cold_spring`, with a bar before it where it was refused. */
function show({ input, answer }: CallBody): string {
  const [trigger] = (input as { triggers: readonly { capability: string; args: Record<string, string> }[] }).triggers;
  const text = [trigger?.capability, ...Object.values(trigger?.args ?? {})].join(" ");
  return (answer as { ok: boolean }).ok ? text : `| ${text}`;
}

describe("what likeness of words is worth", () => {
  it("AG1 on the horn case it is more than idling and far from the reference", async () => {
    const { score } = await playAndScore(planOf(lexicalAgent, "easy"), tempFolder());
    expect(score.outcome).toBe("finished");
    expect(score.components.E.passed).toBeGreaterThan(0);
    expect(score.completion.rate).toBeLessThan(0.5);
    const idle = await playAndScore(planOf(idleAgent, "easy"), tempFolder());
    expect(score.completion.passed).toBeGreaterThan(idle.score.completion.passed);
  });

  const ark = "cases/maintenance/ark_001";
  it.skipIf(!existsSync(ark))("on ark_001 it realises some events in more than one round", async () => {
    const loaded = loadCase(ark);
    if (!loaded.ok) throw new Error(`${ark} has faults`);
    const { score } = await playAndScore(planOf(lexicalAgent, "easy", loaded.value), tempFolder());
    expect(score.outcome).toBe("finished");
    expect(score.rounds.filter((round) => round.components.E.passed > 0).length).toBeGreaterThan(1);
    expect(score.completion.rate).toBeLessThan(0.5);
  });
});

describe("how it plays", () => {
  it("walks whoever is elsewhere to where a refused use needs them, and submits it again", async () => {
    const steps = (await callsOn(horn)).calls.filter(({ tool }) => tool === "commit_step").map(show);
    const at = steps.indexOf("line_horn ram_horn ilka");
    expect(steps.slice(at - 2, at + 1)).toEqual([
      "| line_horn ram_horn ilka",
      "walk cold_spring ilka",
      "line_horn ram_horn ilka",
    ]);
  });

  it("uses four of the six tools, one trigger a step", async () => {
    const { calls } = await callsOn(horn);
    expect([...new Set(calls.map(({ tool }) => tool))]).toEqual([
      "get_context",
      "read_data",
      "commit_step",
      "end_round",
    ]);
    const sizes = calls.flatMap(({ tool, input }) =>
      tool === "commit_step" ? [(input as { triggers: readonly unknown[] }).triggers.length] : [],
    );
    expect(new Set(sizes)).toEqual(new Set([1]));
  });

  it("reads a story to its end where one answer does not hold it", async () => {
    const filler = "  The snow lay on the roofs and on the fences and on everything there was.\n".repeat(150);
    const long = changedHorn("rounds/01.yaml", "narrative: |\n", `narrative: |\n${filler}\n`);
    const { calls, outcome } = await callsOn(long);
    const contexts = calls
      .filter(({ tool }) => tool === "get_context")
      .map(({ input }) => Object.keys(input as object));
    expect(contexts).toEqual([[], ["cursor", "round"], ["cursor", "round"]]);
    expect(outcome).toBe("finished");
    expect(calls.filter(({ tool }) => tool === "commit_step").map(show)).toContain("line_horn ram_horn ilka");
  });

  it.each([
    [1, 1],
    [1, 60],
    [3, 60],
    [60, 5],
    [60, 7],
  ])("keeps to a budget of %i steps and %i calls, and still ends the round", async (stepsPerRound, callsPerRound) => {
    const { calls, outcome } = await callsOn(hornWith(stepsPerRound, callsPerRound));
    expect(outcome).toBe("finished");
    expect(calls.length).toBeLessThanOrEqual(callsPerRound + 1);
    expect(calls.filter(({ tool }) => tool === "commit_step").length).toBeLessThanOrEqual(stepsPerRound);
    expect(
      calls.flatMap(({ answer }) =>
        (answer as { error?: { code: string } }).error?.code === "round_budget_spent" ? [1] : [],
      ),
    ).toEqual([]);
  });
});

describe("words", () => {
  it.each([
    ["poured pouring pours pour", "pour"],
    ["drew drawn draws drawing", "draw"],
    ["took takes taking taken", "tak"],
    ["carries carried carry", "carry"],
    ["laid lays laying lay", "lay"],
    ["shutting shut", "shut"],
    ["given gives gave giving", "giv"],
    ["passes passed passing pass", "pass"],
    ["boxes box", "box"],
  ])("%s have one stem", (words, stem) => {
    const forms = words.split(" ");
    expect(forms.map(stemOf)).toEqual(forms.map(() => stem));
  });

  it("a story is cut into sentences and into clauses that go on", () => {
    expect(piecesOf('She drew the bolt, and he ran; then it\nrained. "Out!" he said, so they went.')).toEqual([
      "She drew the bolt",
      "and he ran;",
      "then it rained.",
      '"Out!"',
      "he said",
      "so they went.",
    ]);
  });

  it("possessives are cut, numbers are read, denials are seen", () => {
    expect(tokensOf("Ilka’s iron knife").map(({ text }) => text)).toEqual(["ilka", "iron", "knife"]);
    expect(numbersIn(tokensOf("four litres, 12 doses, one spoon"))).toEqual([4, 12]);
    expect([
      isDenial(tokensOf("Nobody passes")),
      isDenial(tokensOf("She didn't")),
      isDenial(tokensOf("She did")),
    ]).toEqual([true, true, false]);
  });
});
