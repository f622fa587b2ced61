import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, takePage } from "../../src/runtime/page.ts";
import { cutIntoPieces } from "../../src/runtime/pieces.ts";
import { canonicalJson, type Json } from "../../src/runtime/canonical.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import type { MaintenanceSession } from "../../src/runtime/maintenance/session.ts";
import type { ReadAnswer } from "../../src/runtime/tool-answers.ts";
import { call, errorOf, go, heat, play, sweep, toyParts, toySession } from "./toy-world.ts";

type Query = Readonly<Record<string, unknown>>;

function read(session: MaintenanceSession, query: Query): ReadAnswer {
  const { answer } = call(session, "read_data", query);
  if (!answer.ok || !("entries" in answer)) throw new Error(JSON.stringify(answer));
  expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
  return answer;
}

/** All pages of a query, one after the other; `between` goes on with the session after each page. */
function readAll(
  session: MaintenanceSession,
  query: Query,
  between: (session: MaintenanceSession) => MaintenanceSession = (same) => same,
): { readonly entries: readonly Query[]; readonly session: MaintenanceSession; readonly pages: number } {
  const entries: Query[] = [];
  let now = session;
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = read(now, cursor === undefined ? query : { ...query, cursor });
    entries.push(...page.entries);
    cursor = page.cursor;
    pages += 1;
    if (cursor !== undefined) now = between(now);
  } while (cursor !== undefined);
  return { entries, session: now, pages };
}

function easy(): MaintenanceSession {
  const begun = play(toySession("easy"), [
    ["commit_step", { triggers: [go("ana", "kitchen")] }],
    [
      "commit_step",
      {
        triggers: [heat("ana", "kettle"), { ...sweep("ben", "yard_floor"), note: "humming" }],
        until: "first",
        advance: 1,
      },
    ],
  ]);
  return call(begun, "commit_step", { triggers: [heat("ben", "kettle")] }).session;
}

/** A world of many people, some with texts so long that an entry is too large for a page. */
function crowd(count: number): MaintenanceSession {
  const parts = toyParts("easy");
  const types = {
    ...parts.types,
    book: {
      id: "book",
      says: "",
      fields: Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [`page_${i}`, { kind: "text" as const, default: "" }]),
      ),
    },
  };
  const people = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `p${i}`,
      {
        id: `p${i}`,
        type: "person",
        name: `Person ${i} of the long street by the river`,
        at: i % 3 === 0 ? "kitchen" : "yard",
        fields: {},
      },
    ]),
  );
  const text = "Thé “end” 🐎 ".repeat(70);
  const books = Object.fromEntries(
    [0, 1].map((n) => [
      `book_${n}`,
      {
        id: `book_${n}`,
        type: "book",
        name: "",
        at: null,
        fields: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`page_${i}`, text])),
      },
    ]),
  );
  return toySession("easy", { parts: { types, entities: { ...parts.entities, ...people, ...books } } });
}

describe("what can be read", () => {
  const session = easy();

  it("RT3 RT40 the map: places by id, then links", () => {
    expect(read(session, { from: "map" }).entries).toEqual([
      { kind: "place", id: "kitchen", says: "the kitchen" },
      { kind: "place", id: "yard", says: "the yard before it" },
      { kind: "link", from: "yard", to: "kitchen", bothWays: true, ticks: 1 },
    ]);
  });

  it("types, with their fields in order", () => {
    expect(read(session, { from: "types", id: "kettle" }).entries).toEqual([
      {
        id: "kettle",
        says: "A kettle and what is in it",
        fields: { hot: { default: false, kind: "bool" }, litres: { default: 0, digits: 1, kind: "number", min: 0 } },
      },
    ]);
    expect(read(session, { from: "types" }).entries.map(({ id }) => id)).toEqual(["floor", "kettle", "person"]);
  });

  it("RT40 entities, by id, of one type, or of a condition", () => {
    expect(read(session, { from: "entities", id: "kettle" }).entries).toEqual([
      { id: "kettle", type: "kettle", name: "the kettle", at: "kitchen", fields: { hot: true, litres: 2 } },
    ]);
    expect(read(session, { from: "entities", type: "person" }).entries.map(({ id }) => id)).toEqual(["ana", "ben"]);
    expect(read(session, { from: "entities", where: "it.at == kitchen" }).entries.map(({ id }) => id)).toEqual([
      "ana",
      "kettle",
    ]);
    expect(read(session, { from: "entities", type: "kettle", where: "it.litres > 2" }).entries).toEqual([]);
    expect(read(session, { from: "entities", id: "kettle", where: "it.at == yard" }).entries).toEqual([]);
  });

  it("only the fields that were asked for, and the id", () => {
    expect(read(session, { from: "entities", type: "kettle", fields: ["at", "litres"] }).entries).toEqual([
      { id: "kettle", at: "kitchen", fields: { litres: 2 } },
    ]);
    expect(read(session, { from: "entities", type: "kettle", fields: ["name"] }).entries).toEqual([
      { id: "kettle", name: "the kettle" },
    ]);
    expect(read(session, { from: "capabilities", fields: ["duration", "version"] }).entries).toEqual([
      { id: "go", duration: "travelTicks(who.at, to)", version: 1 },
      { id: "heat", duration: 4, version: 1 },
      { id: "sweep", duration: 2, version: 1 },
    ]);
  });

  it("capabilities and invariants, with their rules", () => {
    expect(read(session, { from: "capabilities", where: '"k" in it.params' }).entries).toEqual([
      {
        id: "heat",
        says: "Somebody heats a kettle beside them",
        params: { k: { type: "kettle" }, who: { type: "person" } },
        requires: [{ expr: "who.at == k.at" }, { expr: "k.litres > 0", says: "nobody heats an empty kettle" }],
        effects: [{ set: "k.hot", value: true }],
        duration: 4,
        version: 1,
      },
    ]);
    expect(read(session, { from: "invariants" }).entries).toEqual([
      { id: "1", expr: "all(kettle).all(k, k.litres <= 3)", says: "A kettle holds three litres" },
    ]);
    expect(read(session, { from: "invariants", id: "1" }).entries).toHaveLength(1);
  });

  it("the log: accepted and refused steps where they were submitted", () => {
    const { entries } = read(session, { from: "log" });
    expect(entries.map(({ id, accepted }) => [id, accepted])).toEqual([
      ["1", true],
      ["2", true],
      ["r1", false],
    ]);
    expect(entries[1]).toEqual({
      id: "2",
      accepted: true,
      round: 1,
      start: 1,
      clock: 4,
      until: "first",
      advance: 1,
      triggers: [
        {
          args: { k: "kettle", who: "ana" },
          capability: "heat",
          end: 5,
          id: "t2_1",
          reads: ["ana.at", "kettle.at", "kettle.litres"],
          start: 1,
          version: 1,
          writes: [{ after: true, before: false, kind: "set", path: "kettle.hot" }],
        },
        {
          args: { what: "yard_floor", who: "ben" },
          capability: "sweep",
          end: 3,
          id: "t2_2",
          note: "humming",
          reads: ["ben.at", "yard_floor.at"],
          start: 1,
          version: 1,
          writes: [{ after: true, before: false, kind: "set", path: "yard_floor.swept" }],
        },
      ],
    });
    expect(entries[2]).toMatchObject({ triggers: [heat("ben", "kettle")], error: { code: "requirement_not_met" } });
  });

  it("RT31 the log by the number of a step, of a refused one, or of a trigger", () => {
    expect(read(session, { from: "log", id: "2" }).entries).toEqual([read(session, { from: "log" }).entries[1]]);
    expect(read(session, { from: "log", id: "r1" }).entries).toEqual([read(session, { from: "log" }).entries[2]]);
    expect(read(session, { from: "log", id: "t2_2", fields: ["note", "start", "end"] }).entries).toEqual([
      { id: "t2_2", note: "humming", start: 1, end: 3 },
    ]);
  });

  it.each([
    ["it.accepted && it.clock > 1", ["2"]],
    ["!it.accepted", ["r1"]],
    ['"sweep" in it.capabilities', ["2"]],
    ['"ben" in it.arguments', ["2", "r1"]],
    ['it.code == "requirement_not_met"', ["r1"]],
    ['it.id == "1" || it.advance == 1', ["1", "2"]],
  ])("the log where %s", (where, ids) => {
    expect(read(session, { from: "log", where }).entries.map(({ id }) => id)).toEqual(ids);
  });

  it("constructions, by number", () => {
    const made = play(toySession("hard"), [
      ["construct", { op: "create", capability: { id: "rest" } }],
      ["commit_step", { triggers: [{ capability: "rest" }] }],
      ["construct", { op: "create", capability: { id: "nap" } }],
      ["construct", { op: "delete", level: "capability", id: "nap" }],
    ]);
    const { entries } = read(made, { from: "constructions", fields: ["afterStep", "op", "level", "item"] });
    expect(entries).toEqual([
      { id: "1", afterStep: 0, op: "create", level: "capability", item: "rest" },
      { id: "2", afterStep: 1, op: "create", level: "capability", item: "nap" },
      { id: "3", afterStep: 1, op: "delete", level: "capability", item: "nap" },
    ]);
    expect(read(made, { from: "constructions", where: 'it.op == "delete"' }).entries).toEqual([
      { id: "3", round: 1, afterStep: 1, op: "delete", level: "capability", item: "nap", now: null },
    ]);
    expect(read(made, { from: "constructions", id: "2" }).entries).toMatchObject([
      { id: "2", now: { id: "nap", version: 1 } },
    ]);
  });

  it("nothing where there is nothing", () => {
    for (const from of ["types", "entities", "capabilities", "invariants", "log", "constructions"]) {
      expect(call(toySession("extreme"), "read_data", { from }).answer).toEqual({ ok: true, from, entries: [] });
    }
  });
});

describe("what is refused", () => {
  const session = easy();
  const error = (query: Query) => errorOf(call(session, "read_data", query).answer);

  it.each([
    [{ from: "entities", id: "anna" }, "unknown_entity", "id", 'did you mean "ana"?'],
    [{ from: "map", id: "kitchn" }, "unknown_place", "id", 'did you mean "kitchen"?'],
    [{ from: "capabilities", id: "heet" }, "unknown_capability", "id", 'did you mean "heat"?'],
    [
      { from: "log", id: "9" },
      "invalid_value",
      "id",
      'accepted steps are "1", "2", …; refused ones "r1", "r2", …; triggers "t1_1", …',
    ],
    [
      { from: "log", id: "t2_3" },
      "invalid_value",
      "id",
      'accepted steps are "1", "2", …; refused ones "r1", "r2", …; triggers "t1_1", …',
    ],
    [{ from: "constructions", id: "1" }, "invalid_value", "id", "there are none"],
    [{ from: "invariants", id: "2" }, "invalid_value", "id", 'their ids are "1" to "1"'],
    [{ from: "entities", type: "persn" }, "unknown_type", "type", 'did you mean "person"?'],
    [{ from: "log", type: "person" }, "invalid_value", "type", "leave `type` out"],
    [{ from: "entities", fields: ["name", "litre"] }, "unknown_field", "fields[1]", 'did you mean "litres"?'],
    [{ from: "entities", type: "person", fields: ["litres"] }, "unknown_field", "fields[0]", undefined],
    [{ from: "log", fields: ["trigger"] }, "unknown_field", "fields[0]", 'did you mean "triggers"?'],
    [{ from: "entities", where: "it.att == yard" }, "unknown_field", "where", undefined],
    [{ from: "log", where: "it.rond == 1" }, "unknown_field", "where", undefined],
    [{ from: "entities", where: "it.at" }, "expression_type", "where", undefined],
    [{ from: "entities", where: "it.at ==" }, "expression_syntax", "where", undefined],
  ])("RT36 %j", (query, code, path, hint) => {
    const seen = error(query);
    expect([seen.code, seen.path, seen.hint]).toEqual([code, path, hint ?? seen.hint]);
  });

  it("RT20 a `where` whose work grows with the square of a large world, before it is begun", () => {
    const large = crowd(3_000);
    const where = "all(person).exists(p, p.at == it.at && p != it)";
    expect(errorOf(call(large, "read_data", { from: "entities", where }).answer).code).toBe("cost_exceeded");
    expect(call(large, "read_data", { from: "entities", where: "it.at == kitchen" }).answer.ok).toBe(true);
  });
});

describe("cursors", () => {
  const session = crowd(50);
  const first = read(session, { from: "entities", type: "person", limit: 5 });

  it("go on with the same query, whatever its limit", () => {
    const rest = read(session, { from: "entities", type: "person", limit: 100, cursor: first.cursor });
    const whole = read(session, { from: "entities", type: "person", limit: 100 });
    expect([...first.entries, ...rest.entries].slice(0, whole.entries.length)).toEqual(whole.entries);
  });

  it.each([
    [{ from: "entities" }],
    [{ from: "entities", type: "book" }],
    [{ from: "entities", type: "person", where: "it.at == yard" }],
    [{ from: "entities", type: "person", fields: ["name"] }],
    [{ from: "types" }],
  ])("of another query are refused: %j", (query) => {
    expect(errorOf(call(session, "read_data", { ...query, cursor: first.cursor }).answer)).toEqual({
      code: "bad_cursor",
      message: "the cursor belongs to another query, or was changed",
      path: "cursor",
      hint: "send it unchanged, with the query that it came from; leave it out to begin anew",
    });
  });

  it("are not given where nothing is left", () => {
    expect(read(session, { from: "types", limit: 4 })).not.toHaveProperty("cursor");
    expect(read(session, { from: "types", limit: 3 })).toHaveProperty("cursor");
  });
});

describe("pages", () => {
  it("RT38 hold fewer entries than asked for rather than more than 8 KB", () => {
    const page = read(crowd(500), { from: "entities", type: "person", limit: 100 });
    expect(page.entries.length).toBeLessThan(100);
    expect(page.cursor).toBeDefined();
    expect(bytesOf(page.entries)).toBeGreaterThan(6_000);
  });

  it("RT38 show an entry that is too large cut, with how to read it whole, and by id in pieces", () => {
    const session = crowd(0);
    const { entries } = readAll(session, { from: "entities", type: "book" });
    expect(entries.map(({ id, type, cut }) => [id, type, cut])).toEqual(
      [0, 1].map((n) => [
        `book_${n}`,
        "book",
        `too large to show whole here; in pieces: read_data {"from":"entities","id":"book_${n}"}; less of it: fields`,
      ]),
    );
    for (const limit of [1, 2, 100]) {
      const { entries: pieces } = readAll(session, { from: "entities", id: "book_1", limit });
      expect(pieces.map(({ piece, of }) => [piece, of])).toEqual(pieces.map((_, i) => [i + 1, pieces.length]));
      const whole = JSON.parse(pieces.map(({ json }) => String(json)).join("")) as {
        id: string;
        fields: Record<string, string>;
      };
      expect([whole.id, Object.keys(whole.fields).length, whole.fields["page_3"]?.length]).toEqual([
        "book_1",
        12,
        13 * 70,
      ]);
    }
    expect(read(session, { from: "entities", id: "book_1", fields: ["page_3"] }).entries).toMatchObject([
      { id: "book_1", fields: { page_3: expect.stringContaining("🐎") } },
    ]);
  });

  it("RT38 of the log show a step too large for a page cut, and its triggers one by one", () => {
    const session = play(crowd(64), [
      [
        "commit_step",
        {
          triggers: Array.from({ length: 64 }, (_, i) => ({
            ...go(`p${i}`, i % 3 === 0 ? "yard" : "kitchen"),
            note: "ø".repeat(100),
          })),
        },
      ],
    ]);
    const [cut] = read(session, { from: "log" }).entries;
    expect(cut).toMatchObject({
      id: "1",
      accepted: true,
      clock: 1,
      cut: expect.stringContaining('read_data {"from":"log","id":"1"}'),
    });
    const { entries: pieces } = readAll(session, { from: "log", id: "1", limit: 3 });
    const whole = JSON.parse(pieces.map(({ json }) => String(json)).join("")) as { triggers: readonly unknown[] };
    expect(whole.triggers).toHaveLength(64);
    expect(read(session, { from: "log", id: "t1_64" }).entries).toMatchObject([
      { id: "t1_64", args: { who: "p63" }, step: "1" },
    ]);
  });

  it("RT38 are taken by bytes and by limit, and name the last key only where more is left", () => {
    const keyed = (count: number, size: number) =>
      Array.from({ length: count }, (_, i) => ({ key: `k${i}`, entry: { t: "x".repeat(size) } }));
    expect(takePage([], 5)).toEqual({ entries: [] });
    expect(takePage(keyed(3, 1), 3)).toEqual({ entries: [{ t: "x" }, { t: "x" }, { t: "x" }] });
    expect(takePage(keyed(4, 1), 3).lastKey).toBe("k2");
    expect(takePage(keyed(4, 3_000), 4)).toMatchObject({ lastKey: "k1" });
  });

  it("are cut out of the canonical JSON, and never part a character", () => {
    const json = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
    fc.assert(
      fc.property(json, fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 5 }), (value, units, first) => {
        const { of, texts } = cutIntoPieces(value as Json, units, { first: 1, most: Infinity });
        expect(texts.join("")).toBe(canonicalJson(value));
        expect(of).toBe(texts.length);
        for (const text of texts.slice(0, -1)) expect([units, units - 1]).toContain(text.length);
        expect(texts.filter((text) => text.length > units || /\p{Surrogate}/u.test(text))).toEqual([]);
        expect(cutIntoPieces(value as Json, units, { first, most: 2 })).toEqual({
          of,
          texts: texts.slice(first - 1, first + 1),
        });
      }),
    );
  });
});
