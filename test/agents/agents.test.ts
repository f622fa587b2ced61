import { expect, it } from "vitest";
import { everythingAgent } from "../../src/agents/everything.ts";
import { idleAgent } from "../../src/agents/idle.ts";
import { AGENTS } from "../../src/agents/index.ts";
import { lastChangeAgent } from "../../src/agents/last-change.ts";
import { persistAgent } from "../../src/agents/persist.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import { rulesAgent } from "../../src/agents/rules.ts";
import { horn, pond } from "../tracks/run-fixture.ts";
import { describeAgent } from "./conformance.ts";

it("AG1 each built-in agent is there under a name of its own", () => {
  expect(AGENTS.map(({ name }) => name)).toEqual([
    "reference",
    "idle",
    "lexical",
    "persist",
    "everything",
    "last-change",
    "rules",
  ]);
});

describeAgent(referenceAgent, { case: horn, deduction: pond, seesCase: true });
describeAgent(idleAgent, { case: horn, deduction: pond });
for (const baseline of [persistAgent, everythingAgent, lastChangeAgent, rulesAgent])
  describeAgent(baseline, { case: horn, deduction: pond, seesCase: true });
