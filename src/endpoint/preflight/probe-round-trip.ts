/** Probes of the second turn: the tool's answer, and the model's message without text, are sent back. */
import type { EndpointFault } from "../../records/index.ts";
import type { ChatReply, JsonObject, WireCall } from "../chat.ts";
import { messageToSend } from "../history.ts";
import type { ModelSettings } from "../settings.ts";
import { quote, sayFault, sayTolerated, textOf, type Asker } from "./asker.ts";
import { notMade, probe, type Probe } from "./findings.ts";
import { answersTo, ASK_CALL, callsOf, CODE, formOf, isRefusal, TOOLS, type CallHeard } from "./tools.ts";

type EmptyContent = ModelSettings["emptyContent"];

export interface RoundTripProbe {
  readonly probes: readonly Probe[];
  readonly emptyContent?: EmptyContent;
}

const FORMS: readonly EmptyContent[] = ["null", "empty", "omit"];
const FORM_SAID: Readonly<Record<EmptyContent, string>> = { null: "null", empty: '""', omit: "no content at all" };

/**
 * Can the conversation go on after a call? The model's message goes back without text, in the settings' own form first:
 * the first form that is accepted is the one to use.
 */
export async function probeToolAnswer(asker: Asker, { reply, calls }: CallHeard): Promise<RoundTripProbe> {
  const stated = asker.model.emptyContent;
  const refused: { readonly form: EmptyContent; readonly fault: EndpointFault }[] = [];
  for (const form of [stated, ...FORMS.filter((one) => one !== stated)]) {
    const { message } = messageToSend(withoutText(reply.message), formOf(asker, form));
    const heard = await asker.ask({ messages: goOn(message, calls), tools: TOOLS });
    if (heard.kind === "answered") {
      asker.goOnWith({ emptyContent: form });
      return {
        probes: [
          sayGoneOn(asker, reply, heard.reply),
          sayForm(
            form,
            refused.map((one) => one.form),
          ),
        ],
        emptyContent: form,
      };
    }
    if (heard.kind === "stopped" || !isRefusal(heard.fault)) {
      return { probes: [asker.without("tool_answer", heard), notMade("empty_content")] };
    }
    refused.push({ form, fault: heard.fault });
  }
  return {
    probes: await sayAllRefused(
      asker,
      { reply, calls },
      refused.map(({ fault }) => fault),
    ),
  };
}

/** No form is accepted: is it the missing text, or the answer of the tool? */
async function sayAllRefused(
  asker: Asker,
  { reply, calls }: CallHeard,
  faults: readonly EndpointFault[],
): Promise<readonly Probe[]> {
  const spoken = { ...reply.message, content: "I call the tool." };
  const { message } = messageToSend(spoken, formOf(asker));
  const heard = await asker.ask({ messages: goOn(message, calls), tools: TOOLS });
  if (heard.kind !== "answered") return [asker.without("tool_answer", heard), notMade("empty_content")];
  const [fault] = faults;
  return [
    sayGoneOn(asker, reply, heard.reply),
    probe(
      "empty_content",
      "fail",
      fault === undefined ? "no form is accepted" : `no form is accepted: ${sayFault(fault)}`,
      {
        advice:
          "This server takes no message of a model that has calls and no text: a newer version of it, or another chat template, may.",
      },
    ),
  ];
}

function goOn(message: JsonObject, calls: readonly WireCall[]): readonly JsonObject[] {
  return [ASK_CALL, message, ...answersTo(calls)];
}

/** Members of a message that say nothing of thinking. */
const PLAIN = new Set(["role", "content", "tool_calls", "refusal", "annotations", "audio", "function_call"]);

function sayGoneOn(asker: Asker, first: ChatReply, second: ChatReply): Probe {
  const kept = Object.keys(first.message).filter((key) => !PLAIN.has(key));
  const back = kept.length === 0 ? "" : `; sent back with ${kept.slice(0, 5).join(", ")}`;
  const { calls, tolerated } = callsOf(second, asker.model);
  const put = sayTolerated([...second.tolerated, ...tolerated]);
  const text = textOf(second);
  if (text.includes(CODE)) return probe("tool_answer", "ok", `the model uses the tool's answer${back}${put}`);
  if (calls.length > 0) {
    return probe("tool_answer", "ok", `the model goes on with a call of ${calls[0]?.name ?? ""}${back}${put}`);
  }
  if (second.finish === "content_filter" || typeof second.message["refusal"] === "string") {
    return probe(
      "tool_answer",
      "warn",
      `the tool's answer is taken; a content filter or the model refused to go on${back}${put}`,
      {
        advice: "Runs in which that happens end as blocked: see the provider's settings for filters.",
      },
    );
  }
  const said = text.trim() === "" ? "an answer without a word" : `the model does not repeat it: ${quote(text)}`;
  return probe("tool_answer", "warn", `the tool's answer is taken; ${said}${back}${put}`, {
    advice: "The model may not see what tools answer: check that the server's chat template knows the role tool.",
  });
}

function sayForm(form: EmptyContent, refused: readonly EmptyContent[]): Probe {
  const but = refused.map((one) => FORM_SAID[one]).join(" and ");
  return probe(
    "empty_content",
    "ok",
    `${FORM_SAID[form]} is accepted${but === "" ? "" : `; ${but} ${refused.length === 1 ? "is" : "are"} refused`}`,
  );
}

/** A message whose calls stand in its text has no text once they are taken out of it. */
function withoutText(message: JsonObject): JsonObject {
  return Array.isArray(message["tool_calls"]) ? { ...message, content: null } : message;
}
