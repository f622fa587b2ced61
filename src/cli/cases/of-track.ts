/** From words on the command line to cases, whichever track they are of. */
import { join } from "node:path";
import {
  findCase,
  listCases,
  loadAnyCase,
  printFault,
  readText,
  TRACKS,
  type AnyCase,
  type CaseFolder,
  type Track,
} from "../../cases/index.ts";
import { compareText, suggest } from "../../runtime/index.ts";
import type { CasesById } from "../../tracks/index.ts";
import { casesFolder, matches } from "../choose.ts";
import { requirePath } from "../paths.ts";
import { defaultCasesRoot } from "../surroundings.ts";
import { UserError } from "../user-error.ts";

/** A case by its folder, with the track that its file says it is of; whether it is without fault only loading tells. */
export interface TrackFolder extends CaseFolder {
  readonly track: Track;
}

export function trackOf(word: string): Track {
  const track = TRACKS.find((one) => one === word);
  if (track === undefined) throw new UserError(`there is no track "${word}"`, `there are: ${TRACKS.join(", ")}`);
  return track;
}

/**
 * The folders that hold cases: the given one, and those of the tracks in it. Throws where it is none and where there is
 * no case in any of them.
 */
export function caseRoots(given: string | undefined): readonly string[] {
  const folder = given ?? defaultCasesRoot();
  requirePath(folder, "folder", "name the folder of the cases with --cases-dir DIR");
  const roots = [folder, ...TRACKS.map((track) => join(folder, track))].filter((root) => listCases(root).length > 0);
  // The one that holds none is told by the same words everywhere.
  return roots.length > 0 ? roots : [casesFolder(folder)];
}

/** Every case in these folders, sorted by id. Throws where one id stands in two of them: a run names its case by its id. */
export function allFolders(roots: readonly string[]): readonly TrackFolder[] {
  const found = new Map<string, TrackFolder>();
  for (const folder of roots.flatMap(listCases)) {
    const other = found.get(folder.id);
    if (other !== undefined)
      throw new UserError(`the case ${folder.id} is there twice: ${other.directory} and ${folder.directory}`);
    found.set(folder.id, { ...folder, track: saidTrack(folder.directory) });
  }
  return [...found.values()].sort((a, b) => compareText(a.id, b.id));
}

/** The track that a case's file says it is of, without reading more of it: a file that says none is of maintenance. */
function saidTrack(directory: string): Track {
  const text = readText(join(directory, "case.yaml"));
  return text.ok && /^track:[ \t]*["']?deduction\b/m.test(text.value) ? "deduction" : "maintenance";
}

/**
 * The cases of a track that words name: an id, or a pattern with `*` and `?`. Sorted by id. An id of the other track is
 * refused by name; a pattern passes over the other track, and is refused where nothing else fits it.
 */
export function foldersNamed(roots: readonly string[], words: readonly string[], track: Track): readonly TrackFolder[] {
  const all = allFolders(roots);
  const found = new Map(words.flatMap((word) => named(all, roots, word, track)).map((folder) => [folder.id, folder]));
  return [...found.values()].sort((a, b) => compareText(a.id, b.id));
}

function named(
  all: readonly TrackFolder[],
  roots: readonly string[],
  word: string,
  track: Track,
): readonly TrackFolder[] {
  if (!/[*?]/.test(word)) return [requireTrack(folderOf(all, roots, word), track)];
  const matching = all.filter(({ id }) => matches(id, word));
  const ofTrack = matching.filter((folder) => folder.track === track);
  if (ofTrack.length > 0) return ofTrack;
  const [other] = matching;
  if (other !== undefined) requireTrack(other, track);
  const ids = all.filter((folder) => folder.track === track).map(({ id }) => id);
  throw new UserError(
    `no case of the track ${track} matches "${word}"`,
    ids.length === 0 ? `there are none in ${roots.join(", ")}` : suggest(word, ids),
  );
}

function folderOf(all: readonly TrackFolder[], roots: readonly string[], id: string): TrackFolder {
  const found = all.find((folder) => folder.id === id);
  if (found !== undefined) return found;
  const refused = findCase(roots[0] ?? ".", id);
  // A name that is no id says what is wrong with it; else it is near to some other.
  const ids = all.map((folder) => folder.id);
  if (!refused.ok && refused.error.message.startsWith("no case id")) throw new UserError(refused.error.message);
  throw new UserError(`there is no case "${id}"`, suggest(id, ids) ?? `there are no cases in ${roots.join(", ")}`);
}

function requireTrack<T extends TrackFolder>(folder: T, track: Track): T {
  if (folder.track === track) return folder;
  throw new UserError(
    `${folder.id} is of the track ${folder.track}`,
    folder.track === "deduction" ? "add --track deduction" : "leave --track out",
  );
}

/** The folder of the case of this id, of whichever track. Throws where there is none, with what is near. */
export function folderNamed(roots: readonly string[], id: string): TrackFolder {
  return folderOf(allFolders(roots), roots, id);
}

/** Loads cases that must be without fault; throws with every fault, a line each. */
export function loadAnyCases(folders: readonly CaseFolder[]): readonly AnyCase[] {
  const loaded = folders.map(({ id, directory }) => ({ id, result: loadAnyCase(directory) }));
  const broken = loaded.flatMap(({ id, result }) => (result.ok ? [] : [{ id, faults: result.error }]));
  const [first] = broken;
  if (first !== undefined) {
    const which = broken.length === 1 ? `case ${first.id} has faults` : `${broken.length} cases have faults`;
    throw new UserError(
      which,
      undefined,
      broken.flatMap(({ faults }) => faults.map(printFault)),
    );
  }
  return loaded.flatMap(({ result }) => (result.ok ? [result.value] : []));
}

/**
 * The cases that runs are of. One that is not there is left out, since the others can still be looked at, unless none
 * is there, which is a wrong folder.
 */
export function casesOfRuns(roots: readonly string[], ids: readonly string[]): CasesById {
  const all = allFolders(roots);
  const wanted = [...new Set(ids)].sort(compareText);
  const folders = all.filter(({ id }) => wanted.includes(id));
  const [first] = wanted;
  if (folders.length === 0 && first !== undefined)
    throw new UserError(
      `there is no case ${first} in ${roots.join(", ")}, and the runs are of it`,
      "name the folder of their cases with --cases-dir DIR",
    );
  return new Map(loadAnyCases(folders).map((case_) => [case_.id, case_]));
}
