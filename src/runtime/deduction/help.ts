/** `help` in deduction: the public protocol of a condition and mode, by topic. Reads nothing but its own words. */
import { refuse, succeed, suggest, type Result } from "../errors.ts";
import type { HelpAnswer } from "../tool-answers.ts";
import { showText } from "../show.ts";
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
  const text = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (text === undefined) {
    return refuse("unknown_topic", `there is no topic ${showText(topic)}`, {
      path: "topic",
      hint: suggest(topic, DEDUCTION_TOPICS),
    });
  }
  const { segment, decision } = dynamics;
  return succeed({
    ok: true,
    topic,
    text: text({ condition, mode, segment, decision }),
    topics: [...DEDUCTION_TOPICS],
  });
}
