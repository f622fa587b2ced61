import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadCase, scenarioOf, worldOfTier } from "../../src/cases/index.ts";
import { buildTrace, judgeExactly, scoreJudgedRun, settleRun } from "../../src/contracts/index.ts";
import { marksOf } from "../../src/records/index.ts";
import { evidenceLines } from "../../src/report/index.ts";
import { admitCall, callTool, openSession, type EffectRecord } from "../../src/runtime/index.ts";

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
