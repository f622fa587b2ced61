/** Commands that the reader can give next, spelled so that they work where this one was given. */
import { realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative } from "node:path";
import metadata from "../../package.json" with { type: "json" };

/** The command with these words, as the program was called now; `casesDir` is handed on. */
export function sayCommand(words: readonly string[], casesDir?: string): string {
  const cases = casesDir === undefined ? [] : ["--cases-dir", casesDir];
  const called = calledAs(process.argv[1] ?? "", process.cwd(), process.env["PATH"] ?? "");
  return [called, ...[...words, ...cases].map(quoteWord)].join(" ");
}

/**
 * How a program that was started as `script` is started again: through npx where a package's folder holds it, by its
 * name where that is on `PATH`, else by its file.
 */
export function calledAs(script: string, cwd: string, path: string): string {
  const folder = dirname(script).replaceAll("\\", "/");
  if (folder.endsWith("/node_modules/.bin")) {
    // npx keeps what it fetched for one call in a folder of its own; only the package's name finds that again.
    return folder.includes("/_npx/") ? `npx ${metadata.name}` : `npx ${basename(script)}`;
  }
  const name = basename(script);
  if (path.split(delimiter).some((place) => isAbsolute(place) && isSameFile(join(place, name), script))) return name;
  return `node ${quoteWord(relative(cwd, script))}`;
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

/** A word as a shell takes it for one. */
function quoteWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
