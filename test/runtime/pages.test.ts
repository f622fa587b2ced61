import { describe, expect, it } from "vitest";
import { makeCursor } from "../../src/runtime/cursor.ts";
import { DEDUCTION_SOURCES } from "../../src/runtime/deduction/tools.ts";
import { isDeduction, type Session } from "../../src/runtime/session.ts";
import { SOURCES } from "../../src/runtime/tools.ts";
import { PLAYERS, soundCall, type Player } from "../fuzz/calls.ts";
import { randomOf } from "../fuzz/random.ts";
import { callWell, carryOut, midgame, readToEnd, soundQuery, type Loose, type Midgame } from "./support/reading.ts";

const seeds = [1, Math.trunc(Math.random() * 1e6)];
const PLAYED = 120;
/** Pages of one query between which something is done. */
const MOST_CHANGED = 12;

const sourcesOf = (session: Session): readonly string[] => (isDeduction(session) ? DEDUCTION_SOURCES : SOURCES);
const idsOf = (entries: readonly Loose[]) => entries.map(({ id }) => String(id));
const isCut = (entry: Loose | undefined) => entry?.["cut"] !== undefined || entry?.["piece"] !== undefined;

describe("pages", () => {
  it.each(PLAYERS)("RT77 in %s are the whole query, cut into pages of any size", (player) => {
    for (const seed of seeds) {
      const game = midgame(player, seed, PLAYED);
      const { session, random } = game;
      const everything = sourcesOf(session).map((from) => ({ from }));
      for (const query of [...everything, ...Array.from({ length: 24 }, () => soundQuery(game))]) {
        const says = `seed ${seed}: ${JSON.stringify(query)}`;
        const whole = readToEnd(session, { ...query, limit: 1 })?.entries;
        for (const limit of [2 + random.below(8), 100])
          expect(readToEnd(session, { ...query, limit })?.entries, `pages of ${says}`).toEqual(whole);
        if (whole !== undefined && !("id" in query)) expectOneByOne(session, query, whole, says);
      }
    }
  });

  /** The same entries as when each of the source is asked for by its id. */
  function expectOneByOne(session: Session, query: Loose, whole: readonly Loose[], says: string): void {
    const { limit: _, where: _where, ...rest } = query;
    const all = readToEnd(session, { ...rest, limit: 100, fields: ["id"] })?.entries ?? [];
    const alone = idsOf(all.filter(({ id }) => id !== undefined)).map((id) => {
      const entries = readToEnd(session, { ...query, id })?.entries;
      expect(entries, `${says}, ${id}`).toBeDefined();
      return entries?.some(isCut) === true ? [{ id, cut: true }] : (entries ?? []);
    });
    const listed = whole.filter(({ id }) => id !== undefined);
    expect(
      listed.map((entry) => (isCut(entry) ? { id: entry["id"], cut: true } : entry)),
      `pages of ${says}`,
    ).toEqual(alone.flat());
  }

  const WHERE_OF_LOG = ["true", "it.accepted", "!it.accepted", "it.advance > 0", "it.capabilities.exists(c, true)"];
  it.each([
    ["easy", ["log"]],
    ["extreme", ["log", "constructions"]],
  ] as const)("RT77 in %s of the %s hold each entry once, whatever is done between them", (player, sources) => {
    for (const seed of [...seeds, ...seeds.map((one) => one + 7)]) {
      const game = midgame(player, seed, PLAYED);
      for (const from of sources) {
        const where = from === "log" ? { where: game.random.pick(WHERE_OF_LOG) } : {};
        const query = { from, limit: 1 + game.random.below(4), ...where };
        let done = 0;
        const paged = readToEnd(game.session, query, (session) => {
          done += 1;
          return done > MOST_CHANGED ? session : goOn({ ...game, session }, 3);
        });
        const later = readToEnd(paged?.session as Session, { ...query, limit: 100 })?.entries;
        expect(paged?.entries, `seed ${seed}: ${JSON.stringify(query)}`).toEqual(later);
        expect(done).toBe(paged?.cursors.length);
      }
    }
  });

  const COMING_AND_GOING = [
    ["easy", [{ from: "entities" }, { from: "entities", where: "it.at == mill || it.at == ann" }]],
    ["extreme", [{ from: "entities" }, { from: "types" }, { from: "capabilities" }]],
  ] as const;
  it("RT77 hold what was there all along once, and nothing twice, whatever comes and goes between them", () => {
    const many = { stayed: 0, came: 0, went: 0 };
    for (const [player, queries] of COMING_AND_GOING) {
      for (const seed of [...seeds, ...seeds.map((one) => one + 7)]) {
        const game = midgame(player, seed, PLAYED);
        for (const query of queries) {
          const { ids, seen } = readWhileGoingOn(game, { ...query, fields: ["id"] });
          const [first = new Set<string>()] = seen;
          const ever = new Set(seen.flatMap((one) => [...one]));
          const always = [...first].filter((id) => seen.every((one) => one.has(id)));
          const missed = always.filter((id) => !ids.includes(id));
          const invented = ids.filter((id) => !ever.has(id));
          expect({ missed, invented }, `seed ${seed}`).toEqual({ missed: [], invented: [] });
          expect(ids).toEqual([...new Set(ids)].sort());
          many.stayed += always.length;
          many.came += ever.size - first.size;
          many.went += first.size - always.length;
        }
      }
    }
    expect(Object.values(many).every((one) => one > 0)).toBe(true);
  });

  /** The ids that the pages of a query hold, and those that a reading at once found before each of them. */
  function readWhileGoingOn(game: Midgame, query: Loose) {
    const idsIn = (session: Session) => new Set(idsOf(readToEnd(session, { ...query, limit: 100 })?.entries ?? []));
    const seen = [idsIn(game.session)];
    const paged = readToEnd(game.session, { ...query, limit: 1 + game.random.below(2) }, (session) => {
      // A world that grows faster than it is read is never read to its end.
      const next = seen.length > MOST_CHANGED ? session : goOn({ ...game, session }, 16);
      seen.push(idsIn(next));
      return next;
    });
    return { ids: idsOf(paged?.entries ?? []), seen };
  }

  /** Up to so many calls more that change something, where they are taken. */
  function goOn(game: Midgame, most: number): Session {
    let { session } = game;
    for (let n = game.random.below(most + 1); n > 0;) {
      const call = soundCall(game.random, game.known, game.player);
      if (call.tool !== "commit_step" && call.tool !== "construct") continue;
      session = carryOut({ ...game, session }, call);
      n -= 1;
    }
    return session;
  }
});

describe("cursors", () => {
  const CASES: readonly (readonly [Player, readonly Loose[]])[] = [
    ["easy", [...SOURCES.map((from) => ({ from })), { from: "entities", type: "person" }, { from: "log", id: "1" }]],
    ["extreme", SOURCES.map((from) => ({ from }))],
    ["M1", DEDUCTION_SOURCES.map((from) => ({ from }))],
    ["M2", [...DEDUCTION_SOURCES.map((from) => ({ from })), { from: "entities", where: "true" }]],
  ];
  const sessionOf = (player: Player): Session => {
    let { session } = midgame(player, 3, PLAYED);
    // Closed rounds are the log of deduction.
    for (let i = 0; i < 6; i += 1) session = callWell(session, "end_round").session;
    return session;
  };
  const codeOf = (session: Session, query: Loose): string => {
    const { answer } = callWell(session, "read_data", query);
    return answer.ok ? "ok" : answer.error.code;
  };

  it.each(CASES)("RT79 in %s are taken with their own query alone", (player, queries) => {
    const session = sessionOf(player);
    const all = queries.flatMap((query) => [query, { ...query, where: "true" }, { ...query, fields: ["id"] }]);
    for (const query of all) {
      const [cursor] = readToEnd(session, { ...query, limit: 1 })?.cursors ?? [];
      if (cursor === undefined) continue;
      const taken = all
        .filter((other) => codeOf(session, { ...other, cursor }) === "ok")
        .map((one) => JSON.stringify(one));
      expect(new Set(taken)).toEqual(new Set([JSON.stringify(query)]));
    }
  });

  it.each(CASES)("RT79 in %s are refused where any character of them is another", (player, queries) => {
    const session = sessionOf(player);
    let forged = 0;
    for (const query of queries) {
      const [cursor = ""] = readToEnd(session, { ...query, limit: 1 })?.cursors ?? [];
      for (let i = 0; i < cursor.length; i += 1) {
        for (const other of [
          cursor[i] === "A" ? "B" : "A",
          cursor[i] === "0" ? "1" : "0",
          "",
          "~",
          "é",
          "=",
          cursor[i] + "A",
        ]) {
          const changed = cursor.slice(0, i) + other + cursor.slice(i + 1);
          expect(codeOf(session, { ...query, cursor: changed }), `cursor ${changed}`).toBe("bad_cursor");
          forged += 1;
        }
      }
    }
    expect(forged).toBeGreaterThan(100);
  });

  const KEYS = [
    "",
    "0",
    "-1",
    "1.5",
    "1e3",
    "NaN",
    "Infinity",
    "000000001",
    "0000000015",
    "999999999",
    "1:",
    "2:",
    "a",
    "jug",
    "zzz",
    "\u0000",
    "🐎",
    "é",
  ];
  it.each(CASES)("RT79 in %s go on after whatever key whoever knows how to make them puts in", (player, queries) => {
    const session = sessionOf(player);
    const random = randomOf(9);
    for (const { id, type, where, from } of queries) {
      const query = {
        from,
        ...(id !== undefined && { id }),
        ...(type !== undefined && { type }),
        ...(where !== undefined && { where }),
      };
      const whole = readToEnd(session, { ...query, limit: 100 })?.entries ?? [];
      for (const key of [...KEYS, String(random.below(200)), String(-random.below(20) / 3)]) {
        const cursor = makeCursor({ tool: "read_data", ...query } as Parameters<typeof makeCursor>[0], key);
        const rest = readToEnd(session, { ...query, limit: 100, cursor })?.entries;
        expect(rest, `${JSON.stringify(query)} after ${JSON.stringify(key)}`).toEqual(
          whole.slice(whole.length - (rest?.length ?? 0)),
        );
      }
    }
  });
});
