import { it } from "vitest";
import { readdirSync, existsSync } from "node:fs";
import { loadAnyCase } from "../../src/cases/any-case.ts";
import { deductionScenarioOf } from "../../src/cases/deduction/scenario.ts";
import { scoreDeduction, BASELINES, BASELINE_NAMES } from "../../src/contracts/index.ts";
import { playBy, playSpans, choosing } from "./deduction-toy.ts";

it("bench", () => {
  for (const name of readdirSync("cases/deduction")) {
    if (!existsSync(`cases/deduction/${name}/case.yaml`)) continue;
    const loaded = loadAnyCase(`cases/deduction/${name}`);
    if (!loaded.ok) { console.log(name, loaded.error.slice(0, 3)); continue; }
    const case_ = loaded.value as never as { track: string; family: string };
    if (case_.track !== "deduction") { console.log(name, "no"); continue; }
    for (const mode of ["M1", "M2"] as const) {
      const scenario = deductionScenarioOf(case_ as never, { condition: "open", mode, fold: 1 });
      for (const act of ["wait", "random"]) {
        if (mode === "M1" && act === "random") continue;
        const choose = act === "wait" ? undefined : choosing(Array.from({ length: 40 }, (_, i) => (i * 7919) % 97));
        try {
        const t0 = performance.now();
        const spans = playSpans(scenario, (state) => ({ ...(choose && { action: choose(state) as never }), predict: {} }));
        const t1 = performance.now();
        const score = scoreDeduction({ case: scenario.caseId, family: "f", condition: "open", mode, fold: 1, agent: "x", outcome: "finished", spans, rest: [], dynamics: scenario.dynamics, world: scenario.world, goal: scenario.goal });
        const t2 = performance.now();
        if (score.excluded) continue;
        console.log(name, mode, act, spans.length, "play", Math.round(t1 - t0), "score", Math.round(t2 - t1), "goal", score.goal, "bytes", JSON.stringify(score).length,
          JSON.stringify(Object.fromEntries(BASELINE_NAMES.map((b) => [b, Object.fromEntries(Object.entries(score.baselines[b].readings).map(([k, r]) => [k, [r.f1.mean?.toFixed(2), r.f1.n, r.quiet.n]]))]))));
        for (const b of BASELINE_NAMES) { const t = performance.now(); playBy(BASELINES[b], scenario, choose); console.log("  own", b, Math.round(performance.now() - t)); }
        } catch (error) { console.log(name, mode, act, String(error).slice(0, 500)); }
      }
    }
  }
}, 600000);
