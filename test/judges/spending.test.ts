import { expect, it } from "vitest";
import { addJudgeAnswer, lostWith, tokensOfJudgeAnswer } from "../../src/judges/spending.ts";
import { NOTHING_SPENT, type EndpointFault, type JudgeAnswer, type Usage } from "../../src/records/index.ts";

const usage = (total: number): Usage => ({ input: total, cachedInput: 0, output: 0, reasoning: 0, total });
const price = (told: Usage | null): number | null => (told === null ? null : told.total / 2);

const answer: JudgeAnswer = {
  v: 1,
  question: "item gate_shut",
  vote: 1,
  attempt: 1,
  prompt: "0".repeat(64),
  raw: "{}",
  finish: "stop",
  model: "tiny",
  usage: usage(10),
  cached: false,
  fault: null,
};

const fault: EndpointFault = { kind: "bad_answer", status: 200, code: null, message: "no choices" };

it("an answer counts with what was told by the attempts before it", () => {
  const attempts = [usage(100), undefined, usage(20)].map((told) => ({
    fault: { ...fault, ...(told === undefined ? {} : { tokens: told.total, usage: told }) },
    waitMs: 0,
  }));
  const line = { ...answer, ...lostWith(attempts) };
  expect(addJudgeAnswer(NOTHING_SPENT, line, price)).toEqual({
    ...NOTHING_SPENT,
    answers: 1,
    tokens: 130,
    costUsd: 65,
  });
  expect(tokensOfJudgeAnswer(line)).toBe(130);
});

it("a fault is no answer, and what came with it counts all the same; an estimate has no price", () => {
  const told = { ...answer, raw: null, usage: null, fault: { ...fault, tokens: 8, usage: usage(8) } };
  expect(addJudgeAnswer(NOTHING_SPENT, told, price)).toEqual({ ...NOTHING_SPENT, tokens: 8, costUsd: 4 });
  const estimated = { ...told, fault: { ...fault, tokens: 8 } };
  expect(addJudgeAnswer(NOTHING_SPENT, estimated, price)).toEqual({ ...NOTHING_SPENT, tokens: 8, unpriced: 1 });
  expect(addJudgeAnswer(NOTHING_SPENT, { ...told, fault }, price)).toEqual(NOTHING_SPENT);
});

it("what the cache brought is free", () => {
  expect(addJudgeAnswer(NOTHING_SPENT, { ...answer, cached: true }, price)).toEqual(NOTHING_SPENT);
});
