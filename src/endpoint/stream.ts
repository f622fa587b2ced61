/**
 * Puts a message together from the pieces of a stream. Calls are told apart by id and index, since some servers send index
 * 0 with every one of them; members nobody here knows are put together like texts and kept.
 */
import { errorIn, factsOf } from "./error-facts.ts";
import { ownFault } from "./fault.ts";
import type { Heard } from "./heard.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { isObject, member, parseJson, textOf, type Loose } from "./json.ts";

/** Characters of arguments up to which a new call without an id is looked for. No tool takes more. */
const MAX_LOOKED_AT = 64 * 1024;

/** Calls of one message; no model makes as many. */
const MAX_CALLS = 1024;

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
  #content: string | unknown[] | undefined;
  #finish: string | null = null;
  #model: string | null = null;
  #error: unknown;
  #sharesIndex = false;
  #characters = 0;

  /** Whether the answer is whole: what may still come is usage. */
  get isWhole(): boolean {
    return this.#finish !== null && this.#error === undefined && !this.#isTooLarge;
  }

  /** Whether nothing that may still come is wanted: an error was stated, or a bound is passed. */
  get isOver(): boolean {
    return this.#error !== undefined || this.#isTooLarge;
  }

  get #isTooLarge(): boolean {
    return this.#characters > MAX_MESSAGE_BYTES || this.#calls.length > MAX_CALLS;
  }

  /** Takes one piece. Changes the assembler, which from then on owns the piece. */
  add(chunk: unknown): void {
    if (!isObject(chunk) || this.isOver) return;
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
      this.#characters += lengthOf(value);
      if (name === "content") this.#content = joinContent(this.#content, value);
      else if (name === "tool_calls") this.#addCalls(value);
      else define(this.#message, name, join(own(this.#message, name), value, name));
    }
  }

  #addCalls(deltas: unknown): void {
    if (!Array.isArray(deltas)) return;
    for (const delta of deltas as readonly unknown[]) {
      if (!isObject(delta)) continue;
      const call = this.#callOf(delta);
      for (const [name, value] of Object.entries(delta)) {
        if (value === null || name === "index" || name === "id" || name === "function") continue;
        define(call.others, name, join(own(call.others, name), value, name));
      }
      call.id ||= textOf(delta["id"]) ?? "";
      const name = textOf(member(delta, "function", "name"));
      if (name !== undefined && name !== call.name) call.name += name;
      const given = member(delta, "function", "arguments");
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
    if (this.#error !== undefined) {
      return { kind: "error", facts: factsOf(status, { error: this.#error }), status, retryAfterMs: undefined };
    }
    if (this.#isTooLarge) {
      const says = `a message of more than ${MAX_MESSAGE_BYTES} characters or ${MAX_CALLS} calls`;
      return { kind: "nothing", fault: ownFault("bad_answer", says, status) };
    }
    if (this.#finish === null) {
      return { kind: "nothing", fault: ownFault("cut_stream", "the stream ended without a reason to finish", status) };
    }
    const message = Object.fromEntries([
      ["role", "assistant"],
      ["content", this.#content ?? null],
      ...(this.#calls.length === 0 ? [] : [["tool_calls", this.#calls.map(callOnWire)] as const]),
      ...Object.entries(this.#message).filter(([name]) => name !== "role"),
    ]) as Loose;
    const quirks = this.#sharesIndex
      ? [
          {
            quirk: "shared_stream_index" as const,
            says: "calls of one stream share an index; they are told apart by id",
          },
        ]
      : [];
    return { kind: "answer", message, finish: this.#finish, model: this.#model, usage: this.#usage, quirks };
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
