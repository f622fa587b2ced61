/** Paths on the command line: one that leads nowhere is answered with the nearest that is there. */
import { readdirSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { nearestWord } from "../runtime/index.ts";
import { UserError } from "./user-error.ts";

/** What is wanted at a path. */
export type PathKind = "folder" | "file";

/** Throws where there is none; `remedy` says what to give instead where nothing there has a name like it. */
export function requirePath(path: string, kind: PathKind, remedy: string): void {
  const found = kindAt(path);
  if (found === kind) return;
  const shown = path === "" ? '""' : path;
  if (found !== undefined) throw new UserError(`${shown} is a ${found}, and a ${kind} is wanted`, remedy);
  const blocking = fileOnTheWay(path);
  if (blocking !== undefined) throw new UserError(`there is no ${kind} ${shown}`, `${blocking} is a file`);
  const near = nearestPath(path, kind);
  throw new UserError(`there is no ${kind} ${shown}`, near === undefined ? remedy : `did you mean "${near}"?`);
}

/** Throws where there is no folder of a set or a run. */
export function requireSetFolder(path: string): void {
  requirePath(path, "folder", "give the folder of a set (runs/NAME) or of a run in it");
}

/** The nearest path that is there: each name on the way that is not is replaced by the one most like it beside it. */
export function nearestPath(path: string, kind: PathKind): string | undefined {
  const missing = firstMissing(path);
  if (missing === undefined) return kindAt(path) === kind ? path : undefined;
  const { folder, name, rest } = missing;
  const wanted = rest.length === 0 ? kind : "folder";
  const near = nearestWord(name, namesIn(folder, wanted));
  if (near === undefined) return undefined;
  const there = join(folder, near);
  // Every turn mends one name, so this comes to an end.
  return rest.length === 0 ? there : (nearestPath(join(there, ...rest), kind) ?? there);
}

/** Where a path first leads nowhere: the folder that is there, the name that is not in it, the names that follow. */
function firstMissing(
  path: string,
): { readonly folder: string; readonly name: string; readonly rest: readonly string[] } | undefined {
  const rest: string[] = [];
  for (let at = path; kindAt(at) === undefined; at = dirname(at)) {
    const folder = dirname(at);
    if (kindAt(folder) !== undefined || folder === at) return { folder, name: basename(at), rest };
    rest.unshift(basename(at));
  }
  return undefined;
}

function fileOnTheWay(path: string): string | undefined {
  const folder = firstMissing(path)?.folder;
  return folder !== undefined && kindAt(folder) === "file" ? folder : undefined;
}

function namesIn(folder: string, kind: PathKind): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => kindAt(join(folder, name)) === kind);
  } catch {
    return [];
  }
}

/** What stands at a path, links followed; what is no folder counts as a file. Undefined where nothing can be found. */
export function kindAt(path: string): PathKind | undefined {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch {
    // A circle of links, a name too long, a folder that may not be entered: nothing can be found there.
    return undefined;
  }
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? "folder" : "file";
}
