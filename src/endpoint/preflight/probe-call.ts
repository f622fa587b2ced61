/** The probe on which everything rests: does a call come? */
import type { EndpointFault } from "../../records/index.ts";
import { adviceForParser } from "../advice.ts";
import type { ModelSettings } from "../settings.ts";
import { quote, sayTolerated, textOf, type Asker } from "./asker.ts";
import { probe, type Probe } from "./findings.ts";
import { ASK_CALL, callsOf, isRefusal, TOOLS, type CallHeard } from "./tools.ts";

type ToolChoice = ModelSettings["toolChoice"];

export interface ToolCallProbe {
  readonly probe: Probe;
  readonly heard?: CallHeard;
  readonly toolChoice?: ToolChoice;
}

/** What else may bring a call where the settings' own `tool_choice` brings none. */
const NEXT: Readonly<Record<ToolChoice, ToolChoice>> = { auto: "required", required: "auto", omit: "required" };

/** What came of one question for a call. */
type Tried =
  | { readonly kind: "called"; readonly heard: CallHeard; readonly seen: string; readonly sound: boolean }
  | { readonly kind: "words"; readonly seen: string; readonly advice: string }
  | { readonly kind: "failed"; readonly fault: EndpointFault; readonly probe: Probe };

/** Does the model call a tool, and does the server hand the call on? Tried with another `tool_choice` where it does not. */
export async function probeToolCall(asker: Asker): Promise<ToolCallProbe> {
  const choice = asker.model.toolChoice;
  const first = await tryCall(asker, choice);
  if (first === undefined) return { probe: probe("tool_call", "skipped", "stopped before it was made") };
  if (first.kind === "called") return { probe: sayCalled(first), heard: first.heard };
  if (first.kind === "failed" && !isRefusal(first.fault)) return { probe: first.probe };
  const second = await tryCall(asker, NEXT[choice]);
  if (second?.kind !== "called") return { probe: sayUncalled(first) };
  const said = sayUncalled(first);
  asker.goOnWith({ toolChoice: NEXT[choice] });
  return {
    probe: {
      ...said,
      status: "warn",
      seen: `tool_choice ${sayChoice(NEXT[choice])} brings a call, ${sayChoice(choice)} does not: ${said.seen}`,
    },
    heard: second.heard,
    toolChoice: NEXT[choice],
  };
}

async function tryCall(asker: Asker, toolChoice: ToolChoice): Promise<Tried | undefined> {
  const heard = await asker.ask({ messages: [ASK_CALL], tools: TOOLS }, { toolChoice });
  if (heard.kind === "stopped") return undefined;
  if (heard.kind === "failed") {
    return { kind: "failed", fault: heard.fault, probe: asker.without("tool_call", heard) };
  }
  const { reply } = heard;
  const { calls, tolerated } = callsOf(reply, asker.model);
  const put = sayTolerated([...reply.tolerated, ...tolerated]);
  if (calls.length > 0) {
    const [first] = calls;
    return {
      kind: "called",
      heard: { reply, calls },
      seen: `a call of ${first?.name ?? ""}${put}`,
      sound: calls.every(({ input, name }) => input.ok && TOOLS.some((tool) => tool.name === name)),
    };
  }
  const text = textOf(reply);
  if (tolerated.some(({ quirk }) => quirk === "unparsed_call")) {
    return { kind: "words", seen: `the call came as text: ${quote(text)}`, advice: adviceForParser(text) };
  }
  const said =
    text.trim() === "" ? "an answer without a word and without a call" : `words in place of a call: ${quote(text)}`;
  return {
    kind: "words",
    seen: `${said}${put}`,
    advice:
      "Asked to call a tool, this model calls none: choose one that was trained for tool calls, and see that its server hands the tools on to it (llama.cpp: --jinja; Ollama: a model whose page says tools).",
  };
}

function sayCalled({ seen, sound }: Extract<Tried, { readonly kind: "called" }>): Probe {
  return sound
    ? probe("tool_call", "ok", seen)
    : probe("tool_call", "warn", `${seen}, not as the tool's schema has it`, {
        advice:
          "Such calls are answered with an error and count as the model's own fault; see whether the parser fits the model.",
      });
}

function sayUncalled(tried: Exclude<Tried, { readonly kind: "called" }>): Probe {
  return tried.kind === "failed" ? tried.probe : probe("tool_call", "fail", tried.seen, { advice: tried.advice });
}

function sayChoice(choice: ToolChoice): string {
  return choice === "omit" ? "left out" : `"${choice}"`;
}
