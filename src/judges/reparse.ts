/** Reads answers again by the present parser, without asking anyone, into a set of judgments beside the old one. */
import type { Score } from "../contracts/index.ts";
import { readAnswers, readRun, RecordError, scoreOf, writeJudgments } from "../records/index.ts";
import { setOf, type RunToJudge } from "./judge-run.ts";
import { faultOfVersion, judgeSettingsSchema } from "./model-judge.ts";
import { PARSER_VERSION } from "./parse.ts";

export type ReparsedRun =
  | {
      readonly kind: "judged";
      readonly score: Score;
      readonly parser: { readonly was: number; readonly is: number };
    }
  | { readonly kind: "left"; readonly why: string }
  | { readonly kind: "fault"; readonly why: string };

/** The name of a set that was read again: it says by which parser. */
export function nameOfReparsed(as: string): string {
  return `${as}-p${PARSER_VERSION}`;
}

/** Reads the answers `as` of a run again. What its record refuses is a value; throws RecordError `bad_name`. */
export async function reparseRun({ case: case_, record }: RunToJudge, as: string): Promise<ReparsedRun> {
  try {
    const answers = await readAnswers(record.path, as);
    if (answers === undefined) return { kind: "left", why: `it has no answers named ${as}` };
    const parsed = judgeSettingsSchema.safeParse(answers.header.judge);
    if (!parsed.success) return { kind: "fault", why: `its answers ${as} are not of a model judge of this version` };
    const asked = parsed.data;
    const settings = { ...asked, parser: { v: PARSER_VERSION, asked: asked.parser.asked } };
    const why = faultOfVersion(settings);
    if (why !== undefined) return { kind: "fault", why: `its answers cannot be read: ${why}` };
    const run = await readRun(case_, record);
    if (run.log !== answers.header.log || case_.contractDigest !== answers.header.contractDigest)
      return { kind: "fault", why: `its answers ${as} are of another log or contract` };
    const { set, open } = setOf(case_, run, settings, answers.answers);
    if (open > 0) return { kind: "left", why: `${open} questions have no answer yet; judge it to its end first` };
    const header = { ...set.header, answers: as };
    writeJudgments(record.path, { ...set, header }, nameOfReparsed(as));
    return {
      kind: "judged",
      score: scoreOf(case_, run, { ...set, header }),
      parser: { was: asked.parser.v, is: PARSER_VERSION },
    };
  } catch (error) {
    if (!(error instanceof RecordError) || error.code === "bad_name") throw error;
    return { kind: "fault", why: error.message };
  }
}
