import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditRun, readRunFolder, scoreDeductionFolder, type LogBody, type Outcome } from "../../src/records/index.ts";
import { replayRecord, type RunResult } from "../../src/tracks/index.ts";
import { forgeLog } from "./forge-log.ts";
import { POND_CALLS } from "./pond-calls.ts";
import { deductionPlanOf, play, pond, scripted, tempFolder } from "./run-fixture.ts";

async function playCalls(most = Number.POSITIVE_INFINITY): Promise<RunResult> {
  return await play(deductionPlanOf(scripted(POND_CALLS.M2.slice(0, most)), pond, { mode: "M2" }), tempFolder());
}

/** The lines before the outcome, then an outcome, then a seal over them all. */
function ending(bodies: readonly LogBody[], outcome: Outcome, detail?: string): readonly LogBody[] {
  const before = bodies.filter(({ kind }) => kind !== "outcome" && kind !== "seal");
  const end: LogBody = { kind: "outcome", outcome, ...(detail === undefined ? {} : { detail }) };
  return [...before, end, { kind: "seal", lines: before.length + 1 }];
}

const seal = (lines: number): LogBody => ({ kind: "seal", lines });
const isEnd = ({ kind }: LogBody): boolean => kind === "outcome" || kind === "seal";

/** Changes one place of the manifest of a run that lies on disk. */
function changeManifest(path: string, change: (manifest: Record<string, unknown>) => void): void {
  const file = join(path, "manifest.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  change(manifest);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

async function scoreOf(path: string): Promise<unknown> {
  return await scoreDeductionFolder(pond, await readRunFolder(path));
}

describe("a forged log of deduction in a chain of its own has no score", () => {
  it.each<[string, number, (bodies: readonly LogBody[]) => readonly LogBody[], RegExp]>([
    ["claims an engine fault", 99, (bodies) => ending(bodies, "engine_fault", "so it is"), /outcome.*"finished"/],
    ["finished, and is said to be stopped", 99, (bodies) => ending(bodies, "stopped"), /outcome.*"finished"/],
    ["is cut and called finished", 6, (bodies) => ending(bodies, "finished"), /left before its end/],
    ["is cut and said to be at its limit", 6, (bodies) => ending(bodies, "limit"), /left before its end/],
    ["has no outcome before its seal", 99, (b) => [...b.filter((one) => !isEnd(one)), seal(b.length - 2)], /for good/],
    ["is sealed on an end that stays open", 6, (bodies) => ending(bodies, "endpoint_fault"), /for good/],
    ["has a line behind its seal", 99, (bodies) => [...bodies, { kind: "note", text: "more" }], /after the seal/],
    ["was played on behind its seal", 99, (bodies) => [...bodies, bodies[1] as LogBody], /after the seal/],
    ["has no seal", 99, (bodies) => bodies.slice(0, -1), /a seal on the last line/],
  ])("DD84 where it %s", async (_what, most, change, why) => {
    const { path } = await playCalls(most);
    await forgeLog(path, change);
    const refused = await scoreOf(path).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "log_damaged", message: expect.stringMatching(why) as string });
    expect((await auditRun(pond, await readRunFolder(path))).ok).toBe(false);
  });

  it("DD84 where its first line, its budgets or its world are not the manifest's or the case's", async () => {
    const { path } = await playCalls();
    const before = readFileSync(join(path, "manifest.json"), "utf8");
    const seen: unknown[] = [];
    for (const change of [
      (manifest: Record<string, unknown>) => void (manifest["nodeVersion"] = "v1"),
      (manifest: Record<string, unknown>) => void (manifest["budgets"] = { calls: 1 }),
      (manifest: Record<string, unknown>) => void (manifest["worldDigest"] = "0".repeat(64)),
    ]) {
      writeFileSync(join(path, "manifest.json"), before);
      changeManifest(path, change);
      const error = await scoreOf(path).catch((thrown: unknown) => thrown);
      seen.push((error as { readonly code?: string }).code);
    }
    expect(seen).toEqual(["log_damaged", "log_damaged", "other_case"]);
    writeFileSync(join(path, "manifest.json"), before);
    expect(await scoreOf(path)).toMatchObject({ excluded: false });
  });

  it("DD84 and its replay names an outcome to which its calls do not lead", async () => {
    const { path } = await playCalls(6);
    await forgeLog(path, (bodies) => ending(bodies, "finished"));
    expect(await replayRecord(pond, await readRunFolder(path))).toMatchObject({
      ok: false,
      differences: [{ kind: "replay", seen: '"finished"' }],
    });
  });
});

describe("a run of deduction that goes on", () => {
  it("has neither a score nor figures in its audit, and is sound where an endpoint's fault left it open", async () => {
    const { path } = await playCalls(6);
    await forgeLog(path, (bodies) => ending(bodies, "endpoint_fault").slice(0, -1));
    expect(await scoreOf(path)).toBeUndefined();
    const open = await auditRun(pond, await readRunFolder(path));
    expect(open).toMatchObject({ ok: true, open: "endpoint_fault" });
    expect(open.deduction).toBeUndefined();
    await forgeLog(path, (bodies) => bodies.slice(0, -1));
    expect(await scoreOf(path)).toBeUndefined();
    const begun = await auditRun(pond, await readRunFolder(path));
    expect(begun).toMatchObject({ ok: false, open: "unfinished", differences: [{ kind: "chain" }] });
    expect(begun.deduction).toBeUndefined();
  });

  it("DD84 has its score made anew from log and case where score.json holds something else", async () => {
    const { path } = await playCalls();
    for (const text of ["{", '{"score":1}\n']) {
      writeFileSync(join(path, "score.json"), text);
      const error = await scoreOf(path).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "set_exists",
        message: expect.stringMatching(/made anew from log and case/) as string,
      });
      expect(String(error)).not.toContain("judgments");
    }
    writeFileSync(join(path, "score.json"), "{");
    const [difference] = (await auditRun(pond, await readRunFolder(path))).differences;
    expect(difference?.seen).toMatch(/made anew from log and case/);
  });
});
