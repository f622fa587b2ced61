/** What the fuzzer learned from the answers of one game: ids, fields, cursors. Nothing else does it know of a world. */
import type { FieldShape } from "./expressions.ts";

interface ParamShape {
  readonly type?: string;
  readonly kind?: string;
  readonly values?: readonly string[];
}

export interface Knowledge {
  readonly places: string[];
  readonly types: Map<string, Readonly<Record<string, FieldShape>>>;
  readonly entities: Map<string, string>;
  readonly capabilities: Map<string, Readonly<Record<string, ParamShape>>>;
  /** Entries of the log and processes: ids to read. */
  readonly entries: string[];
  /** Queries that had a cursor, with it. */
  readonly pages: Readonly<Record<string, unknown>>[];
}

export function nothingKnown(): Knowledge {
  return { places: [], types: new Map(), entities: new Map(), capabilities: new Map(), entries: [], pages: [] };
}

const KEPT = 40;

/** The id of an entry; in a log of rounds it is a number. */
function idOf(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

type Loose = Readonly<Record<string, unknown>>;

/** Learns from an answer that was ok. */
export function learn(known: Knowledge, tool: string, input: Loose, answer: Loose): void {
  if (tool === "read_data") learnEntries(known, input, answer);
  if (tool === "commit_step") learnChanges(known, answer);
  if (tool === "construct") learnConstruction(known, input, answer);
}

function learnEntries(known: Knowledge, input: Loose, answer: Loose): void {
  if (typeof answer["cursor"] === "string") keep(known.pages, { ...input, cursor: answer["cursor"] });
  for (const entry of answer["entries"] as readonly Loose[]) {
    const id = idOf(entry["id"]);
    switch (answer["from"]) {
      case "map":
        if (entry["from"] === undefined && !known.places.includes(id)) keep(known.places, id);
        break;
      case "types":
        if (entry["fields"] !== undefined) known.types.set(id, entry["fields"] as Record<string, FieldShape>);
        break;
      case "entities":
        if (typeof entry["type"] === "string") known.entities.set(id, entry["type"]);
        break;
      case "capabilities":
        if (entry["params"] !== undefined) known.capabilities.set(id, entry["params"] as Record<string, ParamShape>);
        break;
      default:
        keep(known.entries, id);
    }
  }
}

function learnChanges(known: Knowledge, answer: Loose): void {
  for (const { id } of (answer["triggers"] ?? []) as readonly Loose[]) keep(known.entries, String(id));
  for (const change of (answer["changes"] ?? []) as readonly Loose[]) {
    if (typeof change["created"] === "string") known.entities.set(String(change["path"]), change["created"]);
    // what is gone is still named now and then
    if (typeof change["destroyed"] === "string") {
      known.entities.delete(String(change["path"]));
      keep(known.entries, String(change["path"]));
    }
  }
}

function learnConstruction(known: Knowledge, input: Loose, answer: Loose): void {
  const id = String(answer["id"]);
  if (answer["op"] === "delete") {
    const level = answer["level"];
    (level === "type" ? known.types : level === "entity" ? known.entities : known.capabilities).delete(id);
    return;
  }
  const part = input[String(answer["level"])] as Loose;
  if (answer["level"] === "type")
    known.types.set(id, { ...known.types.get(id), ...(part["fields"] as Record<string, FieldShape> | undefined) });
  if (answer["level"] === "entity" && typeof part["type"] === "string") known.entities.set(id, part["type"]);
  if (answer["level"] === "capability")
    known.capabilities.set(id, (part["params"] ?? {}) as Record<string, ParamShape>);
}

function keep<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > KEPT) list.shift();
}
