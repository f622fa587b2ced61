import { describe, expect, it } from "vitest";
import { bytesOf } from "../../src/runtime/page.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import type { DeductionContextAnswer } from "../../src/runtime/deduction/answers.ts";
import type { DeductionSession } from "../../src/runtime/deduction/session.ts";
import type { ReadAnswer } from "../../src/runtime/tool-answers.ts";
import { afterRounds, ask, emptyAnswer, passRound, pond } from "./toy-dynamics.ts";
import { errorOf } from "./toy-world.ts";

type Query = Readonly<Record<string, unknown>>;

function read(session: DeductionSession, query: Query): ReadAnswer {
  const { answer } = ask(session, "read_data", query);
  if (!answer.ok || !("entries" in answer)) throw new Error(JSON.stringify(answer));
  expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
  return answer;
}

function idsOf(session: DeductionSession, query: Query): readonly unknown[] {
  return read(session, query).entries.map(({ id }) => id);
}

function context(session: DeductionSession, input: Query = {}): DeductionContextAnswer {
  const { answer } = ask(session, "get_context", input);
  if (!answer.ok || !("intro" in answer)) throw new Error(JSON.stringify(answer));
  expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
  return answer;
}

const entity = (session: DeductionSession, id: string) => read(session, { from: "entities", id }).entries[0];

describe("what M1 shows", () => {
  it("DD40 is the initial state, all but what is sealed, in every segment", () => {
    const start = pond({ mode: "M1" });
    const shown = read(start, { from: "entities" });
    expect(shown.entries[0]).toEqual({
      id: "ada",
      type: "person",
      name: "Ada",
      at: "tower",
      fields: {
        energy: 10,
        friend: null,
        loyal: true,
        mail: [],
        mood: "calm",
        secret: "canary-of-hidden-texts of ada",
      },
    });
    const later = afterRounds(start, 2);
    expect(read(later, { from: "entities" })).toEqual(shown);
    expect(idsOf(later, { from: "entities", where: "clock == 0" })).toHaveLength(5);
    expect(context(later)).toMatchObject({ round: 3, clock: 16, asked: { segment: { from: 16, to: 24 } } });
  });

  it("DD43 lists in the log the closed segments, what one said of them, and nothing of what happened in them", () => {
    expect(read(pond({ mode: "M1" }), { from: "log" }).entries).toEqual([]);
    const one = passRound(pond({ mode: "M1" }), {
      predict: { segment: [{ path: "weir.level", value: 9.5 }] },
      fires: ["tiring"],
    });
    const silent = ask(ask(one.session, "end_round").session, "end_round");
    const later = silent.session;
    expect(read(later, { from: "log" }).entries).toEqual([
      { id: "1", from: 0, to: 8, predicted: { segment: { "weir.level": 9.5 }, fires: ["tiring"] } },
      { id: "2", from: 8, to: 16, predicted: null },
    ]);
    expect(idsOf(later, { from: "log", where: "it.from >= 8" })).toEqual(["2"]);
    expect(errorOf(ask(later, "read_data", { from: "log", fields: ["changes"] }).answer).code).toBe("unknown_field");
  });

  it("DD42 lists no actions: nobody acts", () => {
    expect(read(pond({ mode: "M1" }), { from: "capabilities" }).entries).toEqual([]);
    expect(errorOf(ask(pond({ mode: "M1" }), "read_data", { from: "capabilities", id: "go" }).answer)).toMatchObject({
      code: "unknown_action",
      hint: "there are none",
    });
  });
});

describe("what M2 shows", () => {
  it("DD41 leaves out of an entity what is not seen, and names it", () => {
    const start = pond();
    expect(entity(start, "ada")).toEqual({
      id: "ada",
      type: "person",
      name: "Ada",
      at: "tower",
      fields: { friend: null, mail: [], mood: "calm" },
      unseen: ["energy", "loyal", "secret"],
    });
    // beside her
    expect(entity(start, "jon")).toMatchObject({ fields: { energy: 7 }, unseen: ["loyal", "secret"] });
    expect(entity(start, "old_letter")).toEqual({
      id: "old_letter",
      type: "letter",
      name: "an old letter",
      fields: { read: false },
      unseen: ["at"],
    });
  });

  it("DD41 shows what is seen at the present decision point", () => {
    const start = pond();
    const moved = passRound(start, { ...emptyAnswer(start), action: { action: "go", args: { to: "pond" } } }).session;
    // Jon went to the pond, too
    expect(entity(moved, "jon")).toMatchObject({ at: "pond", fields: { energy: 4 } });
    expect(entity(afterRounds(start, 1), "jon")).toMatchObject({ at: "pond", unseen: ["energy", "loyal", "secret"] });
    expect(idsOf(moved, { from: "entities" })).toEqual(["ada", "jon", "mara", "weir"]);
  });

  it("DD41 never matches a `where` by what is not seen, whichever way it asks", () => {
    const start = pond();
    const all = (where: string, type = "person") => idsOf(start, { from: "entities", type, where });
    expect(all("it.energy > 0")).toEqual(["jon", "mara"]);
    expect(all("!(it.energy > 0)")).toEqual([]);
    expect(all("it.energy != 3")).toEqual(["jon", "mara"]);
    expect(all("it.loyal")).toEqual([]);
    expect(all("!it.loyal")).toEqual([]);
    expect(all("weir.murk == 0")).toEqual([]);
    expect(all("weir.murk != 0")).toEqual([]);
    expect(all("ada.energy == it.energy")).toEqual([]);
    for (const where of [
      "it.at == tower",
      "it.at != tower",
      "it.at == null",
      "inside(it, tower)",
      "!inside(it, tower)",
    ])
      expect(all(where, "letter")).toEqual([]);
    expect(all("it.at == mill")).toEqual(["jon", "mara"]);
    expect(all("inside(it, mill)")).toEqual(["jon", "mara"]);
  });

  it("DD41 keeps what was asked for and is not seen under `unseen`", () => {
    expect(read(pond(), { from: "entities", type: "person", fields: ["energy"] }).entries).toEqual([
      { id: "ada", unseen: ["energy"] },
      { id: "jon", fields: { energy: 7 } },
      { id: "mara", fields: { energy: 10 } },
    ]);
  });

  it("DD41 tells of each type how far its fields are seen, and the default of no value that may be unseen", () => {
    expect(read(pond(), { from: "types", id: "weir" }).entries).toEqual([
      {
        id: "weir",
        says: "A weir and the water behind it",
        fields: {
          level: { kind: "number", digits: 1, min: 0, max: 10, default: 4, visibility: "public" },
          murk: { kind: "int", min: 0, max: 9, visibility: "hidden" },
        },
        at: { visibility: "public" },
        created: [],
      },
    ]);
    expect(read(pond(), { from: "types", id: "letter" }).entries).toEqual([
      {
        id: "letter",
        says: "A letter",
        fields: { read: { kind: "bool", default: false, visibility: "public" } },
        at: { visibility: "local" },
        created: [{ pattern: "letter_<n>", says: "a letter is called letter_ and the hour it was written" }],
      },
    ]);
    for (const mode of ["M1", "M2"] as const) {
      const person = read(pond({ mode }), { from: "types", id: "person" }).entries[0];
      expect(Object.keys(person?.["fields"] as object)).toEqual([
        "energy",
        "friend",
        "loyal",
        "mail",
        "mood",
        "secret",
      ]);
    }
  });

  it("DD43 lists in the log what was done and what was seen at both ends and differs", () => {
    const start = pond();
    const one = passRound(start, { ...emptyAnswer(start), action: { action: "go", args: { to: "pond" } } });
    const two = passRound(one.session);
    const changes = [
      { path: "jon.at", before: "mill", after: "pond" },
      { path: "jon.energy", before: 7, after: 4 },
      { path: "jon.mood", before: "calm", after: "cross" },
      { path: "mara.at", before: "mill", after: "pond" },
      { path: "mara.energy", before: 10, after: 8 },
      { path: "weir.level", before: 4, after: 9.5 },
    ];
    expect(read(two.session, { from: "log" }).entries).toEqual([
      {
        id: "1",
        from: 0,
        to: 4,
        action: { action: "go", args: { to: "pond" } },
        changes,
        came: [],
        went: ["old_letter"],
        predicted: { interval: {}, lookahead: {} },
      },
      {
        id: "2",
        from: 4,
        to: 8,
        action: { action: "wait", args: {} },
        changes: [
          { path: "jon.at", before: "pond", after: "mill" },
          { path: "mara.energy", before: 8, after: 6 },
        ],
        came: ["letter_6"],
        went: [],
        predicted: { interval: {}, lookahead: {}, action: {}, happening: {} },
      },
    ]);
    expect(idsOf(two.session, { from: "log", where: '"mara.at" in it.paths' })).toEqual(["1"]);
    expect(idsOf(two.session, { from: "log", where: 'it.action == "wait" && "letter_6" in it.came' })).toEqual(["2"]);
    expect(read(two.session, { from: "log", id: "2", fields: ["to"] }).entries).toEqual([{ id: "2", to: 8 }]);
    expect(context(one.session).changed).toEqual({ count: 6, shown: changes, came: [], went: ["old_letter"] });
    expect(errorOf(ask(two.session, "read_data", { from: "log", id: "3" }).answer)).toEqual({
      code: "unknown_round",
      message: 'there is no closed round "3"',
      path: "id",
      hint: 'closed rounds are "1" to "2"',
    });
  });
});

describe("how rules are told", () => {
  it("DD42 shows in the open condition every rule with its numbers, in words and in machine-readable form", () => {
    expect(read(pond(), { from: "processes", id: "tiring" }).entries).toEqual([
      {
        id: "tiring",
        name: "The tiring",
        says: "What tiring does, with 7 numbers",
        every: 2,
        phase: 0,
        priority: 0,
        for: { p: "person" },
        when: "p.energy > 0",
        effects: [{ add: "p.energy", by: "p.at == mill ? -2 : -1" }],
      },
    ]);
    expect(read(pond(), { from: "schedule" }).entries).toEqual([
      {
        id: "storm",
        name: "The storm",
        says: "What storm does, with 7 numbers",
        at: [3, 10],
        effects: [{ set: "weir.level", value: 9.5 }],
      },
    ]);
    expect(read(pond(), { from: "capabilities", id: "nudge" }).entries).toEqual([
      {
        id: "nudge",
        says: "To nudge",
        params: { who: { type: "person" } },
        requires: [
          { expr: "who != mara" },
          { expr: "who.energy > 3", says: "only those who are rested can be nudged" },
        ],
        effects: [{ add: "who.energy", by: -3 }],
        duration: 1,
      },
    ]);
    expect(idsOf(pond(), { from: "processes", where: "it.every > 1 && it.priority < 30" })).toEqual(["tiring"]);
    expect(idsOf(pond(), { from: "schedule", where: "it.first == 3 && it.last == 10" })).toEqual(["storm"]);
  });

  it("DD42 shows in naming names and words alone", () => {
    const naming = pond({ condition: "naming" });
    expect(read(naming, { from: "processes", id: "tiring" }).entries).toEqual([
      { id: "tiring", name: "The tiring", says: "What tiring does, in words" },
    ]);
    expect(read(naming, { from: "schedule" }).entries).toEqual([
      { id: "storm", name: "The storm", says: "What storm does, in words" },
    ]);
    expect(read(naming, { from: "capabilities", id: "nudge" }).entries).toEqual([
      { id: "nudge", says: "To nudge", params: { who: { type: "person" } } },
    ]);
    for (const query of [
      { from: "processes", where: "it.every == 2" },
      { from: "processes", fields: ["effects"] },
      { from: "schedule", where: "it.first == 3" },
      { from: "capabilities", fields: ["requires"] },
    ])
      expect(ask(naming, "read_data", query).answer.ok).toBe(false);
  });

  it("DD42 never lists what writes sealed fields alone", () => {
    for (const mode of ["M1", "M2"] as const) {
      for (const condition of ["open", "naming"] as const) {
        const session = pond({ mode, condition });
        expect(idsOf(session, { from: "processes" })).toEqual(
          "crossing fading filling murking roaming tiring writing".split(" "),
        );
        expect(errorOf(ask(session, "read_data", { from: "processes", id: "sealing" }).answer).code).toBe(
          "unknown_process",
        );
      }
    }
  });
});

describe("get_context in deduction", () => {
  it("DD44 tells where the run stands, what is asked and what is possible", () => {
    expect(context(pond())).toEqual({
      ok: true,
      case: "pond_base",
      condition: "open",
      mode: "M2",
      round: 1,
      clock: 0,
      unit: "hour",
      ends: 24,
      budgets: {
        roundSteps: { allowed: 12, used: 0, left: 12 },
        roundCalls: { allowed: 160, used: 1, left: 159 },
        runCalls: { allowed: 460, used: 1, left: 459 },
      },
      intro: { text: "Mara keeps the mill; Jon comes and goes." },
      goal: "At the end the pond is nearly full.",
      goalExpr: "weir.level > 9",
      submitted: null,
      asked: {
        action: true,
        interval: {
          from: 0,
          to: "the next decision point: the first multiple of 4 at or after 0 + the action's ticks, at most 24; 4 for wait",
        },
        lookahead: { from: 0, to: 48 },
      },
      legal: {
        count: 4,
        shown: [
          { action: "wait", args: {}, next: 4 },
          { action: "go", args: { to: "pond" }, next: 4 },
          { action: "nudge", args: { who: "jon" }, next: 4 },
          { action: "rest", args: {}, next: 12 },
        ],
      },
      changed: { count: 0, shown: [], came: [], went: [] },
    });
    expect(Object.keys(context(pond({ mode: "M1" })))).not.toContain("legal");
  });

  it("DD44 gives a long introduction in parts that join to the whole", () => {
    const intro = Array.from({ length: 300 }, (_, i) => `Sentence ${i} of “the” long story.`).join(" ");
    for (const mode of ["M1", "M2"] as const) {
      const session = afterRounds(pond({ mode, intro }), 1);
      let text = "";
      let cursor: string | undefined;
      do {
        const part = context(session, cursor === undefined ? {} : { cursor }).intro;
        text += part.text;
        cursor = part.cursor;
      } while (cursor !== undefined);
      expect(text).toBe(intro);
    }
    expect(errorOf(ask(pond({ intro }), "get_context", { cursor: "x" }).answer).code).toBe("bad_cursor");
    expect(errorOf(ask(pond(), "get_context", { round: 1 }).answer).code).toBe("unknown_key");
  });
});

describe("pages", () => {
  it("DD62 join to the whole for every size, in every source", () => {
    for (const mode of ["M1", "M2"] as const) {
      const session = afterRounds(pond({ mode }), 2);
      for (const from of ["map", "types", "entities", "capabilities", "processes", "schedule", "log"]) {
        const whole = read(session, { from, limit: 100 }).entries;
        for (const limit of [1, 2, 3]) {
          const entries: unknown[] = [];
          let cursor: string | undefined;
          do {
            const page = read(session, { from, limit, ...(cursor !== undefined && { cursor }) });
            entries.push(...page.entries);
            cursor = page.cursor;
          } while (cursor !== undefined);
          expect(entries).toEqual(whole);
        }
      }
    }
  });

  it("DD62 neither repeat nor skip a round that is closed meanwhile", () => {
    let session = afterRounds(pond(), 2);
    const first = read(session, { from: "log", limit: 1 });
    session = passRound(session).session;
    const rest = read(session, { from: "log", cursor: first.cursor });
    expect([...first.entries, ...rest.entries].map(({ id }) => id)).toEqual(["1", "2", "3"]);
  });

  it("DD62 are refused a cursor of another query", () => {
    const { cursor } = read(pond(), { from: "entities", limit: 1 });
    expect(errorOf(ask(pond(), "read_data", { from: "types", cursor }).answer).code).toBe("bad_cursor");
  });

  it("DD62 know no source of the other track", () => {
    for (const from of ["invariants", "constructions"])
      expect(errorOf(ask(pond(), "read_data", { from }).answer).code).toBe("invalid_value");
  });
});
