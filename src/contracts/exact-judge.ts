/** The exact judge: no model; by the marks derived from the reference solution. */
import type { World } from "../runtime/index.ts";
import { auditEvents } from "./audit-events.ts";
import type { CaseContract, EventId } from "./contract.ts";
import { judgeEvents } from "./exact-events.ts";
import { judgeProbe } from "./exact-probes.ts";
import { judgeStructure } from "./exact-structures.ts";
import type { Judgment } from "./judgment.ts";
import { relevantPaths, type CaseMarks } from "./marks.ts";
import { participationIn } from "./participation.ts";
import type { HeldEvent } from "./relations.ts";
import type { Trace } from "./trace.ts";

/**
 * Judges every event, structure and probe of the rounds that were begun: round by round, in the order of the contract.
 * `full` is the case's world as easy sees it. Deterministic: same trace and contract, same judgments.
 */
export function judgeExactly(
  contract: CaseContract,
  marks: CaseMarks,
  full: World,
  trace: Trace,
  roundsPlayed: number,
): readonly Judgment[] {
  const participation = participationIn(trace, relevantPaths(marks));
  const held = new Map<EventId, HeldEvent>();
  return contract.rounds.slice(0, roundsPlayed).flatMap((round) => {
    const events = judgeEvents(round, marks, trace, participation);
    const audited = auditEvents(round, new Map(events.map((one) => [one.item as string, one])), trace, participation);
    for (const event of audited.held) held.set(event.id, event);
    const structures = round.structures.map((item) =>
      judgeStructure(item, round.round, { held, trace, marks, participation, full }),
    );
    const probes = round.probes.map((item) => judgeProbe(item, round.round, held, trace));
    return [...events, ...structures, ...probes];
  });
}
