/** `help`: the public protocol of a tier, by topic. Reads nothing but its own words. */
import type { Result } from "../errors.ts";
import { readTopic } from "../help-topic.ts";
import {
  capabilities,
  construction,
  errors,
  example,
  expressions,
  limits,
  overview,
  reading,
  steps,
  time,
  type HelpText,
} from "./help-text.ts";
import type { HelpAnswer } from "../tool-answers.ts";
import type { Tier } from "../tier.ts";

const TOPICS: Readonly<Record<string, HelpText>> = {
  overview,
  example,
  capabilities,
  expressions,
  steps,
  time,
  construction,
  reading,
  limits,
  errors,
};

export const HELP_TOPICS: readonly string[] = Object.keys(TOPICS);

/** The text of a topic in a tier; the overview where none is named. */
export function helpFor(tier: Tier, topic = "overview"): Result<HelpAnswer> {
  return readTopic(TOPICS, tier, topic);
}
