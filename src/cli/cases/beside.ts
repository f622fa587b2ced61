/** What lies beside the folders of the cases: their digests, the records of their admissions. It is of both tracks. */
import { basename, dirname, join, resolve } from "node:path";
import { listCases, TRACKS } from "../../cases/index.ts";
import { caseRoots } from "./of-track.ts";

export interface BesideCases {
  /** The folders of cases that it is of. */
  readonly roots: readonly string[];
  /** The folder they lie in. */
  readonly folder: string;
}

/**
 * Where the folder of one track is given, that of the other beside it belongs to the same. Throws as `caseRoots` does.
 */
export function besideCases(given: string | undefined): BesideCases {
  const roots = caseRoots(given);
  const [first = "."] = roots;
  const folder = dirname(resolve(first));
  const isTrack = TRACKS.some((track) => track === basename(resolve(first)));
  const others = isTrack ? TRACKS.map((track) => join(folder, track)) : [];
  const known = new Set(roots.map((root) => resolve(root)));
  return { roots: [...roots, ...others.filter((root) => !known.has(root) && listCases(root).length > 0)], folder };
}
