import { describe, expect, it } from "vitest";
import { budgetsFrom } from "../../src/runtime/budget.ts";
import { makeCursor } from "../../src/runtime/cursor.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { openSession, type Session } from "../../src/runtime/session.ts";
import { SOURCES } from "../../src/runtime/tools.ts";
import { pond } from "./toy-dynamics.ts";
import { having, village } from "./support/village.ts";
import { callWell, readStory, readToEnd, type Loose } from "./support/reading.ts";

/** As long as a text may be, in characters of four bytes; of those that JSON writes with six; of quotes within quotes. */
const LONG = ["🐎".repeat(500), "\u0001".repeat(1_000), `"\\`.repeat(500)] as const;
const [HORSES] = LONG;
const WIDE = Object.fromEntries(
  Array.from({ length: LIMITS.fieldsPerType }, (_, i) => [`f${i}`, { kind: "text", default: LONG[i % 3] }]),
);
const LONG_ID = "z".repeat(64);
const GRAINS = LIMITS.entities - 10;

/** As many entities as there may be, types as wide, names and texts as long. */
const LARGE = having(
  village({
    types: {
      grain: { fields: { label: { kind: "text" }, on: { kind: "ref", of: "grain" } } },
      tome: { says: HORSES, fields: WIDE },
    },
    entities: {
      ...Object.fromEntries(
        Array.from({ length: GRAINS }, (_, i) => [
          `g${i}`,
          { type: "grain", name: i % 7 === 0 ? HORSES : "", at: "mill" },
        ]),
      ),
      ...Object.fromEntries([0, 1].map((i) => [`tome_${i}`, { type: "tome", name: LONG[i], at: "inn" }])),
      [LONG_ID]: { type: "grain", name: HORSES, at: "inn" },
    },
    invariants: [{ expr: "true", says: HORSES }],
  }),
  {
    label: {
      says: HORSES,
      params: { what: { kind: "text" } },
      effects: [{ set: "it.label", expr: "what", for: { each: "grain" } }],
    },
    tell: {
      params: { who: {}, what: { kind: "text" } },
      requires: [{ expr: "who.at == inn", says: HORSES }],
      effects: [{ set: "tome_0.f0", expr: "what" }],
    },
    link: { params: { who: { type: "grain" } }, effects: [{ set: "who.on", expr: "who" }] },
  },
);

const STORIES = [
  "A short one.",
  `${HORSES} and then; `.repeat(1_500),
  LONG[1].repeat(400),
  `${LONG[2]}\n\n`.repeat(400),
  "x".repeat(2_000_000),
];

function open(): Session {
  return openSession({
    track: "maintenance",
    caseId: "large_001",
    tier: "hard",
    unit: HORSES,
    world: LARGE,
    narratives: STORIES,
    budgets: budgetsFrom(STORIES.map(() => ({ steps: 1e6, calls: 1e6 }))),
  });
}

const triggers = (count: number, args: (i: number) => Loose, capability = "tell") =>
  Array.from({ length: count }, (_, i) => ({
    capability,
    args: args(i),
    note: i % 2 === 0 ? HORSES.slice(0, 200) : "",
  }));

/** Steps of which much is to be told: accepted ones and refused ones. */
const STEPS: readonly Loose[] = [
  { triggers: triggers(64, () => ({ who: "tome_0", what: "one and the same" })) },
  { triggers: triggers(1, () => ({ what: HORSES }), "label") },
  { triggers: triggers(20, (i) => ({ who: `g${i}`, what: HORSES })) },
  { triggers: triggers(16, (i) => ({ who: "tome_0", what: `${i}${LONG[2].slice(10)}` })) },
  { triggers: triggers(30, () => ({ who: LONG[1].slice(0, 300), what: LONG[1].slice(0, 300) })) },
  { triggers: triggers(64, () => ({ who: LONG_ID }), "link") },
  { triggers: triggers(64, (i) => ({ [`${HORSES.slice(0, 200)}${i}`]: true }), "link") },
  { triggers: triggers(64, () => ({}), HORSES.slice(0, 200)) },
  { triggers: "x".repeat(60_000), [HORSES]: HORSES },
];

describe("answers of a world as large as there may be", () => {
  const session = STEPS.reduce((now, step) => callWell(now, "commit_step", step).session, open());

  it("RT78 to steps, taken or refused, take at most 8 KB, and the log holds what they leave out", () => {
    const log = readToEnd(session, { from: "log", limit: 100 })?.entries ?? [];
    expect(log.map(({ accepted }) => accepted)).toContain(true);
    expect(log.map(({ accepted }) => accepted)).toContain(false);
    // The second step wrote a text into every grain: tens of megabytes, of which the beginning and the end are read.
    const query = { from: "log", id: "2" };
    const [begin] = piecesAt(query, 0);
    expect(begin?.["json"]).toContain('{"accepted":true,"advance":0');
    const of = Number(begin?.["of"]);
    expect(of).toBeGreaterThan(GRAINS / 2);
    const end = piecesAt(query, of - 2);
    expect(end.map(({ piece }) => piece)).toEqual([of - 1, of]);
    expect(end.map(({ json }) => String(json)).join("")).toContain(`"path":"${LONG_ID}.label"`);
    const ids = readToEnd(session, { ...query, fields: ["id", "clock"] })?.entries;
    expect(ids).toEqual([{ id: "2", clock: 2 }]);
  });

  /** The pieces of a query's entry after so many. */
  function piecesAt(query: Readonly<Record<string, string>>, after: number): readonly Loose[] {
    const cursor = makeCursor({ tool: "read_data", ...query }, String(after).padStart(9, "0"));
    const { answer } = callWell(session, "read_data", { ...query, ...(after > 0 && { cursor }) });
    if (!answer.ok || !("entries" in answer)) throw new Error(JSON.stringify(answer));
    return answer.entries;
  }

  it("RT78 of every source take at most 8 KB, a page at a time, and entries in pieces are whole", () => {
    for (const from of SOURCES) {
      for (const more of [{}, { where: "true" }, { fields: ["id"] }]) {
        const { answer } = callWell(session, "read_data", { from, limit: 100, ...more });
        expect(answer.ok).toBe(true);
      }
    }
    const wide = readToEnd(session, { from: "entities", id: "tome_1" })
      ?.entries.map(({ json }) => String(json))
      .join("");
    expect(JSON.parse(wide ?? "")).toMatchObject({
      id: "tome_1",
      name: LONG[1],
      fields: { f0: LONG[0], f1: LONG[1], f2: LONG[2], f199: LONG[1] },
    });
    expect(
      readToEnd(session, { from: "entities", type: "tome", limit: 1 })?.entries.map(({ cut }) => typeof cut),
    ).toEqual(["string", "string"]);
    expect(readToEnd(session, { from: "entities", id: LONG_ID })?.entries).toMatchObject([
      { name: HORSES, fields: { label: HORSES } },
    ]);
  });

  const SPOILED: readonly Loose[] = [
    { from: "entities", id: HORSES },
    { from: HORSES },
    { from: "entities", where: LONG[2].slice(0, 499) },
    { from: "entities", fields: Array.from({ length: 100 }, (_, i) => `${i}${HORSES}`) },
    { from: "entities", id: "g", where: `it.name == "${HORSES.slice(0, 400)}"` },
    { from: "entities", type: HORSES },
    { from: "log", cursor: HORSES.repeat(10) },
    { [HORSES]: HORSES },
    { from: "entities", where: "it.label" },
    { from: "entities", id: "gg" },
  ];
  it.each(SPOILED.map((query) => [Object.keys(query).map((key) => key.slice(0, 8)), query] as const))(
    "RT78 to a refused query (%s) take at most 8 KB",
    (_, query) => {
      expect(callWell(session, "read_data", query).answer.ok).toBe(false);
    },
  );

  it("RT78 hold an instalment of megabytes in parts that join to the whole", () => {
    let now = open();
    for (const [i, story] of STORIES.entries()) {
      const { text, pages } = readStory(now, { round: i + 1 });
      expect(text === story, `instalment ${i + 1}`).toBe(true);
      expect(pages).toBeGreaterThan(story.length / LIMITS.answerBytes);
      now = callWell(now, "end_round").session;
    }
  });

  it("RT78 hold an introduction of a deduction case in parts that join to the whole", () => {
    for (const intro of STORIES.map((story) => story.slice(0, 20_000).replace(/\p{Surrogate}$/u, ""))) {
      const { text } = readStory(pond({ intro }));
      expect(text === intro).toBe(true);
    }
  });
});
