/** From what stands on the command line to what it names; what names nothing is answered with what is near. */
import { join } from "node:path";
import { listCases } from "../cases/index.ts";
import { suggest, TIERS, type Tier } from "../runtime/index.ts";
import type { Agent } from "../tracks/index.ts";
import { kindAt, requirePath } from "./paths.ts";
import { defaultCasesFolder } from "./surroundings.ts";
import { UserError } from "./user-error.ts";

/** The words of an option that may be given several times and may hold commas; each word once. */
export function wordsOf(option: string, values: readonly string[]): readonly string[] {
  const words = wordsIn(values);
  if (words === undefined) throw new UserError(`--${option} names nothing, or has a comma too many`);
  return words;
}

/** The words of texts with commas, each once; undefined where one is empty. */
export function wordsIn(values: readonly string[]): readonly string[] | undefined {
  const words = values.flatMap((value) => value.split(",")).map((word) => word.trim());
  return words.length === 0 || words.includes("") ? undefined : [...new Set(words)];
}

/** A whole number of at least 1. */
export function countOf(option: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new UserError(`--${option} takes a whole number from 1 to ${most}`);
}

export function tierOf(word: string): Tier {
  const tier = TIERS.find((one) => one === word);
  if (tier === undefined) throw new UserError(`there is no tier "${word}"`, suggest(word, TIERS));
  return tier;
}

export function agentOf(word: string, agents: readonly Agent[]): Agent {
  const agent = agents.find(({ name }) => name === word);
  if (agent === undefined) {
    const names = agents.map(({ name }) => name);
    throw new UserError(`there is no agent "${word}"`, suggest(word, names));
  }
  return agent;
}

/**
 * The folder of the cases: the given one, or the track's folder in it, whichever holds a case. Throws where it is none
 * and where there is no case in either.
 */
export function casesFolder(given: string | undefined): string {
  const folder = given ?? defaultCasesFolder();
  requirePath(folder, "folder", "name the folder of the cases with --cases-dir DIR");
  const holding = [folder, join(folder, "maintenance")].find((one) => listCases(one).length > 0);
  if (holding !== undefined) return holding;
  throw new UserError(
    `there are no cases in ${folder}`,
    kindAt(join(folder, "case.yaml")) === "file"
      ? "it is itself a case; give the folder it lies in"
      : "a case is a folder with a case.yaml in it",
  );
}

/** Whether a text fits a pattern in which `*` stands for anything and `?` for one character. Takes no longer than it should. */
export function matches(text: string, pattern: string): boolean {
  let [t, p] = [0, 0];
  let [starAt, retryAt] = [-1, 0];
  while (t < text.length) {
    if (pattern[p] === "*") {
      starAt = p;
      retryAt = t;
      p += 1;
    } else if (pattern[p] === "?" || pattern[p] === text[t]) {
      t += 1;
      p += 1;
    } else if (starAt !== -1) {
      retryAt += 1;
      t = retryAt;
      p = starAt + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(p));
}
