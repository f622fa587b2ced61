import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { findCase, listCases, starterFiles, type StarterFile } from "../../cases/index.ts";
import { sayCommand } from "../called-as.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { print, printJson } from "../output.ts";
import { kindAt } from "../paths.ts";
import { defaultCasesFolder, packageFolder } from "../surroundings.ts";
import { UserError } from "../user-error.ts";

export interface NewArguments {
  readonly id: string;
  readonly title?: string | undefined;
  readonly family?: string | undefined;
  readonly stratum?: string | undefined;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Begins a case: a small one that verifies, commented as a lesson. Writes over nothing. */
export async function newCase(args: NewArguments): Promise<ExitCode> {
  const root = folderForNew(args.casesDir);
  const directory = join(root, args.id);
  const files = starterFiles({
    id: args.id,
    title: args.title,
    family: args.family,
    stratum: args.stratum,
    uuid: randomUUID(),
    schemas: { case: schemaSeenFrom(directory, "case"), round: schemaSeenFrom(join(directory, "rounds"), "round") },
  });
  if (!files.ok) throw new UserError(files.error);
  refuseTaken(args.id, directory);
  writeCase(directory, files.value);
  const paths = files.value.map(({ path }) => join(directory, path));
  if (args.json) {
    printJson({ id: args.id, directory, files: paths });
    return EXIT.done;
  }
  // Another command finds the case by itself only where it looks without being told.
  const casesDir = resolve(root) === resolve(defaultCasesFolder()) ? undefined : root;
  const next = (words: readonly string[]): string => sayCommand(words, casesDir);
  print([
    `${args.id} is begun: a small case that verifies, with every part explained where it stands.`,
    ...paths.map((path) => `  ${path}`),
    "Next:",
    `  ${next(["cases", "verify", args.id])}`,
    `  ${next(["cases", "show", args.id])}`,
    "Then put your own story in its place, a part at a time; docs/authoring.md leads through it.",
  ]);
  return EXIT.done;
}

/**
 * The folder in which a case is begun: the given one (or the track's in it, where the cases lie there), else that of the
 * repository this program is run from, else cases/maintenance here. Never one inside an installed package.
 */
function folderForNew(given: string | undefined): string {
  const folder = given ?? ownCasesFolder() ?? join("cases", "maintenance");
  if (kindAt(folder) === "file") throw new UserError(`${folder} is a file, and a folder is wanted`);
  if (kindAt(join(folder, "case.yaml")) === "file")
    throw new UserError(`${folder} is itself a case`, "give the folder it lies in");
  const track = join(folder, "maintenance");
  return listCases(folder).length === 0 && kindAt(track) === "folder" ? track : folder;
}

function ownCasesFolder(): string | undefined {
  const folder = packageFolder();
  return folder === undefined || isInstalled(folder) ? undefined : defaultCasesFolder();
}

function isInstalled(folder: string): boolean {
  return folder.split(sep).includes("node_modules");
}

function refuseTaken(id: string, directory: string): void {
  if (kindAt(directory) !== undefined)
    throw new UserError(`${directory} is there already`, "take another id, or move it away: nothing is written over");
  if (findCase(defaultCasesFolder(), id).ok)
    throw new UserError(`${id} is a case of the package`, "runs are kept by the id of their case: take another");
}

/** Writes all files or none. */
function writeCase(directory: string, files: readonly StarterFile[]): void {
  try {
    mkdirSync(dirname(directory), { recursive: true });
    // Fails where another command was quicker, and then nothing of its folder is touched.
    mkdirSync(directory);
  } catch (error) {
    throw new UserError(`${directory} cannot be made`, messageOf(error));
  }
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text, { flag: "wx" });
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw new UserError(`${directory} cannot be written`, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The package's schema as a file in `folder` names it for an editor: by the way there, where both lie in one project (the
 * repository, or what has the package among its node_modules), so that the line is right on every machine; else by
 * where it lies on this one.
 */
function schemaSeenFrom(folder: string, which: "case" | "round"): string {
  const home = packageFolder();
  const name = `${which}.schema.json`;
  if (home === undefined) return name;
  const file = join(home, "schemas", name);
  const way = relative(resolve(folder), file).split(sep).join("/");
  const isNear = !relative(projectOf(home), resolve(folder)).startsWith("..") && !/\s/.test(way);
  return isNear ? way : pathToFileURL(file).href;
}

/** The project a package lies in: the folder above its outermost node_modules; itself where it is not installed. */
function projectOf(folder: string): string {
  const parts = folder.split(sep);
  const at = parts.indexOf("node_modules");
  return at < 0 ? folder : parts.slice(0, at).join(sep) || sep;
}
