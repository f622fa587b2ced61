import type { Case } from "../../../cases/index.ts";
import { digestOf, digestOfWorld } from "../../../runtime/index.ts";

/** The digest of everything that the verification of a case follows from; where its files lie is none of it. */
export function contentDigestOf(case_: Case): string {
  const { directory: _directory, track: _track, world, ...content } = case_;
  return digestOf({ ...content, world: digestOfWorld(world) });
}
