import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  checkLog,
  createRunFolder,
  listRuns,
  openRunFolder,
  readEntries,
  readRunFolder,
  readRunProgress,
  runIdOf,
  runPath,
  withoutTime,
  type LogBody,
  type Manifest,
} from "../../src/records/index.ts";
import {
  collect,
  DIGEST_A,
  DIGEST_B,
  failingIo,
  journalBodies,
  manifest,
  sampleBodies,
  tempFolder,
  thrown,
} from "./fixtures.ts";

let set: string;
let path: string;
const id = runIdOf(manifest);
const fast = { sync: false };
const call = sampleBodies(1)[0] as LogBody;
beforeEach(() => {
  set = join(tempFolder(), "runs", "first");
  path = runPath(set, id);
});

/** Makes the run and closes it, with these bodies in its log. */
async function makeRun(bodies: readonly LogBody[] = [], of: Manifest = manifest): Promise<void> {
  const run = await createRunFolder(set, of, fast);
  for (const body of bodies) run.log.append(body);
  run.close();
}

describe("creating a run's folder", () => {
  it("writes the manifest and line 0, and holds the folder until closed", async () => {
    const run = await createRunFolder(set, manifest, fast);
    expect(run).toMatchObject({ id, path, manifest, surroundings: [] });
    expect(JSON.parse(readFileSync(join(path, "manifest.json"), "utf8"))).toEqual(manifest);
    expect(readFileSync(join(path, "manifest.json"), "utf8")).toMatch(/^\{\n {2}"agent": \{\n/);
    expect(await collect(readEntries(join(path, "log.jsonl")))).toMatchObject([
      { seq: 0, kind: "manifest", manifest: withoutTime(manifest) },
    ]);
    await thrown("locked", () => openRunFolder(set, manifest));
    await thrown("locked", () => createRunFolder(set, manifest));
    run.close();
    run.close();
    expect(readdirSync(path).sort()).toEqual(["log.jsonl", "manifest.json"]);
  });

  it("RC2 equal runs have equal logs, whenever they began", async () => {
    await makeRun(sampleBodies(6));
    const first = readFileSync(join(path, "log.jsonl"));
    rmSync(set, { recursive: true });
    await makeRun(sampleBodies(6), { ...manifest, start: "2031-01-01T00:00:00Z" });
    expect(readFileSync(join(path, "log.jsonl")).equals(first)).toBe(true);
  });

  it("refuses a run that was begun already, and lets go of it again", async () => {
    await makeRun();
    expect((await thrown("run_exists", () => createRunFolder(set, manifest))).facts).toEqual({ run: id });
    (await openRunFolder(set, manifest)).close();
  });

  it("takes a folder in which a killed process left no manifest yet", async () => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, ".manifest.json.1-1.tmp"), "{");
    writeFileSync(join(path, "log.jsonl"), "");
    await makeRun();
    expect(await readRunProgress(path)).toEqual({ state: "begun" });
  });

  it("does not write over a log that lost its manifest", async () => {
    await makeRun([call]);
    rmSync(join(path, "manifest.json"));
    await thrown("missing", () => createRunFolder(set, manifest));
    expect((await checkLog(join(path, "log.jsonl"))).entries).toBe(2);
  });

  it("refuses a manifest that is none or holds a secret, and makes nothing", async () => {
    const leaky = { ...manifest, agent: { name: "model", settings: { apiKey: "sk-123" } } };
    const error = await thrown("bad_manifest", () => createRunFolder(set, leaky));
    expect(error.message).toContain("agent.settings.apiKey: looks like a secret");
    expect(error.message).not.toContain("sk-123");
    await thrown("bad_manifest", () => createRunFolder(set, { ...manifest, case: ".." }));
    expect(existsSync(set)).toBe(false);
  });
});

describe("opening a run to go on with it", () => {
  it("goes on after the last line, and says what changed around it", async () => {
    await makeRun([call]);
    const run = await openRunFolder(set, { ...manifest, start: "2031-01-01T00:00:00Z", nodeVersion: "22.0.0" }, fast);
    expect(run.manifest).toEqual(manifest);
    expect(run.surroundings).toEqual([{ path: "nodeVersion", saved: '"20.20.2"', planned: '"22.0.0"' }]);
    expect([run.log.lines, run.log.repair]).toEqual([2, undefined]);
    run.log.append(call);
    run.close();
    expect(await checkLog(join(path, "log.jsonl"))).toMatchObject({ entries: 3, faults: [] });
  });

  it("RC3 works from every byte at which the log may end, and writes line 0 again where it was lost", async () => {
    await makeRun([call]);
    const log = join(path, "log.jsonl");
    const bytes = readFileSync(log);
    const lineZero = bytes.indexOf("\n") + 1;
    for (let length = bytes.length; length >= 0; length--) {
      truncateSync(log, Math.min(length, statSync(log).size));
      writeFileSync(log, bytes.subarray(0, length));
      const run = await openRunFolder(set, manifest, fast);
      run.close();
      const kept = length === bytes.length ? bytes.length : lineZero;
      expect(readFileSync(log).equals(bytes.subarray(0, kept))).toBe(true);
    }
    rmSync(log);
    (await openRunFolder(set, manifest, fast)).close();
    expect(readFileSync(log).equals(bytes.subarray(0, lineZero))).toBe(true);
  });

  it("CS3 RC4 refuses another version of the case and names both digests", async () => {
    await makeRun();
    const error = await thrown("other_case", () => openRunFolder(set, { ...manifest, worldDigest: DIGEST_B }));
    expect(error.facts).toEqual({ case: "mill_001", savedDigest: DIGEST_A, plannedDigest: DIGEST_B });
    expect(error.message).toContain(`world digest ${DIGEST_A}, and that case has ${DIGEST_B} now`);
    expect(readdirSync(path).sort()).toEqual(["log.jsonl", "manifest.json"]);
  });

  it("refuses other settings and names each", async () => {
    await makeRun();
    const planned = {
      ...manifest,
      budgets: { callsPerRound: [1] },
      agent: { ...manifest.agent, settings: { maxTokens: 1 } },
    };
    const error = await thrown("other_manifest", () => openRunFolder(set, planned));
    expect(error.facts).toEqual({
      fields: ["agent.settings.maxTokens", "agent.settings.prompt", "budgets.callsPerRound"],
    });
    expect(error.message).toContain(
      'agent.settings.maxTokens was 4096 and is 1; agent.settings.prompt was "keep the mill running" and is absent',
    );
  });

  it("RC4 refuses a sealed run, a damaged log, and a log of another run", async () => {
    const run = await createRunFolder(set, manifest, fast);
    run.log.append({ kind: "outcome", outcome: "finished" });
    run.log.seal();
    run.close();
    await thrown("log_sealed", () => openRunFolder(set, manifest));

    const other = { ...manifest, repeat: 2 };
    await makeRun([call, call], other);
    const otherLog = join(runPath(set, runIdOf(other)), "log.jsonl");
    const good = readFileSync(otherLog, "utf8");
    writeFileSync(otherLog, good.replace('"page":0', '"page":9'));
    expect((await thrown("log_damaged", () => openRunFolder(set, other))).facts).toMatchObject({
      line: 2,
      kind: "wrong_hash",
    });

    cpSync(join(path, "log.jsonl"), otherLog);
    truncateSync(otherLog, readFileSync(otherLog).indexOf("\n") + 1);
    expect((await thrown("bad_manifest", () => openRunFolder(set, other))).message).toContain(
      "log.jsonl:1: line 1 tells of another run",
    );
    writeFileSync(otherLog, good);
    (await openRunFolder(set, other)).close();
  });
});

describe("what stands in the way is one clear error each", () => {
  it("no such run, no such set", async () => {
    expect((await thrown("missing", () => openRunFolder(set, manifest))).message).toBe(
      `${path}: there is no such run: it does not exist. Check the path.`,
    );
    await thrown("missing", () => readRunFolder(path));
    await thrown("missing", () => listRuns(set));
    expect(await readRunProgress(path)).toEqual({ state: "absent" });
  });

  it("a file in place of a folder", async () => {
    mkdirSync(set, { recursive: true });
    writeFileSync(path, "");
    expect((await thrown("not_a_directory", () => createRunFolder(set, manifest))).where).toBe(path);
    await thrown("not_a_directory", () => openRunFolder(set, manifest));
    await thrown("not_a_directory", () => readRunFolder(path));
    const inFile = join(path, "set");
    await thrown("not_a_directory", () => createRunFolder(inFile, manifest));
    await thrown("not_a_directory", () => listRuns(path));
  });

  it("a manifest that is a folder, is not JSON, or is none", async () => {
    await makeRun();
    const file = join(path, "manifest.json");
    writeFileSync(file, "{");
    expect((await thrown("bad_manifest", () => readRunFolder(path))).message).toContain(
      "manifest.json: it is not JSON",
    );
    writeFileSync(file, JSON.stringify({ ...manifest, tier: "harder" }));
    expect((await thrown("bad_manifest", () => openRunFolder(set, manifest))).message).toContain("tier: ");
    rmSync(file);
    await thrown("missing", () => openRunFolder(set, manifest));
    mkdirSync(file);
    await thrown("not_a_file", () => readRunFolder(path));
  });

  it.each([
    ["EROFS", "read_only"],
    ["EACCES", "no_permission"],
    ["ENOSPC", "disk_full"],
  ] as const)("a disk that answers %s: nothing is left held", async (errno, code) => {
    for (const step of ["mkdirSync", "openSync", "renameSync", "fsyncSync"] as const) {
      const error = await thrown(code, () => createRunFolder(set, manifest, { io: failingIo(step, errno) }));
      expect(error.where).toContain(dirname(set));
      expect(error.facts).toEqual({ errno });
      expect(existsSync(path) ? readdirSync(path).filter((name) => name.startsWith("lock")) : []).toEqual([]);
      rmSync(set, { recursive: true, force: true });
    }
  });

  it("a folder where nothing can be made", async () => {
    const error = await thrown("missing", () => createRunFolder("/proc/self/runs", manifest));
    expect(error.message).toContain("/proc/self/runs");
  });
});

describe("how far a run has come", () => {
  const outcome: LogBody = { kind: "outcome", outcome: "endpoint_fault", detail: { status: 503 } };
  const cases: readonly (readonly [string, readonly LogBody[], boolean, object])[] = [
    ["nothing done", [], false, { state: "begun" }],
    ["calls", [call, call], false, { state: "begun" }],
    ["an outcome", [call, outcome], false, { state: "ended", outcome: "endpoint_fault" }],
    [
      "an outcome with notes after it",
      [outcome, { kind: "note", text: "" }],
      false,
      { state: "ended", outcome: "endpoint_fault" },
    ],
    ["an outcome, and then another try", [outcome, call], false, { state: "begun" }],
    ...journalBodies.map(
      (body) =>
        [`RC12 an outcome, and a line of kind ${body.kind}`, [outcome, body], false, { state: "begun" }] as const,
    ),
    [
      "an outcome, another try and its outcome, sealed",
      [outcome, call, { kind: "outcome", outcome: "limit" }],
      true,
      { state: "sealed", outcome: "limit" },
    ],
    ["a seal without an outcome", [call], true, { state: "sealed" }],
    [
      "an outcome far before the end",
      [outcome, ...Array.from({ length: 40 }, (): LogBody => ({ kind: "note", text: "x".repeat(10_000) }))],
      false,
      { state: "ended", outcome: "endpoint_fault" },
    ],
    [
      "nothing but notes",
      Array.from({ length: 40 }, (): LogBody => ({ kind: "note", text: "x".repeat(10_000) })),
      false,
      { state: "begun" },
    ],
  ];
  it.each(cases)("%s", async (_, bodies, sealed, progress) => {
    const run = await createRunFolder(set, manifest, fast);
    for (const body of bodies) run.log.append(body);
    if (sealed) run.log.seal();
    run.close();
    expect(await readRunProgress(path)).toEqual(progress);
    const record = await readRunFolder(path);
    expect(record).toEqual({ id, path, manifest, ...progress, logPath: join(path, "log.jsonl") });
    writeFileSync(record.logPath, '{"half', { flag: "a" });
    expect(await readRunProgress(path)).toEqual(progress);
  });

  it("a manifest without a log has begun", async () => {
    await makeRun();
    rmSync(join(path, "log.jsonl"));
    expect(await readRunProgress(path)).toEqual({ state: "begun" });
  });
});

describe("listing a set", () => {
  it("gives its runs sorted by id, and passes over what is none", async () => {
    const manifests: readonly Manifest[] = [3, 10, 2].map((repeat) => ({ ...manifest, repeat }));
    for (const of of manifests) await makeRun([], of);
    writeFileSync(join(set, "report.html"), "");
    mkdirSync(join(set, "notes"));
    expect((await listRuns(set)).map((run) => run.id)).toEqual([
      "mill_001.hard.last-change.10",
      "mill_001.hard.last-change.2",
      "mill_001.hard.last-change.3",
    ]);
  });

  it("refuses two folders that hold one run, and a run in a folder of another name", async () => {
    await makeRun();
    cpSync(path, `${path}-copy`, { recursive: true });
    const error = await thrown("duplicate_run", () => listRuns(set));
    expect(error.facts).toEqual({ run: id, folder: `${path}-copy`, other: path });
    renameSync(path, `${path}-old`);
    await thrown("duplicate_run", () => listRuns(set));
    rmSync(`${path}-copy`, { recursive: true });
    expect((await thrown("misnamed_run", () => listRuns(set))).facts).toEqual({
      run: id,
      folder: `${path}-old`,
      other: null,
    });
  });

  it("refuses a log without a manifest", async () => {
    await makeRun();
    rmSync(join(path, "manifest.json"));
    expect((await thrown("missing", () => listRuns(set))).where).toBe(join(path, "manifest.json"));
  });
});
