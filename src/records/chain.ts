/** The hash chain of a log, line by line. Pure: texts in, texts or faults out. */
import { canonicalJson, compareText, sha256, type Result } from "../runtime/index.ts";
import { envelopeSchema, logBodySchema, type Envelope, type LogBody, type LogEntry } from "./entry.ts";
import { RecordError } from "./error.ts";
import { describeIssues, faultOfJson } from "./json.ts";

/** What line 0 names as the line before it. */
export const FIRST_PREV = "0".repeat(64);

export const LINE_FAULT_KINDS = [
  "torn", // bytes at the end without a newline
  "too_long",
  "not_json",
  "unknown_shape",
  "wrong_hash",
  "not_canonical",
  "wrong_seq",
  "wrong_prev",
  "misplaced", // a manifest elsewhere than on line 0, a seal that miscounts, anything after a seal
] as const;
export type LineFaultKind = (typeof LINE_FAULT_KINDS)[number];

/** What is wrong with one line: what should be there and what is. */
export interface LineFault {
  readonly kind: LineFaultKind;
  readonly expected: string;
  readonly seen: string;
}

interface Sealed {
  readonly text: string;
  readonly hash: string;
}

/** Canonical text and hash of a line, each value serialised once for both. `fields` are all but `hash`. */
function sealFields(fields: Readonly<Record<string, unknown>>): Sealed {
  const keys = Object.keys(fields)
    .filter((key) => fields[key] !== undefined)
    .sort(compareText);
  const parts = keys.map((key) => `${canonicalJson(key)}:${canonicalJson(fields[key])}`);
  const hash = sha256(`{${parts.join(",")}}`);
  parts.splice(keys.filter((key) => key < "hash").length, 0, `"hash":"${hash}"`);
  return { text: `{${parts.join(",")}}`, hash };
}

/**
 * The line number `seq` (from 0) that holds `body` and follows the line whose hash is `prev`: its text without
 * a newline. Throws `not_json` for a number that is not finite or anything else JSON cannot say, and `bad_entry`
 * for a body no reader would take.
 */
export function sealLine(body: LogBody, seq: number, prev: string): Sealed & { readonly entry: LogEntry } {
  const where = `log line ${seq + 1} (${body.kind})`;
  const fault = faultOfJson(body);
  if (fault !== undefined) {
    const remedy = "A log holds JSON alone: finite numbers, text, lists, plain objects";
    throw new RecordError("not_json", {
      where,
      what: `${fault.path || "the body"} is ${fault.fault}`,
      remedy,
      facts: { path: fault.path },
    });
  }
  const misfit = faultOfBody(body, seq);
  if (misfit !== undefined) {
    throw new RecordError("bad_entry", {
      where,
      what: `${misfit.seen} (expected ${misfit.expected})`,
      remedy: "This is a fault of the program",
    });
  }
  const { text, hash } = sealFields({ ...body, seq, prev });
  return { text, hash, entry: { ...body, seq, prev, hash } };
}

function faultOfBody(body: unknown, seq: number): LineFault | undefined {
  const parsed = parseBody(body, seq);
  return parsed.ok ? undefined : parsed.error;
}

/** The body by its schema, and in a place where its kind may stand. */
function parseBody(body: unknown, seq: number): Result<LogBody, LineFault> {
  const parsed = logBodySchema.safeParse(body);
  if (!parsed.success) {
    return {
      ok: false,
      error: { kind: "unknown_shape", expected: "a log line of a known kind", seen: describeIssues(parsed.error) },
    };
  }
  const { data } = parsed;
  if ((data.kind === "manifest") !== (seq === 0)) {
    const expected = seq === 0 ? "the manifest first" : "no second manifest";
    return { ok: false, error: { kind: "misplaced", expected, seen: data.kind } };
  }
  if (data.kind === "seal" && data.lines !== seq) {
    return {
      ok: false,
      error: { kind: "misplaced", expected: `a seal over ${seq} lines`, seen: `a seal over ${data.lines}` },
    };
  }
  return { ok: true, value: data };
}

/** A line taken by itself: what it claims, the hash its content has, and what is wrong with it alone. */
export interface LoneLine {
  /** Absent where the text is no JSON object with seq, prev and hash. */
  readonly claim?: Envelope & { readonly computed: string };
  readonly body?: Readonly<Record<string, unknown>>;
  readonly fault?: LineFault;
}

/** Reads a line without regard to its neighbours. The body is not yet checked against its schema. */
export function readLoneLine(text: string): LoneLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: { kind: "not_json", expected: "one line of JSON", seen: excerpt(text) } };
  }
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success) {
    return {
      fault: {
        kind: "unknown_shape",
        expected: "an object with seq, prev and hash",
        seen: describeIssues(envelope.error),
      },
    };
  }
  const notJson = faultOfJson(value);
  if (notJson !== undefined) {
    return {
      fault: { kind: "not_canonical", expected: "canonical JSON", seen: `${notJson.path} is ${notJson.fault}` },
    };
  }
  const { hash: _, ...fields } = value as Readonly<Record<string, unknown>>;
  const { seq: __, prev: ___, ...body } = fields;
  const sealed = sealFields(fields);
  const claim = { ...envelope.data, computed: sealed.hash };
  if (sealed.hash !== claim.hash) {
    return {
      claim,
      body,
      fault: { kind: "wrong_hash", expected: `hash ${sealed.hash} by its content`, seen: `hash ${claim.hash}` },
    };
  }
  if (sealed.text !== text) {
    return {
      claim,
      body,
      fault: { kind: "not_canonical", expected: excerptAt(sealed.text, text), seen: excerptAt(text, sealed.text) },
    };
  }
  return { claim, body };
}

/** The entry of a line that is sound by itself; a fault where its body is of no known shape or stands in the wrong place. */
export function entryOf(line: LoneLine): Result<LogEntry, LineFault> {
  if (line.fault !== undefined) return { ok: false, error: line.fault };
  if (line.claim === undefined) throw new Error("entryOf: a line without claim or fault");
  const { seq, prev, hash } = line.claim;
  const body = parseBody(line.body, seq);
  return body.ok ? { ok: true, value: { ...body.value, seq, prev, hash } } : body;
}

/** Checks one line (without its newline) as number `expectedSeq` (from 0) after the line whose hash is `expectedPrev`. */
export function verifyLine(text: string, expectedSeq: number, expectedPrev: string): Result<LogEntry, LineFault> {
  const line = readLoneLine(text);
  const fault = line.claim && !line.fault ? faultOfLink(line.claim, expectedSeq, [expectedPrev]) : undefined;
  return fault === undefined ? entryOf(line) : { ok: false, error: fault };
}

/** Whether a line stands in its place: the number it should have, after a line with one of these hashes. */
export function faultOfLink(
  claim: Envelope,
  expectedSeq: number,
  expectedPrevs: readonly string[],
): LineFault | undefined {
  if (claim.seq !== expectedSeq) {
    const gap = claim.seq - expectedSeq;
    const why = gap > 0 ? `${gap} missing before it` : "moved here or repeated";
    return { kind: "wrong_seq", expected: `seq ${expectedSeq}`, seen: `seq ${claim.seq} (${why})` };
  }
  if (expectedPrevs.includes(claim.prev)) return undefined;
  return {
    kind: "wrong_prev",
    expected: `prev ${expectedPrevs.join(" or ")}`,
    seen: `prev ${claim.prev} (the line before was another when this one was written)`,
  };
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** What `text` has where it first differs from `other`. */
function excerptAt(text: string, other: string): string {
  let i = 0;
  while (i < text.length && text[i] === other[i]) i++;
  return `${excerpt(text.slice(Math.max(0, i - 10)))} at character ${i + 1}`;
}
