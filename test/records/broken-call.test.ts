/** What the record keeps of a call that breaks inside the engine, and of one whose line the disk does not take. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AdmittedCall } from "../../src/runtime/index.ts";
import type { RecordedRun, RecordIo } from "../../src/records/index.ts";
import { breakAt, Injected, Points, putPoints } from "../runtime/support/breaking-engine.ts";

putPoints();
const { referenceAgent } = await import("../../src/agents/reference.ts");
const { scenarioOf } = await import("../../src/cases/index.ts");
const { beginRun, checkLog, diskIo, openRun, readRunFolder, RecordError, Replayer } =
  await import("../../src/records/index.ts");
const { admitCall } = await import("../../src/runtime/index.ts");
const { manifestOf } = await import("../../src/tracks/index.ts");
const { horn, planOf, surroundings, tempFolder } = await import("../tracks/run-fixture.ts");

const scenario = scenarioOf(horn, "easy");
const manifest = manifestOf(planOf({ ...referenceAgent, name: "tester" }, "easy"), surroundings);
const CALLS: readonly AdmittedCall[] = [
  admitCall("read_data", { from: "map" }),
  admitCall("commit_step", { triggers: [{ capability: "walk", args: { who: "ilka", to: "ash_wood" } }] }),
  admitCall("commit_step", {}),
  admitCall("end_round", {}),
];

const logIn = (set: string): string => join(set, "horn.easy.tester.1", "log.jsonl");
const bytesIn = (set: string): string => (existsSync(logIn(set)) ? readFileSync(logIn(set), "utf8") : "");

/** Plays what is not in the log yet, to the seal. */
function playOn(run: RecordedRun): void {
  for (const call of CALLS.slice(run.loggedCalls)) run.call(call);
  run.end("stopped");
}

/** What a run leaves that nothing befalls. */
async function wholeLog(): Promise<string> {
  const set = tempFolder();
  const run = await beginRun(set, manifest, scenario, { sync: false });
  playOn(run);
  run.close();
  return bytesIn(set);
}

describe("a call that breaks inside the engine", () => {
  it("RT72 is not written, is thrown, and leaves the run open before it: taken up, it goes on as if nothing had been", async () => {
    const set = tempFolder();
    const run = await beginRun(set, manifest, scenario, { sync: false });
    run.call(CALLS[0] as AdmittedCall);
    const [session, bytes] = [run.session, bytesIn(set)];
    const points = new Points((name) => /^after (step|state|append-log)/.test(name));
    for (const at of [0, 3, 9])
      expect(() => breakAt(at, points, () => run.call(CALLS[1] as AdmittedCall))).toThrow(Injected);
    expect(run.session).toBe(session);
    expect(bytesIn(set)).toBe(bytes);
    run.close();
    expect(await readRunFolder(run.path)).toMatchObject({ state: "begun" });
    const again = (await openRun(set, manifest, scenario, { sync: false })) as RecordedRun;
    playOn(again);
    again.close();
    expect(bytesIn(set)).toBe(await wholeLog());
  });

  it("RT72 is no difference of a replay: the audit breaks off, and says so", async () => {
    const entry = JSON.parse((await wholeLog()).split("\n")[2] ?? "");
    const replayer = new Replayer(scenario);
    const points = new Points((name) => name === "after step.ts commitStep");
    expect(() => breakAt(0, points, () => replayer.take(entry))).toThrow(Injected);
    expect(replayer.differences).toEqual([]);
  });
});

const OPERATIONS = [
  "fdatasyncSync",
  "fsyncSync",
  "ftruncateSync",
  "linkSync",
  "mkdirSync",
  "openSync",
  "renameSync",
  "unlinkSync",
  "writeSync",
] as const;

type Fault = "before it is done" | "after it is done" | "half done" | "and all that follow";

/** A disk whose `nth` operation (from 0) fails. `count` says how many there were. */
function failingDisk(nth: number, fault: Fault): { readonly io: RecordIo; readonly count: () => number } {
  let count = 0;
  const operations = OPERATIONS.map((name) => {
    // What is synced shows nowhere here, and takes its time.
    const real = (name.endsWith("syncSync") ? () => {} : diskIo[name]) as (...args: readonly unknown[]) => unknown;
    const failing = (...args: readonly unknown[]): unknown => {
      const at = count;
      count += 1;
      if (at < nth || (at > nth && fault !== "and all that follow")) return real(...args);
      if (fault === "after it is done") real(...args);
      const [fd, bytes] = args;
      if (fault === "half done" && name === "writeSync" && Buffer.isBuffer(bytes))
        return real(fd, bytes.subarray(0, bytes.length / 2));
      throw Object.assign(new Error("made up"), { code: "EIO" });
    };
    return [name, failing] as const;
  });
  return { io: { ...diskIo, ...Object.fromEntries(operations) }, count: () => count };
}

describe("a disk that fails at one of the operations of a run", () => {
  const faults: readonly Fault[] = ["before it is done", "after it is done", "half done", "and all that follow"];

  it.each(faults)(
    "RT73 %s: the log is a sound prefix, and the run goes on to the bytes of one that nothing befell",
    async (fault) => {
      const whole = await wholeLog();
      const clean = failingDisk(Number.POSITIVE_INFINITY, fault);
      const undisturbed = await beginRun(tempFolder(), manifest, scenario, { io: clean.io });
      playOn(undisturbed);
      undisturbed.close();
      expect(clean.count()).toBeGreaterThan(15);
      let failed = 0;
      for (let nth = 0; nth < clean.count(); nth += 1) {
        const set = tempFolder();
        let run: RecordedRun | undefined;
        try {
          run = await beginRun(set, manifest, scenario, { io: failingDisk(nth, fault).io });
          playOn(run);
        } catch (error) {
          if (!(error instanceof RecordError)) throw error;
          failed += 1;
        }
        run?.close();
        const left = bytesIn(set);
        // What no append has promised may be torn, and is cut when it is opened; every line before that is whole.
        expect([nth, whole.startsWith(left)]).toEqual([nth, true]);
        const again = await openRun(set, manifest, scenario, { sync: false });
        if (again !== undefined) {
          if (again.ended === undefined) playOn(again);
          else again.end(again.ended);
          again.close();
        }
        expect([nth, bytesIn(set) === whole]).toEqual([nth, true]);
        expect((await checkLog(logIn(set))).faults).toEqual([]);
      }
      expect(failed).toBeGreaterThan(10);
    },
  );
});
