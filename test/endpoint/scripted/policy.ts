/**
 * What the model behind the scripted endpoint says. A policy decides from the request alone and remembers nothing:
 * a conversation that is taken up again goes on as it would have.
 */
import type { Json } from "../../../src/runtime/index.ts";
import type { SeenRequest } from "./wire.ts";

export interface PolicyCall {
  readonly tool: string;
  readonly input: Json;
}

/** An answer as a model would like to give it. */
export interface PolicyAnswer {
  readonly text?: string;
  readonly calls?: readonly PolicyCall[];
  /** What it says about how it ended; "tool_calls" or "stop" where left out. */
  readonly finish?: string;
}

export type Policy = (request: SeenRequest) => PolicyAnswer;

/** Gives these answers, one a turn, and says so when there are none left. */
export function scripted(answers: readonly PolicyAnswer[]): Policy {
  return ({ turn }) => answers[turn] ?? { text: "There is nothing left that I was told to say." };
}

/** Talks and never acts. */
export const chatty: Policy = ({ turn }) => ({ text: `What a story! I have now thought about it ${turn + 1} times.` });

/** Ends every round at once. */
export const idle: Policy = () => ({ calls: [{ tool: "end_round", input: {} }] });

/** Reads the same page for ever. */
export const looper: Policy = () => ({ calls: [{ tool: "read_data", input: { from: "entities" } }] });

/** Answers each request as the first policy that has anything to say. */
export function firstOf(...policies: readonly ((request: SeenRequest) => PolicyAnswer | undefined)[]): Policy {
  return (request) => {
    for (const policy of policies) {
      const answer = policy(request);
      if (answer !== undefined) return answer;
    }
    return { text: "I do not know what to say to this." };
  };
}
