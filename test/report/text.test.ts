import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireRunId } from "../../src/records/index.ts";
import {
  escapeJson,
  escapeLines,
  escapeText,
  itemLines,
  progressLine,
  sayTime,
  tableLines,
  verificationLines,
} from "../../src/report/index.ts";
import type { CaseContract, ItemId } from "../../src/contracts/index.ts";
import type { CaseVerification } from "../../src/tracks/index.ts";

describe("text that others wrote", () => {
  it("reaches a terminal with its control characters and its turns of direction spelled out", () => {
    expect(escapeText("a\u001b[31mred\u0007\r\n\t\u009b2J\u202egnp")).toBe(
      "a\\x1b[31mred\\x07\\x0d\\n\\t\\x9b2J\\u{202e}gnp",
    );
    expect(escapeText("Möbius – “ça va” 𝄞 水")).toBe("Möbius – “ça va” 𝄞 水");
  });

  it("keeps its lines where it has several", () => {
    expect(escapeLines("one\n\ttwo\u001b]0;x\u0007")).toBe("one\n\ttwo\\x1b]0;x\\x07");
  });

  it("stays the same JSON value when the JSON is escaped, and then holds nothing a terminal acts on", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const escaped = escapeJson(JSON.stringify({ text }));
        expect(JSON.parse(escaped)).toEqual({ text });
        expect(escaped).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe("a table", () => {
  it("lines its columns up, escapes its cells and ends no line with blanks", () => {
    const columns = [
      { head: "name", cell: (row: readonly [string, number]) => row[0] },
      { head: "n", align: "right" as const, cell: (row: readonly [string, number]) => String(row[1]) },
      { head: "note", cell: () => "" },
    ];
    expect(
      tableLines(columns, [
        ["a\u001b", 5],
        ["𝄞–é", 1200],
      ]),
    ).toEqual(["name      n  note", "a\\x1b     5", "𝄞–é    1200"]);
  });

  it("of nothing has no lines", () => {
    expect(tableLines([{ head: "x", cell: String }], [])).toEqual([]);
  });
});

describe("the line of a set under way", () => {
  const run = {
    track: "maintenance" as const,
    run: requireRunId("ark_001.hard.reference.1"),
    case: "ark_001",
    tier: "hard" as const,
    agent: "reference",
    repeat: 1,
  };

  it("says what is done, what failed, what runs, and how long it takes", () => {
    const progress = { planned: 8, done: 2, failed: 1, running: [{ run, round: 4, calls: 57 }], elapsedMs: 12_000 };
    expect(progressLine(progress, 200)).toBe(
      "2/8 done, 1 failed · ark_001.hard.reference.1 round 4, 57 calls · 12 s · about 36 s left",
    );
    expect(progressLine(progress, 20)).toBe("2/8 done, 1 failed");
    expect(progressLine(progress, 10)).toBe("2/8 done,…");
  });

  it("guesses no time before a run is done, and counts what runs beside the first", () => {
    const running = [1, 2, 3].map((calls) => ({ run, round: 1, calls }));
    expect(progressLine({ planned: 8, done: 0, failed: 0, running, elapsedMs: 0 }, 200)).toBe(
      "0/8 done · ark_001.hard.reference.1 round 1, 1 calls and 2 more · 0 s",
    );
  });

  it("writes times as people do", () => {
    expect([400, 59_400, 60_000, 125_000, 3_840_000].map(sayTime)).toEqual([
      "0 s",
      "59 s",
      "1 min 0 s",
      "2 min 5 s",
      "1 h 4 min",
    ]);
  });
});

const FOUND: CaseVerification = {
  case: "horn",
  ok: false,
  tiers: {
    easy: {
      items: { E: 1, A: 0, P: 1, CA: 1, TM: 0, CC: 0 },
      mutants: 4,
      killed: 3,
      overkills: 1,
      byMutant: { drop: { made: 1, killed: 1, overkills: 0 }, swap: { made: 3, killed: 2, overkills: 1 } },
      kills: {
        ["shut" as ItemId]: { kind: "drop", round: 1, says: "without shut", isAimed: true },
        ["r1" as ItemId]: { kind: "swap", round: 2, says: "shut before\u001b rung", isAimed: false },
      },
      unkilled: ["stay" as ItemId],
    },
  },
  cheats: [{ cheat: "mega", completion: { passed: 0, of: 2 }, relation: { passed: 0, of: 1 } }],
  problems: [
    { check: 3, tier: "easy", item: "stay" as ItemId, message: "no mutant fails it" },
    { check: 6, message: "round 1 leaks\u001b an id" },
  ],
};

it("what admission found is a table of items, of mutants and of cheats, and a line for each problem", () => {
  expect(verificationLines(FOUND)).toEqual([
    "horn: 2 problems",
    "  tier  E  A  P  CA  TM  CC  items  mutants  killed  overkills  items that survive",
    "  easy  1  0  1   1   0   0      3        4       3          1  stay",
    "  mutants  drop  swap",
    "  easy        1   2/3",
    "  cheat  completion  relation",
    "  mega          0/2       0/1",
    "  check 3 easy stay: no mutant fails it",
    "  check 6: round 1 leaks\\x1b an id",
  ]);
});

it("every item that counts stands with the mutant that killed it, and with none where none did", () => {
  const items = [
    { id: "shut", kind: "E" },
    { id: "stay", kind: "P" },
    { id: "r1", kind: "CA" },
  ];
  const contract = {
    rounds: [
      {
        round: 1,
        events: [items[0]],
        structures: [{ id: "late", kind: "A", level: "capability" }],
        probes: [items[1]],
        relations: [items[2]],
      },
    ],
  } as unknown as CaseContract;
  expect(itemLines(FOUND, contract)).toEqual([
    "  item  kind  tiers  killed by",
    "  shut  E     easy   drop, round 1: without shut",
    "  stay  P     easy   no mutant",
    "  r1    CA    easy   swap, round 2: shut before\\x1b rung (aimed at another)",
  ]);
});
