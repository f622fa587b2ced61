/** What a judge would say that is always right, of a run that is played as the reference plays it. */
import type { Case } from "../../../src/cases/index.ts";
import { judgeFolder, readJudgments, readRunFolder } from "../../../src/records/index.ts";
import { entityIds, getEntity, type Tier } from "../../../src/runtime/index.ts";
import { referenceAgent } from "../../../src/agents/reference.ts";
import type { JudgeVerdict, Oracle } from "../../endpoint/scripted/index.ts";
import { planOf, play } from "../../tracks/run-fixture.ts";

/** Plays and judges the reference into `folder`, and knows from then on what is true of every run like it. */
export async function oracleOf(case_: Case, tier: Tier, folder: string): Promise<Oracle> {
  const { path } = await play(planOf(referenceAgent, tier, case_), folder);
  const judged = await judgeFolder(case_, await readRunFolder(path));
  if (!judged.ok) throw new Error(judged.why);
  const { judgments } = (await readJudgments(path)) ?? { judgments: [] };
  const items = case_.contract.rounds.flatMap(({ round, events, structures, probes }) =>
    [...events, ...structures, ...probes].map(({ id, says }) => ({
      id,
      says,
      story: case_.narratives[round - 1] ?? "",
    })),
  );
  const verdictOf = (id: string): JudgeVerdict | undefined => {
    const found = judgments.find(({ item }) => item === id);
    return found && { verdict: found.verdict, triggers: found.triggers, constructions: found.constructions };
  };
  const names = new Map(
    entityIds(case_.world.entities).map((id) => [getEntity(case_.world.entities, id)?.name ?? id, id]),
  );
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
