/** What every agent must be, whatever it does: one suite for all that come with the package. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Case, DeductionCase } from "../../src/cases/index.ts";
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
import {
  admitCall,
  admitText,
  canonicalJson,
  CONDITIONS,
  MODES,
  TIERS,
  type ToolAnswer,
} from "../../src/runtime/index.ts";
import type { Agent, AgentCall, AgentContext, Journal, RunKind, RunPlan } from "../../src/tracks/index.ts";
import {
  cutRun,
  deductionPlanOf,
  entriesOf,
  lineEnds,
  logOf,
  play,
  planOf,
  tempFolder,
} from "../tracks/run-fixture.ts";

export interface ConformanceOptions {
  readonly case: Case;
  readonly deduction: DeductionCase;
  /** Whether it may look into the case, which no agent under test may. */
  readonly seesCase?: boolean;
}

const KINDS: readonly RunKind[] = [
  ...TIERS.map((tier) => ({ track: "maintenance", tier }) as const),
  ...CONDITIONS.flatMap((condition) => MODES.map((mode) => ({ track: "deduction", condition, mode }) as const)),
];

function planOfKind(agent: Agent, kind: RunKind, options: ConformanceOptions): RunPlan {
  return kind.track === "maintenance"
    ? planOf(agent, kind.tier, options.case)
    : deductionPlanOf(agent, options.deduction, kind);
}

function sayKind(kind: RunKind): string {
  return kind.track === "maintenance" ? kind.tier : `${kind.condition} ${kind.mode}`;
}

/** Tests an agent in everything it plays. */
export function describeAgent(agent: Agent, options: ConformanceOptions): void {
  const played = KINDS.filter((kind) => agent.refuses?.(kind) === undefined);

  describe(`the agent ${agent.name}`, () => {
    it("has a name that a run's id can bear, one sentence, settings in JSON, and something it plays", () => {
      expect(agentNameSchema.safeParse(agent.name).success).toBe(true);
      expect(agent.says).toMatch(/^\S.{0,198}\S$/);
      expect(jsonObjectSchema.safeParse(agent.settings).success).toBe(true);
      expect(played).not.toEqual([]);
    });

    it("says in words why it does not play something", () => {
      for (const kind of KINDS.filter((one) => !played.includes(one))) {
        expect(agent.refuses?.(kind)).toMatch(/\w+ \w+/);
      }
    });

    describe.each(played.map((kind) => [sayKind(kind), kind] as const))("in %s", (_, kind) => {
      const plan = planOfKind(agent, kind, options);

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
        const around = {
          run: requireRunId(run),
          journal: journalOf(entries),
          stop: new AbortController().signal,
        };
        const sees = options.seesCase === true;
        const context: AgentContext =
          kind.track === "maintenance"
            ? { ...kind, case: sees ? options.case : (forbidden() as Case), ...around }
            : { ...kind, fold: 1, case: sees ? options.deduction : (forbidden() as DeductionCase), ...around };
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
function forbidden(): unknown {
  return new Proxy(
    {},
    {
      get: (_, key) => {
        throw new Error(`the agent looked into the case: ${String(key)}`);
      },
    },
  );
}
