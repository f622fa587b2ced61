/** Where the package lies, and the facts of the surroundings that a manifest keeps. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import metadata from "../../package.json" with { type: "json" };
import type { Surroundings } from "../tracks/index.ts";

/** The folder of the package this code belongs to: the nearest above it whose package.json bears its name. */
export function packageFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (nameOfPackage(folder) === metadata.name) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function nameOfPackage(folder: string): unknown {
  const text = readText(join(folder, "package.json"));
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as { readonly name?: unknown }).name;
  } catch {
    return undefined;
  }
}

/** The folder in which the cases of each track lie: the package's, else the one below the present folder. */
export function defaultCasesRoot(): string {
  const folder = packageFolder();
  const own = folder === undefined ? undefined : join(folder, "cases");
  return own !== undefined && existsSync(own) ? own : "cases";
}

/** The folder of the maintenance cases in it. */
export function defaultCasesFolder(): string {
  return join(defaultCasesRoot(), "maintenance");
}

export function readSurroundings(): Surroundings {
  const folder = packageFolder();
  return {
    packageVersion: metadata.version,
    gitCommit: folder === undefined ? null : (commitOf(folder) ?? null),
    nodeVersion: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    now: () => new Date().toISOString(),
  };
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/** The commit that is checked out in `folder`, read from its files: no git is needed, and none is run. */
export function commitOf(folder: string): string | undefined {
  const git = gitFolder(join(folder, ".git"));
  const head = git === undefined ? undefined : readText(join(git, "HEAD"))?.trim();
  if (git === undefined || head === undefined) return undefined;
  if (COMMIT.test(head)) return head;
  const ref = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
  if (ref === undefined || ref.includes("..")) return undefined;
  // A linked working tree keeps its own HEAD and shares the refs of the repository it belongs to.
  const shared = readText(join(git, "commondir"))?.trim();
  const stores = [git, ...(shared === undefined ? [] : [resolve(git, shared)])];
  const found = stores
    .map((store) => looseRef(store, ref) ?? packedRef(store, ref))
    .find((commit) => commit !== undefined);
  return found;
}

function gitFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  const pointer = /^gitdir: (.+)$/m.exec(readText(path) ?? "")?.[1];
  return pointer === undefined ? undefined : resolve(dirname(path), pointer.trim());
}

function looseRef(git: string, ref: string): string | undefined {
  const text = readText(join(git, ref))?.trim();
  return text !== undefined && COMMIT.test(text) ? text : undefined;
}

function packedRef(git: string, ref: string): string | undefined {
  const line = readText(join(git, "packed-refs"))
    ?.split("\n")
    .find((one) => one.endsWith(` ${ref}`));
  const commit = line?.split(" ")[0];
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
