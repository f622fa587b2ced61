/** The long log: plays of all tiers and modes, each call with what it came to, as data that other processes play again. */
import { admitCall, admitText } from "../../../src/runtime/admit.ts";
import { buildWorld, type WorldParts } from "../../../src/runtime/build-world.ts";
import type { Condition, Mode } from "../../../src/runtime/deduction/scenario.ts";
import { deductionBudgets, plannedRounds } from "../../../src/runtime/deduction/scenario.ts";
import { sha256 } from "../../../src/runtime/digest.ts";
import { compileDynamics, type DynamicsParts } from "../../../src/runtime/dynamics/compile-dynamics.ts";
import { compileCondition } from "../../../src/runtime/expression/index.ts";
import { callTool, openSession, type Session, type Turn } from "../../../src/runtime/session.ts";
import type { Tier } from "../../../src/runtime/tier.ts";
import { soundTurn } from "../../../src/runtime/turn.ts";
import { digestOfWorld } from "../../../src/runtime/world.ts";

/** What a case hands over, as plain data. */
export type CaseParts =
  | {
      readonly track: "maintenance";
      readonly tier: Tier;
      readonly world: WorldParts;
      readonly narratives: readonly string[];
    }
  | {
      readonly track: "deduction";
      readonly mode: Mode;
      readonly condition: Condition;
      readonly world: WorldParts;
      readonly rules: DynamicsParts;
      readonly goal: string;
    };

/** One call and what it came to. An input that is a text is the raw text of JSON, or of no JSON. */
export interface LoggedCall {
  readonly tool: string;
  readonly input: unknown;
  /** SHA-256 of the answer as it is sent. */
  readonly answer: string;
  /** The digest of the world after the call. */
  readonly digest: string;
}

export interface LoggedPlay {
  readonly name: string;
  readonly parts: CaseParts;
  readonly calls: readonly LoggedCall[];
}

/** What is held to the log. The planted faults of the tests are variants of it. */
export interface Engine {
  readonly open: (parts: CaseParts) => Session;
  readonly call: (session: Session, tool: string, input: unknown) => Turn;
  /** The digest after a turn, of which `before` was the digest before it. */
  readonly digest: (turn: Turn, before: string) => string;
}

export const ENGINE: Engine = {
  open: openParts,
  call: (session, tool, input) =>
    soundTurn(callTool(session, typeof input === "string" ? admitText(tool, input) : admitCall(tool, input))),
  digest: ({ session }) => digestOfWorld(session.world),
};

export const hashOfAnswer = ({ answer }: Turn): string => sha256(JSON.stringify(answer));

/** Many calls and steps a round, so that a budget is met but ends no play before its time. */
const ROUND = { steps: 700, calls: 900 };

function openParts(parts: CaseParts): Session {
  const built = buildWorld(parts.world);
  if (!built.ok) throw new Error(JSON.stringify(built.error));
  const world = built.value;
  if (parts.track === "maintenance") {
    const { tier, narratives } = parts;
    const budgets = { rounds: narratives.map(() => ROUND), runCalls: 2 * ROUND.calls * narratives.length };
    return openSession({
      track: "maintenance",
      caseId: "village_001",
      tier,
      unit: "minute",
      world,
      narratives,
      budgets,
    });
  }
  const { mode, condition, rules } = parts;
  const dynamics = compileDynamics(world, rules);
  if (!dynamics.ok) throw new Error(JSON.stringify(dynamics.error));
  const holds = compileCondition(world, parts.goal);
  if (!holds.ok) throw new Error(holds.error.message);
  return openSession({
    track: "deduction",
    caseId: "pond_base",
    mode,
    condition,
    unit: "hour",
    intro: "Mara keeps the mill; Jon comes and goes.",
    goal: { says: "At the end the pond is nearly full.", holds: holds.value },
    world,
    dynamics: dynamics.value,
    budgets: deductionBudgets(plannedRounds(dynamics.value, mode)),
  });
}
