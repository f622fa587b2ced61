import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addAnswer,
  addSpending,
  createRunFolder,
  NOTHING_SPENT,
  spendingOfLog,
  spendingOfSet,
  tokensOf,
  type AnswerBody,
  type EndpointFault,
  type Usage,
} from "../../src/records/index.ts";
import { answerBody, journalBodies, manifest, sampleBodies, tempFolder, thrown, writeLog } from "./fixtures.ts";

const usage = (total: number): Usage => ({ input: total, cachedInput: 0, output: 0, reasoning: 0, total });
const priced = ({ usage: told }: AnswerBody): number | null => (told === null ? null : told.total / 4);
const free = (): null => null;

const answer: fc.Arbitrary<AnswerBody> = fc
  .tuple(fc.option(fc.integer({ min: 0, max: 5000 })), fc.option(fc.integer({ min: 0, max: 5000 })), fc.boolean())
  .map(([told, estimate, isTold]) =>
    isTold && told !== null
      ? answerBody(1, usage(told))
      : answerBody(1, null, estimate === null ? {} : { estimatedTokens: estimate }),
  );

async function logOf(bodies: Parameters<typeof writeLog>[1]): Promise<string> {
  const path = join(tempFolder(), "log.jsonl");
  await writeLog(path, bodies);
  return path;
}

describe("what a run has spent", () => {
  it("RC16 is the sum over the answers of its log, and over nothing else in it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 8 }), async (answers) => {
        const path = await logOf([...sampleBodies(3), ...answers.flatMap((one) => [one, ...sampleBodies(3)])]);
        const expected = answers.reduce((sums, one) => addAnswer(sums, one, priced(one)), NOTHING_SPENT);
        expect(await spendingOfLog(path, priced)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("RC16 counts apart what is not known: estimates, answers without either, and costs without a price", async () => {
    const answers = [answerBody(1, usage(100)), answerBody(2, null, { estimatedTokens: 40 }), answerBody(3, null)];
    const path = await logOf(answers);
    expect(answers.map(tokensOf)).toEqual([
      { tokens: 100, estimated: false },
      { tokens: 40, estimated: true },
      { tokens: null, estimated: false },
    ]);
    const sums = { answers: 3, tokens: 140, estimated: 1, untold: 1, costUsd: 25, unpriced: 2 };
    expect(await spendingOfLog(path, priced)).toEqual(sums);
    expect(await spendingOfLog(path, free)).toEqual({ ...sums, costUsd: 0, unpriced: 3 });
  });

  it("takes no text for an answer that only speaks of one", async () => {
    const text = JSON.stringify(answerBody(1, usage(7)));
    const path = await logOf([
      { kind: "message", role: "user", text },
      { kind: "note", text: '"kind":"answer"' },
      {
        kind: "call",
        tool: "help",
        input: { kind: "answer" },
        answer: { kind: "answer", request: 1 },
        digest: "a".repeat(64),
      },
    ]);
    expect(await spendingOfLog(path, priced)).toEqual(NOTHING_SPENT);
  });

  it("RC16 counts what was told with attempts and requests that brought no answer", async () => {
    const fault = (tokens: number, isTold: boolean): EndpointFault => ({
      kind: "bad_answer",
      status: 200,
      code: null,
      message: "no choices",
      tokens,
      ...(isTold ? { usage: usage(tokens) } : {}),
    });
    const silent: EndpointFault = { kind: "timeout", status: null, code: null, message: "late" };
    const attempts = [fault(100, true), silent, fault(20, false)].map((one) => ({ fault: one, waitMs: 0 }));
    const path = await logOf([
      answerBody(1, usage(1), { attempts }),
      { kind: "fault", request: 2, fault: fault(4000, true), attempts: [{ fault: fault(300, true), waitMs: 1 }] },
    ]);
    expect(await spendingOfLog(path, priced)).toEqual({
      answers: 1,
      tokens: 4421,
      estimated: 0,
      untold: 0,
      costUsd: 4401 / 4,
      unpriced: 1,
    });
  });

  it("RC16 passes over a torn line and a damaged one: what was paid for the others was paid", async () => {
    const path = await logOf([answerBody(1, usage(1)), answerBody(2, usage(10)), answerBody(3, usage(100))]);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"request":2', '"request":"two"'));
    appendFileSync(path, text.split("\n")[1]?.slice(0, 60) ?? "");
    expect(await spendingOfLog(path, priced)).toMatchObject({ answers: 2, tokens: 101 });
  });

  it("is one clear error where the log is not there", async () => {
    const path = join(tempFolder(), "log.jsonl");
    expect((await thrown("missing", () => spendingOfLog(path, priced))).where).toBe(path);
  });
});

describe("what a set has spent", () => {
  it("RC16 is the sum over its runs, each by the price of its agent; what is no run is passed over", async () => {
    const set = join(tempFolder(), "set");
    expect(await spendingOfSet(set, () => 1)).toEqual(NOTHING_SPENT);
    for (const [i, name] of ["dear", "cheap"].entries()) {
      const folder = await createRunFolder(set, { ...manifest, agent: { name, settings: {} } }, { sync: false });
      for (const body of [...journalBodies, answerBody(2, usage(1000 * (i + 1)))]) folder.log.append(body);
      folder.close();
    }
    mkdirSync(join(set, "agents"));
    mkdirSync(join(set, "mill_001.easy.broken.1"));
    writeFileSync(join(set, "mill_001.easy.broken.1", "manifest.json"), "{");
    writeFileSync(join(set, "planned.json"), "");
    const seen: string[] = [];
    const sums = await spendingOfSet(set, (_, agent) => {
      seen.push(agent.name);
      return agent.name === "dear" ? 2 : null;
    });
    expect(seen).toEqual(["cheap", "cheap", "dear", "dear"]);
    expect(sums).toEqual({ answers: 4, tokens: 3246, estimated: 0, untold: 0, costUsd: 4, unpriced: 2 });
  });

  it("adds up, whatever is added first", () => {
    const sums = fc.record({
      answers: fc.nat(),
      tokens: fc.nat(),
      estimated: fc.nat(),
      untold: fc.nat(),
      costUsd: fc.nat(),
      unpriced: fc.nat(),
    });
    fc.assert(
      fc.property(sums, sums, (a, b) => {
        expect(addSpending(a, b)).toEqual(addSpending(b, a));
        expect(addSpending(a, NOTHING_SPENT)).toEqual(a);
      }),
    );
  });
});
