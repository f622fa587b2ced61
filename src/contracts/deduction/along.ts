/** The baselines along the trajectory of a run: what each would have answered where the agent stood. */
import { sameJson, type Changes, type SpanRecord } from "../../runtime/index.ts";
import { BASELINE_NAMES, type BaselineName } from "./baselines/baseline.ts";
import type { Prediction } from "./baselines/knowledge.ts";
import { walk, type Walk, type WalkedSpan, type Way } from "./walk.ts";

/** A way with the records of who took it. */
export interface Trajectory extends Way {
  readonly spans: readonly SpanRecord[];
}

/** A trajectory walked again, and its spans as if each baseline had answered them. */
export interface Along {
  readonly walked: Walk;
  readonly spans: Readonly<Record<BaselineName, readonly SpanRecord[]>>;
}

/**
 * The baselines along a trajectory. The agent's actions stay; only the answers are the baselines'. Throws where the
 * records are not of this trajectory: a score is only as good as what it is made from.
 */
export function baselinesAlong(trajectory: Trajectory): Along {
  const walked = walk(trajectory);
  trajectory.spans.forEach((span, i) => refuseOther(span, walked.spans[i] as WalkedSpan));
  const answered = BASELINE_NAMES.map((name) => [
    name,
    trajectory.spans.map((span, i) => answeredBy(walked.said[name][i] as Prediction, span)),
  ]);
  return { walked, spans: Object.fromEntries(answered) as Along["spans"] };
}

function answeredBy({ predictions, fires }: Prediction, span: SpanRecord): SpanRecord {
  return { ...span, submitted: predictions, fires: { ...span.fires, predicted: [...fires] } };
}

/** The records hold what is true of a counterfactual and not which it was: that both are of one question shows here. */
function refuseOther({ round, truth }: SpanRecord, { questions }: WalkedSpan): void {
  for (const kind of ["action", "happening"] as const) {
    if (isSame(truth[kind], questions[kind]?.truth)) continue;
    throw new Error(`baselinesAlong: round ${round} has another truth of the counterfactual (${kind}) than its rules`);
  }
}

function isSame(recorded: Changes | undefined, found: Changes | undefined): boolean {
  return recorded === undefined || found === undefined ? recorded === found : sameJson(recorded, found);
}
