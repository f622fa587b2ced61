import { ITEM_KINDS, type Rate, type Score } from "../../contracts/index.ts";
import { listJudgmentSets } from "../../records/index.ts";
import { agreementOfSet, type SetAgreement } from "../../judges/index.ts";
import {
  agreementSummary,
  byTrack,
  deductionCaseGroups,
  deductionGroups,
  figuresOf,
  judgesOf,
  runsOfJudge,
  scoreLines,
} from "../../report/index.ts";
import { nearestWord } from "../../runtime/index.ts";
import {
  scoreSet,
  type CasesById,
  type ScoredDeductionRun,
  type ScoredMaintenanceRun,
  type ScoredRun,
  type SetOnDisk,
} from "../../tracks/index.ts";
import { sayCommand } from "../called-as.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { requireJudgeable } from "../judge/judgeable.ts";
import { sayWhyUnscored } from "../judge/played.ts";
import { openSet } from "../open-set.ts";
import { note, print, printJson } from "../output.ts";
import { deductionFigures, howOf } from "../run-fields.ts";
import { UserError } from "../user-error.ts";

export interface ScoreArguments {
  readonly set: string;
  readonly as?: string | undefined;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/**
 * Scores every judged run of a set, and every run of deduction that has ended; writes the scores, prints them. Ends with 1 where a fault kept a run from being
 * scored, and where none could be.
 */
export async function score(args: ScoreArguments): Promise<ExitCode> {
  const { set, cases } = await openSet(args.set, args.casesDir);
  const scored = await scoreSet(set, cases, args.as);
  requireJudged(set, args);
  sayUnscored(args, scored);
  const agreement = await agreementWith(set, cases, scored, args);
  if (args.json)
    printJson({
      ...scoreJson(scored),
      ...(agreement === undefined ? {} : { agreement: figuresOfAgreement(agreement) }),
    });
  else {
    print(scoreLines(scored));
    if (agreement !== undefined) print(["", agreementSummary(agreement)]);
  }
  return scored.some(({ faulty }) => faulty === true) || scored.every((run) => run.score === undefined)
    ? EXIT.failed
    : EXIT.done;
}

/** How far the model that judged agrees with the exact judge; undefined where none did, or where that judge never applies. */
async function agreementWith(
  set: SetOnDisk,
  cases: CasesById,
  scored: readonly ScoredRun[],
  { as }: ScoreArguments,
): Promise<SetAgreement | undefined> {
  if (!byTrack(scored).maintenance.some((run) => run.score?.judge === "model")) return undefined;
  const found = await agreementOfSet(set, cases, as);
  return found.runs.length === 0 ? undefined : found;
}

/** The figures without the lists: `calibrate` has those. */
function figuresOfAgreement({ judges, runs, all, byKind }: SetAgreement): object {
  return { judges, runs, all, byKind };
}

/** Throws where `--as` names judgments that no run has: one line about the name, and none for each run. */
function requireJudged(set: SetOnDisk, { set: path, as, casesDir }: ScoreArguments): void {
  if (as === undefined) return;
  requireJudgeable(set.records, path);
  const names = new Set(set.records.flatMap((record) => listJudgmentSets(record.path)));
  if (names.has(as)) return;
  const near = nearestWord(
    as,
    [...names].filter((name) => name !== undefined),
  );
  throw new UserError(
    `no run in ${path} has judgments named "${as}"`,
    near === undefined
      ? `to make them: ${sayCommand(["judge", path, "--as", as], casesDir)}`
      : `did you mean --as ${near}?`,
  );
}

/** Says which runs have no score and what to do about it. */
function sayUnscored(args: ScoreArguments, scored: readonly ScoredRun[]): void {
  sayWhyUnscored(scored);
  for (const { cause } of scored) debug(cause);
  const unjudged = byTrack(scored).maintenance.some(
    (run) => run.score === undefined && run.faulty !== true && run.outcome !== "unfinished",
  );
  const named = args.as === undefined ? [] : ["--as", args.as];
  if (unjudged) note(`To judge what the exact judge can: ${sayCommand(["judge", args.set, ...named], args.casesDir)}`);
}

/** The shape of `score --json`. */
export function scoreJson(scored: readonly ScoredRun[]): object {
  const { maintenance, deduction } = byTrack(scored);
  return {
    runs: scored.map((run) => (run.track === "maintenance" ? judgedJson(run) : deductionJson(run))),
    figures: judgesOf(maintenance).flatMap((judge) => figuresOf(runsOfJudge(maintenance, judge), judge)),
    ...(deduction.length > 0 && {
      deduction: deductionGroups(deduction),
      deductionCases: deductionCaseGroups(deduction),
    }),
  };
}

function judgedJson(run: ScoredMaintenanceRun): object {
  return {
    ...namesOf(run),
    judge: run.score?.judge ?? null,
    completion: run.score?.completion.rate ?? null,
    relation: run.score?.relation.rate ?? null,
    mix: run.score?.mix ?? null,
    undecided: run.score?.undecided ?? null,
    counts: { completion: countsOf(run.score?.completion), relation: countsOf(run.score?.relation) },
    ...(run.score && modelFacts(run.score)),
    components: Object.fromEntries(ITEM_KINDS.map((kind) => [kind, countsOf(run.score?.components[kind])])),
    ...(run.why === undefined ? {} : { unscored: run.why }),
  };
}

function deductionJson(run: ScoredDeductionRun): object {
  return {
    ...namesOf(run),
    family: run.family,
    ...deductionFigures(run.score, run.mode),
    ...(run.why === undefined ? {} : { unscored: run.why }),
  };
}

function namesOf(run: ScoredRun): object {
  const { case: case_, agent, repeat, outcome } = run;
  return { run: run.run, case: case_, ...howOf(run), agent, repeat, outcome };
}

/** What a score says beside, where a model judged. */
function modelFacts({ judgedBy, judgeFaults, standing, flips }: Score): object {
  return {
    ...(judgedBy && { judgedBy }),
    ...(judgeFaults !== undefined && { judgeFaults }),
    ...(standing && { standing }),
    ...(flips && { flips }),
  };
}

/** A run without a score has nothing scored. */
function countsOf(rate: Rate | undefined): Rate {
  return rate ?? { passed: 0, scored: 0, rate: null };
}
