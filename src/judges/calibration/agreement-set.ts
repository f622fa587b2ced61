/** Agreement of the model judge with the exact one, over the runs of a set where both apply. Nobody is asked anything. */
import { setImmediate } from "node:timers/promises";
import type { Case } from "../../cases/index.ts";
import type { Judgment, Score, ScoredItem } from "../../contracts/index.ts";
import {
  faultOfExact,
  isIdle,
  judgeRunExactly,
  readJudgments,
  readRun,
  RecordError,
  settleAndScore,
  type RunRecord,
} from "../../records/index.ts";
import type { CasesById, SetOnDisk } from "../../tracks/index.ts";
import { judgeSettingsSchema } from "../model-judge.ts";
import { agreementOf, selfAgreementOf, type Agreement, type VerdictPair } from "./agreement.ts";
import type { Share } from "./interval.ts";

export const JUDGED_KINDS = ["E", "A", "P"] as const;
export type JudgedKind = (typeof JUDGED_KINDS)[number];

/** What one of the two judges comes to on an item after the audit, with the evidence that was kept. */
export interface SaidOf {
  readonly status: ScoredItem["status"];
  readonly triggers: readonly string[];
  readonly constructions: readonly number[];
  readonly reason: string;
}

/** An item on which the two differ. */
export interface Disagreement {
  readonly run: string;
  readonly item: string;
  readonly kind: JudgedKind;
  readonly round: number;
  /** The item's sentence. */
  readonly says: string;
  readonly exact: SaidOf;
  readonly model: SaidOf;
}

/** The figures of one kind of item, or of all. */
export interface KindAgreement {
  readonly agreement: Agreement;
  /** Over pairs of votes on one item; n is 0 where each item had one vote. */
  readonly selfAgreement: Share;
}

export interface SetAgreement {
  /** Which model judged, as the headers say it. */
  readonly judges: readonly string[];
  readonly runs: readonly string[];
  /** Runs that are not compared, and why. */
  readonly left: readonly { readonly run: string; readonly why: string }[];
  readonly all: KindAgreement;
  readonly byKind: Readonly<Record<JudgedKind, KindAgreement>>;
  readonly disagreements: readonly Disagreement[];
}

interface Compared {
  readonly kind: JudgedKind;
  readonly pair: VerdictPair;
  readonly votes: readonly VerdictPair["seen"][];
}

/**
 * Compares the judgments of the name `as`, which a model gave, with what the exact judge says of the same runs: items of
 * rounds that were begun and that count in the run's tier, as they stand after the audit, which is as they are scored (a
 * pass that cites the wrong thing is no agreement). Runs in which nothing was done are left out: nobody was asked about
 * them. Throws RecordError `bad_name` for a name that no set of judgments can bear.
 */
export async function agreementOfSet(set: SetOnDisk, cases: CasesById, as?: string): Promise<SetAgreement> {
  const compared: Compared[] = [];
  const disagreements: Disagreement[] = [];
  const judges = new Set<string>();
  const runs: string[] = [];
  const left: { run: string; why: string }[] = [];
  for (const record of set.records) {
    // Lets the event loop turn: else Ctrl-C would be heard only after the last run.
    await setImmediate();
    const case_ = cases.get(record.manifest.case);
    // What nobody judges, nobody agrees on.
    if (case_?.track === "deduction") continue;
    const one = await compareRun(case_, record, as);
    if (!one.ok) {
      left.push({ run: record.id, why: one.why });
      continue;
    }
    runs.push(record.id);
    judges.add(one.judge);
    compared.push(...one.compared);
    disagreements.push(...one.disagreements);
  }
  const of = (kind: JudgedKind) => figuresOf(compared.filter((one) => one.kind === kind));
  return {
    judges: [...judges].sort(),
    runs,
    left,
    all: figuresOf(compared),
    byKind: { E: of("E"), A: of("A"), P: of("P") },
    disagreements,
  };
}

function figuresOf(compared: readonly Compared[]): KindAgreement {
  return {
    agreement: agreementOf(compared.map(({ pair }) => pair)),
    selfAgreement: selfAgreementOf(compared.map(({ votes }) => votes)),
  };
}

type RunComparison =
  | {
      readonly ok: true;
      readonly judge: string;
      readonly compared: readonly Compared[];
      readonly disagreements: readonly Disagreement[];
    }
  | { readonly ok: false; readonly why: string };

async function compareRun(case_: Case | undefined, record: RunRecord, as: string | undefined): Promise<RunComparison> {
  if (case_ === undefined) return { ok: false, why: `there is no case ${record.manifest.case} here` };
  try {
    const judged = await readJudgments(record.path, as);
    if (judged === undefined) return { ok: false, why: `it has no judgments${as === undefined ? "" : ` named ${as}`}` };
    const settings = judgeSettingsSchema.safeParse(judged.header.judge);
    const name = judged.header.judge["name"] ?? null;
    if (name !== "model" || !settings.success)
      return {
        ok: false,
        why: `its judgments are of the judge ${JSON.stringify(name)}, and calibration measures "model"`,
      };
    const run = await readRun(case_, record);
    if (judged.header.log !== run.log) return { ok: false, why: "its log has changed since it was judged" };
    const why = faultOfExact(run);
    if (why !== undefined) return { ok: false, why };
    if (isIdle(run)) return { ok: false, why: "nothing was done in it, so that nobody was asked" };
    const exact = settleAndScore(case_, run, judgeRunExactly(case_, run)).score;
    const model = settleAndScore(case_, run, judged).score;
    return {
      ok: true,
      judge: `${settings.data.model} at ${settings.data.host}`,
      ...compareScores(case_, record.id, exact, model, judged.judgments),
    };
  } catch (error) {
    if (!(error instanceof RecordError) || error.code === "bad_name") throw error;
    return { ok: false, why: error.message };
  }
}

function compareScores(
  case_: Case,
  run: string,
  exact: Score,
  model: Score,
  judgments: readonly Judgment[],
): { readonly compared: readonly Compared[]; readonly disagreements: readonly Disagreement[] } {
  const compared: Compared[] = [];
  const disagreements: Disagreement[] = [];
  const played = new Set(model.rounds.filter((one) => one.played).map(({ round }) => round));
  const truths = new Map(exact.items.map((item) => [item.id, item]));
  const sentences = sentencesOf(case_);
  for (const item of model.items) {
    const { id, kind, round, scored, status } = item;
    const truth = truths.get(id);
    if (!isJudged(kind) || !scored || !played.has(round) || truth === undefined || truth.status === "undecided")
      continue;
    const votes = judgments.filter((one) => one.item === id).map(({ verdict }) => verdict);
    compared.push({ kind, pair: { truth: truth.status, seen: status }, votes });
    if (truth.status === status) continue;
    const says = sentences.get(id) ?? "";
    disagreements.push({ run, item: id, kind, round, says, exact: saidOf(truth), model: saidOf(item) });
  }
  return { compared, disagreements };
}

function isJudged(kind: string): kind is JudgedKind {
  return (JUDGED_KINDS as readonly string[]).includes(kind);
}

function saidOf({ status, triggers = [], constructions = [], reason }: ScoredItem): SaidOf {
  return { status, triggers, constructions, reason };
}

function sentencesOf({ contract }: Case): ReadonlyMap<string, string> {
  return new Map(
    contract.rounds.flatMap(({ events, structures, probes }) =>
      [...events, ...structures, ...probes].map(({ id, says }) => [id as string, says] as const),
    ),
  );
}
