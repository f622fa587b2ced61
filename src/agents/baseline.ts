/**
 * A baseline of deduction as an agent: it waits, and answers every question by one of the predictors that scoring runs
 * along every trajectory. All it knows of how a world stands it reads through the tools, as any player must.
 */
import { BASELINES, NO_MEMORY, type BaselineName, type Memory, type Past } from "../contracts/index.ts";
import { WAIT } from "../runtime/index.ts";
import type { Agent, DeductionContext } from "../tracks/index.ts";
import { beginningOf, endRound, readEntities, type Play, type Round } from "./baseline/ask.ts";
import { observedOf, submissionOf } from "./baseline/known.ts";

export function baselineAgent(name: BaselineName, says: string): Agent {
  return {
    name,
    says,
    settings: { v: 1, predictor: name },
    refuses: ({ track }) =>
      track === "deduction" ? undefined : "it foretells how a world goes on, and maintenance asks for deeds",
    async *play(context) {
      if (context.track !== "deduction") return { outcome: "stopped", detail: "it does not play this track" };
      const fault = yield* playRounds(name, context);
      return fault === undefined ? undefined : { outcome: "stopped", detail: fault };
    },
  };
}

/** Plays round after round. Returns what a refusal said, where one came that no baseline should meet. */
async function* playRounds(name: BaselineName, { case: case_, mode }: DeductionContext): Play<string | undefined> {
  const { dynamics } = case_;
  const predict = BASELINES[name];
  const [world] = Object.values(case_.worlds);
  if (world === undefined) throw new Error(`playRounds: ${case_.id} has no world`);
  const begun = yield* beginningOf();
  if (!begun.ok) return begun.error;
  let round: Round | undefined = begun.value;
  let observed = observedOf({ world, dynamics }, yield* readEntities(), round.clock);
  let memory: Memory = NO_MEMORY;
  const history: Past[] = [];
  while (round !== undefined) {
    const { from, to, asked } = round;
    const knowledge = { mode, dynamics, types: world.types, round: round.round, from, to, observed, history, asked };
    const prediction = predict({ ...knowledge, action: WAIT }, memory);
    memory = prediction.memory;
    const submitted = yield { tool: "commit_step", input: submissionOf(mode, prediction) };
    if (!submitted.ok) return submitted.error.message;
    const ended = yield* endRound();
    if (!ended.ok) return ended.error;
    round = ended.value;
    // Where nobody acts nothing new is ever seen.
    if (round === undefined || mode === "M1") continue;
    const after = observedOf({ world, dynamics }, yield* readEntities(), round.clock);
    history.push({ from, to, action: WAIT, before: observed, after });
    observed = after;
  }
  return undefined;
}
