/** `read_data`: pages of what the world and its log hold. Reads only. */
import type { Json } from "./canonical.ts";
import { makeCursor, readCursor } from "./cursor.ts";
import { refuse, succeed, suggest, type Result } from "./errors.ts";
import { compileWhere, costBeyond, costOf, evaluateWhere } from "./expression/index.ts";
import { lookUp } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { fitEntry, piecesOf, takePage, type Entry, type Keyed } from "./page.ts";
import type { Candidate, Shelf } from "./shelf.ts";
import { showText } from "./show.ts";
import { getEntity } from "./state/index.ts";
import type { ReadAnswer } from "./tool-answers.ts";
import type { ReadInput } from "./tools.ts";

/** What is asked of one source. */
export type Query = Omit<ReadInput, "from">;

/** Answers one query of one source with one page. */
export function readShelf(shelf: Shelf, input: Query): Result<ReadAnswer> {
  const sound = checkNames(shelf, input);
  if (!sound.ok) return sound;
  const condition = compileCondition(shelf, input);
  if (!condition.ok) return condition;
  const query = queryOf(shelf.from, input);
  const after = input.cursor === undefined ? succeed("") : readCursor(query, input.cursor);
  if (!after.ok) return after;

  const page = takePage(entriesOf(shelf, input, condition.value, after.value), input.limit);
  const cursor = page.lastKey === undefined ? {} : { cursor: makeCursor(query, page.lastKey) };
  return succeed({ ok: true, from: shelf.from, entries: page.entries as ReadAnswer["entries"], ...cursor });
}

type Condition = (candidate: Candidate) => boolean;

/** The entries after `after`, in order, as the page shows them. */
function* entriesOf(shelf: Shelf, input: Query, holds: Condition, after: string): Generator<Keyed> {
  const { id, type, fields } = input;
  const { from } = shelf;
  if (id !== undefined) {
    const found = shelf.byId(id);
    if (found === undefined || !holds(found)) return;
    yield* piecesOf(pick(from, found.show(), fields), found.key, after);
    return;
  }
  for (const candidate of shelf.candidates(type, after)) {
    if (!holds(candidate)) continue;
    const whole = candidate.show();
    yield { key: candidate.key, entry: fitEntry(pick(from, whole, fields), howToReadWhole(shelf, whole, fields)) };
  }
}

/** Only the members that were asked for, and the id. Fields of an entity stay under `fields`; of what is not seen, what was asked for. */
function pick(from: string, entry: Entry, fields: readonly string[] | undefined): Entry {
  if (fields === undefined) return entry;
  const wanted = new Set(["id", ...fields]);
  const members = Object.entries(entry).filter(([key]) => wanted.has(key));
  if (from !== "entities" || wanted.has("fields")) return Object.fromEntries(members);
  const own = Object.entries(entry["fields"] as Entry).filter(([key]) => wanted.has(key));
  const unseen = ((entry["unseen"] ?? []) as readonly string[]).filter((key) => wanted.has(key));
  return Object.fromEntries([
    ...members,
    ...(own.length === 0 ? [] : [["fields", Object.fromEntries(own)] as const]),
    ...(unseen.length === 0 || wanted.has("unseen") ? [] : [["unseen", unseen] as const]),
  ]);
}

function howToReadWhole({ from, partHint }: Shelf, entry: Entry, fields: readonly string[] | undefined): string {
  const query = JSON.stringify({ from, id: entry["id"], ...(fields && fields.length <= 8 ? { fields } : {}) });
  const part = partHint === undefined ? "" : `; ${partHint}`;
  return `too large to show whole here; in pieces: read_data ${query}${part}; less of it: fields`;
}

/** What a cursor is bound to: the query without its limit and place. */
function queryOf(from: string, { id, type, where, fields }: Query): Json {
  return {
    tool: "read_data",
    from,
    ...(id !== undefined && { id }),
    ...(type !== undefined && { type }),
    ...(where !== undefined && { where }),
    ...(fields !== undefined && { fields }),
  };
}

function checkNames(shelf: Shelf, { id, type, fields }: Query): Result<true> {
  const { from, world } = shelf;
  if (type !== undefined) {
    if (from !== "entities")
      return refuse("invalid_value", `only entities have a type to ask for, not ${from}`, {
        path: "type",
        hint: "leave `type` out",
      });
    const types = Object.keys(world.types);
    if (lookUp(world.types, type) === undefined) {
      return refuse("unknown_type", `there is no type ${showText(type)}`, { path: "type", hint: suggest(type, types) });
    }
  }
  const known = fields === undefined ? [] : shelf.shown(type);
  for (const [index, field] of (fields ?? []).entries()) {
    if (known.includes(field)) continue;
    const whose = type === undefined ? from : `entities of type ${type}`;
    return refuse("unknown_field", `${whose} have no field ${showText(field)}`, {
      path: `fields[${index}]`,
      hint: suggest(field, known),
    });
  }
  const of = id === undefined || from !== "entities" ? undefined : getEntity(world.entities, id)?.type;
  if (type !== undefined && of !== undefined && of !== type) {
    return refuse("wrong_entity_type", `${showText(id ?? "")} is of type ${of}, not ${type}`, {
      path: "id",
      hint: "leave `type` out",
    });
  }
  if (id === undefined || shelf.byId(id) !== undefined) return succeed(true);
  return refuse(shelf.unknown, `there is no ${shelf.singular} ${showText(id)}`, {
    path: "id",
    hint: shelf.hintForId(id),
  });
}

/** The compiled `where`; its work over the whole source is bounded before it begins. */
function compileCondition(shelf: Shelf, { type, where, id }: Query): Result<Condition> {
  if (where === undefined) return succeed(() => true);
  const { from, world } = shelf;
  const compiled = compileWhere(world, shelf.shape(type), where);
  if (!compiled.ok) return { ok: false, error: { ...compiled.error, path: "where" } };
  const many = id === undefined ? shelf.size(type) : 1;
  const cost = costBeyond(LIMITS.stepCost, (containment) => costOf(compiled.value.root, world, containment) * many);
  if (cost > LIMITS.stepCost) {
    return refuse("cost_exceeded", `this \`where\` may take ${cost} operations, and ${LIMITS.stepCost} are allowed`, {
      path: "where",
      hint:
        from === "entities" && type === undefined ? "name a `type`, or ask for less at once" : "ask for less at once",
    });
  }
  return succeed(({ it }) => evaluateWhere(world, compiled.value, it));
}
