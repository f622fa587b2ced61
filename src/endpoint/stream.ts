/**
 * Puts a message together from the pieces of a stream. Calls are told apart by id and index, since some servers send index
 * 0 with every one of them; members nobody here knows are put together like texts and kept.
 */
import { isTooDeep, MAX_DEPTH } from "./depth.ts";
import { errorIn, factsOf } from "./error-facts.ts";
import { aboveBound, ownFault } from "./fault.ts";
import type { Heard, HeardAnswer } from "./heard.ts";
import { MAX_BODY_BYTES, MAX_CALLS } from "./limits.ts";
import { isObject, member, parseJson, textOf, type Loose } from "./json.ts";

/** Characters of arguments up to which a new call without an id is looked for. No tool takes more. */
const MAX_LOOKED_AT = 64 * 1024;

/** Members that name something: said again, they are not said twice. */
const NAMES: ReadonlySet<string> = new Set(["id", "type", "role", "name", "format", "index", "object", "model"]);

type Mutable = Record<string, unknown>;

interface StreamedCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  text: string;
  /** Arguments that came as data rather than as text. */
  data: unknown;
  readonly others: Mutable;
}

export class StreamAssembler {
  readonly #message: Mutable = {};
  readonly #calls: StreamedCall[] = [];
  readonly #usage: unknown[] = [];
  /** What stood in the list of calls and is none. */
  readonly #strange: unknown[] = [];
  #content: string | unknown[] | undefined;
  #finish: string | null = null;
  #model: string | null = null;
  #error: unknown;
  #sharesIndex = false;
  #characters = 0;
  #isTooDeep = false;

  /** Whether the answer is whole: what may still come is usage. */
  get isWhole(): boolean {
    return this.#finish !== null && !this.isOver;
  }

  /** Whether nothing that may still come is wanted: an error was stated, or a bound is passed. */
  get isOver(): boolean {
    return this.#error !== undefined || this.#bound !== undefined;
  }

  /** What was told of usage so far. */
  get usage(): readonly unknown[] {
    return this.#usage;
  }

  /** The bound that is passed. That of a whole message is looked at when it is whole, as for one that comes so. */
  get #bound(): string | undefined {
    if (this.#isTooDeep) return `a piece of a stream that is nested more than ${MAX_DEPTH} deep`;
    if (this.#calls.length > MAX_CALLS) return `a message of more than ${MAX_CALLS} calls`;
    return this.#characters > MAX_BODY_BYTES ? `a message of more than ${MAX_BODY_BYTES} bytes` : undefined;
  }

  /** Takes one piece. Changes the assembler, which from then on owns the piece. */
  add(chunk: unknown): void {
    if (!isObject(chunk) || this.isOver) return;
    if (isTooDeep(chunk)) {
      // of a whole answer nothing is missing any more
      this.#isTooDeep = this.#finish === null;
      return;
    }
    const choices = chunk["choices"];
    const choice: unknown = Array.isArray(choices)
      ? (choices as readonly unknown[]).find((one) => (member(one, "index") ?? 0) === 0)
      : undefined;
    // an answer that was heard in full is not asked for again, whatever follows it
    if (this.#finish === null) this.#error = errorIn(chunk) ?? errorIn(choice);
    this.#model ??= textOf(chunk["model"]) ?? null;
    for (const usage of [chunk["usage"], member(choice, "usage")]) {
      // running counts come with every piece: the last of each kind is enough
      if (isObject(usage)) this.#keepUsage(usage);
    }
    if (!isObject(choice)) return;
    const delta = choice["delta"] ?? choice["message"];
    if (isObject(delta)) this.#addDelta(delta);
    const finish = textOf(choice["finish_reason"]);
    if (finish === "error") this.#error ??= { message: "the stream ended with finish_reason error" };
    this.#finish = finish ?? this.#finish;
  }

  #keepUsage(usage: Loose): void {
    this.#usage.push(usage);
    // the first may tell the prompt and the last the answer; what lies between is running counts
    if (this.#usage.length > 8) this.#usage.splice(4, 1);
  }

  #addDelta(delta: Loose): void {
    for (const [name, value] of Object.entries(delta)) {
      if (value === null || value === undefined) continue;
      if (name === "tool_calls" && Array.isArray(value)) {
        this.#addCalls(value);
        continue;
      }
      this.#characters += lengthOf(value);
      if (name === "content") this.#content = joinContent(this.#content, value);
      else define(this.#message, name, join(own(this.#message, name), value, name));
    }
  }

  /** Counts what is kept and not what is said again with each piece: the bound is that of the message. */
  #addCalls(deltas: readonly unknown[]): void {
    for (const delta of deltas) {
      if (!isObject(delta)) {
        this.#strange.push(delta);
        this.#characters += lengthOf(delta);
        continue;
      }
      const call = this.#callOf(delta);
      for (const [name, value] of Object.entries(delta)) {
        if (value === null || name === "index" || name === "id" || name === "function") continue;
        define(call.others, name, join(own(call.others, name), value, name));
        if (!NAMES.has(name)) this.#characters += lengthOf(value);
      }
      call.id ||= textOf(delta["id"]) ?? "";
      const name = textOf(member(delta, "function", "name"));
      const given = member(delta, "function", "arguments");
      if (name !== undefined && name !== call.name) {
        call.name += name;
        this.#characters += name.length;
      }
      if (given !== undefined && given !== null) this.#characters += lengthOf(given);
      if (typeof given === "string") call.text += given;
      else if (given !== undefined && given !== null) call.data = given;
    }
  }

  /** The call that a piece belongs to: one that is open, or a new one. */
  #callOf(delta: Loose): StreamedCall {
    const id = textOf(delta["id"]);
    const index = typeof delta["index"] === "number" ? delta["index"] : undefined;
    const open = this.#calls.findLast((call) => index === undefined || call.index === index);
    const isSame =
      open !== undefined && (id === undefined || open.id === "" ? !beginsAnother(open, delta) : open.id === id);
    if (isSame) return open;
    const again = id === undefined ? undefined : this.#calls.find((call) => call.id === id && call.index === index);
    if (again !== undefined) return again;
    if (open !== undefined && index !== undefined) this.#sharesIndex = true;
    const call: StreamedCall = { index, id: id ?? "", name: "", text: "", data: undefined, others: {} };
    this.#calls.push(call);
    return call;
  }

  /** What came, the stream having ended. Without a reason to finish it was cut. */
  end(status: number | null): Heard {
    const usage = this.#usage;
    if (this.#error !== undefined) {
      return { kind: "error", facts: factsOf(status, { error: this.#error }), status, retryAfterMs: undefined, usage };
    }
    const bound = this.#bound;
    if (bound !== undefined) return { ...aboveBound(bound, status, this.#characters), usage };
    if (this.#finish === null) {
      const fault = ownFault("cut_stream", "the stream ended without a reason to finish", status);
      return { kind: "nothing", fault, usage };
    }
    const { quirks, message } = this.#answer();
    return { kind: "answer", message, finish: this.#finish, model: this.#model, usage, quirks };
  }

  #answer(): Pick<HeardAnswer, "message" | "quirks"> {
    const calls = [...this.#calls.map(callOnWire), ...this.#strange];
    const others = Object.entries(this.#message).filter(
      ([name]) => name !== "role" && (name !== "tool_calls" || calls.length === 0),
    );
    const message = Object.fromEntries([
      ["role", "assistant"],
      ["content", this.#content ?? null],
      ...(calls.length === 0 ? [] : [["tool_calls", calls] as const]),
      ...others,
    ]) as Loose;
    const says = "calls of one stream share an index; they are told apart by id";
    return { message, quirks: this.#sharesIndex ? [{ quirk: "shared_stream_index", says }] : [] };
  }
}

/** Whether a piece without an id of its own begins a new call: it names a tool, and the open call is whole. */
function beginsAnother(open: StreamedCall, delta: Loose): boolean {
  const name = textOf(member(delta, "function", "name"));
  const given = member(delta, "function", "arguments");
  if (name === undefined || open.name === "") return false;
  if (open.id === "" && textOf(delta["id"]) !== undefined && open.text !== "") return true;
  if (isObject(given) && open.data !== undefined) return true;
  if (typeof given !== "string" || given === "") return false;
  if (open.text.length > MAX_LOOKED_AT || !open.text.trimEnd().endsWith("}")) return false;
  return isObject(parseJson(open.text));
}

function callOnWire({ id, name, text, data, others }: StreamedCall): Loose {
  const given = text === "" && data !== undefined ? data : text;
  return { id, type: "function", ...others, function: { name, arguments: given } };
}

function joinContent(before: string | unknown[] | undefined, piece: unknown): string | unknown[] | undefined {
  if (typeof piece === "string") {
    if (!Array.isArray(before)) return (before ?? "") + piece;
    return joinLists(before, [{ type: "text", text: piece }]);
  }
  if (!Array.isArray(piece)) return before;
  const parts =
    typeof before === "string" && before !== ""
      ? [{ type: "text", text: before }]
      : Array.isArray(before)
        ? before
        : [];
  return joinLists(parts, piece as readonly unknown[]);
}

/** Two pieces of one member: texts and lists follow one another, objects are joined member by member, else the later holds. */
function join(before: unknown, piece: unknown, name: string): unknown {
  if (before === undefined) return piece;
  if (typeof before === "string" && typeof piece === "string") {
    return NAMES.has(name) ? piece : before + piece;
  }
  if (Array.isArray(before) && Array.isArray(piece)) return joinLists(before as unknown[], piece as readonly unknown[]);
  if (isObject(before) && isObject(piece)) {
    // in place: what came before is ours, and a copy for every piece would grow with the square of them
    for (const [key, value] of Object.entries(piece)) define(before, key, join(own(before, key), value, key));
    return before;
  }
  return piece;
}

/** Pieces of one part (same place or same kind of text) are put together, so that thoughts come back as they were. */
function joinLists(before: unknown[], pieces: readonly unknown[]): unknown[] {
  for (const piece of pieces) {
    const last = before.at(-1);
    const isPiece = isObject(last) && isObject(piece) && last["type"] === piece["type"] && isSamePart(last, piece);
    if (isPiece) before[before.length - 1] = join(last, piece, "");
    else before.push(piece);
  }
  return before;
}

function isSamePart(last: Loose, piece: Loose): boolean {
  if (last["index"] !== undefined || piece["index"] !== undefined) return last["index"] === piece["index"];
  return last["type"] === "text" && typeof last["text"] === "string" && typeof piece["text"] === "string";
}

/** Characters of a piece, as its JSON has them; a text is nearly always all of it. */
function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

function own(object: Loose, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets a member whatever its name: an assignment to `__proto__` would set something else. */
function define(object: Loose, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}
