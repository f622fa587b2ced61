/** A set as a command is given it: its runs and their cases. */
import { readSet, type CasesById, type SetOnDisk } from "../tracks/index.ts";
import { requireSetFolder } from "./paths.ts";
import { caseRoots, casesOfRuns } from "./cases/of-track.ts";
import { UserError } from "./user-error.ts";

/** Reads a set, which must hold runs, and loads the cases they are of. */
export async function openSet(
  path: string,
  casesDir: string | undefined,
): Promise<{ readonly set: SetOnDisk; readonly cases: CasesById }> {
  requireSetFolder(path);
  const set = await readSet(path);
  if (set.records.length === 0) throw noRuns(path);
  const cases = casesOfRuns(
    caseRoots(casesDir),
    set.records.map(({ manifest }) => manifest.case),
  );
  return { set, cases };
}

export function noRuns(path: string): UserError {
  return new UserError(`${path} holds no runs`, "give the folder of a set (runs/NAME) or of a run in it");
}
