import type { Case } from "../cases/index.ts";
import type { Outcome } from "../records/index.ts";
import type { Json, Tier, ToolAnswer } from "../runtime/index.ts";

/** A call as an agent makes it: whatever it likes, admitted or refused at the border. */
export interface AgentCall {
  readonly tool: unknown;
  readonly input?: unknown;
}

/** Why an agent stopped before the case was finished. */
export interface AgentEnd {
  readonly outcome: Outcome;
  readonly detail?: Json;
}

/** What an agent is told of a run beside what the tools tell it. */
export interface AgentContext {
  readonly tier: Tier;
  /** The whole case. Only agents that are no models under test may look into it: `reference` does. */
  readonly case: Case;
}

/**
 * An agent under test: it makes one call after another and is given each answer. The same answers must lead to the
 * same calls, since a run is resumed by giving it the logged answers again.
 */
export type AgentPlay = (context: AgentContext) => AsyncGenerator<AgentCall, AgentEnd | undefined, ToolAnswer>;

export interface Agent {
  /** Part of a run's id: `[a-z][a-z0-9_-]*`. */
  readonly name: string;
  /** One sentence. */
  readonly says: string;
  /** Everything that can change what it does. */
  readonly settings: { readonly [key: string]: Json };
  /** Why it does not play a tier, or undefined where it does. */
  readonly refusesTier?: (tier: Tier) => string | undefined;
  readonly play: AgentPlay;
}
