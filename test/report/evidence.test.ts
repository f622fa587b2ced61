import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadCase, scenarioOf, worldOfTier } from "../../src/cases/index.ts";
import { buildTrace, judgeExactly, scoreJudgedRun, settleRun, type Judgment } from "../../src/contracts/index.ts";
import { marksOf } from "../../src/records/index.ts";
import { evidenceLines } from "../../src/report/index.ts";
import { admitCall, callTool, openSession, type EffectRecord } from "../../src/runtime/index.ts";
import { identities, identity, ownCalls, playOwn, truthOf } from "../contracts/own-world.ts";

const loaded = loadCase(fileURLToPath(new URL("../fixtures/cases/horn", import.meta.url)));
if (!loaded.ok) throw new Error("the fixture has faults");
const horn = loaded.value;

it("the evidence of a run goes from item to verdict, binding, triggers and changes", () => {
  const walk = { capability: "walk", args: { who: "ilka", to: "cold_spring" } };
  const line = { capability: "line_horn", args: { who: "ilka", horn: "ram_horn" } };
  let session = openSession(scenarioOf(horn, "easy"));
  const records: EffectRecord[] = [];
  for (const triggers of [[walk], [line]]) {
    const turn = callTool(session, admitCall("commit_step", { triggers }));
    session = turn.session;
    if (turn.record !== undefined) records.push(turn.record);
  }
  const trace = buildTrace(worldOfTier(horn.world, "easy"), records);
  if (!trace.ok) throw new Error("the trace does not fit");
  const marks = marksOf(horn);
  const judgments = judgeExactly(horn.contract, marks, horn.world, trace.value, 1);
  const run = { contract: horn.contract, marks, trace: trace.value, judgments, roundsPlayed: 1 };
  const score = scoreJudgedRun({ ...run, case: horn.id, tier: "easy", outcome: "stopped", judge: "exact" });
  const lines = evidenceLines({ case: horn, score, settled: settleRun(run), trace: trace.value });
  const reason = (id: string) => `      ${score.items.find((item) => item.id === id)?.reason ?? ""}`;
  const part = (from: string, count: number) =>
    lines.slice(
      lines.findIndex((text) => text.includes(from)),
      lines.findIndex((text) => text.includes(from)) + count,
    );
  expect(part("round 1", 7)).toEqual([
    "round 1",
    "  E horn_lined: pass — Ilka lines the ram's horn with clay at the spring",
    "      bound [3, 4) to t2_1",
    "        t2_1: line_horn(horn: ram_horn, who: ilka) [3, 4)",
    "          ram_horn.lined: false → true",
    "  E knife_left: fail — Ilka lays her iron knife on the stone at the ford",
    reason("knife_left"),
  ]);
  expect(part("A dead_must_drink", 2)).toEqual([
    "  A dead_must_drink: fail (not scored in this tier) — A way for the dead to speak that needs them to have drunk",
    reason("dead_must_drink"),
  ]);
  const relation = score.items.find(({ kind }) => kind === "TM");
  expect(part(`TM ${relation?.id ?? ""}`, 4)).toEqual([
    `  TM ${relation?.id ?? ""}: fail`,
    "      knife_left does not hold",
    "      horn_lined [3, 4) round 1: t2_1",
    "      knife_left does not hold",
  ]);
});

it("CT37 the evidence of a model's judgments says who is who, and what each pass rests on", () => {
  const { contract } = horn;
  const play = playOwn(horn);
  const judgments = truthOf(horn).map((one): Judgment =>
    one.item === "knife_left" ? { ...one, triggers: [], reason: "it is said so" } : one,
  );
  const who = [...identities().filter(({ entity }) => entity !== "hound"), identity("hound", null)];
  const run = { contract, marks: undefined, trace: play.trace, judgments, identities: who, roundsPlayed: 1 };
  const score = scoreJudgedRun({
    ...run,
    case: horn.id,
    tier: "extreme",
    outcome: "finished",
    judge: "model",
    model: { judgedBy: { model: "some-model", settings: "0" }, exact: undefined, looksAgain: false },
  });
  const lines = evidenceLines({ case: horn, score, settled: settleRun(run), trace: play.trace });
  expect(lines.slice(0, 5)).toEqual([
    "who is who",
    "  ilka is girl",
    "  ram_horn is firehorn",
    "  iron_knife is blade",
    "  no entity of this world is hound",
  ]);
  expect(lines.filter((line) => /^ {2}E (horn_lined|knife_left|hound_held):/.test(line))).toEqual([
    "  E horn_lined: pass, on the judge's word alone — Ilka lines the ram's horn with clay at the spring",
    "  E knife_left: fail, a pass that the audit turned — Ilka lays her iron knife on the stone at the ford",
    "  E hound_held: fail, a pass that the audit turned — Ilka takes the white hound by the collar",
  ]);
});

it("CT38 the evidence of two judges says which of them judged an item", () => {
  const { contract } = horn;
  const { trace } = playOwn(horn, ownCalls(horn, {}));
  const marks = marksOf(horn);
  const exact = judgeExactly(contract, marks, horn.world, trace, 1);
  const judgments = exact.map((one): Judgment => ({ ...one, by: one.item === "knife_left" ? "model" : "exact" }));
  const run = { contract, marks, trace, judgments, roundsPlayed: 1 };
  const score = scoreJudgedRun({
    ...run,
    case: horn.id,
    tier: "hard",
    outcome: "finished",
    judge: "exact+model",
    model: { judgedBy: { model: "some-model", settings: "0" }, exact: settleRun(run), looksAgain: true },
  });
  const lines = evidenceLines({ case: horn, score, settled: settleRun(run), trace });
  expect(lines.filter((line) => /^ {2}E (horn_lined|knife_left):/.test(line))).toEqual([
    "  E horn_lined: pass, by the exact judge — Ilka lines the ram's horn with clay at the spring",
    "  E knife_left: pass, by the model — Ilka lays her iron knife on the stone at the ford",
  ]);
});

it("CT42 grounds stand beside CA, over all causal items that are planned, and move no score", () => {
  const { contract } = horn;
  const { trace } = playOwn(horn, ownCalls(horn, {}));
  const marks = marksOf(horn);
  const judgments = judgeExactly(contract, marks, horn.world, trace, 1).map((one): Judgment =>
    one.item === "hearth_lit" ? { ...one, verdict: "fail", triggers: [] } : one,
  );
  const run = { contract, marks, trace, judgments, roundsPlayed: 1 };
  const toSettle = { ...run, case: horn.id, tier: "hard", outcome: "finished", judge: "exact" } as const;
  const score = scoreJudgedRun({ ...toSettle, grounded: true });
  const { grounding, ...figures } = score;
  const items = score.items.map((item) => {
    const { grounding: _, ...plain } = item;
    return plain;
  });
  expect({ ...figures, items }).toEqual(scoreJudgedRun(toSettle));
  const three = { passed: 3, scored: 4, rate: 0.75 };
  expect([score.components.CA, grounding]).toEqual([three, { mediated: three, butFor: three }]);
  const lines = evidenceLines({ case: horn, score, settled: settleRun(run), trace });
  const from = (id: string) => lines.indexOf(`  CA ${id}`);
  expect(lines.slice(from("r1_ca1: pass"), from("r1_ca1: pass") + 10)).toEqual([
    "  CA r1_ca1: pass",
    "      holds",
    "      knife_left [6, 7) round 1: t4_1",
    "      gate_opened [11, 12) round 1: t6_2",
    "      hall_entered [13, 14) round 1: t7_1",
    "      mediated; holds but-for",
    "        knife_left: t4_1 –iron_knife.at→ t7_1",
    "          without it t7_1 refused (requirement_not_met)",
    "        gate_opened: t6_2 –bone_gate.open→ t7_1",
    "          without it t7_1 refused (requirement_not_met)",
  ]);
  expect(lines.slice(from("r1_ca4: fail"))).toEqual([
    "  CA r1_ca4: fail",
    "      hearth_lit does not hold",
    "      fire_taken [16, 17) round 1: t10_1",
    "      hearth_lit does not hold",
  ]);
});
