/**
 * `agents/<name>.json` of a set: who plays in it, with the settings as they were resolved and what a preflight found. A
 * later command goes by what stands here, so that one name is one agent throughout a set.
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import { canonicalJson, compareText, type Json } from "../runtime/index.ts";
import { readIfThere, replaceFile } from "./atomic-file.ts";
import { differencesOfJson } from "./difference.ts";
import { explainFsError, RecordError } from "./error.ts";
import { describeIssues, jsonObjectSchema, jsonSchema } from "./json.ts";
import { makeFolders } from "./make-folders.ts";
import { agentNameSchema } from "./manifest.ts";
import { AGENTS_FOLDER, requireSet } from "./run-set.ts";
import { findSecret } from "./secret.ts";
import { amendSet } from "./set-lock.ts";

const setAgentSchema = z.strictObject({
  v: z.literal(1),
  name: agentNameSchema,
  settings: jsonObjectSchema.describe("As resolved: everything that can change what the agent does, secrets excepted"),
  preflight: jsonSchema.describe("What a preflight found; null where none was made"),
});

/** An agent of a set. */
export interface SetAgent {
  readonly name: string;
  readonly settings: { readonly [key: string]: Json };
  readonly preflight: Json;
}

const DIFFERENCES_SHOWN = 5;

/**
 * Adds an agent to a set, and makes the set's folder where there is none. Returns the agent as the set has it: one that
 * was there keeps its preflight, or gets one where it had none. Throws `other_agent`, with both values, where the set
 * has an agent of that name with other settings, `not_a_set`, `bad_entry` for what no record may hold, or `bad_file`.
 */
export function addSetAgent(setFolder: string, agent: SetAgent): SetAgent {
  requireSet(setFolder);
  const file = agentFile(setFolder, agent.name);
  const added = checkAgent(agent, file);
  makeFolders(join(setFolder, AGENTS_FOLDER));
  return amendSet(setFolder, () => {
    const there = readAgent(file);
    if (there !== undefined) requireSameSettings(there, added, file);
    const kept: SetAgent = there === undefined || there.preflight === null ? added : there;
    if (kept !== there) replaceFile(file, `${JSON.stringify(sorted({ v: 1, ...kept }), null, 2)}\n`);
    return kept;
  });
}

/** Throws `other_agent` where the set has an agent of that name with other settings; one it does not have is fine. */
export function requireSetAgent(setFolder: string, agent: Pick<SetAgent, "name" | "settings">): void {
  const file = agentFile(setFolder, agent.name);
  const there = readAgent(file);
  if (there !== undefined) requireSameSettings(there, agent, file);
}

/** The agents of a set, sorted by name; none where nothing says so. Throws `bad_file`. */
export function readSetAgents(setFolder: string): readonly SetAgent[] {
  return agentFilesIn(join(setFolder, AGENTS_FOLDER)).flatMap((file) => readAgent(file) ?? []);
}

function agentFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.json$/.test(name))
      .sort(compareText)
      .map((name) => join(folder, name));
  } catch (error) {
    const explained = explainFsError(error, folder, "the agents of the set could not be read");
    if (explained.code === "missing") return [];
    throw explained;
  }
}

/** Whether a set has an agent of that name, whatever its file holds. Throws `bad_name`. */
export function isSetAgent(setFolder: string, name: string): boolean {
  return existsSync(agentFile(setFolder, name));
}

/** The file of an agent in a set. Throws `bad_name`. */
export function agentFile(setFolder: string, name: string): string {
  const parsed = agentNameSchema.safeParse(name);
  if (parsed.success) return join(setFolder, AGENTS_FOLDER, `${name}.json`);
  throw new RecordError("bad_name", {
    where: JSON.stringify(name.slice(0, 200)),
    what: `this is no agent's name: ${describeIssues(parsed.error)}`,
    remedy: "Choose another name",
  });
}

function checkAgent({ name, settings, preflight }: SetAgent, where: string): SetAgent {
  const agent = { name, settings, preflight };
  const secret = findSecret(agent);
  const parsed = setAgentSchema.safeParse({ v: 1, ...agent });
  if (parsed.success && secret === undefined) return sorted(agent);
  throw new RecordError("bad_entry", {
    where,
    what: parsed.success ? `${secret} looks like a secret, which no record may hold` : describeIssues(parsed.error),
    remedy: "Keep keys in the environment, and name the variable alone",
  });
}

function readAgent(file: string): SetAgent | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const parsed = setAgentSchema.safeParse(parseJson(text));
  const name = basename(file, ".json");
  if (parsed.success && parsed.data.name === name) {
    const { v: _, ...agent } = parsed.data;
    return agent;
  }
  throw new RecordError("bad_file", {
    where: file,
    what: parsed.success
      ? `it tells of the agent ${parsed.data.name}`
      : `it is no agent: ${describeIssues(parsed.error)}`,
    remedy: "Restore it from a copy; or delete it, and the next command that plays the agent writes it again",
  });
}

function requireSameSettings(there: SetAgent, planned: Pick<SetAgent, "name" | "settings">, where: string): void {
  const found = differencesOfJson(planned.settings, there.settings, DIFFERENCES_SHOWN);
  if (found.length === 0) return;
  const shown = found.map(({ path, expected, seen }) => `${path} was ${seen} and is ${expected}`);
  throw new RecordError("other_agent", {
    where,
    what: `the agent ${planned.name} has other settings in this set: ${shown.join("; ")}`,
    remedy:
      "Give the settings it has there, give it another name (--name NAME, or name: in the config file), or begin a new set (--out DIR)",
    facts: { agent: planned.name, fields: found.map(({ path }) => path) },
  });
}

/** With sorted keys at every depth, so that what is returned is what is read later. */
function sorted<T>(value: T): T {
  return JSON.parse(canonicalJson(value)) as T;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
