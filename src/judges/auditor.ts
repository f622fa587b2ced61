/** How the audit makes a model's judgments again: from the case, the run and the answers alone, every prompt rebuilt. */
import { describeIssues, type Difference, type JudgeAuditor, type Rederived } from "../records/index.ts";
import { canonicalJson } from "../runtime/index.ts";
import type { StrayLine } from "./conversation.ts";
import { deriveJudgments } from "./derive.ts";
import { faultOfVersion, judgeSettingsSchema, MODEL_JUDGES, type JudgeSettings } from "./model-judge.ts";

const NOTHING: Omit<Rederived, "differences"> = { identities: [], judgments: [] };

/** The auditors of both judges that ask a model. */
export const MODEL_AUDITORS: readonly JudgeAuditor[] = MODEL_JUDGES.map((name) => ({
  name,
  rederive: (case_, run, header, answers): Rederived => {
    const settings = judgeSettingsSchema.safeParse(header.judge);
    if (!settings.success)
      return {
        ...NOTHING,
        differences: [differs("judge", "the settings of a model judge", describeIssues(settings.error))],
      };
    const version = faultOfVersion(settings.data);
    if (version !== undefined)
      return { ...NOTHING, differences: [differs("judge", "answers that this version can read", version)] };
    const asked = answers === undefined ? undefined : faultOfAsked(settings.data, answers.header.judge);
    const derived = deriveJudgments(case_, run, settings.data, answers?.answers ?? []);
    const open =
      derived.open === 0
        ? []
        : [differs("answers", "an answer to every question", `${derived.open} votes without one that counts`)];
    return {
      identities: derived.identities,
      judgments: derived.judgments,
      differences: [...(asked === undefined ? [] : [asked]), ...open, ...derived.stray.map(sayStray)],
    };
  },
}));

/** Judgments are of the judge that was asked; only the parser may be a later one. */
function faultOfAsked(settings: JudgeSettings, saved: unknown): Difference | undefined {
  const asked = judgeSettingsSchema.safeParse(saved);
  const own = (one: JudgeSettings): string => canonicalJson({ ...one, parser: { ...one.parser, v: one.parser.asked } });
  if (asked.success && own(asked.data) === own(settings)) return undefined;
  return differs("judge", "answers of the judge that the judgments name", "answers asked for with other settings");
}

function sayStray({ line, expected }: StrayLine): Difference {
  const { question, vote, attempt, prompt } = line;
  const where = `answers: ${question} vote ${vote} attempt ${attempt}`;
  return expected === undefined
    ? { kind: "judgment", where, expected: "no such answer: nothing more was to be asked", seen: `prompt ${prompt}` }
    : { kind: "judgment", where: `${where} prompt`, expected, seen: prompt };
}

function differs(where: string, expected: string, seen: string): Difference {
  return { kind: "judgment", where, expected, seen };
}
