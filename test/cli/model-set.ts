/** What the tests of sets of models share: an endpoint over real HTTP and the words of a command. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach } from "vitest";
import { loadCase } from "../../src/cases/index.ts";
import {
  firstOf,
  obliging,
  solver,
  startScriptedEndpoint,
  type ScriptedEndpoint,
  type ScriptedOptions,
} from "../endpoint/scripted/index.ts";
import { FIXTURE_CASES, HORN, inFolder, type Ended } from "./cli.ts";

const loaded = loadCase(join(FIXTURE_CASES, "horn"));
if (!loaded.ok) throw new Error("the case horn has faults");

/** Passes a preflight, then plays the reference of horn. */
export const SOLVER = firstOf(obliging, solver([loaded.value], { parallel: 4 }));

/** The key of every test here: it must be found in no file and in no output. */
export const KEY = "kq-4f9a81c2d7e6b350";

const endpoints: ScriptedEndpoint[] = [];
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint.stop();
});

/** An endpoint that wants the key, stopped after the test. */
export async function endpoint(options: Partial<ScriptedOptions> = {}): Promise<ScriptedEndpoint> {
  const started = await startScriptedEndpoint({ policy: SOLVER, key: KEY, ...options });
  endpoints.push(started);
  return started;
}

/** The environment of a command: the key of the endpoint, and nothing that this process happens to have. */
export const WITH_KEY = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "" };
export const WITHOUT_KEY = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "" };

/** `run` of horn in hard by the scripted model, into the set s. */
export function runWords(url: string, ...more: readonly string[]): readonly string[] {
  const model = ["--agent", "model", "--model", "scripted", "--base-url", url];
  return ["run", "--cases", "horn", "--tier", "hard", "--out", "s", ...HORN, ...model, ...more];
}

/** Runs a command in a folder, with the key of the endpoint. */
export async function withKey(words: readonly string[], { cwd }: { readonly cwd: string }): Promise<Ended> {
  return await inFolder(cwd, words, WITH_KEY);
}

/** Every file below a folder, by its path in it. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    found.map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, "utf8")];
    }),
  );
}
