/** A set as a command is given it: its runs and their cases. */
import { statSync } from "node:fs";
import { readSet, type CasesById, type SetOnDisk } from "../tracks/index.ts";
import { casesFolder, casesOfRuns } from "./choose.ts";
import { UserError } from "./user-error.ts";

/** Throws where a path is no folder. */
export function requireFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`there is no folder ${path}`, "give the folder of a set (runs/NAME) or of a run in it");
}

/** Reads a set, which must hold runs, and loads the cases they are of. */
export async function openSet(
  path: string,
  casesDir: string | undefined,
): Promise<{ readonly set: SetOnDisk; readonly cases: CasesById }> {
  requireFolder(path);
  const set = await readSet(path);
  if (set.records.length === 0) throw noRuns(path);
  const cases = casesOfRuns(
    casesFolder(casesDir),
    set.records.map(({ manifest }) => manifest.case),
  );
  return { set, cases };
}

export function noRuns(path: string): UserError {
  return new UserError(`${path} holds no runs`, "give the folder of a set (runs/NAME) or of a run in it");
}
