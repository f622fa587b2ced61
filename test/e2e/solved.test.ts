/** A scripted model plays the reference of a whole case through the chat loop: the best that there is scores 1. */
import { expect, it } from "vitest";
import { judgeSet } from "../../src/judges/index.ts";
import { openEndpoint } from "../../src/endpoint/index.ts";
import { readRunFolder } from "../../src/records/index.ts";
import { systemClock } from "../../src/tracks/index.ts";
import { firstOf, judgeByOracle, obliging, oracleOf, solver, type Policy } from "../endpoint/scripted/index.ts";
import { serve, settingsOf, surroundingsOf } from "./support/model.ts";
import { caseAt, playModel, sayScore } from "./support/play.ts";
import { guardedFolder } from "./support/secret.ts";

const ark = caseAt("cases/maintenance/ark_001");

it.each([
  ["easy", false, 1],
  ["easy", true, "round"],
  ["hard", false, "round"],
  ["hard", true, 4],
] as const)(
  "ark_001 in %s (stream: %s, calls a message: %s): all items pass, all relations hold, nothing is put up with",
  async (tier, stream, parallel) => {
    const endpoint = await serve({ policy: solver([ark], { parallel }) });
    const { outcome, score, isWhole, tolerated } = await playModel(
      ark,
      tier,
      settingsOf(endpoint.url, { stream }),
      guardedFolder(),
    );
    expect({ outcome, isWhole, tolerated }).toEqual({ outcome: "finished", isWhole: true, tolerated: [] });
    expect(score).not.toEqual(["0/0", "0/0"]);
  },
);

it.each([
  [false, "round"],
  [true, 4],
] as const)(
  "ark_001 in extreme (stream: %s, calls a message: %s): so says a judge that knows",
  async (stream, parallel) => {
    const judge = judgeByOracle(oracleOf(ark, "extreme"));
    const policy: Policy = firstOf(obliging, judge, solver([ark], { parallel }));
    const { url } = await serve({ policy });
    const asked = settingsOf(url, { stream });
    const folder = guardedFolder();
    const { outcome, path, score } = await playModel(ark, "extreme", asked, folder);
    // The exact judge does not judge worlds whose ids are the agent's own.
    expect([outcome, score]).toEqual(["finished", undefined]);

    const judged = await judgeSet([{ case: ark, record: await readRunFolder(path) }], {
      judge: { name: "model", model: asked.model, votes: 1 },
      endpoint: openEndpoint(asked.endpoint, asked.model, surroundingsOf()),
      as: "model",
      concurrency: 4,
      clock: systemClock,
      sync: false,
    });
    const [run] = judged.runs;
    if (run?.result.kind !== "judged") throw new Error(JSON.stringify(run));
    const failed = run.result.score.items.filter(({ status }) => status !== "pass");
    expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    const [completion, relation] = sayScore(run.result.score);
    expect([completion.split("/")[0], relation.split("/")[0]]).toEqual([
      completion.split("/")[1],
      relation.split("/")[1],
    ]);
  },
);
