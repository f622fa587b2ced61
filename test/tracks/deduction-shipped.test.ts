/** What is claimed of the six cases that ship, on every fold of each. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  FOLDS,
  loadDeductionCase,
  deductionScenarioOf,
  readSource,
  type DeductionCase,
} from "../../src/cases/index.ts";
import { readDeductionCase } from "../../src/cases/deduction/load.ts";
import { scoreDeduction, type ScoredDeduction } from "../../src/contracts/index.ts";
import {
  admitCall,
  callTool,
  changesBetween,
  closeRest,
  isOver,
  legalActions,
  openSession,
  rollout,
  sha256,
  WAIT,
  type ActionUse,
  type Happening,
  type Mode,
  type SpanRecord,
  type World,
} from "../../src/runtime/index.ts";

const ROOT = path.join(import.meta.dirname, "../../cases/deduction");
const IDS = ["ashspring_alt", "ashspring_base", "manor_alt", "manor_base", "orbit_alt", "orbit_base"];

function shipped(id: string): DeductionCase {
  const loaded = loadDeductionCase(path.join(ROOT, id));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error[0]));
  return loaded.value;
}

/** The same case, in which everything is seen by everybody. */
function openToAll(id: string): DeductionCase {
  const text = readFileSync(path.join(ROOT, id, "case.yaml"), "utf8")
    .replaceAll(/visibility: *(?:local|hidden)/g, "visibility: public")
    .replaceAll(/^( +)at: *(?:local|hidden)\b/gm, "$1at: public")
    .replaceAll(/([{,] *)at: *(?:local|hidden)\b/g, "$1at: public");
  const source = readSource(`${id}/case.yaml`, text);
  const read = source.ok ? readDeductionCase(source.value, id) : source;
  if (!read.ok) throw new Error(JSON.stringify(read.error[0]));
  return read.value;
}

type Policy = (world: World, round: number) => ActionUse;

const waiting: Policy = () => WAIT;
const wandering =
  (case_: DeductionCase, fold: number): Policy =>
  (world, round) => {
    const legal = legalActions(case_.dynamics, world);
    return legal[Number.parseInt(sha256(`${case_.id} ${fold} ${round}`).slice(0, 8), 16) % legal.length]?.use ?? WAIT;
  };

/** The closed rounds of a play through the tools, with nothing predicted. */
function play(case_: DeductionCase, mode: Mode, fold: number, policy: Policy): readonly SpanRecord[] {
  const spans: SpanRecord[] = [];
  let session = openSession(deductionScenarioOf(case_, { condition: "open", mode, fold }));
  const call = (tool: string, input: unknown) => {
    const turn = callTool(session, admitCall(tool, input));
    session = turn.session;
    if (turn.record?.kind === "span") spans.push(turn.record);
    return turn.answer;
  };
  while (!isOver(session)) {
    // What is missing is refused once a round, then it is taken.
    const input = mode === "M2" ? { action: policy(session.world, session.round), predict: {} } : { predict: {} };
    call("commit_step", input);
    expect(call("commit_step", input)).toMatchObject({ ok: true });
    expect(call("end_round", {})).toMatchObject({ ok: true });
  }
  return spans;
}

function score(case_: DeductionCase, mode: Mode, fold: number, spans: readonly SpanRecord[]): ScoredDeduction {
  const { id, family, dynamics, worlds, goal } = case_;
  const world = worlds[fold] as World;
  const identity = { case: id, family, condition: "open", mode, fold, agent: "silent", outcome: "finished" } as const;
  const scored = scoreDeduction({ ...identity, spans, rest: [], dynamics, world, goal });
  if (scored.excluded) throw new Error(scored.reason);
  return scored;
}

describe.each(IDS)("the case %s", (id) => {
  const case_ = shipped(id);

  it("DD15 is exact for rules in M1, where all but what is sealed is given, in every fold", () => {
    for (const fold of FOLDS) {
      const { readings, fires } = score(case_, "M1", fold, play(case_, "M1", fold, waiting)).baselines["rules"] ?? {
        readings: {},
        fires: undefined,
      };
      const { f1, quiet } = readings.segment ?? { f1: undefined, quiet: undefined };
      expect(f1?.mean).toBe(1);
      expect([1, null]).toContain(quiet?.rate);
      expect((f1?.n ?? 0) + (quiet?.n ?? 0)).toBe(case_.dynamics.ticks / case_.dynamics.segment);
      expect(fires).toMatchObject({ precision: { mean: 1 }, recall: { mean: 1 } });
    }
  });

  it("DD15 is exact for rules in M2 where everything is seen, whatever is done", () => {
    const open = openToAll(id);
    expect(JSON.stringify(open.dynamics.visibility)).not.toMatch(/local|hidden/);
    for (const fold of FOLDS) {
      for (const policy of fold === 1 ? [waiting, wandering(open, fold)] : [wandering(open, fold)]) {
        const { baselines } = score(open, "M2", fold, play(open, "M2", fold, policy));
        const { readings } = baselines["rules"] ?? { readings: {} };
        for (const kind of ["interval", "lookahead", "counterfactual"] as const) {
          expect(readings[kind]?.f1.mean, `${id} ${fold} ${kind}`).toBe(1);
          expect([1, null]).toContain(readings[kind]?.quiet.rate);
        }
      }
    }
  });

  it("DD54 every counterfactual has the truth of a fresh run with the other action, or without the happening", () => {
    const logged: unknown[] = [];
    const found: unknown[] = [];
    for (const fold of FOLDS) {
      for (const policy of [waiting, wandering(case_, fold)]) {
        const spans = play(case_, "M2", fold, policy);
        const initial = shipped(id).worlds[fold] as World;
        spans.forEach((span, i) => {
          const last = spans[i - 1];
          if (last === undefined) return;
          const done = new Map(spans.slice(0, i).map(({ from, action = WAIT }) => [from, action]));
          const now = freshly(case_, initial, span.from, done);
          const { action, happening } = span.counterfactuals ?? {};
          if (action !== undefined) {
            const other = freshly(case_, initial, span.from, new Map([...done, [last.from, action]]));
            logged.push(span.truth.action);
            found.push(changesBetween(case_.dynamics, now, other));
          }
          if (happening !== undefined) {
            const before = freshly(case_, initial, last.from, done);
            const other = freshly(case_, before, span.from, done, happening);
            logged.push(span.truth.happening);
            found.push(changesBetween(case_.dynamics, now, other));
          }
        });
      }
    }
    expect(logged).toEqual(found);
    // Every decision point but the first asks something, and most ask both.
    expect(logged.length).toBeGreaterThan(10 * 1.4 * (case_.dynamics.ticks / case_.dynamics.decision - 6));
  });

  it("DD58 is closed for the scorer as it goes on in silence", () => {
    const scenario = deductionScenarioOf(case_, { condition: "naming", mode: "M2", fold: 1 });
    const rest = closeRest(openSession(scenario));
    expect(rest.ok && rest.value.map(({ truth }) => truth)).toEqual(
      play(case_, "M2", 1, waiting).map(({ truth }) => truth),
    );
  });
});

/** A run from `world` to tick `to`, by nothing but the rollout. */
function freshly(
  { dynamics }: DeductionCase,
  world: World,
  to: number,
  actions: ReadonlyMap<number, ActionUse>,
  omit?: Happening,
): World {
  const rolled = rollout(dynamics, world, { ticks: to - world.clock, actions, omit });
  if (!rolled.ok) throw new Error(rolled.error.message);
  return rolled.value.world;
}
