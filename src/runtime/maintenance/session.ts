/** The session of maintenance: an agent acts a story out in steps, instalment by instalment. */
import type { AdmittedCall } from "../admit.ts";
import { append, emptyLog, type AppendLog } from "../append-log.ts";
import { NOTHING_USED, type Used } from "../budget.ts";
import type { Json } from "../canonical.ts";
import { construct, refuseByTier } from "./construct.ts";
import { contextOf, instalmentOf } from "./context.ts";
import { unreachable, type Result, type ToolError } from "../errors.ts";
import { helpFor } from "./help.ts";
import { parseInput } from "../parse-input.ts";
import type { StepRecord } from "../numbered.ts";
import { shelfOf } from "../query-sources.ts";
import { readShelf } from "../query.ts";
import type { AcceptedStep, Construction, RejectedStep, RoundEnd } from "../record.ts";
import { fittingError } from "../fitting-error.ts";
import { acceptedAnswer } from "./step-answer.ts";
import { commitStep } from "../step.ts";
import type { ConstructAnswer, EndRoundAnswer, ToolAnswer } from "../tool-answers.ts";
import {
  constructInputSchema,
  contextInputSchema,
  endRoundInputSchema,
  helpInputSchema,
  readInputSchema,
  stepInputSchema,
  TOOLS,
  type StepInput,
  type ToolName,
} from "../tools.ts";
import { refused, takeCall, type SessionOutcome, type Turn as TurnOf } from "../turn.ts";
import { viewOf, type MaintenanceScenario, type View } from "./view.ts";
import { digestOfWorld, type World } from "../world.ts";

export interface MaintenanceSession {
  readonly scenario: MaintenanceScenario;
  readonly outcome: SessionOutcome;
  /** The present round, from 1. */
  readonly round: number;
  readonly world: World;
  /** Accepted and refused steps in the order in which they were submitted. */
  readonly steps: AppendLog<StepRecord>;
  readonly constructions: AppendLog<Construction>;
  /** Steps of the run, and of the present round. */
  readonly accepted: number;
  readonly rejected: number;
  readonly acceptedInRound: number;
  readonly rejectedInRound: number;
  readonly used: Used;
}

type Turn = TurnOf<MaintenanceSession>;

export function openMaintenance(scenario: MaintenanceScenario): MaintenanceSession {
  if (scenario.narratives.length === 0 || scenario.budgets.rounds.length !== scenario.narratives.length) {
    throw new Error(`openSession: ${scenario.caseId} needs one narrative and one budget a round`);
  }
  return {
    scenario,
    outcome: { kind: "playing" },
    round: 1,
    world: scenario.world,
    steps: emptyLog(),
    constructions: emptyLog(),
    accepted: 0,
    rejected: 0,
    acceptedInRound: 0,
    rejectedInRound: 0,
    used: NOTHING_USED,
  };
}

/** Answers one call. Never throws; a refused call changes nothing but what is counted. */
export function callMaintenance(session: MaintenanceSession, call: AdmittedCall): Turn {
  return takeCall(session, call, {
    allowanceOf: (now) => presentView(now).allowance,
    answer: (counted, { tool, input }) => answerTool(counted, presentView(counted), tool, input),
    refuse: refuseBroken,
  });
}

/** A step that broke inside is refused as any other: one record, and counted. What is no step leaves no record. */
function refuseBroken(
  session: MaintenanceSession,
  { tool, input }: { readonly tool: ToolName; readonly input: Json },
  error: ToolError,
): Turn {
  const parsed = tool === "commit_step" ? parseInput(TOOLS.commit_step, stepInputSchema, input) : undefined;
  return parsed?.ok === true ? rejected(countStep(session), parsed.value, error) : refused(session, error);
}

function answerTool(session: MaintenanceSession, view: View, tool: ToolName, input: Json): Turn {
  switch (tool) {
    case "help": {
      const parsed = parseInput(TOOLS.help, helpInputSchema, input);
      return reading(session, parsed.ok ? helpFor(view.tier, parsed.value.topic) : parsed);
    }
    case "get_context": {
      const parsed = parseInput(TOOLS.get_context, contextInputSchema, input);
      const standing = {
        step: session.accepted,
        rejected: session.rejected,
        clock: session.world.clock,
        used: session.used,
      };
      return reading(session, parsed.ok ? contextOf(view, standing, parsed.value) : parsed);
    }
    case "read_data": {
      const parsed = parseInput(TOOLS.read_data, readInputSchema, input);
      return reading(session, parsed.ok ? readShelf(shelfOf(parsed.value.from, session), parsed.value) : parsed);
    }
    case "construct":
      return constructing(session, view, input);
    case "commit_step": {
      const parsed = parseInput(TOOLS.commit_step, stepInputSchema, input);
      return parsed.ok ? stepping(session, parsed.value) : refused(session, parsed.error);
    }
    case "end_round": {
      const parsed = parseInput(TOOLS.end_round, endRoundInputSchema, input);
      return parsed.ok ? endingRound(session) : refused(session, parsed.error);
    }
    default:
      return unreachable(tool);
  }
}

function reading(session: MaintenanceSession, result: Result<ToolAnswer>): Turn {
  return result.ok ? { session, answer: result.value } : refused(session, result.error);
}

function constructing(session: MaintenanceSession, { tier }: View, input: Json): Turn {
  const allowed = refuseByTier(tier);
  if (!allowed.ok) return refused(session, allowed.error);
  const parsed = parseInput(TOOLS.construct, constructInputSchema, input);
  if (!parsed.ok) return refused(session, parsed.error);
  const made = construct(
    { tier, world: session.world, steps: session.steps, constructions: session.constructions },
    parsed.value,
  );
  if (!made.ok) return refused(session, made.error);
  const { op, item, world } = made.value;
  const record: Construction = {
    kind: "construction",
    construction: session.constructions.length + 1,
    round: session.round,
    afterStep: session.accepted,
    op,
    item,
    digest: digestOfWorld(world),
  };
  const version = item.level === "capability" && item.now !== null ? { version: item.now.version } : {};
  const answer: ConstructAnswer = {
    ok: true,
    construction: record.construction,
    op,
    level: item.level,
    id: item.id,
    ...version,
  };
  return { session: { ...session, world, constructions: append(session.constructions, record) }, answer, record };
}

function stepping(session: MaintenanceSession, input: StepInput): Turn {
  const counted = countStep(session);
  const step = commitStep(session.world, input, { step: session.accepted + 1, round: session.round });
  return step.ok ? accepted(counted, step.value.world, step.value.record) : rejected(counted, input, step.error);
}

function countStep(session: MaintenanceSession): MaintenanceSession {
  return { ...session, used: { ...session.used, steps: session.used.steps + 1 } };
}

function rejected(session: MaintenanceSession, input: StepInput, why: ToolError): Turn {
  const error = fittingError(why);
  const record: RejectedStep = {
    kind: "rejected",
    step: `r${session.rejected + 1}`,
    round: session.round,
    start: session.world.clock,
    triggers: input.triggers.map(({ capability, args }) => ({ capability, args })),
    error,
  };
  const next = {
    ...session,
    steps: append<StepRecord>(session.steps, record),
    rejected: session.rejected + 1,
    rejectedInRound: session.rejectedInRound + 1,
  };
  return { session: next, answer: { ok: false, error }, record };
}

function accepted(session: MaintenanceSession, world: World, record: AcceptedStep): Turn {
  const next = {
    ...session,
    world,
    steps: append<StepRecord>(session.steps, record),
    accepted: session.accepted + 1,
    acceptedInRound: session.acceptedInRound + 1,
  };
  return { session: next, answer: acceptedAnswer(record), record };
}

function endingRound(session: MaintenanceSession): Turn {
  const { round, world, acceptedInRound: steps, rejectedInRound: rejected } = session;
  const { clock } = world;
  const record: RoundEnd = { kind: "round_end", round, steps, rejected, clock, digest: digestOfWorld(world) };
  const next = viewOf(session.scenario, round + 1);
  const closed = { ok: true, round, steps, rejected, clock } as const;
  if (next === undefined) {
    const answer: EndRoundAnswer = { ...closed, finished: true };
    return { session: { ...session, outcome: { kind: "finished" } }, answer, record };
  }
  const instalment = instalmentOf(next.round, next.instalments[round] as string);
  const answer: EndRoundAnswer = { ...closed, finished: false, next: instalment };
  const used: Used = { ...session.used, steps: 0, calls: 0 };
  return { session: { ...session, round: next.round, acceptedInRound: 0, rejectedInRound: 0, used }, answer, record };
}

function presentView(session: MaintenanceSession): View {
  const view = viewOf(session.scenario, session.round);
  if (view === undefined) throw new Error(`presentView: no round ${session.round}`);
  return view;
}
