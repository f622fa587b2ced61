/** Which process is meant by a pid that was written down some time ago. */
import { readFileSync } from "node:fs";

interface ProcessStat {
  readonly state: string;
  /** Clock ticks from boot to its start: tells a recycled pid from the process that had it before. */
  readonly started: string;
}

/** What /proc says of a process; undefined where there is no /proc or no such process. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may itself hold spaces and brackets; the fields after the last one do not.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state, started] = [fields[0], fields[19]];
    return state === undefined || started === undefined ? undefined : { state, started };
  } catch {
    return undefined;
  }
}

/** When a process started, in the system's own units; null where the system does not say. */
export function startOfProcess(pid: number): string | null {
  return readStat(pid)?.started ?? null;
}

/** Whether the process that had `pid` and that start still lives. One that ended but was not yet reaped does not. */
export function isAlive(pid: number, started: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const stat = readStat(pid);
  if (stat === undefined) return true;
  return stat.state !== "Z" && stat.state !== "X" && (started === null || stat.started === started);
}
