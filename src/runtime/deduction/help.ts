/** `help` in deduction: the public protocol of a condition and mode, by topic. Reads nothing but its own words. */
import type { Result } from "../errors.ts";
import { readTopic } from "../help-topic.ts";
import type { HelpAnswer } from "../tool-answers.ts";
import {
  errors,
  example,
  expressions,
  limits,
  overview,
  predictions,
  reading,
  time,
  type HelpText,
} from "./help-text.ts";
import type { DeductionScenario } from "./scenario.ts";

const TOPICS: Readonly<Record<string, HelpText>> = {
  overview,
  example,
  predictions,
  time,
  expressions,
  reading,
  limits,
  errors,
};

export const DEDUCTION_TOPICS: readonly string[] = Object.keys(TOPICS);

/** The text of a topic; the overview where none is named. */
export function deductionHelp(
  { condition, mode, dynamics }: Pick<DeductionScenario, "condition" | "mode" | "dynamics">,
  topic = "overview",
): Result<HelpAnswer> {
  const { segment, decision } = dynamics;
  return readTopic(TOPICS, { condition, mode, segment, decision }, topic);
}
