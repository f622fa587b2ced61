/**
 * One agent's play of one scenario, as a pure reducer: a session and a call give the next session, the answer, and
 * what is to be recorded. The same scenario and the same calls give the same answers, byte for byte.
 */
import type { AdmittedCall } from "./admit.ts";
import { callDeduction, openDeduction, type DeductionSession } from "./deduction/session.ts";
import type { DeductionScenario } from "./deduction/scenario.ts";
import { callMaintenance, openMaintenance, type MaintenanceSession } from "./maintenance/session.ts";
import type { SessionOutcome, Turn as TurnOf } from "./turn.ts";
import type { MaintenanceScenario } from "./maintenance/view.ts";

export type Scenario = MaintenanceScenario | DeductionScenario;
export type Session = MaintenanceSession | DeductionSession;
/** What one call comes to. */
export type Turn<S extends Session = Session> = TurnOf<S>;

/** The session that a scenario is played in. */
type SessionOf<S extends Scenario> = S extends MaintenanceScenario ? MaintenanceSession : DeductionSession;

export function openSession<S extends Scenario>(scenario: S): SessionOf<S>;
export function openSession(scenario: Scenario): Session {
  return scenario.track === "maintenance" ? openMaintenance(scenario) : openDeduction(scenario);
}

export function isDeduction(session: Session): session is DeductionSession {
  return session.scenario.track === "deduction";
}

export function outcomeOf(session: Session): SessionOutcome {
  return session.outcome;
}

export function isOver(session: Session): boolean {
  return session.outcome.kind !== "playing";
}

/**
 * Answers one call. A refused call changes nothing but what is counted. Never throws: a fault of this program is
 * answered with `internal_error`, and the turn says in `internal` what was thrown.
 */
export function callTool<S extends Session>(session: S, call: AdmittedCall): Turn<S>;
export function callTool(session: Session, call: AdmittedCall): Turn {
  return isDeduction(session) ? callDeduction(session, call) : callMaintenance(session, call);
}
