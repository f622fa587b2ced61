import { expect, it } from "vitest";
import { AGENTS } from "../../src/agents/index.ts";
import { idleAgent } from "../../src/agents/idle.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import { horn } from "../tracks/run-fixture.ts";
import { describeAgent } from "./conformance.ts";

it("AG1 each built-in agent is there under a name of its own", () => {
  expect(AGENTS.map(({ name }) => name)).toEqual(["reference", "idle", "lexical"]);
});

describeAgent(referenceAgent, { case: horn, seesCase: true });
describeAgent(idleAgent, { case: horn });
