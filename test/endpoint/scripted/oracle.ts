/** What a judge would say that is always right, of a run that is played as the reference plays it. */
import { solutionOf, type Case } from "../../../src/cases/index.ts";
import { judgeExactly } from "../../../src/contracts/index.ts";
import { marksOf } from "../../../src/records/index.ts";
import { entityIds, getEntity, type Tier } from "../../../src/runtime/index.ts";
import { playCalls } from "../../../src/tracks/index.ts";
import type { JudgeVerdict, Oracle } from "./judge.ts";

/** Plays and judges the reference, and knows from then on what is true of every run like it. */
export function oracleOf(case_: Case, tier: Tier): Oracle {
  const { contract, world, narratives } = case_;
  const { trace } = playCalls(case_, tier, solutionOf(case_, tier));
  const judgments = judgeExactly(contract, marksOf(case_), world, trace, contract.rounds.length);
  const items = contract.rounds.flatMap(({ round, events, structures, probes }) =>
    [...events, ...structures, ...probes].map(({ id, says }) => ({ id, says, story: narratives[round - 1] ?? "" })),
  );
  const verdictOf = (id: string): JudgeVerdict | undefined => {
    const found = judgments.find(({ item }) => item === id);
    return found && { verdict: found.verdict, triggers: found.triggers, constructions: found.constructions };
  };
  const names = new Map(entityIds(world.entities).map((id) => [getEntity(world.entities, id)?.name ?? id, id]));
  return ({ kind, subject, story }) => {
    if (kind === "item") {
      // One sentence may be an item of several rounds: each is asked with the instalment of its own.
      const asked = items.find(({ says, story: told }) => says === subject && story.includes(told.trim()));
      return asked && verdictOf(asked.id);
    }
    const is = names.get(subject);
    return is === undefined ? undefined : { verdict: "found", is };
  };
}
