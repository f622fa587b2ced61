/** The cases of either track that words name: by id, or by a pattern with `*` and `?`. */
import type { Case, CaseFolder, DeductionCase, AnyCase } from "../../cases/index.ts";
import { compareText, suggest } from "../../runtime/index.ts";
import { matches } from "../choose.ts";
import { allFolders, folderNamed, type TrackFolder } from "./of-track.ts";
import { UserError } from "../user-error.ts";

/** Their folders, sorted by id; all where no word is given. Throws where a word names none, with what is near. */
export function anyFolders(roots: readonly string[], words: readonly string[] | undefined): readonly TrackFolder[] {
  const all = allFolders(roots);
  if (words === undefined) return all;
  const found = new Map(words.flatMap((word) => foldersOf(all, roots, word)).map((folder) => [folder.id, folder]));
  return [...found.values()].sort((a, b) => compareText(a.id, b.id));
}

function foldersOf(all: readonly TrackFolder[], roots: readonly string[], word: string): readonly TrackFolder[] {
  if (!/[*?]/.test(word)) return [folderNamed(roots, word)];
  const matching = all.filter(({ id }) => matches(id, word));
  if (matching.length > 0) return matching;
  const ids = all.map(({ id }: CaseFolder) => id);
  throw new UserError(
    `no case matches "${word}"`,
    ids.length === 0 ? `there are no cases in ${roots.join(", ")}` : suggest(word, ids),
  );
}

/** The cases by their tracks. */
export function splitTracks(cases: readonly AnyCase[]): {
  readonly maintenance: readonly Case[];
  readonly deduction: readonly DeductionCase[];
} {
  return {
    maintenance: cases.flatMap((case_) => (case_.track === "maintenance" ? [case_] : [])),
    deduction: cases.flatMap((case_) => (case_.track === "deduction" ? [case_] : [])),
  };
}
