/**
 * Records a run of so many steps in a town of so many entities, then audits it, and prints what that took as JSON.
 * A process of its own, so that its memory is its own: `node --expose-gc --import tsx long-run.ts STEPS ENTITIES`.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildTrace } from "../../src/contracts/index.ts";
import { auditLog } from "../../src/records/audit-log.ts";
import type { Difference } from "../../src/records/difference.ts";
import { readRunFolder } from "../../src/records/index.ts";
import { admitCall } from "../../src/runtime/index.ts";
import { caseOfTown, recordTown } from "./recorded-town.ts";
import { DOINGS } from "./town.ts";

const [steps = 1_000, entities = 20] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "bench-run-"));
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

try {
  const town = caseOfTown({ entities });
  const run = await recordTown(folder, town, false);
  const before = heap();
  const playing = process.cpuUsage();
  for (let i = 0; i < steps; i += 1) {
    const answer = run.call(admitCall("commit_step", DOINGS["a move, a gift, a wage"](i)));
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  }
  const played = seconds(process.cpuUsage(playing));
  const kept = heap() - before;
  run.end("stopped");
  run.close();
  const record = await readRunFolder(run.path);
  const auditing = process.cpuUsage();
  const differences: Difference[] = [];
  const sound = await auditLog(town, record, differences);
  if (sound === undefined || differences.length > 0)
    throw new Error(`the log does not stand: ${JSON.stringify(differences)}`);
  const trace = buildTrace(town.world, sound.replayer.records);
  if (!trace.ok) throw new Error(trace.error.seen);
  const audited = seconds(process.cpuUsage(auditing));
  console.log(
    JSON.stringify({
      steps,
      entities,
      playedSeconds: played,
      auditedSeconds: audited,
      heapBytesPerStep: kept / steps,
      logBytesPerStep: statSync(join(run.path, "log.jsonl")).size / steps,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
