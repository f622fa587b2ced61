/** What it takes to audit a long run, and what memory it keeps. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface LongRun {
  readonly steps: number;
  readonly entities: number;
  /** Processor time after start-up. */
  readonly playedSeconds: number;
  readonly auditedSeconds: number;
  /** Heap that a session holds at its end more than at its beginning, after collection, by its steps. */
  readonly heapBytesPerStep: number;
  readonly logBytesPerStep: number;
  /** The most memory the process ever had, its modules included. */
  readonly peakMegabytes: number;
}

const RUNS = [
  [1_000, 20],
  [10_000, 20],
  [10_000, 2_000],
] as const;
/** The same worlds, a tenth of the steps. */
const QUICK_RUNS = RUNS.map(([steps, entities]) => [steps / 10, entities] as const);

export function benchRuns({ isQuick = false } = {}): readonly LongRun[] {
  const script = fileURLToPath(new URL("long-run.ts", import.meta.url));
  return (isQuick ? QUICK_RUNS : RUNS).map(([steps, entities]) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ["--expose-gc", "--import", "tsx", script, String(steps), String(entities)],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`a run of ${steps} steps: ${stderr}`);
    return JSON.parse(stdout) as LongRun;
  });
}
