/** A run that is played by lines: one call as JSON a line, each answered by one line. For people and scripts. */
import type { RecordedRun } from "../../records/index.ts";
import { admitCall, admitText, LIMITS, refuse, type AdmittedCall, type ToolError } from "../../runtime/index.ts";
import type { AgentEnd } from "../agent.ts";
import { endOf } from "./run.ts";

/** Bytes of one line: the largest input there may be, the tool's name, and room for blanks and escapes. */
export const MAX_CALL_LINE_BYTES = 2 * LIMITS.inputBytes;

/** One line, or that one was too long to be held. */
type BoundedLine = { readonly kind: "line"; readonly bytes: Uint8Array } | { readonly kind: "too_long" };

const NEWLINE = 0x0a;

/** Splits bytes at newlines and holds at most `maxBytes` of a line; what follows the last newline is a line as well. */
export async function* boundedLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<BoundedLine, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const hold = (bytes: Uint8Array): void => {
    length += bytes.length;
    if (length > maxBytes) parts = [];
    else parts.push(bytes);
  };
  const take = (): BoundedLine => {
    const line: BoundedLine = length > maxBytes ? { kind: "too_long" } : { kind: "line", bytes: Buffer.concat(parts) };
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, at));
      from = at + 1;
      yield take();
    }
    hold(chunk.subarray(from));
  }
  if (length > 0) yield take();
}

/**
 * Plays `run` by the lines of `input`; `answer` is given each answer as one line of JSON, once it is on disk. Blank lines
 * are passed over. Where the input ends first, `atEnd` says whether the player stops here; a run that is left open can be
 * taken up again. Returns how the run ended, in which case it is sealed, or undefined where it is left open.
 */
export async function playLines(
  run: RecordedRun,
  input: AsyncIterable<Uint8Array>,
  answer: (line: string) => void,
  atEnd: () => "open" | "stopped" | Promise<"open" | "stopped"> = () => "open",
): Promise<AgentEnd | undefined> {
  // It was ended already, by a process that was killed before it wrote the seal.
  let end = run.ended === undefined ? endOf(run) : { outcome: run.ended };
  if (end === undefined) {
    for await (const line of boundedLines(input, MAX_CALL_LINE_BYTES)) {
      const call = callOfLine(line);
      if (call === undefined) continue;
      answer(JSON.stringify(run.call(call)));
      end = endOf(run);
      if (end !== undefined) break;
    }
  }
  if (end === undefined && (await atEnd()) === "stopped")
    end = { outcome: "stopped", detail: "the player stopped before the case was finished" };
  if (end !== undefined) run.end(end.outcome, end.detail);
  return end;
}

// Fatal: what is no text is refused rather than read as something else.
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The call in a line, admitted or refused; undefined for a blank line. */
export function callOfLine(line: BoundedLine): AdmittedCall | undefined {
  if (line.kind === "too_long")
    return refusedLine("input_too_large", `a line holds at most ${MAX_CALL_LINE_BYTES} bytes`, "send less at once");
  let text: string;
  try {
    text = decoder.decode(line.bytes).trim();
  } catch {
    return refusedLine("malformed_input", "the line is no UTF-8 text");
  }
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusedLine("malformed_input", "the line is no JSON", EXAMPLE);
  }
  return callOfValue(value);
}

const EXAMPLE = 'one call a line, such as {"tool": "read_data", "input": {"from": "entities"}}';

function callOfValue(value: unknown): AdmittedCall {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refusedLine("malformed_input", "the line is no JSON object", EXAMPLE);
  const { tool, input, arguments: args, ...others } = value as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const key = JSON.stringify(other.length > 60 ? `${other.slice(0, 59)}…` : other);
    return refusedLine("unknown_key", `a line holds tool and input, and nothing else: ${key} is no key of it`, EXAMPLE);
  }
  if (tool === undefined) return refusedLine("missing_key", "the line names no tool", EXAMPLE);
  if (input !== undefined && args !== undefined)
    return refusedLine("malformed_input", "input and arguments are two names for one thing: give one of them", EXAMPLE);
  // Model endpoints give the arguments of a call as a text that holds JSON.
  return typeof args === "string" ? admitText(tool, args) : admitCall(tool, input ?? args);
}

/** A line that names no tool that could be called: it is logged as refused, under no tool's name. */
function refusedLine(code: ToolError["code"], message: string, hint?: string): AdmittedCall {
  return { ok: false, tool: "", error: refuse(code, message, { hint }).error };
}
