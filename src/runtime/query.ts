/** `read_data`: pages of what the world and its log hold. Reads only. */
import type { Json } from "./canonical.ts";
import { makeCursor, readCursor } from "./cursor.ts";
import { refuse, succeed, suggest, type ErrorCode, type Result } from "./errors.ts";
import { compileWhere, costOf, evaluateWhere } from "./expression/index.ts";
import { lookUp } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { fitEntry, piecesOf, takePage, type Entry, type Keyed } from "./page.ts";
import {
  candidateById,
  candidatesOf,
  idsOf,
  shapeOf,
  shownFields,
  sizeOf,
  type Candidate,
  type Readable,
} from "./query-sources.ts";
import { showText } from "./show.ts";
import type { ReadAnswer } from "./tool-answers.ts";
import type { ReadInput, Source } from "./tools.ts";

/** Answers one query with one page. */
export function readData(readable: Readable, input: ReadInput): Result<ReadAnswer> {
  const sound = checkNames(readable, input);
  if (!sound.ok) return sound;
  const condition = compileCondition(readable, input);
  if (!condition.ok) return condition;
  const query = queryOf(input);
  const after = input.cursor === undefined ? succeed("") : readCursor(query, input.cursor);
  if (!after.ok) return after;

  const page = takePage(entriesOf(readable, input, condition.value, after.value), input.limit);
  const cursor = page.lastKey === undefined ? {} : { cursor: makeCursor(query, page.lastKey) };
  return succeed({ ok: true, from: input.from, entries: page.entries as ReadAnswer["entries"], ...cursor });
}

type Condition = (candidate: Candidate) => boolean;

/** The entries after `after`, in order, as the page shows them. */
function* entriesOf(readable: Readable, input: ReadInput, holds: Condition, after: string): Generator<Keyed> {
  const { from, id, type, fields } = input;
  if (id !== undefined) {
    const found = candidateById(from, readable, id);
    if (found === undefined || !holds(found)) return;
    for (const piece of piecesOf(pick(from, found.show(), fields), found.key)) if (piece.key > after) yield piece;
    return;
  }
  for (const candidate of candidatesOf(from, readable, type, after)) {
    if (!holds(candidate)) continue;
    const whole = candidate.show();
    yield { key: candidate.key, entry: fitEntry(pick(from, whole, fields), howToReadWhole(from, whole, fields)) };
  }
}

/** Only the members that were asked for, and the id. Fields of an entity stay under `fields`. */
function pick(from: Source, entry: Entry, fields: readonly string[] | undefined): Entry {
  if (fields === undefined) return entry;
  const wanted = new Set(["id", ...fields]);
  const members = Object.entries(entry).filter(([key]) => wanted.has(key));
  if (from !== "entities" || wanted.has("fields")) return Object.fromEntries(members);
  const own = Object.entries(entry["fields"] as Entry).filter(([key]) => wanted.has(key));
  return Object.fromEntries(own.length === 0 ? members : [...members, ["fields", Object.fromEntries(own)]]);
}

function howToReadWhole(from: Source, entry: Entry, fields: readonly string[] | undefined): string {
  const query = JSON.stringify({ from, id: entry["id"], ...(fields && fields.length <= 8 ? { fields } : {}) });
  const trigger = from === "log" ? '; one trigger of it with an id such as "t1_1"' : "";
  return `too large to show whole here; in pieces: read_data ${query}${trigger}; less of it: fields`;
}

/** What a cursor is bound to: the query without its limit and place. */
function queryOf({ from, id, type, where, fields }: ReadInput): Json {
  return {
    tool: "read_data",
    from,
    ...(id !== undefined && { id }),
    ...(type !== undefined && { type }),
    ...(where !== undefined && { where }),
    ...(fields !== undefined && { fields }),
  };
}

function checkNames(readable: Readable, input: ReadInput): Result<true> {
  const { from, id, type, fields } = input;
  if (type !== undefined) {
    if (from !== "entities")
      return refuse("invalid_value", `only entities have a type to ask for, not ${from}`, {
        path: "type",
        hint: "leave `type` out",
      });
    const types = Object.keys(readable.world.types);
    if (lookUp(readable.world.types, type) === undefined) {
      return refuse("unknown_type", `there is no type ${showText(type)}`, { path: "type", hint: suggest(type, types) });
    }
  }
  const known = fields === undefined ? [] : shownFields(from, readable.world, type);
  for (const [index, field] of (fields ?? []).entries()) {
    if (known.includes(field)) continue;
    const whose = type === undefined ? from : `entities of type ${type}`;
    return refuse("unknown_field", `${whose} have no field ${showText(field)}`, {
      path: `fields[${index}]`,
      hint: suggest(field, known),
    });
  }
  if (id === undefined || candidateById(from, readable, id) !== undefined) return succeed(true);
  return refuse(UNKNOWN[from], `there is no ${SINGULAR[from]} ${showText(id)}`, {
    path: "id",
    hint: hintForId(readable, from, id),
  });
}

function hintForId(readable: Readable, from: Source, id: string): string | undefined {
  if (from === "log") {
    return readable.steps.length === 0
      ? "no step has been submitted yet"
      : 'accepted steps are "1", "2", …; refused ones "r1", "r2", …; triggers "t1_1", …';
  }
  if (from === "constructions" || from === "invariants") {
    const many = sizeOf(from, readable, undefined);
    return many === 0 ? "there are none" : `their ids are "1" to "${many}"`;
  }
  return suggest(id, idsOf(from, readable));
}

const UNKNOWN: Readonly<Record<Source, ErrorCode>> = {
  map: "unknown_place",
  types: "unknown_type",
  entities: "unknown_entity",
  capabilities: "unknown_capability",
  invariants: "invalid_value",
  log: "invalid_value",
  constructions: "invalid_value",
};

const SINGULAR: Readonly<Record<Source, string>> = {
  map: "place",
  types: "type",
  entities: "entity",
  capabilities: "capability",
  invariants: "invariant",
  log: "step or trigger",
  constructions: "construction",
};

/** The compiled `where`; its work over the whole source is bounded before it begins. */
function compileCondition(readable: Readable, input: ReadInput): Result<Condition> {
  const { from, type, where, id } = input;
  if (where === undefined) return succeed(() => true);
  const { world } = readable;
  const compiled = compileWhere(world, shapeOf(from, type), where);
  if (!compiled.ok) return { ok: false, error: { ...compiled.error, path: "where" } };
  const cost = costOf(compiled.value.root, world) * (id === undefined ? sizeOf(from, readable, type) : 1);
  if (cost > LIMITS.stepCost) {
    return refuse("cost_exceeded", `this \`where\` may take ${cost} operations, and ${LIMITS.stepCost} are allowed`, {
      path: "where",
      hint:
        from === "entities" && type === undefined ? "name a `type`, or ask for less at once" : "ask for less at once",
    });
  }
  return succeed(({ it }) => evaluateWhere(world, compiled.value, it));
}
