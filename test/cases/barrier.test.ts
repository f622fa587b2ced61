import { describe, expect, it } from "vitest";
import { modelAgent } from "../../src/agents/index.ts";
import { CASE_SCHEMAS, deductionScenarioOf, type DeductionCase } from "../../src/cases/index.ts";
import { modelSettingsSchema } from "../../src/endpoint/index.ts";
import { openRun, scenarioOfRun } from "../../src/records/index.ts";
import { CONDITIONS, isOver, MODES, openSession, type Json } from "../../src/runtime/index.ts";
import { manifestOf, playLines, type RunPlan } from "../../src/tracks/index.ts";
import { calls, fakeEndpoint } from "../agents/fake-endpoint.ts";
import { OPENING, soundCall, type ToolCall } from "../fuzz/calls.ts";
import { engine, type Engine } from "../fuzz/fuzz.ts";
import { learn, nothingKnown } from "../fuzz/knowledge.ts";
import { malicious } from "../fuzz/malice.ts";
import { randomOf } from "../fuzz/random.ts";
import { MARK, markedCase } from "../fuzz/sealed-case.ts";
import { deductionPlanOf, play, planOf, scripted, surroundings, tempFolder } from "../tracks/run-fixture.ts";
import { classOf, pondCase, rowsOf, textPathsOf, type How } from "./sealed-texts.ts";

const HOWS: readonly How[] = CONDITIONS.flatMap((condition) => MODES.map((mode) => ({ condition, mode })));
const CALLS = 250;
const SEED_OF_FOLDS = "mill-pond-1";

/** The calls of a fuzzed play, learnt from its answers: every so often all is answered with nothing and the round ends. */
function callsFor(case_: DeductionCase, how: How, seed: number): readonly ToolCall[] {
  const random = randomOf(seed);
  const known = nothingKnown();
  let session = openSession(deductionScenarioOf(case_, { ...how, fold: 1 }));
  const made: ToolCall[] = [];
  const make = (call: ToolCall): void => {
    made.push(call);
    const turn = engine(session, call);
    session = turn.session as typeof session;
    if (turn.answer.ok && typeof call.tool === "string" && typeof call.input === "object" && call.input !== null)
      learn(known, call.tool, call.input as Record<string, unknown>, turn.answer);
  };
  for (const call of OPENING) make(call);
  for (const from of ["processes", "schedule"]) make({ tool: "read_data", input: { from, limit: 100 } });
  while (made.length < CALLS && !isOver(session)) {
    const sound = soundCall(random, known, how.mode);
    const call = random.once(3) ? malicious(random, known, sound) : sound;
    if (call.tool !== "end_round") make(call);
    // What is missing is told once; then the round is closed.
    if (made.length % 40 === 0) for (const tool of ["end_round", "end_round", "get_context"]) make({ tool, input: {} });
  }
  return made;
}

function transcriptOf(
  case_: DeductionCase,
  how: How,
  made: readonly ToolCall[],
  answer: Engine = engine,
): readonly string[] {
  let session: Parameters<Engine>[0] = openSession(deductionScenarioOf(case_, { ...how, fold: 1 }));
  return made.map((call) => {
    const turn = answer(session, call);
    session = turn.session;
    return JSON.stringify(turn.answer);
  });
}

describe("what a case file can hold", () => {
  it.each(CASE_SCHEMAS)("RT75 is classed by who may see it, every text of a %s file", (name) => {
    const paths = textPathsOf(name);
    expect(paths.filter((path) => classOf(name, path) === undefined)).toEqual([]);
    const used = new Set(paths.map((path) => classOf(name, path)?.row));
    // Rows of what holds numbers alone.
    const numbers = ["version", "budgets", "round"];
    expect(rowsOf(name).filter((row) => !used.has(row) && !numbers.includes(row))).toEqual([]);
  });
});

describe("the information barrier of deduction, from the file on", () => {
  it.each(HOWS)(
    "DD59 DD60 no answer of $condition $mode turns on what is sealed there, or tells a word of it",
    (how) => {
      const plain = pondCase().case;
      const { case: secret, marked } = pondCase(how);
      expect([...marked].sort()).toEqual(MARKED_IN[`${how.condition} ${how.mode}`]);
      for (const seed of [1, Date.now() % 1_000_000]) {
        const made = callsFor(plain, how, seed);
        const told = transcriptOf(secret, how, made);
        const same = transcriptOf(plain, how, made);
        // Where nobody acts, a hidden value is shown, and nothing else differs.
        const shown = how.mode === "M1" ? `${MARK}_hidden` : "no such mark";
        expect(
          told.map((text) => text.replaceAll(shown, "another text")),
          `seed ${seed}`,
        ).toEqual(same);
        expect(told.filter((text) => text.replaceAll(shown, "").includes(MARK))).toEqual([]);
        // These cannot differ between the two: the one has a form, and the other draws the initial state.
        expect(told.filter((text) => text.includes(plain.canary) || text.includes(SEED_OF_FOLDS))).toEqual([]);
        expect(told.filter((text) => text.startsWith('{"ok":true')).length).toBeGreaterThan(20);
      }
    },
  );

  const OF_ITSELF = ["changelog[].says", "licence", "title"];
  const OF_ACTIONS = ["actions.*.requires[].expr", "actions.*.tells"];
  const IN_NAMING = ["goal.expr", "processes.*.tells", "processes.*.when", "schedule.*.tells"];
  const OF_ACTING = ["actions.*.requires[].says", "actions.*.says"];
  const MARKED_IN: Readonly<Record<string, readonly string[]>> = {
    "open M1": [...OF_ITSELF, ...OF_ACTIONS, ...OF_ACTING].sort(),
    "open M2": OF_ITSELF,
    "naming M1": [...OF_ITSELF, ...OF_ACTIONS, ...IN_NAMING, ...OF_ACTING].sort(),
    "naming M2": [...OF_ITSELF, ...OF_ACTIONS, ...IN_NAMING].sort(),
  };

  it("DD42 what the other condition and mode seal is told where they do not: the marks can be seen", () => {
    const { case: secret, marked } = pondCase({ condition: "naming", mode: "M1" });
    const how = { condition: "open", mode: "M2" } as const;
    const reads = ["capabilities", "processes", "schedule"].map((from) => ({
      tool: "read_data",
      input: { from, limit: 100 },
    }));
    const told = transcriptOf(secret, how, [{ tool: "get_context", input: {} }, ...reads]);
    expect(told.filter((text) => text.includes(MARK))).toHaveLength(4);
    expect(marked.size).toBeGreaterThan(8);
  });

  const NAMING: How = { condition: "naming", mode: "M2" };
  const LEAKS: readonly (readonly [says: string, leak: (case_: DeductionCase) => string])[] = [
    [
      "suggests from all ids, sealed ones too",
      ({ dynamics }) => `there are: ${dynamics.processes.map(({ id }) => id).join(", ")}`,
    ],
    ["quotes a rule", ({ dynamics }) => dynamics.processes.map(({ draft }) => draft.tells).join(" ")],
  ];
  it.each(LEAKS)("DD59 an engine whose hint %s is found out", (_, leak) => {
    const leaky =
      (case_: DeductionCase): Engine =>
      (session, call) => {
        const turn = engine(session, call);
        if (turn.answer.ok || !turn.answer.error.code.startsWith("unknown")) return turn;
        return { ...turn, answer: { ok: false, error: { ...turn.answer.error, hint: leak(case_) } } };
      };
    const [plain, secret] = [pondCase().case, pondCase(NAMING).case];
    const made = callsFor(plain, NAMING, 1);
    const told = transcriptOf(secret, NAMING, made, leaky(secret));
    expect(told).not.toEqual(transcriptOf(plain, NAMING, made, leaky(plain)));
    expect(told.some((text) => text.includes(MARK))).toBe(true);
  });
});

describe("what is said to who is tested", () => {
  const READS: readonly (readonly [string, Json])[] = [
    ...["help", "get_context"].map((tool): readonly [string, Json] => [tool, {}]),
    ...["map", "types", "entities", "capabilities", "processes", "invariants", "log"].map(
      (from): readonly [string, Json] => ["read_data", { from, where: "true", limit: 100 }],
    ),
    ["read_data", { from: "entities", id: "zq" }],
    ["construct", { op: "delete", level: "type", id: "zq" }],
    ["commit_step", { triggers: [{ capability: "zq", args: {} }] }],
    ["commit_step", {}],
    ["end_round", {}],
    ["end_round", {}],
    ["get_context", {}],
  ];
  const plans = (): readonly RunPlan[] => {
    const agent = scripted([]);
    return [
      planOf(agent, "extreme", markedCase({ tier: "extreme" }).case),
      deductionPlanOf(agent, pondCase({ condition: "naming", mode: "M2" }).case, { condition: "naming" }),
    ];
  };

  it("RT75 every request to a model, from its first message on, is without a word of what is sealed", async () => {
    for (const plan of plans()) {
      const stop = new AbortController();
      const endpoint = fakeEndpoint((_, asked) => {
        if (asked > READS.length) stop.abort();
        return calls(READS[asked % READS.length] as (typeof READS)[number]);
      });
      const model = modelSettingsSchema.parse({ model: "tiny-1" });
      const lane = { name: endpoint.host, concurrency: 1 };
      const agent = modelAgent({ name: "model", model, endpoint, lane });
      await play({ ...plan, agent }, tempFolder(), { signal: stop.signal });
      expect(endpoint.requests.length).toBeGreaterThan(READS.length);
      expect(endpoint.requests[0]).toContain("Your case is open");
      expect(endpoint.requests.filter((text) => text.includes(MARK))).toEqual([]);
    }
  });

  it("RT75 whoever plays by lines is told nothing of it either", async () => {
    for (const plan of plans()) {
      const set = tempFolder();
      const manifest = manifestOf(plan, surroundings);
      const run = await openRun(set, manifest, scenarioOfRun(plan.case, manifest));
      if (run === undefined) throw new Error("the run is over");
      const lines: string[] = [];
      const input = READS.map(([tool, value]) => `${JSON.stringify({ tool, input: value })}\n`).join("");
      await playLines(
        run,
        chunksOf(input),
        (line) => void lines.push(line),
        () => "stopped",
      );
      run.close();
      expect(lines).toHaveLength(READS.length);
      expect(lines.filter((line) => line.includes(MARK))).toEqual([]);
    }
  });

  async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
});
