/** The probe of several calls at once: runs can do without them, and not with a server that chokes on them. */
import { messageToSend } from "../history.ts";
import { sayTolerated, type Asker } from "./asker.ts";
import { probe, type Found, type Probe } from "./findings.ts";
import { user } from "./probe-answers.ts";
import { answersTo, callsOf, formOf, isRefusal, TOOLS } from "./tools.ts";

export interface ParallelProbe {
  readonly probe: Probe;
  readonly found: Pick<Found, "parallelCalls" | "parallelToolCalls">;
}

const ASK_SEVERAL = user(
  "This is a test of tool calls. Call the tool read_data three times in one and the same message: from types, from entities and from map. Do not wait for one answer before you make the next call.",
);

/** Do several calls come in one message, and does the conversation survive them? */
export async function probeParallel(asker: Asker): Promise<ParallelProbe> {
  const one = { parallelCalls: false };
  const name = "parallel_calls";
  if (asker.model.parallelToolCalls === false)
    return { probe: probe(name, "skipped", "the settings forbid them"), found: one };
  const heard = await asker.ask({ messages: [ASK_SEVERAL], tools: TOOLS });
  if (heard.kind !== "answered") return { probe: mild(asker.without(name, heard)), found: one };
  const { calls, tolerated } = callsOf(heard.reply, asker.model);
  const put = sayTolerated([...heard.reply.tolerated, ...tolerated]);
  if (calls.length < 2) {
    const seen = calls.length === 0 ? "no call" : "one call a message";
    return { probe: probe(name, "ok", `${seen}: a run takes more requests${put}`), found: one };
  }
  const { message } = messageToSend(heard.reply.message, formOf(asker));
  const next = await asker.ask({ messages: [ASK_SEVERAL, message, ...answersTo(calls)], tools: TOOLS });
  if (next.kind === "answered") {
    return { probe: probe(name, "ok", `${calls.length} calls in one message${put}`), found: { parallelCalls: true } };
  }
  const failed = mild(asker.without(name, next));
  if (next.kind === "stopped" || !isRefusal(next.fault)) return { probe: failed, found: one };
  return {
    probe: {
      ...failed,
      seen: `${calls.length} calls come in one message, and their answers are refused: ${failed.seen}`,
      advice: "Runs ask for one call a message (--parallel-tool-calls=false) unless the settings say otherwise.",
    },
    found: { parallelCalls: false, parallelToolCalls: false },
  };
}

/** A run can do without several calls at once. */
function mild(found: Probe): Probe {
  return found.status === "fail" ? { ...found, status: "warn" } : found;
}
