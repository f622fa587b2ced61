import { refuse, succeed, suggest, type Result } from "./errors.ts";
import { showText } from "./show.ts";
import type { HelpAnswer } from "./tool-answers.ts";

/** The text of one topic of `help`, made for whoever asks; a topic that there is not is answered with what is near. */
export function readTopic<Of>(
  topics: Readonly<Record<string, (of: Of) => string>>,
  of: Of,
  topic: string,
): Result<HelpAnswer> {
  const all = Object.keys(topics);
  const text = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (text !== undefined) return succeed({ ok: true, topic, text: text(of), topics: all });
  const hint = suggest(topic, all);
  return refuse("unknown_topic", `there is no topic ${showText(topic)}`, { path: "topic", hint });
}
