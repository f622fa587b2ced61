import { describe, expect, it } from "vitest";
import { bytesOf } from "../../src/runtime/page.ts";
import { TOY_MISTAKE, TOY_STEPS, toyConstructs } from "../../src/runtime/maintenance/help-example.ts";
import { helpFor, HELP_TOPICS } from "../../src/runtime/maintenance/help.ts";
import { DEDUCTION_ERROR_CODES, ERROR_CODES } from "../../src/runtime/errors.ts";
import { getEntity } from "../../src/runtime/state/index.ts";
import { TIERS, type Tier } from "../../src/runtime/tier.ts";
import { call, errorOf, toySession } from "./toy-world.ts";

function textOf(tier: Tier, topic: string): string {
  const answer = helpFor(tier, topic);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.text;
}

describe("help", () => {
  it.each(TIERS)("RT38 answers every topic in tier %s with a page under 8 KB that lists all topics", (tier) => {
    for (const topic of HELP_TOPICS) {
      const { answer } = call(toySession(tier), "help", { topic });
      expect(answer).toEqual({ ok: true, topic, text: textOf(tier, topic), topics: [...HELP_TOPICS] });
      expect(bytesOf(answer)).toBeLessThanOrEqual(8_192);
    }
  });

  it("RT100 gives the overview without a topic", () => {
    expect(call(toySession("hard"), "help").answer).toEqual(
      call(toySession("hard"), "help", { topic: "overview" }).answer,
    );
  });

  it("RT100 names the nearest topic where it does not know one", () => {
    expect(errorOf(call(toySession("hard"), "help", { topic: "capability" }).answer)).toEqual({
      code: "unknown_topic",
      message: 'there is no topic "capability"',
      path: "topic",
      hint: 'did you mean "capabilities"?',
    });
  });

  it.each(TIERS)(
    "RT101 holds a toy world whose calls, as printed in tier %s, get the answers that it prints",
    (tier) => {
      const text = textOf(tier, "example");
      let session = toySession(tier);
      for (const { tool, input, answer } of [...toyConstructs(tier), TOY_MISTAKE, ...TOY_STEPS]) {
        expect(text).toContain(`    ${tool} ${JSON.stringify(input)}\n`);
        const turn = call(session, tool, input);
        // where the text quotes an answer, it is the real one; elsewhere the call is accepted
        expect(turn.answer).toEqual(answer ?? { ...turn.answer, ok: true });
        expect(text).toContain(answer === undefined ? "" : `    → ${JSON.stringify(answer)}\n`);
        session = turn.session;
      }
      expect(session.world.clock).toBe(5);
      expect([session.accepted, session.rejected]).toEqual([4, 1]);
      expect(getEntity(session.world.entities, "kettle")).toMatchObject({
        at: "kitchen",
        fields: { hot: true, litres: 2 },
      });
      expect(getEntity(session.world.entities, "ben")).toMatchObject({ at: "kitchen" });
    },
  );

  it.each(TIERS)("RT36 names every error code in tier %s", (tier) => {
    const text = textOf(tier, "errors");
    const ofDeduction: readonly string[] = DEDUCTION_ERROR_CODES;
    expect(ERROR_CODES.filter((code) => !ofDeduction.includes(code) && !text.includes(code))).toEqual([]);
  });

  it("RT42 says plainly what each tier constructs", () => {
    expect(textOf("easy", "construction")).toContain("nothing is constructed");
    expect(textOf("hard", "overview")).toContain(
      "**You construct the capabilities, then act the story out in steps.**",
    );
    expect(textOf("hard", "construction")).not.toContain('"op": "create", "type"');
    expect(textOf("extreme", "construction")).toContain('"op": "create", "type"');
  });

  it.each(["hard", "extreme"] as const)(
    "RT102 says in tier %s what a capability must refuse and what takes part",
    (tier) => {
      const overview = textOf(tier, "overview");
      expect(overview).toContain(
        "A capability must refuse what the rules of the world forbid; one trigger for one doing.",
      );
      expect(overview).toContain("An argument on whose state nothing depends took no part.");
      expect(overview).toContain("What is not told as done need not be done.");
    },
  );
});
