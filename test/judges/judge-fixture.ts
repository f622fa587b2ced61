/** Runs of the horn case as a judge is given them, and judges that answer from a script. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { solutionOf, type Call, type Case } from "../../src/cases/index.ts";
import { namedEntities, type Judgment, type Score } from "../../src/contracts/index.ts";
import type { Asked, ChatReply, ChatRequest, Endpoint } from "../../src/endpoint/index.ts";
import {
  judgeRunExactly,
  readJudgments,
  readRun,
  readRunFolder,
  scoreOf,
  type EndpointFault,
  type ReadRun,
  type RunRecord,
} from "../../src/records/index.ts";
import { digestOf, entityIds, getEntity, type Json, type Tier } from "../../src/runtime/index.ts";
import type { Agent } from "../../src/tracks/index.ts";
import { horn, play, planOf, tempFolder } from "../tracks/run-fixture.ts";

interface ScriptOptions {
  readonly name?: string;
  readonly settings?: Agent["settings"];
  /** What the log keeps as said to the agent before each call. */
  readonly chat?: string;
}

/** An agent that makes these calls and stops. */
export function scriptOf(calls: readonly Call[], { name = "script", settings = {}, chat }: ScriptOptions = {}): Agent {
  return {
    name,
    says: "Makes the calls of a script.",
    settings,
    async *play({ journal }) {
      if (chat !== undefined) journal.keep({ kind: "message", role: "user", text: chat });
      for (const { tool, input } of calls) yield { tool, input };
      return undefined;
    },
  };
}

export interface PlayedForJudge {
  readonly case: Case;
  readonly record: RunRecord;
  readonly run: ReadRun;
  /** The folder of the set. */
  readonly set: string;
}

/** Runs that were played before in this file, to be copied: playing one again would bring the same bytes. */
const known = new Map<string, string>();
const templates = mkdtempSync(join(tmpdir(), "judged-"));
// Not after one file: whoever shares this module shares the folder.
process.once("exit", () => rmSync(templates, { recursive: true, force: true }));

/** Plays calls on a case and reads the run. */
export async function playForJudge(
  calls: readonly Call[],
  tier: Tier,
  { case: case_ = horn, set = tempFolder(), ...script }: ScriptOptions & { case?: Case; set?: string } = {},
): Promise<PlayedForJudge> {
  const key = digestOf({ calls, tier, case: case_.worldDigest, script });
  const template =
    known.get(key) ?? (await play(planOf(scriptOf(calls, script), tier, case_), join(templates, key))).path;
  known.set(key, template);
  const path = join(set, basename(template));
  cpSync(template, path, { recursive: true });
  const record = await readRunFolder(path);
  return { case: case_, record, run: await readRun(case_, record), set };
}

/** A folder that stays as long as the tests of a file run. */
export function lastingFolder(): string {
  return mkdtempSync(join(templates, "set-"));
}

/** A copy of a run with everything that lies in its folder. */
export async function copyOf(played: PlayedForJudge): Promise<PlayedForJudge> {
  const set = tempFolder();
  const path = join(set, basename(played.record.path));
  cpSync(played.record.path, path, { recursive: true });
  return { ...played, set, record: await readRunFolder(path) };
}

/** The score that follows from the judgments of a name, items and all. */
export async function savedScore({ case: case_, record, run }: PlayedForJudge, as = "model"): Promise<Score> {
  const set = await readJudgments(record.path, as);
  if (set === undefined) throw new Error(`there are no judgments ${as}`);
  return scoreOf(case_, run, set);
}

export const referenceCalls = (tier: Tier, case_: Case = horn): readonly Call[] => solutionOf(case_, tier).flat();

/** Every string of a value changed, keys included. */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => mapStrings(one, change));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapStrings(one, change)]));
}

/** The reference of extreme with ids of the agent's own: `ilka` becomes `own_ilka`. */
export function ownIdCalls(case_: Case = horn): readonly Call[] {
  const ids = new Set(entityIds(case_.world.entities));
  const rename = (text: string): string =>
    text.replaceAll(/\b[a-z][a-z0-9_]*\b/g, (id) => (ids.has(id) ? `own_${id}` : id));
  return referenceCalls("extreme", case_).map(({ tool, input }) => ({
    tool,
    input: mapStrings(input, (text) => (/[A-Z]|[a-z] [a-z]+ [a-z]/.test(text) ? text : rename(text))) as Call["input"],
  }));
}

export type Reply = string | EndpointFault | { readonly reply: Partial<ChatReply> };

/** An endpoint that answers from a function and remembers what it was asked. */
export function fakeEndpoint(answer: (prompt: string, request: ChatRequest, asked: number) => Reply | Promise<Reply>): {
  readonly endpoint: Endpoint;
  readonly requests: ChatRequest[];
} {
  const requests: ChatRequest[] = [];
  const ask = async (request: ChatRequest, stop: AbortSignal): Promise<Asked> => {
    if (stop.aborted) return { kind: "stopped" };
    requests.push(request);
    const text = request.messages.map(contentOf).join("\n");
    const said = await answer(text, request, requests.length);
    if (typeof said !== "string" && "kind" in said) return { kind: "failed", fault: said, attempts: [] };
    const reply = typeof said === "string" ? { message: { role: "assistant", content: said } } : said.reply;
    return { kind: "answered", reply: { ...PLAIN, ...reply } };
  };
  return { endpoint: { host: "judge.test:443", path: "/v1", ask, inFlight: () => [] }, requests };
}

const PLAIN: ChatReply = {
  message: { role: "assistant", content: "" },
  finish: "stop",
  model: "judge-1",
  usage: { input: 900, cachedInput: 0, output: 100, reasoning: 0, total: 1000 },
  tolerated: [],
  attempts: [],
  adapted: [],
};

/** The text of a message. */
export function contentOf(message: ChatRequest["messages"][number] | undefined): string {
  const content = message?.["content"];
  return typeof content === "string" ? content : "";
}

export const isTrial = (prompt: string): boolean => prompt.includes("This is a trial of the form of answers");

export function faultOf(kind: EndpointFault["kind"]): EndpointFault {
  return { kind, status: 500, code: null, message: `it is a ${kind}` };
}

export interface ItemSaid {
  readonly verdict: "pass" | "fail";
  readonly triggers?: readonly string[];
  readonly constructions?: readonly number[];
  readonly reason?: string;
}

export function itemAnswer({
  verdict,
  triggers = [],
  constructions = [],
  reason = "as the record shows",
}: ItemSaid): string {
  const citations = triggers.slice(0, 1).map((trigger) => ({ trigger, construction: null, quote: "it changed" }));
  return JSON.stringify({ citations, triggers, constructions, reason, verdict });
}

export function identityAnswer(is: string | null): string {
  const verdict = is === null ? "absent" : "found";
  return JSON.stringify({ citations: [], reason: "by what happened to it", is, verdict });
}

/** The sentence or name a prompt asks about: the first line of it that is set in. */
export function subjectOf(prompt: string): string {
  return /^ {4}(\S.*)$/m.exec(prompt.slice(prompt.indexOf("# Question")))?.[1] ?? "";
}

/**
 * A judge that knows: it says of each item what the exact judge says of the reference played with given ids, and of each
 * entity that it is the one called `own_…`.
 */
export async function oracleOf(case_: Case = horn, tier: Tier = "extreme"): Promise<(prompt: string) => string> {
  const { run } = await playForJudge(referenceCalls(tier, case_), tier, { name: "reference", case: case_ });
  const known = new Map(judgeRunExactly(case_, run).judgments.map((one) => [one.item as string, one]));
  const bySentence = new Map<string, Judgment>();
  for (const { events, structures, probes } of case_.contract.rounds)
    for (const { id, says } of [...events, ...structures, ...probes]) {
      const judgment = known.get(id);
      if (judgment !== undefined) bySentence.set(says, judgment);
    }
  const names = new Map(
    namedEntities(case_.contract).map((id) => [getEntity(case_.world.entities, id)?.name ?? id, `own_${id}`]),
  );
  return (prompt) => {
    const subject = subjectOf(prompt);
    const judgment = bySentence.get(subject);
    if (judgment === undefined) return identityAnswer(names.get(subject) ?? null);
    const { verdict, triggers, constructions, kind } = judgment;
    const probe = kind === "P" && verdict === "pass";
    return itemAnswer({
      verdict: verdict === "pass" ? "pass" : "fail",
      triggers: probe ? [] : triggers,
      constructions: kind === "A" ? constructions : [],
    });
  };
}
