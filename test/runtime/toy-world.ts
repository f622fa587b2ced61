/** The kettle world of `help` as a scenario, and small hands to play it with. */
import { admitCall } from "../../src/runtime/admit.ts";
import { budgetsFrom, type Budgets } from "../../src/runtime/budget.ts";
import { buildWorld, type WorldParts } from "../../src/runtime/build-world.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { TOY_CAPABILITIES, TOY_ENTITIES, TOY_MAP, TOY_TYPES } from "../../src/runtime/maintenance/help-example.ts";
import type { MaintenanceSession } from "../../src/runtime/maintenance/session.ts";
import { callTool, openSession, type Turn } from "../../src/runtime/session.ts";
import { mayConstruct, type Tier } from "../../src/runtime/tier.ts";
import type { ToolAnswer } from "../../src/runtime/tool-answers.ts";
import type { MaintenanceScenario } from "../../src/runtime/maintenance/view.ts";
import { digestOfWorld, type World } from "../../src/runtime/world.ts";

function byId<T extends { readonly id: string }>(items: readonly T[]): Record<string, T> {
  return Object.fromEntries(items.map((item) => [item.id, item]));
}

/** The parts of the toy world that `tier` hands over. */
export function toyParts(tier: Tier): WorldParts {
  return {
    clock: 0,
    map: TOY_MAP,
    types: mayConstruct(tier, "type") ? {} : byId(TOY_TYPES),
    entities: mayConstruct(tier, "entity") ? {} : byId(TOY_ENTITIES),
    capabilities: mayConstruct(tier, "capability") ? {} : byId(TOY_CAPABILITIES),
    invariants: mayConstruct(tier, "type")
      ? []
      : [{ expr: "all(kettle).all(k, k.litres <= 3)", says: "A kettle holds three litres" }],
  };
}

export function built(parts: WorldParts): World {
  const world = buildWorld(parts);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  return world.value;
}

export interface ToyOptions {
  readonly parts?: Partial<WorldParts>;
  readonly narratives?: readonly string[];
  readonly budgets?: Budgets;
}

export function toyScenario(tier: Tier, options: ToyOptions = {}): MaintenanceScenario {
  const narratives = options.narratives ?? ["Ana heats the kettle.", "Ben drinks from it."];
  return {
    track: "maintenance",
    caseId: "toy_001",
    tier,
    unit: "minute",
    world: built({ ...toyParts(tier), ...options.parts }),
    narratives,
    budgets: options.budgets ?? budgetsFrom(narratives.map(() => ({ steps: 40, calls: 60 }))),
  };
}

export function toySession(tier: Tier, options: ToyOptions = {}): MaintenanceSession {
  return openSession(toyScenario(tier, options));
}

export function call(session: MaintenanceSession, tool: string, input: unknown = {}): Turn<MaintenanceSession> {
  return callTool(session, admitCall(tool, input));
}

/** Makes calls one after the other; each must be answered ok. */
export function play(
  session: MaintenanceSession,
  calls: readonly (readonly [tool: string, input: unknown])[],
): MaintenanceSession {
  return calls.reduce((now, [tool, input]) => {
    const turn = call(now, tool, input);
    if (!turn.answer.ok) throw new Error(`${tool} ${JSON.stringify(input)}: ${JSON.stringify(turn.answer)}`);
    return turn.session;
  }, session);
}

/** The refusal of an answer that must be one. */
export function errorOf(answer: ToolAnswer): Extract<ToolAnswer, { ok: false }>["error"] {
  if (answer.ok) throw new Error(`not refused: ${JSON.stringify(answer)}`);
  return answer.error;
}

/** Everything of a session that a bad call must leave as it was: digest, log, constructions, later answers. */
export function essenceOf(session: MaintenanceSession): string {
  const later = [
    call(session, "read_data", { from: "entities" }).answer,
    call(session, "read_data", { from: "log", limit: 100 }).answer,
    call(session, "read_data", { from: "capabilities" }).answer,
    call(session, "commit_step", { triggers: [], advance: 1 }).answer,
    call(session, "end_round").answer,
  ];
  const { world, steps, constructions, round, accepted, rejected, outcome } = session;
  return canonicalJson({
    digest: digestOfWorld(world),
    steps: steps.length,
    constructions: constructions.length,
    round,
    accepted,
    rejected,
    outcome,
    later,
  });
}

export const go = (who: string, to: string) => ({ capability: "go", args: { who, to } });
export const heat = (who: string, k: string) => ({ capability: "heat", args: { who, k } });
export const sweep = (who: string, what: string) => ({ capability: "sweep", args: { who, what } });
