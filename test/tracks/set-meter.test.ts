import { expect, it } from "vitest";
import { idleAgent } from "../../src/agents/idle.ts";
import type { FaultBody } from "../../src/records/index.ts";
import type { Agent } from "../../src/tracks/index.ts";
import { SetMeter } from "../../src/tracks/play/set-meter.ts";

const agent: Agent = {
  name: "lost",
  says: "Is never answered.",
  settings: {},
  play: idleAgent.play,
};

it("a budget of tokens stops at what was told with requests that brought no answer", () => {
  const usage = { input: 600, cachedInput: 0, output: 0, reasoning: 0, total: 600 };
  const fault = { kind: "bad_answer", status: 200, code: null, message: "no choices", tokens: 600, usage } as const;
  const line: FaultBody = { kind: "fault", request: 1, fault, attempts: [{ fault, waitMs: 0 }] };
  const meter = new SetMeter({ tokens: 1000 }, ({ usage: told }) => (told?.total ?? 0) / 100, undefined);
  expect(meter.reached).toBeUndefined();
  meter.takeFault(line, agent);
  expect(meter.reached).toEqual({ kind: "budget", which: "set_tokens", setting: 1000, measured: 1200 });
  expect(meter.spent).toMatchObject({ answers: 0, tokens: 1200, costUsd: 12, unpriced: 0 });
});
