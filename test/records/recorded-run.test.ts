import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { referenceAgent } from "../../src/agents/reference.ts";
import { scenarioOf } from "../../src/cases/index.ts";
import {
  beginRun,
  diskIo,
  isSameCall,
  openRun,
  readEntries,
  resumeRun,
  sealLine,
  type CallBody,
  type JournalBody,
  type LoggedLine,
  type RecordedRun,
} from "../../src/records/index.ts";
import { admitCall, digestOfWorld, type AdmittedCall } from "../../src/runtime/index.ts";
import { manifestOf } from "../../src/tracks/index.ts";
import { horn, lineEnds, planOf, surroundings, tempFolder } from "../tracks/run-fixture.ts";
import { answerBody, failingIo, journalBodies, takeLogged, thrown } from "./fixtures.ts";

const scenario = scenarioOf(horn, "easy");
const manifest = manifestOf(planOf({ ...referenceAgent, name: "tester" }, "easy"), surroundings);
/** Answered alike each time. */
const READ = admitCall("read_data", { from: "map" });
const LOOK = admitCall("get_context", {});
const WALK = admitCall("commit_step", { triggers: [{ capability: "walk", args: { who: "ilka", to: "ash_wood" } }] });
const END = admitCall("end_round", {});

async function begin(set = tempFolder()): Promise<{ readonly set: string; readonly run: RecordedRun }> {
  return { set, run: await beginRun(set, manifest, scenario, { sync: false }) };
}

/** The calls that were logged before. */
function callsOf(run: RecordedRun): readonly (LoggedLine & { readonly kind: "call" })[] {
  return takeLogged(run).flatMap((line) => (line.kind === "call" ? [line] : []));
}

function logPath(run: RecordedRun): string {
  return join(run.path, "log.jsonl");
}

/** A run that made these calls and was let go of. */
async function left(...calls: readonly AdmittedCall[]): Promise<{ readonly set: string; readonly run: RecordedRun }> {
  const begun = await begin();
  for (const call of calls) begun.run.call(call);
  begun.run.close();
  return begun;
}

describe("a recorded run", () => {
  it("RC3 has each call on disk, with its answer, record and digest, when the answer is there", async () => {
    const { run } = await begin();
    const answer = run.call(WALK);
    const line = readFileSync(logPath(run), "utf8").split("\n")[1] ?? "";
    expect(JSON.parse(line)).toMatchObject({
      kind: "call",
      seq: 1,
      tool: "commit_step",
      input: { triggers: [{ capability: "walk", args: { who: "ilka", to: "ash_wood" } }] },
      answer,
      record: { kind: "accepted", step: 1 },
      digest: digestOfWorld(run.session.world),
    });
    run.close();
  });

  it("RT48 keeps a call that could not be admitted as its refusal, without its input", async () => {
    const { set, run } = await left(admitCall("help", 3n), admitCall("nonsense", {}));
    const resumed = await resumeRun(set, manifest, scenario);
    expect(callsOf(resumed).map(({ call }) => [call.tool, call.input, call.refused?.code])).toEqual([
      ["help", undefined, expect.any(String)],
      ["nonsense", undefined, "unknown_tool"],
    ]);
    expect(resumed.session).toEqual(run.session);
    resumed.close();
  });

  it("RC3 shows no answer that the disk did not take, and is taken up before that call", async () => {
    const set = tempFolder();
    const run = await beginRun(set, manifest, scenario, { io: failingIo("writeSync", "ENOSPC", 4), sync: false });
    const world = run.session.world;
    expect(() => {
      for (let i = 0; i < 4; i += 1) run.call(LOOK);
    }).toThrow(/the disk is full/);
    expect(run.session.world).toBe(world);
    expect(() => run.call(LOOK)).toThrow(/the disk is full/);
    run.close();
    const resumed = await resumeRun(set, manifest, scenario, { io: diskIo });
    expect(resumed.loggedCalls).toBe(run.session.used.runCalls);
    expect(resumed.session).toEqual(run.session);
    resumed.close();
  });

  it("takes nothing after its end", async () => {
    const { run } = await begin();
    run.call(END);
    run.end("finished");
    expect(await thrown("log_sealed", () => run.call(LOOK))).toMatchObject({ where: logPath(run) });
    run.close();
    await thrown("log_closed", async () => {
      const { run: other } = await begin();
      other.close();
      other.call(LOOK);
    });
  });
});

describe("a run that is taken up", () => {
  it("RC4 has the calls that were made, the world they led to, and goes on where they ended", async () => {
    const { set, run } = await left(LOOK, WALK);
    const resumed = await resumeRun(set, manifest, scenario);
    expect(callsOf(resumed).map(({ call }) => call.tool)).toEqual(["get_context", "commit_step"]);
    expect(resumed.session).toEqual(run.session);
    expect(resumed).toMatchObject({ ended: undefined, repair: undefined });
    expect(resumed.call(END).ok).toBe(true);
    resumed.close();
  });

  it("RC3 says what a torn end lost", async () => {
    const { set, run } = await left(LOOK, WALK);
    appendFileSync(logPath(run), '{"kind":"call"');
    const resumed = await resumeRun(set, manifest, scenario);
    expect(resumed.repair).toMatchObject({ bytes: 14, fault: { kind: "torn", line: 4 } });
    expect(resumed.loggedCalls).toBe(2);
    resumed.close();
  });

  it("RC4 is refused where the runtime answers otherwise than the log says, sound as its chain may be", async () => {
    const { set, run } = await left(LOOK, WALK);
    const [first = "", second = "", third = ""] = readFileSync(logPath(run), "utf8").split("\n");
    const { seq, prev, hash: _, ...body } = JSON.parse(third) as CallBody & { seq: number; prev: string; hash: string };
    const forged = sealLine({ ...body, answer: { ...(body.answer as object), clock: 77 } }, seq, prev);
    writeFileSync(logPath(run), [first, second, forged.text, ""].join("\n"));
    const error = await thrown("log_damaged", () => resumeRun(set, manifest, scenario));
    expect(error.message).toContain(
      "log.jsonl:3 answer clock: the runtime answers otherwise than the log says: 2 instead of 77",
    );
    // The lock was let go of, and the log is as it was.
    await thrown("log_damaged", () => resumeRun(set, manifest, scenario));
    expect(readFileSync(logPath(run), "utf8")).toBe([first, second, forged.text, ""].join("\n"));
  });

  it("knows how it ended where only the seal was lost, and writes that alone", async () => {
    const { set, run } = await begin();
    run.call(END);
    run.end("finished");
    run.close();
    const whole = readFileSync(logPath(run));
    writeFileSync(logPath(run), whole.subarray(0, lineEnds(whole)[2]));
    const resumed = await openRun(set, manifest, scenario);
    expect(resumed?.ended).toBe("finished");
    resumed?.end("stopped", "not this");
    resumed?.close();
    expect(readFileSync(logPath(run)).equals(whole)).toBe(true);
  });

  it("has not ended where something was done after an outcome", async () => {
    const { set, run } = await left(READ);
    const log = readFileSync(logPath(run), "utf8").trimEnd().split("\n");
    const last = JSON.parse(log[1] ?? "") as CallBody & { seq: number; prev: string; hash: string };
    const outcome = sealLine({ kind: "outcome", outcome: "blocked" }, 2, last.hash);
    const { seq: _, prev: __, hash: ___, ...again } = last;
    const call = sealLine(again, 3, outcome.hash);
    writeFileSync(logPath(run), [...log, outcome.text, ""].join("\n"));
    const ended = await resumeRun(set, manifest, scenario);
    expect(ended.ended).toBe("blocked");
    ended.close();
    writeFileSync(logPath(run), [...log, outcome.text, call.text, ""].join("\n"));
    const resumed = await resumeRun(set, manifest, scenario);
    expect(resumed).toMatchObject({ ended: undefined });
    expect(resumed.loggedCalls).toBe(2);
    resumed.close();
  });

  it("RC10 has the lines of its agent's journal among its calls, in their order, and holds none that was taken", async () => {
    const { set, run } = await begin();
    const [message, answer, fault, fold] = journalBodies as [JournalBody, JournalBody, JournalBody, JournalBody];
    run.keep(message);
    run.keep(answer);
    const look = run.call(LOOK);
    run.keep(fold);
    run.keep(fault);
    run.close();
    const resumed = await resumeRun(set, manifest, scenario);
    expect(resumed.next).toMatchObject({ kind: "journal", seq: 1, line: message });
    expect(takeLogged(resumed)).toEqual([
      { kind: "journal", seq: 1, line: message },
      { kind: "journal", seq: 2, line: answer },
      { kind: "call", seq: 3, call: { tool: "get_context", input: {} }, answer: look },
      { kind: "journal", seq: 4, line: fold },
      { kind: "journal", seq: 5, line: fault },
    ]);
    expect([resumed.next, resumed.loggedCalls]).toEqual([undefined, 1]);
    resumed.close();
  });

  it("RC10 gives a line back with its keys in the order in which a reader of the log has them", async () => {
    const { set, run } = await begin();
    const message = { tool_calls: [], role: "assistant", content: "", reasoning_content: "hm", __proto__: null };
    const kept = run.keep(answerBody(1, null, { message }));
    run.close();
    const resumed = await resumeRun(set, manifest, scenario);
    const [logged] = takeLogged(resumed);
    expect(JSON.stringify(logged?.kind === "journal" && logged.line)).toBe(JSON.stringify(kept));
    expect(JSON.stringify(kept)).toContain('"message":{"content":"","reasoning_content":"hm","role":"assistant"');
    resumed.close();
  });

  it("RC10 gives the answers of calls with their keys in the order in which the agent saw them", async () => {
    const { set, run } = await begin();
    const answers = [LOOK, WALK, READ, admitCall("nonsense", {})].map((call) => JSON.stringify(run.call(call)));
    run.close();
    const resumed = await resumeRun(set, manifest, scenario);
    expect(callsOf(resumed).map(({ answer }) => JSON.stringify(answer))).toEqual(answers);
    resumed.close();
  });

  it("RC12 passes over each fault that ended it, and over no other, however often it was taken up", async () => {
    const { set, run } = await begin();
    const [message, answer, fault] = journalBodies as [JournalBody, JournalBody, JournalBody];
    run.keep(message);
    run.keep(fault);
    run.end("endpoint_fault", { status: 503 });
    run.close();
    const second = await resumeRun(set, manifest, scenario);
    expect(second.ended).toBeUndefined();
    expect(takeLogged(second)).toEqual([{ kind: "journal", seq: 1, line: message }]);
    second.keep(fault);
    second.keep(fault);
    second.end("endpoint_fault");
    second.close();
    const third = await resumeRun(set, manifest, scenario);
    expect(takeLogged(third)).toMatchObject([{ line: message }, { seq: 4, line: fault }]);
    third.keep(answer);
    third.call(END);
    third.end("finished");
    third.close();
    const kinds: string[] = [];
    for await (const { kind } of readEntries(logPath(run))) kinds.push(kind);
    expect(kinds.slice(1)).toEqual(
      ["message fault outcome", "fault fault outcome", "answer call outcome seal"].join(" ").split(" "),
    );
  });

  it("is undefined where it is sealed, and begun where it is absent", async () => {
    const set = tempFolder();
    const begun = await openRun(set, manifest, scenario, { sync: false });
    begun?.call(END);
    begun?.end("finished");
    begun?.close();
    expect([begun?.loggedCalls, begun?.next]).toEqual([0, undefined]);
    expect(await openRun(set, manifest, scenario)).toBeUndefined();
    const kinds: string[] = [];
    for await (const { kind } of readEntries(join(set, "horn.easy.tester.1", "log.jsonl"))) kinds.push(kind);
    expect(kinds).toEqual(["manifest", "call", "outcome", "seal"]);
  });
});

describe("whether two calls are the same", () => {
  const logged = (call: AdmittedCall): CallBody => ({
    kind: "call",
    tool: call.tool,
    ...(call.ok ? { input: call.input } : { refused: call.error }),
    answer: {},
    digest: "",
  });

  it.each([
    [
      "the same input in another order of keys",
      admitCall("read_data", { from: "map", limit: 3 }),
      admitCall("read_data", { limit: 3, from: "map" }),
      true,
    ],
    ["no input and an empty one", admitCall("help", undefined), admitCall("help", {}), true],
    ["the same refusal", admitCall("nonsense", {}), admitCall("nonsense", { more: 1 }), true],
    ["another tool", admitCall("help", {}), admitCall("get_context", {}), false],
    ["another input", admitCall("read_data", { from: "map" }), admitCall("read_data", { from: "types" }), false],
    ["an input and a refusal", admitCall("help", {}), admitCall("help", 3n), false],
    ["two refusals", admitCall("nonsense", {}), admitCall("nonsenses", {}), false],
  ] as const)("%s", (_, first, second, same) => {
    expect(isSameCall(logged(first), second)).toBe(same);
    expect(isSameCall(logged(second), first)).toBe(same);
  });
});
