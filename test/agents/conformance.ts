/** What every agent must be, whatever it does: one suite for all that come with the package. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Case } from "../../src/cases/index.ts";
import {
  agentNameSchema,
  checkLog,
  jsonObjectSchema,
  OUTCOMES,
  readEntries,
  readRunFolder,
  requireRunId,
  type CallBody,
  type JournalBody,
  type LogEntry,
} from "../../src/records/index.ts";
import { admitCall, admitText, canonicalJson, TIERS, type ToolAnswer } from "../../src/runtime/index.ts";
import type { Agent, AgentCall, AgentContext, Journal } from "../../src/tracks/index.ts";
import { cutRun, entriesOf, lineEnds, logOf, play, planOf, tempFolder } from "../tracks/run-fixture.ts";

export interface ConformanceOptions {
  readonly case: Case;
  /** Whether it may look into the case, which no agent under test may. */
  readonly seesCase?: boolean;
}

/** Tests an agent in every tier it plays. */
export function describeAgent(agent: Agent, options: ConformanceOptions): void {
  const tiers = TIERS.filter((tier) => agent.refusesTier?.(tier) === undefined);

  describe(`the agent ${agent.name}`, () => {
    it("has a name that a run's id can bear, one sentence, settings in JSON, and a tier it plays", () => {
      expect(agentNameSchema.safeParse(agent.name).success).toBe(true);
      expect(agent.says).toMatch(/^\S.{0,198}\S$/);
      expect(jsonObjectSchema.safeParse(agent.settings).success).toBe(true);
      expect(tiers).not.toEqual([]);
    });

    it("says in words why it does not play a tier", () => {
      for (const tier of TIERS.filter((one) => !tiers.includes(one))) {
        expect(agent.refusesTier?.(tier)).toMatch(/\w+ \w+/);
      }
    });

    describe.each(tiers)("in %s", (tier) => {
      const plan = planOf(agent, tier, options.case);

      it("plays through to an outcome, in a log that is sound and sealed", async () => {
        const result = await play(plan, tempFolder());
        expect(OUTCOMES).toContain(result.outcome);
        expect(await checkLog(join(result.path, "log.jsonl"))).toMatchObject({ sealed: true, faults: [] });
        expect(await readRunFolder(result.path)).toMatchObject({ state: "sealed", outcome: result.outcome });
      });

      it("never asks for more than its budgets allow", async () => {
        const calls = await callsOf((await play(plan, tempFolder())).path);
        const codes = calls.flatMap(({ answer }) => codeOf(answer as ToolAnswer));
        expect(codes.filter((code) => /budget|case_finished/.test(code))).toEqual([]);
      });

      it("makes the same calls when it is given the same answers, with no world behind them", async () => {
        const { run, path } = await play(plan, tempFolder());
        const entries = await entriesOf(path);
        const calls = entries.filter((entry) => entry.kind === "call");
        const context: AgentContext = {
          tier,
          case: options.seesCase === true ? options.case : forbiddenCase(),
          run: requireRunId(run),
          journal: journalOf(entries),
          stop: new AbortController().signal,
        };
        const answers = calls.map(({ answer }) => answer as ToolAnswer);
        expect((await feed(agent, context, answers)).map(admittedText)).toEqual(calls.map(loggedText));
      });

      it("is taken up at any byte of its log, and ends with the same bytes", async () => {
        const whole = await play(plan, tempFolder());
        const log = logOf(whole);
        for (const { bytes, torn } of cutsOf(log)) {
          const set = cutRun(whole, bytes);
          const notices: string[] = [];
          const resumed = await play(plan, set, { onNotice: (text) => notices.push(text) });
          const seen = { outcome: resumed.outcome, skipped: resumed.skipped, cuts: notices.length };
          // toEqual takes longer over two buffers than the run does.
          expect({ bytes, ...seen, same: logOf(resumed).equals(log) }).toEqual({
            bytes,
            outcome: whole.outcome,
            skipped: bytes === log.length,
            cuts: torn ? 1 : 0,
            same: true,
          });
          rmSync(set, { recursive: true });
        }
      });

      it("is taken up where only the manifest was written, and where not even that was", async () => {
        const whole = await play(plan, tempFolder());
        for (const gone of [["log.jsonl"], ["log.jsonl", "manifest.json"]]) {
          const set = cutRun(whole, 0);
          for (const file of gone) rmSync(join(set, whole.run, file));
          const resumed = await play(plan, set);
          const same = { log: logOf(resumed).equals(logOf(whole)), manifest: manifestOf(resumed.path) };
          expect({ gone, ...same }).toEqual({ gone, log: true, manifest: manifestOf(whole.path) });
        }
      });
    });
  });
}

/** Each line of a log torn (in turn: half of it, all but its newline), and whole. */
function cutsOf(log: Buffer): readonly { readonly bytes: number; readonly torn: boolean }[] {
  let start = 0;
  return lineEnds(log).flatMap((end, line) => {
    const torn = line % 2 === 0 ? start + Math.floor((end - start) / 2) : end - 1;
    start = end;
    return [
      { bytes: torn, torn: true },
      { bytes: end, torn: false },
    ];
  });
}

async function callsOf(path: string): Promise<readonly CallBody[]> {
  const calls: CallBody[] = [];
  for await (const entry of readEntries(join(path, "log.jsonl"))) if (entry.kind === "call") calls.push(entry);
  return calls;
}

function codeOf(answer: ToolAnswer): readonly string[] {
  return answer.ok ? [] : [answer.error.code];
}

function admittedText({ tool, input, text }: AgentCall): string {
  const call = text === undefined ? admitCall(tool, input) : admitText(tool, text);
  return canonicalJson(call.ok ? [call.tool, call.input] : [call.tool, call.error]);
}

function loggedText({ tool, input, refused }: CallBody): string {
  return canonicalJson([tool, refused ?? input]);
}

/** The journal of a log that is played again: each line once, in its order. */
function journalOf(entries: readonly LogEntry[]): Journal {
  const left = entries.flatMap((entry): readonly JournalBody[] => {
    const { seq: _, prev: __, hash: ___, ...body } = entry;
    return body.kind === "message" || body.kind === "answer" || body.kind === "fault" || body.kind === "fold"
      ? [body]
      : [];
  });
  return {
    keep: (line) => expect(line).toEqual(left.shift()),
    fetch: async () => left.shift(),
  };
}

function manifestOf(path: string): string {
  return readFileSync(join(path, "manifest.json"), "utf8");
}

/** The calls an agent makes when it is given these answers. */
async function feed(
  agent: Agent,
  context: AgentContext,
  answers: readonly ToolAnswer[],
): Promise<readonly AgentCall[]> {
  const calls: AgentCall[] = [];
  const playing = agent.play(context);
  let next = await playing.next();
  for (const answer of answers) {
    if (next.done === true) break;
    calls.push(next.value);
    next = await playing.next(answer);
  }
  return calls;
}

/** A case that fails the test when it is looked into. */
function forbiddenCase(): Case {
  return new Proxy({} as Case, {
    get: (_, key) => {
      throw new Error(`the agent looked into the case: ${String(key)}`);
    },
  });
}
