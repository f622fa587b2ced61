/** Agreement of the model judge with the exact one, over the runs of a set where both apply. Nobody is asked anything. */
import { setImmediate } from "node:timers/promises";
import type { Case } from "../../cases/index.ts";
import { isScored, itemsOf, settleVotes, type Judgment } from "../../contracts/index.ts";
import {
  faultOfExact,
  judgeRunExactly,
  readJudgments,
  readRun,
  RecordError,
  type RunRecord,
} from "../../records/index.ts";
import type { CasesById, SetOnDisk } from "../../tracks/index.ts";
import { judgeSettingsSchema } from "../model-judge.ts";
import { agreementOf, selfAgreementOf, type Agreement, type VerdictPair } from "./agreement.ts";
import type { Share } from "./interval.ts";

export const JUDGED_KINDS = ["E", "A", "P"] as const;
export type JudgedKind = (typeof JUDGED_KINDS)[number];

/** What one of the two judges says of an item, with its evidence. */
export type SaidOf = Pick<Judgment, "verdict" | "triggers" | "constructions" | "reason">;

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
 * rounds that were begun and that count in the run's tier, before any audit. Throws RecordError `bad_name` for a name
 * that no set of judgments can bear.
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
    const one = await compareRun(cases.get(record.manifest.case), record, as);
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
    const exact = new Map(judgeRunExactly(case_, run).judgments.map((one) => [one.item as string, one]));
    return {
      ok: true,
      judge: `${settings.data.model} at ${settings.data.host}`,
      ...compareJudgments(case_, record, exact, judged.judgments),
    };
  } catch (error) {
    if (!(error instanceof RecordError) || error.code === "bad_name") throw error;
    return { ok: false, why: error.message };
  }
}

function compareJudgments(
  case_: Case,
  { id: run, manifest }: RunRecord,
  exact: ReadonlyMap<string, Judgment>,
  judgments: readonly Judgment[],
): { readonly compared: readonly Compared[]; readonly disagreements: readonly Disagreement[] } {
  const compared: Compared[] = [];
  const disagreements: Disagreement[] = [];
  const settled = settleVotes(judgments);
  const sentences = sentencesOf(case_);
  for (const item of itemsOf(case_.contract)) {
    const truth = exact.get(item.id);
    const model = settled.get(item.id);
    if (truth === undefined || model === undefined || truth.verdict === "undecided") continue;
    if (manifest.track !== "maintenance" || !isScored(item, manifest.tier)) continue;
    const kind = truth.kind;
    const votes = judgments.filter((one) => one.item === item.id).map(({ verdict }) => verdict);
    compared.push({ kind, pair: { truth: truth.verdict, seen: model.verdict }, votes });
    if (truth.verdict === model.verdict) continue;
    const says = sentences.get(item.id) ?? "";
    disagreements.push({
      run,
      item: item.id,
      kind,
      round: item.round,
      says,
      exact: saidOf(truth),
      model: saidOf(model),
    });
  }
  return { compared, disagreements };
}

function saidOf({ verdict, triggers, constructions, reason }: Judgment): SaidOf {
  return { verdict, triggers, constructions, reason };
}

function sentencesOf({ contract }: Case): ReadonlyMap<string, string> {
  return new Map(
    contract.rounds.flatMap(({ events, structures, probes }) =>
      [...events, ...structures, ...probes].map(({ id, says }) => [id as string, says] as const),
    ),
  );
}
