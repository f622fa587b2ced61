/** The chat loop in words: what `worldagent agents show model` prints, and what docs/chat-loop.md holds. */
import type { ChatMethod, SettingFact } from "../agents/index.ts";
import { tableLines } from "../report/index.ts";

export function methodLines({ v, prompt, tools, settings, ends }: ChatMethod): readonly string[] {
  const { texts } = prompt;
  return [
    `loop    version ${v}`,
    `prompt  version ${prompt.v}, digest ${prompt.digest}`,
    `tools   ${tools.names.join(", ")}, digest ${tools.digest}`,
    ...section("The system prompt in maintenance", texts.system.split("\n")),
    ...section("The system prompt in deduction", prompt.deduction.system.split("\n")),
    ...section("The first message of the user", texts.opening.split("\n")),
    ...section("In answer to a message without a call, in maintenance", [texts.nudge]),
    ...section("In answer to a message without a call, in deduction", [prompt.deduction.nudge]),
    ...section("In answer to one whose text looks like a call", [texts.nudgeUnparsed]),
    ...section("In answer to each call beyond those of one message that are carried out", [texts.beyond]),
    ...section("Defaults of the loop", settingLines(settings.loop)),
    ...section("Of the model", settingLines(settings.model)),
    ...section("Of the endpoint", settingLines(settings.endpoint)),
    ...section(
      "How a run ends",
      ends.map(({ outcome, when }) => `${outcome}: ${when}`),
    ),
  ];
}

const BEGIN = "<!-- begin: worldagent agents show model -->\n";
const END = "<!-- end -->\n";

/** A page with what is between its marks made anew. Throws where the marks are missing: the page is ours. */
export function withMethod(page: string, method: ChatMethod): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`withMethod: the page lacks ${BEGIN}or ${END}`);
  return [before, BEGIN, "\n```text\n", methodLines(method).join("\n"), "\n```\n\n", END, after].join("");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ["", `${title}:`, ...lines.map((line) => (line === "" ? "" : `  ${line}`))];
}

function settingLines(facts: readonly SettingFact[]): readonly string[] {
  return tableLines<SettingFact>(
    [
      { head: "setting", cell: ({ name }) => name },
      { head: "default", cell: ({ default: preset }) => (preset === undefined ? "—" : JSON.stringify(preset)) },
      { head: "meaning", cell: ({ says }) => says },
    ],
    facts,
  );
}
