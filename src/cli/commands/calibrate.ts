/** `calibrate`: how far a model can be trusted as a judge, by what the exact judge and the case itself know. */
import { readdirSync } from "node:fs";
import { setTimeout as sleepFor } from "node:timers/promises";
import {
  agreementOfSet,
  findFormat,
  judgeEdits,
  judgeSettings,
  openCache,
  summarizeEdits,
  tokensOfJudgeAnswer,
  type EditsJudged,
  type SetAgreement,
  type Voice,
} from "../../judges/index.ts";
import { agreementLines, editLines, escapeText } from "../../report/index.ts";
import { isScored, itemsOf } from "../../contracts/index.ts";
import type { Case } from "../../cases/index.ts";
import type { Tier } from "../../runtime/index.ts";
import { knownEdits } from "../../tracks/index.ts";
import { countOf, tierOf, wordsOf } from "../choose.ts";
import { openEndpointFrom, type ModelFlags } from "../endpoints.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { refuseKeyInFlags } from "../given-key.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { openSet } from "../open-set.ts";
import { note, print, printJson } from "../output.ts";
import { kindAt } from "../paths.ts";
import { isLive } from "../terminal.ts";
import { anyFolders } from "../cases/named.ts";
import { caseRoots, loadAnyCases, type TrackFolder } from "../cases/of-track.ts";
import { UserError } from "../user-error.ts";

export interface CalibrateArguments extends ModelFlags {
  readonly set?: string | undefined;
  readonly as?: string | undefined;
  readonly edits?: readonly string[] | undefined;
  readonly tier: string;
  readonly perKind?: number | undefined;
  readonly votes?: number | undefined;
  readonly out?: string | undefined;
  readonly budgetTokens?: number | undefined;
  readonly all: boolean;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Disagreements and misses that are listed without --all. */
const MOST_LISTED = 20;
/** What only asking needs. */
const ONLY_WITH_EDITS = ["model", "baseUrl", "out", "votes", "perKind", "budgetTokens"] as const;
const MOST_VOTES = 99;
const MOST_PER_KIND = 100_000;

/** Ends with 1 where there was nothing to compare or a budget stopped it, with 3 on an endpoint's fault. */
export async function calibrate(args: CalibrateArguments): Promise<ExitCode> {
  if (args.edits !== undefined) refuseKeyInFlags(args, process.env);
  if (args.set === undefined && args.edits === undefined)
    throw new UserError(
      "there is nothing to calibrate",
      "name a set that a model judged, or with --edits the cases whose references are to be edited",
    );
  const stray = args.edits === undefined ? ONLY_WITH_EDITS.find((key) => args[key] !== undefined) : undefined;
  if (stray !== undefined)
    throw new UserError(
      `--${stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is given, and comparing a set's judgments asks nobody`,
      "add --edits CASE, or leave it away",
    );
  const most = args.all ? Number.POSITIVE_INFINITY : MOST_LISTED;
  const judged = args.edits === undefined ? undefined : await prepareEdits(args, args.edits);
  const agreement = args.set === undefined ? undefined : await agreementOf(args.set, args);
  if (agreement !== undefined && !args.json) {
    print(agreementLines(agreement, most));
    for (const { run, why } of agreement.left) note(escapeText(`${run} is not compared: ${why}`));
  }
  const edits = await judged?.();
  if (edits !== undefined && !args.json)
    edits.forEach(({ heading, judged: one }, i) => {
      if (i > 0 || agreement !== undefined) print([""]);
      print(editLines(one, heading, most));
    });
  if (args.json)
    printJson({
      ...(agreement === undefined ? {} : { agreement }),
      ...(edits === undefined
        ? {}
        : { edits: edits.map(({ case: id, tier, judged: one }) => ({ case: id, tier, ...one })) }),
    });
  return codeOf(agreement, edits ?? []);
}

async function agreementOf(path: string, { as = "model", casesDir }: CalibrateArguments): Promise<SetAgreement> {
  const { set, cases } = await openSet(path, casesDir);
  return await agreementOfSet(set, cases, as);
}

interface CaseEdits {
  readonly case: string;
  readonly tier: Tier;
  readonly heading: string;
  readonly judged: EditsJudged;
}

/** Checks everything that can be wrong with the command before anything is asked. */
async function prepareEdits(
  args: CalibrateArguments,
  words: readonly string[],
): Promise<() => Promise<readonly CaseEdits[]>> {
  const tier = tierOf(args.tier);
  const votes = countOf("votes", args.votes ?? 1, MOST_VOTES);
  const perKind = args.perKind === undefined ? undefined : countOf("per-kind", args.perKind, MOST_PER_KIND);
  const { out, budgetTokens } = args;
  if (out === undefined) throw new UserError("the answers have no place", "name a folder for them with --out DIR");
  requireAnswersFolder(out);
  if (budgetTokens !== undefined && !(budgetTokens > 0))
    throw new UserError("--budget-tokens takes a number above 0", "leave it away for no limit");
  const cases = loadAnyCases(judgedFolders(caseRoots(args.casesDir), wordsOf("edits", words))).filter(
    (one) => one.track === "maintenance",
  );
  const opened = openEndpointFrom(args);
  return async () => {
    const interrupt = listenForInterrupt(() =>
      note("Stopping: answers under way are heard; Ctrl-C again stops at once."),
    );
    try {
      const stop = interrupt.signal;
      const cache = openCache(out);
      const found = await findFormat(opened.endpoint, stop, { model: opened.model, cache });
      if (found.kind !== "found") {
        const stopped = found.kind === "failed" ? found.fault : ("interrupted" as const);
        return cases.map((case_) => emptyEdits(case_, tier, stopped));
      }
      const settings = judgeSettings({
        name: "model",
        model: opened.model,
        host: opened.endpoint.host,
        path: opened.endpoint.path,
        format: found.format,
        votes,
      });
      const voice: Voice = {
        settings,
        endpoint: opened.endpoint,
        cache,
        adapted: [],
        underWay: new Map(),
      };
      let spent = found.answers.reduce((sum, { usage }) => sum + (usage?.total ?? 0), 0);
      const results: CaseEdits[] = [];
      for (const case_ of cases) {
        const total = 2 * votes * countItems(case_, tier, perKind);
        const judged = await judgeEdits(
          case_,
          knownEdits(case_, tier, perKind === undefined ? {} : { perKind }),
          voice,
          {
            votes,
            concurrency: opened.settings.concurrency,
            stop,
            mayAsk: () => budgetTokens === undefined || spent < budgetTokens,
            onAnswer: (answer) => {
              spent += tokensOfJudgeAnswer(answer);
            },
            onVote: (done) => {
              if (done % 25 === 0 || (done === total && !isLive(process.stderr, process.env)))
                note(`${case_.id} ${tier}: ${done} of about ${total} votes, ${spent} tokens`);
            },
          },
        );
        // Lets Ctrl-C be heard between two cases.
        await sleepFor(0);
        results.push({ case: case_.id, tier, heading: headingOf(case_, tier, settings), judged });
      }
      return results;
    } finally {
      interrupt.release();
    }
  };
}

/** The cases that words name, of the track that is judged; a pattern passes over others. Throws UserError. */
function judgedFolders(roots: readonly string[], words: readonly string[]): readonly TrackFolder[] {
  const found = anyFolders(roots, words);
  const judged = found.filter(({ track }) => track === "maintenance");
  const other = found.find(({ id, track }) => track !== "maintenance" && (words.includes(id) || judged.length === 0));
  if (other === undefined) return judged;
  throw new UserError(
    `${other.id} is of the track ${other.track}, whose cases have no judge to calibrate`,
    "name cases of the track maintenance",
  );
}

/** What a folder of answers may hold. */
const CACHE_FOLDER = "judge-cache";

/** A set, or any other folder, is not the place for answers that belong to no run. Throws UserError. */
function requireAnswersFolder(out: string): void {
  const kind = kindAt(out);
  const holds = kind === "folder" ? readdirSync(out).filter((name) => name !== CACHE_FOLDER) : [];
  if (kind === "file" || holds.length > 0)
    throw new UserError(`${out} holds other things than the answers of a calibration`, "name a new folder with --out");
}

function headingOf(case_: Case, tier: Tier, judge: { readonly model: string; readonly host: string }): string {
  return `Known edits of the reference of ${case_.id} in ${tier}, judged by ${judge.model} at ${judge.host}.`;
}

function emptyEdits(case_: Case, tier: Tier, stopped: NonNullable<EditsJudged["stopped"]>): CaseEdits {
  const heading = `Known edits of the reference of ${case_.id} in ${tier}: not judged.`;
  return { case: case_.id, tier, heading, judged: summarizeEdits([], 0, stopped) };
}

function countItems({ contract }: Case, tier: Tier, perKind = MOST_PER_KIND): number {
  const scored = itemsOf(contract).filter((item) => isScored(item, tier));
  const of = (kind: string): number => Math.min(perKind, scored.filter((item) => item.kind === kind).length);
  return of("E") + of("A") + of("P");
}

function codeOf(agreement: SetAgreement | undefined, edits: readonly CaseEdits[]): ExitCode {
  for (const { judged, case: id } of edits) {
    const { stopped } = judged;
    if (stopped === undefined) continue;
    if (stopped === "interrupted") return EXIT.interrupted;
    if (stopped === "budget") {
      note(`${id}: the budget of tokens is spent; the same command with a larger one goes on.`);
      return EXIT.failed;
    }
    note(escapeText(`${id}: the endpoint gives no answers (${stopped.kind}): ${stopped.message}`));
    return EXIT.endpointFault;
  }
  if (edits.some(({ judged }) => judged.unanswered > 0)) return EXIT.endpointFault;
  return agreement?.runs.length === 0 ? EXIT.failed : EXIT.done;
}
