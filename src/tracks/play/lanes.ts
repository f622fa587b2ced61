/** Runs that share something: as many of a lane are under way at once as that bears. All lanes go on at once. */
import type { RunPlan } from "./plan.ts";

export interface Lane {
  readonly name: string;
  readonly concurrency: number;
  /** In the order of the set. */
  readonly plans: readonly RunPlan[];
}

/** The lane of agents that name none: they share this machine. */
const LOCAL = "local";

/**
 * The lanes of a set, in the order in which they first come. Where agents of one lane state different numbers, the least
 * of them holds: none asks more of what they share than it may.
 */
export function lanesOf(plans: readonly RunPlan[], localConcurrency: number): readonly Lane[] {
  const lanes = new Map<string, { concurrency: number; readonly plans: RunPlan[] }>();
  for (const plan of plans) {
    const { name, concurrency } = plan.agent.lane ?? { name: LOCAL, concurrency: localConcurrency };
    const most = Math.max(1, concurrency);
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, { concurrency: most, plans: [plan] });
    else {
      lane.concurrency = Math.min(lane.concurrency, most);
      lane.plans.push(plan);
    }
  }
  return [...lanes].map(([name, lane]) => ({ name, ...lane }));
}
