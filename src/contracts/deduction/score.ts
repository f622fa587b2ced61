/** Scores a deduction run from its closed spans, its rules and its initial world: no model judges anything. */
import * as z from "zod";
import {
  CONDITIONS,
  isTrue,
  MODES,
  WAIT_ID,
  type CompiledExpression,
  type Condition,
  type Dynamics,
  type Mode,
  type SpanRecord,
  type World,
} from "../../runtime/index.ts";
import { baselinesAlong, type Along } from "./along.ts";
import { BASELINE_NAMES, type BaselineName } from "./baselines/baseline.ts";
import { firesOf, firesSchema } from "./fires.ts";
import { questionsOf, type Question, type QuestionKind } from "./question.ts";
import { meansOf, meansSchema, readingOf, readingSchema, type Reading } from "./reading.ts";
import { visibilityOfPaths } from "./visibility-of-path.ts";

/** What is read off a run, each from questions of one kind; `counterfactual` from both of its own. */
export const READING_KINDS = [
  "segment",
  "interval",
  "lookahead",
  "counterfactual",
  "counterfactual_action",
  "counterfactual_happening",
] as const;
export type ReadingKind = (typeof READING_KINDS)[number];

const QUESTIONS_OF: Readonly<Record<ReadingKind, readonly QuestionKind[]>> = {
  segment: ["segment"],
  interval: ["interval"],
  lookahead: ["lookahead"],
  counterfactual: ["action", "happening"],
  counterfactual_action: ["action"],
  counterfactual_happening: ["happening"],
};

/** The readings there are in a mode, whether anything of the kind was asked or not. */
export function readingsOfMode(mode: Mode): readonly ReadingKind[] {
  return READING_KINDS.filter((kind) => (kind === "segment") === (mode === "M1"));
}

const count = z.int().min(0);
const kindSchema = z.enum(READING_KINDS);

const ofRun = {
  v: z.literal(1),
  track: z.literal("deduction"),
  case: z.string(),
  family: z.string(),
  condition: z.enum(CONDITIONS),
  mode: z.enum(MODES),
  fold: count,
  agent: z.string(),
  outcome: z.string().describe("Why the run ended"),
};

const baselineSchema = z.strictObject({
  readings: z.partialRecord(kindSchema, meansSchema),
  fires: firesSchema.pick({ precision: true, recall: true }),
});
export type BaselineScore = Readonly<z.infer<typeof baselineSchema>>;

const scoredSchema = z.strictObject({
  ...ofRun,
  excluded: z.literal(false),
  spans: z.strictObject({
    planned: count,
    played: count.describe("Closed by the agent; the others count as unanswered"),
    unanswered: count.describe("Spans in which a required answer is missing, those that were not played among them"),
  }),
  readings: z.partialRecord(kindSchema, readingSchema).describe("segment in M1, the others in M2"),
  fires: firesSchema,
  goal: z.boolean().nullable().describe("Whether the goal holds at the last tick; null in M1, where nobody acts"),
  waits: z.strictObject({ waits: count, decisions: count.describe("Decision points that were played") }),
  baselines: z
    .record(z.enum(BASELINE_NAMES), baselineSchema)
    .describe("What they would have answered along this very trajectory"),
});
export type ScoredDeduction = Readonly<z.infer<typeof scoredSchema>>;

const excludedSchema = z.strictObject({
  ...ofRun,
  excluded: z.literal(true),
  reason: z.string().describe("Why it has no figures"),
});

/** score.json of a deduction run. Holds no time of day: equal runs have equal scores, byte for byte in canonical JSON. */
export const deductionScoreSchema = z.discriminatedUnion("excluded", [scoredSchema, excludedSchema]);
export type DeductionScore = Readonly<z.infer<typeof deductionScoreSchema>>;

/** What a deduction run is scored from. */
export interface DeductionRun {
  readonly case: string;
  readonly family: string;
  readonly condition: Condition;
  readonly mode: Mode;
  readonly fold: number;
  readonly agent: string;
  readonly outcome: string;
  /** The spans that were played, in order. */
  readonly spans: readonly SpanRecord[];
  /** Those that were planned and never played: nothing was answered, and from there on the character waits. */
  readonly rest: readonly SpanRecord[];
  readonly dynamics: Dynamics;
  /** The true initial world of the fold. */
  readonly world: World;
  readonly goal: { readonly holds: CompiledExpression };
}

/**
 * The score of a run. What was planned and not answered stays in every denominator, so that a run that stopped early is
 * read as one that went on in silence. A run that met a fault of the case is excluded: it says nothing of the agent.
 */
export function scoreDeduction(run: DeductionRun): DeductionScore {
  const { spans, rest, mode, dynamics, world } = run;
  const identity = identityOf(run);
  if (run.outcome === "engine_fault")
    return { ...identity, excluded: true, reason: "the rules of the case contradict themselves on this trajectory" };
  const planned = [...spans, ...rest];
  const visibilityOf = visibilityOfPaths(dynamics, world, planned);
  const along = baselinesAlong({ case: run.case, mode, dynamics, world, spans: planned });
  return {
    ...identity,
    excluded: false,
    spans: { planned: planned.length, played: spans.length, unanswered: planned.filter(isUnanswered).length },
    readings: byKind(mode, planned, (questions): Reading => readingOf(questions, visibilityOf)),
    fires: firesOf(planned.map(({ fires }) => fires)),
    goal: mode === "M1" ? null : goalOf(run, along.walked.spans.at(-1)?.after ?? world),
    waits: waitsOf(spans),
    baselines: scoreBaselines(mode, along),
  };
}

function identityOf({ case: case_, family, condition, mode, fold, agent, outcome }: DeductionRun) {
  return { v: 1, track: "deduction", case: case_, family, condition, mode, fold, agent, outcome } as const;
}

function byKind<T>(
  mode: Mode,
  spans: readonly SpanRecord[],
  read: (questions: readonly Question[]) => T,
): Partial<Record<ReadingKind, T>> {
  const questions = questionsOf(spans);
  return Object.fromEntries(
    readingsOfMode(mode).map((kind) => [kind, read(questions.filter((one) => QUESTIONS_OF[kind].includes(one.kind)))]),
  );
}

function isUnanswered({ submitted }: SpanRecord): boolean {
  return Object.values(submitted).includes(null);
}

function waitsOf(spans: readonly SpanRecord[]): ScoredDeduction["waits"] {
  const actions = spans.flatMap(({ action }) => (action === undefined ? [] : [action.action]));
  return { waits: actions.filter((action) => action === WAIT_ID).length, decisions: actions.length };
}

/** Judged in the true world at the end, where a run that stopped early has waited. */
function goalOf({ goal, spans, rest }: DeductionRun, end: World): boolean {
  const holds = isTrue(goal.holds, end);
  const said = (rest.at(-1) ?? spans.at(-1))?.goal;
  if (said !== undefined && said !== holds)
    throw new Error(`scoreDeduction: the last span says ${said} of the goal, and the rules say ${holds}`);
  return holds;
}

function scoreBaselines(mode: Mode, { spans }: Along): Record<BaselineName, BaselineScore> {
  const scored = BASELINE_NAMES.map((name): [BaselineName, BaselineScore] => {
    const { precision, recall } = firesOf(spans[name].map(({ fires }) => fires));
    return [name, { readings: byKind(mode, spans[name], meansOf), fires: { precision, recall } }];
  });
  return Object.fromEntries(scored) as Record<BaselineName, BaselineScore>;
}
