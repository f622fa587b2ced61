import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { loadCase, printFault, type Case } from "../../src/cases/index.ts";
import type { BookItem, BookRound } from "../../src/report/book/model.ts";
import { inOrderOfTelling, takeNotes } from "../../src/report/book/quotes.ts";
import { fill, paperWidth } from "../../src/report/book/wrap.ts";
import { caseLines, casePage } from "../../src/report/index.ts";
import { TIERS } from "../../src/runtime/index.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/cases", import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function load(folder: string): Case {
  const loaded = loadCase(folder);
  if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
  return loaded.value;
}

const horn = load(join(FIXTURES, "horn"));
const ark = load(fileURLToPath(new URL("../../cases/maintenance/ark_001", import.meta.url)));

/** The horn case with parts of its files replaced. */
function hornWith(file: "case.yaml" | "rounds/01.yaml", ...edits: readonly (readonly [string, string])[]): Case {
  const root = mkdtempSync(join(tmpdir(), "worldagent-book-"));
  folders.push(root);
  cpSync(join(FIXTURES, "horn"), join(root, "horn"), { recursive: true });
  const path = join(root, "horn", file);
  let text = readFileSync(path, "utf8");
  for (const [from, to] of edits) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  writeFileSync(path, text);
  return load(join(root, "horn"));
}

/** What lies between two lines, without them. */
function between(lines: readonly string[], from: string, to: string): readonly string[] {
  return lines.slice(lines.indexOf(from) + 1, lines.indexOf(to));
}

describe("a case as a book of lines", () => {
  const lines = caseLines(horn, { columns: 80 });

  it("begins with a title page: facts, people and things with what is special of them, places, doings and rules", () => {
    expect(lines.slice(0, 8)).toEqual([
      "",
      "THE FIRE FROM BELOW",
      "",
      "horn: family myth, small, version 1",
      "1 round, 24 items: E 9, A 4, P 2, CA 4, TM 4, CC 1",
      "scored: easy 20, hard 24, extreme 24",
      "a tick of the clock: quarter of an hour",
      expect.stringMatching(/^world [0-9a-f]{12}, contract [0-9a-f]{12}$/) as string,
    ]);
    expect(between(lines, "Who and what there is", "Where").slice(0, 6)).toEqual([
      "  person: One of the living",
      "      Ilka: at the village of Hearthfield",
      "      Teo, who tells it: at the village of Hearthfield",
      "  horn: A ram's horn with a stopper; lined or not, with fire in it or not;",
      "    carried like a thing",
      "      the ram's horn: with Ilka",
    ]);
    expect(lines).toContain("      Ilka's iron knife: with Ilka; iron");
    expect(between(lines, "What may never be", "Round 1")).toEqual([
      "  The fire of the king below never goes out",
      "",
      "",
    ]);
  });

  it("then tells the round: its story, what is asked, with the words that carry it, and how it may be acted out", () => {
    const heads = ["Round 1", "Events", "Structures", "Probes", "Relations", "Reference"].map((one) =>
      lines.indexOf(one),
    );
    expect(heads.every((at, i) => at > (heads[i - 1] ?? 0))).toBe(true);
    expect(between(lines, "Events", "Structures").slice(0, 4)).toEqual([
      "  E   Ilka lines the ram's horn with clay at the spring [horn_lined]",
      "      takes part: Ilka, the ram's horn",
      "      known by: the ram's horn: lined",
      "      given: ilka.at == cold_spring",
    ]);
    expect(between(lines, "Structures", "Probes").slice(0, 13)).toEqual([
      "  A   A way to pass the bone gate that needs it open and refuses whoever carries",
      "      iron [gate_knows_iron]",
      "      capability: for “Ilka passes the bone gate into the black hall”; the",
      "        reference has its “pass gate”",
      "      refuses: Ilka's iron knife: with Ilka, from “Ilka lays her iron knife on",
      "        the stone at the ford” on",
      "        “nobody passes the bone gate with iron on them”",
      "      refuses: the bone gate: not open, from “Teo draws the bolt of the bone",
      "        gate” on",
      "        “Nobody passes a shut gate”",
      "      still allows: Ilka's iron knife: at the village of Hearthfield",
      "      still allows: the jug of milk: not full",
      "  A   A way for the dead to speak that needs them to have drunk",
    ]);
    expect(between(lines, "Probes", "Relations")).toEqual([
      "  P   Nobody opens the horn on the way home [horn_stays_shut]",
      "      never: the ram's horn: open",
      "      window: from “Ilka takes the king's fire into the horn” to before “Ilka",
      "        lights the hearth of the village from the horn”",
      "  P   The grandmother does not leave the black hall [dead_stay]",
      "      never: a state in which grandmother.at != black_hall",
      "      window: from “The grandmother tells Ilka the word” to the end of the round",
      "",
    ]);
    expect(between(lines, "Relations", "Reference").slice(0, 3)).toEqual([
      "  TM  “Ilka lines the ram's horn with clay at the spring” comes before “Ilka",
      "      lays her iron knife on the stone at the ford” [r1_tm1]",
      "      told: “that was from the spring, earlier”",
    ]);
    expect(lines.slice(lines.indexOf("Reference") + 1).slice(0, 4)).toEqual([
      "  1. walk (who Ilka, to the clay bank at the cold spring)",
      "     walk (who Teo, to the clay bank at the cold spring)",
      "  2. line horn (who Ilka, horn the ram's horn) → Ilka lines the ram's horn with",
      "     clay at the spring",
    ]);
  });

  it.each([40, 80, 100])("fits %i columns, and keeps the words of the story", (columns) => {
    const narrow = caseLines(horn, { columns });
    expect(narrow.filter((line) => line.length > columns && /\S \S/.test(line.trim()))).toEqual([]);
    const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
    expect(words(narrow.join("\n"))).toContain(words(horn.narratives[0] ?? ""));
  });

  it("says further ways of an event, differences of time and argument, and every form of the forbidden", () => {
    const changed = hornWith(
      "rounds/01.yaml",
      [
        'defining: [ram_horn.lined], given: "ilka.at == cold_spring" }',
        'defining: [ram_horn.lined], accepts: [ { defining: { ram_horn.at: cold_spring }, given: "ilka.knows_word" } ] }',
      ],
      [
        "allowedWhen: [ { drowned_miller.has_drunk: true }, { clock: 400 } ]",
        "allowedWhen: [ { clock: 400, args: { hearer: teo } } ]",
      ],
      [
        "forbids: { changes: { ram_horn.open: true } } }",
        'while: "ram_horn.fire", forbids: { changes: { ram_horn.open: { not: false }, "person.*.knows_word": { any: true }, "*.at": ford } } }',
      ],
    );
    const text = caseLines(changed, { columns: 400 }).join("\n");
    for (const said of [
      "or by: the ram's horn: at the clay bank at the cold spring, given ilka.knows_word",
      "still allows: the clock at 400 and hearer given as Teo",
      "never: the ram's horn: open, unless it becomes false or the field knows word of any person, whatever it becomes or the place of any person or thing becomes the ford and its flat stone",
      "while: ram_horn.fire",
    ])
      expect(text.replace(/\s+/g, " ")).toContain(said);
  });

  it("shows one round without the title page where one is asked for", () => {
    const one = caseLines(ark, { round: 3 });
    expect(one.filter((line) => /^Round \d+$/.test(line))).toEqual(["Round 3"]);
    expect(one[0]).toBe("ark_001: The Night Book of the Morgenjoch");
    expect(one).not.toContain("Who and what there is");
  });
});

describe("filling lines", () => {
  it("breaks between words, hangs what follows, and leaves a word that is too long alone", () => {
    expect(fill("one two three", 9)).toEqual(["one two", "three"]);
    expect(fill("one two three", 12, { first: "- ", rest: "    " })).toEqual(["- one two", "    three"]);
    expect(fill("a incomprehensibilities b", 10)).toEqual(["a", "incomprehensibilities", "b"]);
    expect(fill(" ", 10)).toEqual([""]);
  });

  it("counts characters and not the units they are stored in", () => {
    expect(fill("𝄞𝄞𝄞 𝄞𝄞𝄞", 7)).toEqual(["𝄞𝄞𝄞 𝄞𝄞𝄞"]);
  });

  it("keeps to widths in which a story can be read", () => {
    expect([undefined, 10, 72, 400].map(paperWidth)).toEqual([80, 40, 72, 100]);
  });
});

describe("the notes of a book", () => {
  const notes = takeNotes(["Nobody leaves the bank dark. She lit it.", "It was lit, and they left, and it burned."]);
  const told = [
    notes.take(2, "A", "a way that refuses", "Nobody leaves the bank dark"),
    notes.take(2, "TM", "a before b", "they left ... burned"),
    notes.take(2, "CA", "a makes b possible", "It was lit"),
    notes.take(2, "P", "never", "words that stand nowhere"),
  ];
  const items = told.map((one): BookItem => ({
    id: one.note,
    kind: "A",
    number: undefined,
    says: one.words,
    details: [{ about: "told", says: "", told: one }],
  }));
  const round = (number: number, chapter: readonly BookItem[]): BookRound => ({
    number,
    narrative: "",
    quotes: notes.quotesOf(number),
    chapters: [{ head: "Items", items: chapter }],
    steps: [],
  });
  const [first, second] = inOrderOfTelling([round(1, []), round(2, items)]);

  it("find words in the round's own story first, then in the earlier ones, and say where", () => {
    expect(told.map((one) => one.round)).toEqual([1, 2, 2, undefined]);
  });

  it("are numbered as the words end one after the other; words of earlier rounds, and of none, come last", () => {
    const numbers = second?.chapters[0]?.items.flatMap(({ details }) => details.map((one) => one.told?.note));
    expect(numbers).toEqual(["2.3", "2.2", "2.1", "2.4"]);
    expect(second?.quotes.map(({ note, kind }) => [note, kind])).toEqual([
      ["2.2", "TM"],
      ["2.1", "CA"],
    ]);
    expect(first?.quotes.map(({ note }) => note)).toEqual(["2.3"]);
  });
});

/** The values of an attribute in a page. */
function valuesOf(page: string, attribute: string): readonly string[] {
  return [...page.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map(([, value]) => value ?? "");
}

describe("a case as a page", () => {
  const page = casePage(ark);

  it("stands alone: its policy lets nothing in but its own style, and nothing in it asks for more", () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
    const digest = createHash("sha256").update(style).digest("base64");
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#39;", "'");
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`);
    expect(page.match(/<style/g)).toHaveLength(1);
    expect(page).not.toMatch(
      /<(script|link|img|iframe|object|form|base)\b|\ssrc=|\sstyle=|\son\w+=|@import|url\(|https?:/,
    );
  });

  it("links every quote to its item and back, and no link leads nowhere", () => {
    const ids = valuesOf(page, "id");
    expect(new Set(ids).size).toBe(ids.length);
    const targets = valuesOf(page, "href").map((href) => href.slice(1));
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
    const relations = ark.contract.rounds.flatMap((round) => round.relations).length;
    const notes = ids.filter((id) => id.startsWith("note-"));
    expect(notes.length).toBeGreaterThan(relations);
    expect(targets).toEqual(expect.arrayContaining(notes));
    expect(targets).toEqual(expect.arrayContaining(notes.map((id) => id.replace("note-", "words-"))));
  });

  it("marks the very words, numbered as they follow one another in the story, and leaves the story as it is", () => {
    const one = casePage(horn);
    const story = /<div class="story">([\s\S]*?)<\/div>/.exec(one)?.[1] ?? "";
    const numbers = [...story.matchAll(/<a id="words-1-(\d+)"/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
    const plain = story
      .replaceAll(/<sup[\s\S]*?<\/sup\s*>/g, "")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&#39;", "'")
      .replaceAll("&quot;", '"');
    expect(words(plain).replaceAll(" ", "")).toBe(words(horn.narratives[0] ?? "").replaceAll(" ", ""));
    const marked = [...story.matchAll(/<mark class="([^"]*)">([^<]*)<\/mark>/g)].map(([, kind, text]) => [kind, text]);
    expect(marked).toContainEqual(["A", "Nobody passes a shut gate"]);
    expect(marked).toContainEqual(["TM", "did nothing at all between"]);
  });

  it("of one round leads nowhere else", () => {
    const one = casePage(ark, { round: 4 });
    const ids = valuesOf(one, "id");
    expect(valuesOf(one, "href").filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
    expect(ids.filter((id) => id.startsWith("round-"))).toEqual(["round-4"]);
  });
});

describe("text of a case file that would be more than text", () => {
  const evil = hornWith(
    "case.yaml",
    ["title: The Fire from Below", 'title: "<script>alert(1)</script>\\e[31m"'],
    ["name: the jug of milk", `name: '"><img src=x onerror=alert(1)> jug'`],
    ["hearthfield: the village of Hearthfield", 'hearthfield: "&lt;b&gt; \\u202e village </style><script>"'],
  );

  it("is only text on a page", () => {
    for (const page of [casePage(evil), ...TIERS.map((tier) => casePage(evil, { tier }))]) {
      expect(page).not.toMatch(/<script|<img/);
      expect(page.match(/<\/style>/g)).toHaveLength(1);
      // eslint-disable-next-line no-control-regex
      expect(page).not.toMatch(/[\u001b\u202e]/);
    }
    expect(casePage(evil)).toContain("&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[31m");
    expect(casePage(evil)).toContain("&amp;lt;b&amp;gt; \\u{202e} village");
  });

  it("is only text on a terminal", () => {
    for (const lines of [caseLines(evil), ...TIERS.map((tier) => caseLines(evil, { tier }))]) {
      // eslint-disable-next-line no-control-regex
      expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
    }
  });
});

describe("what an agent is given", () => {
  const own = horn.contract.rounds.flatMap(({ events, structures, probes }) =>
    [...events, ...structures, ...probes].flatMap(({ id, says }) => [id, says]),
  );

  it.each(TIERS)("CS12 in %s holds every instalment, and nothing of contract or reference", (tier) => {
    const text = caseLines(horn, { tier }).join("\n").replaceAll(/\s+/g, " ");
    const page = casePage(horn, { tier });
    expect(own.filter((words) => text.includes(words) || page.includes(words))).toEqual([]);
    expect(text).toContain("They will tell you Ilka went down alone.");
    expect(page).toContain("They will tell you Ilka went down alone.");
    expect(text).not.toContain("The Fire from Below");
  });

  it("is all of the world in easy, no capabilities in hard, and only the map in extreme", () => {
    const heads = TIERS.map((tier) =>
      caseLines(horn, { tier }).filter((line) => /^(The map|Types|Entities|Capabilities|Invariants)$/.test(line)),
    );
    expect(heads).toEqual([
      ["The map", "Types", "Entities", "Capabilities", "Invariants"],
      ["The map", "Types", "Entities", "Invariants"],
      ["The map"],
    ]);
    const extreme = caseLines(horn, { tier: "extreme" });
    expect(extreme.slice(0, 12)).toEqual([
      "What an agent is given of horn in extreme",
      "─────────────────────────────────────────",
      "",
      "To construct: types, entities, capabilities. One tick of the clock: quarter of",
      "an hour; it stands at 0. The instalments come one a round, and no later one is",
      "known before. The tool help tells of: overview, example, capabilities,",
      "expressions, steps, time, construction, reading, limits, errors.",
      "",
      "The map",
      "  ash_wood: the ash wood",
      "  black_hall: the hall of the king below",
      "  cold_spring: the clay bank at the cold spring",
    ]);
    expect(extreme.join("\n")).not.toMatch(/ram_horn|iron_knife|pass_gate/);
  });

  it("in easy shows a capability whole: what it takes, needs and changes", () => {
    expect(between(caseLines(horn, { tier: "easy", columns: 100 }), "Capabilities", "Invariants").slice(0, 6)).toEqual([
      "  draw_bolt: Somebody draws the bolt of a gate",
      '      params.gate: {"type":"gate"}',
      '      params.who: {"type":"person"}',
      '      requires: {"expr":"who.at == gate.at && !gate.open"}',
      '      effects: {"set":"gate.open","value":true}',
      "      duration: 1",
    ]);
  });

  it("reads a long instalment to its end, however often the tool cuts it", () => {
    const long = "So it went on, and on, and nobody counted. ".repeat(500);
    const told = hornWith("rounds/01.yaml", [
      "  They will tell you Ilka went down alone.",
      `  ${long} They will tell you Ilka went down alone.`,
    ]);
    const text = caseLines(told, { tier: "hard" }).join(" ").replaceAll(/\s+/g, " ");
    expect(text).toContain(`${long.trim()} They will tell you Ilka went down alone.`);
    expect(text).toContain("They tell that part correctly.");
  });
});
