/** What is odd about an answer as a whole, and put up with. */
import type { Tolerated } from "../records/index.ts";
import { wireCallsOf } from "./calls.ts";
import type { JsonObject } from "./chat.ts";

/** Members of an assistant message that the protocol knows. */
const KNOWN: ReadonlySet<string> = new Set([
  "role",
  "content",
  "tool_calls",
  "refusal",
  "annotations",
  "audio",
  "function_call",
]);

/** Names of unknown members that are told. */
const TOLD = 8;

export function notesOn(message: JsonObject, finish: string | null): readonly Tolerated[] {
  return [...noteOnFinish(wireCallsOf(message).length, finish), ...noteOnMembers(message)];
}

/** Whether there are calls is decided by the calls, whatever the reason to finish says. */
function noteOnFinish(calls: number, finish: string | null): readonly Tolerated[] {
  const says = `finish_reason is ${JSON.stringify(finish)} with ${calls === 1 ? "1 call" : `${calls} calls`}`;
  const isOdd = calls === 0 ? finish === "tool_calls" : finish !== "tool_calls" && finish !== "length";
  return isOdd ? [{ quirk: "finish_reason_mismatch", says }] : [];
}

function noteOnMembers(message: JsonObject): readonly Tolerated[] {
  const names = Object.keys(message).filter((name) => !KNOWN.has(name) && message[name] !== null);
  if (names.length === 0) return [];
  const shown = names.slice(0, TOLD).map((name) => name.slice(0, 64));
  const more = names.length > TOLD ? ` and ${names.length - TOLD} more` : "";
  return [{ quirk: "unknown_fields_kept", says: `kept and sent back: ${shown.join(", ")}${more}` }];
}
