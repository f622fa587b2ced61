import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCase, type Case } from "../../src/cases/index.ts";
import { isScored, itemsOf } from "../../src/contracts/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import { knownEdits } from "../../src/tracks/maintenance/admission/known-edits.ts";
import { scoreOfTrace } from "../../src/tracks/maintenance/admission/play.ts";

const loaded = loadCase(join(import.meta.dirname, "../fixtures/cases/horn"));
if (!loaded.ok) throw new Error("the horn fixture has faults");
const horn: Case = loaded.value;

describe("known edits", () => {
  it.each(TIERS)(
    "in %s every item is there satisfied and broken, and the exact judge of the whole play says so",
    (tier) => {
      const edits = [...knownEdits(horn, tier)];
      const judged = itemsOf(horn.contract).filter((item) => "EAP".includes(item.kind) && isScored(item, tier));
      expect(edits.filter(({ truth }) => truth === "pass").map(({ item }) => item)).toEqual(judged.map(({ id }) => id));
      expect(new Set(edits.filter(({ truth }) => truth === "fail").map(({ item }) => item))).toEqual(
        new Set(judged.map(({ id }) => id)),
      );
      for (const { item, truth, trace, says } of edits) {
        const score = scoreOfTrace(horn, tier, trace, horn.contract.rounds.length);
        expect([item, says, score.items.find(({ id }) => id === item)?.status]).toEqual([item, says, truth]);
      }
    },
  );

  it("breaks an event by doing it wrongly or not at all, never by what makes the play collapse before it", () => {
    const events = [...knownEdits(horn, "hard")].filter(({ kind, truth }) => kind === "E" && truth === "fail");
    expect(events).toHaveLength(9);
    for (const { item, says } of events) expect(says === `without ${item}` || !says.startsWith("without ")).toBe(true);
    expect(new Set(events.map(({ says }) => says)).size).toBe(events.length);
  });

  it("takes no more items of a kind than it is asked for, and the same ones each time", () => {
    const first = [...knownEdits(horn, "hard", { perKind: 2 })];
    expect(first.filter(({ truth, kind }) => truth === "pass" && kind === "E")).toHaveLength(2);
    const names = (edits: typeof first) => edits.map(({ item, truth, says }) => [item, truth, says]);
    expect(names([...knownEdits(horn, "hard", { perKind: 2 })])).toEqual(names(first));
  });
});
