import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call, Case } from "../../src/cases/index.ts";
import { namedEntities } from "../../src/contracts/index.ts";
import { encodeData, estimatePromptTokens } from "../../src/judges/data-block.ts";
import { identitiesToAsk, itemsToAsk, putQuestion } from "../../src/judges/derive.ts";
import { cutNarrative, evidenceFor, PROMPT_ROOM } from "../../src/judges/evidence.ts";
import { clipValue, fitSections, VALUE_CHARACTERS, wordLevels } from "../../src/judges/fit.ts";
import { promptRoomFor } from "../../src/judges/model-judge.ts";
import { PROMPT } from "../../src/judges/prompt.ts";
import type { Question } from "../../src/judges/question.ts";
import { GIVEN_IDS, type ItemQuestion } from "../../src/judges/questions.ts";
import { capabilityFacts } from "../../src/judges/record-facts.ts";
import { TITLES } from "../../src/judges/titles.ts";
import { digestOf, type Json } from "../../src/runtime/index.ts";
import { horn } from "../tracks/run-fixture.ts";
import { ownIdCalls, playForJudge, referenceCalls, type PlayedForJudge } from "./judge-fixture.ts";

const own = (entity: string): string => `own_${entity}`;

function promptsOf({ case: case_, run }: PlayedForJudge, room = PROMPT_ROOM): ReadonlyMap<string, string> {
  const identity = run.manifest.tier === "extreme" ? own : GIVEN_IDS;
  const questions = [...identitiesToAsk(case_, run), ...itemsToAsk(case_, run, "model", identity)];
  return new Map(
    questions.map((question) => {
      const { messages } = putQuestion(case_, run, question, room);
      return [
        question.kind === "identity" ? question.entity : question.item,
        (messages ?? []).map(({ content }) => content).join("\n"),
      ];
    }),
  );
}

function shownOf({ case: case_, run }: PlayedForJudge, item: string) {
  const question = itemsToAsk(case_, run, "model", GIVEN_IDS).find((one) => one.item === item);
  if (question === undefined) throw new Error(`no item ${item}`);
  const { evidence, known } = evidenceFor(case_, run, question);
  if (evidence === undefined) throw new Error(`the facts for ${item} do not fit`);
  const block = (title: string): readonly Json[] =>
    (evidence.blocks.find((one) => one.title === title)?.data ?? []) as readonly Json[];
  return { evidence, known, block };
}

describe("The evidence for an item", () => {
  it("holds the round's triggers with what they changed, the rules they used, and the states around them", async () => {
    const { block, known, evidence } = shownOf(await playForJudge(referenceCalls("hard"), "hard"), "gate_opened");
    expect(evidence.narrative).toBe(horn.narratives[0]?.trim());
    expect(block(TITLES.participants)).toEqual([
      { name: "Teo, who tells it", id: "teo" },
      { name: "the bone gate", id: "bone_gate" },
    ]);
    expect(block(TITLES.triggers)).toContainEqual({
      trigger: "t6_2",
      step: 6,
      start: 11,
      end: 12,
      capability: "draw_bolt",
      version: 1,
      args: { gate: "bone_gate", who: "teo" },
      changes: [{ path: "bone_gate.open", before: false, after: true }],
    });
    expect(block(TITLES.capabilities)).toContainEqual({
      capability: "draw_bolt",
      version: 1,
      params: { gate: { type: "gate" }, who: { type: "person" } },
      requires: ["who.at == gate.at && !gate.open"],
      effects: [{ set: "gate.open", value: true }],
      duration: 1,
    });
    expect(block(TITLES.states)).toContainEqual({
      entity: "bone_gate",
      before: { type: "gate", at: "gate_mouth", open: false },
      after: { type: "gate", at: "gate_mouth", open: true },
    });
    expect(block(TITLES.states)).toContainEqual({
      entity: "king_fire",
      throughout: { type: "hearth", at: "black_hall", lit: true },
    });
    expect(known.triggers.has("t6_2")).toBe(true);
    expect(known.constructions.size).toBe(0);
  });

  it("keeps every name and sentence apart as a claim", async () => {
    const { evidence, block } = shownOf(await playForJudge(referenceCalls("hard"), "hard"), "gate_opened");
    expect(block(TITLES.claims)).toContainEqual({
      capability: "draw_bolt",
      version: 1,
      says: "Somebody draws the bolt of a gate",
    });
    expect(block(TITLES.claims)).toContainEqual({ entity: "bone_gate", name: "the bone gate" });
    const ours = new Set<string>([TITLES.claims, TITLES.participants, TITLES.places]);
    for (const { title, data } of evidence.blocks.filter((one) => !ours.has(one.title)))
      expect({ title, data: JSON.stringify(data) }).toEqual({
        title,
        data: expect.not.stringMatching(/"says"|"name"/),
      });
  });

  it("shows a structure what was constructed up to then, a probe what was constructed in its round, an event nothing of it", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    const structure = shownOf(played, "gate_knows_iron");
    const probe = horn.contract.rounds[0]?.probes[0]?.id as string;
    expect(structure.block(TITLES.constructions)).toHaveLength(played.run.trace.constructions.size);
    expect(structure.block(TITLES.capabilities)).toEqual([]);
    expect(shownOf(played, probe).known.constructions).toEqual(structure.known.constructions);
    expect(shownOf(played, "gate_opened").block(TITLES.constructions)).toEqual([]);
  });

  it("shows who is who by what became of each, in a world of the agent's own ids", async () => {
    const { case: case_, run } = await playForJudge(ownIdCalls(), "extreme");
    const questions = identitiesToAsk(case_, run);
    expect(questions.map(({ entity }) => entity)).toContain("king_fire");
    const { evidence, known } = evidenceFor(case_, run, questions[0] as (typeof questions)[number]);
    expect(known.entities.has("own_bone_gate")).toBe(true);
    expect(evidence?.blocks[0]?.data).toContainEqual({
      entity: "own_bone_gate",
      at_the_end: { type: "gate", at: "gate_mouth", open: true },
      there: { construction: expect.any(Number) },
      changes: [{ trigger: "t6_2", path: "own_bone_gate.open", before: false, after: true }],
    });
  });

  it("says who is who in every question about an item of such a world, by the map that is frozen for the run", async () => {
    const { case: case_, run } = await playForJudge(ownIdCalls(), "extreme");
    const identity = (entity: string): string | null | undefined =>
      entity === "grandmother" ? null : entity === "hound" ? undefined : own(entity);
    const named = namedEntities(case_.contract, 1);
    for (const question of itemsToAsk(case_, run, "model", identity)) {
      const who = evidenceFor(case_, run, question).evidence?.blocks.find(({ title }) => title === TITLES.who);
      expect(who?.data).toHaveLength(named.length);
      expect(who?.data).toContainEqual({ name: "Ilka", id: "own_ilka" });
      expect(who?.data).toContainEqual({ name: "Ilka's grandmother", id: "absent" });
      expect(who?.data).toContainEqual({ name: "the white hound", id: "not settled" });
    }
    const given = await playForJudge(referenceCalls("hard"), "hard");
    for (const prompt of promptsOf(given).values()) expect(prompt).not.toContain(TITLES.who);
  });

  it("is what prompt version 1 shows: whoever changes it raises PROMPT_VERSION", async () => {
    const digests = [];
    for (const [tier, calls] of [
      ["hard", referenceCalls("hard")],
      ["extreme", ownIdCalls()],
    ] as const)
      digests.push(digestOf([...promptsOf(await playForJudge(calls, tier))]));
    expect({ v: PROMPT.v, digests }).toEqual({
      v: 1,
      digests: [
        "42ec6b6d295d3e2f2c894af8a86f4613b33f39a789a1018806bdf13c62fd59e4",
        "c9de86fdc4de42f42450a95df2ebfe3ece09e712d5088bc2847728bd1f71329e",
      ],
    });
  });
});

describe("AG51 The judge is blind", () => {
  /** The horn case with every relation and every word of an item replaced, but those that a question on `item` holds. */
  function otherwise(item: string, canary: string): Case {
    const [round] = horn.contract.rounds;
    if (round === undefined) throw new Error("the horn case has a round");
    const structure = round.structures.find(({ id }) => id === item);
    const probe = round.probes.find(({ id }) => id === item);
    const kept = new Set<string | undefined>([
      item,
      structure?.usedBy,
      structure?.availableBefore,
      probe?.after,
      probe?.until,
    ]);
    const changed = <T extends { readonly id: string; readonly says: string }>(items: readonly T[]): readonly T[] =>
      items.map((one) => (kept.has(one.id) ? one : { ...one, says: `${canary} ${one.says}` }));
    return {
      ...horn,
      title: canary,
      contract: {
        rounds: [
          {
            ...round,
            events: changed(round.events),
            structures: changed(round.structures),
            probes: changed(round.probes),
            relations: round.relations.slice(1).map((one) => ({ ...one, told: canary })),
          },
        ],
      },
    };
  }

  it("to relations, other items, agent, model, chat and refused steps: prompts are equal to the byte", async () => {
    const calls = referenceCalls("hard");
    const plain = promptsOf(await playForJudge(calls, "hard", { name: "somebody" }));
    const places = fc.record({
      canary: fc.stringMatching(/^[a-z]{12}$/),
      at: fc.nat({ max: calls.length - 2 }),
      item: fc.constantFrom(...plain.keys()),
    });
    await fc.assert(
      fc.asyncProperty(places, async ({ canary, at, item }) => {
        const word = `canary_${canary}`;
        const refused: readonly Call[] = [
          { tool: "commit_step", input: { triggers: [{ capability: word, args: { who: word }, note: word }] } },
          { tool: "construct", input: { op: "create", capability: { id: "Bad", says: word } } },
          { tool: "read_data", input: { from: word } },
        ];
        const played = await playForJudge([...calls.slice(0, at), ...refused, ...calls.slice(at)], "hard", {
          name: word,
          settings: { model: word },
          chat: word,
        });
        const prompt = promptsOf({ ...played, case: otherwise(item, word) }).get(item);
        expect(prompt).toBe(plain.get(item));
        expect(prompt).not.toContain(canary);
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  it("to verdicts: who is who is all that one answer hands on to another question", async () => {
    const played = await playForJudge(ownIdCalls(), "extreme");
    const questions = (identity: (entity: string) => string | null) =>
      itemsToAsk(played.case, played.run, "model", identity);
    const known = questions(own);
    const unknown = questions(() => null);
    const withoutIds = (questions: readonly ItemQuestion[]) =>
      questions.map((one) => {
        const who = (one.who ?? []).map(({ name }) => name);
        return one.kind === "event" ? { ...one, who, involves: one.involves.map(({ name }) => name) } : { ...one, who };
      });
    expect(withoutIds(known)).toEqual(withoutIds(unknown));
    expect(known).not.toEqual(unknown);
  });
});

describe("AG53 Evidence that is too long", () => {
  it("loses words first and states next, down to the tokens that are aimed at, and says what is left out", async () => {
    const long = "x".repeat(900);
    const chatty = referenceCalls("hard").map(({ tool, input }): Call => {
      if (tool !== "commit_step") return { tool, input };
      const triggers = (input["triggers"] as readonly { [key: string]: Json }[]).map((one) => ({ ...one, note: long }));
      return { tool, input: { ...input, triggers } };
    });
    const played = await playForJudge(chatty, "hard");
    const plain = promptsOf(await playForJudge(referenceCalls("hard"), "hard"));
    for (const size of [8_000, 12_000, PROMPT_ROOM.size]) {
      for (const [item, prompt] of promptsOf(played, { size, most: PROMPT_ROOM.most })) {
        expect({ item, fits: estimatePromptTokens(prompt) <= size }).toEqual({ item, fits: true });
        // Every trigger, whole.
        const triggers = (text: string): readonly string[] =>
          text.split("\n").filter((line) => line.startsWith('{"trigger"'));
        expect(triggers(prompt).filter((line) => !line.includes('"note"'))).toEqual(
          triggers(plain.get(item) as string),
        );
      }
    }
    const cut = promptsOf(played, { size: 8_000, most: PROMPT_ROOM.most }).get("gate_opened") as string;
    expect(cut).toMatch(/## Words attached .* \(\d+ of \d+ entries left out for length\)/);
    expect(cut).toContain(`## ${TITLES.triggers}\n`);
  });

  it("is cut to three quarters of a smaller window, facts and all", () => {
    expect([undefined, 16_000, 64_000, 128_000].map((contextTokens) => promptRoomFor({ contextTokens }))).toEqual([
      PROMPT_ROOM,
      { size: 12_000, most: 12_000 },
      { size: PROMPT_ROOM.size, most: 48_000 },
      PROMPT_ROOM,
    ]);
  });

  it("is not cut where it is a fact: then there is no prompt at all", async () => {
    const played = await playForJudge(referenceCalls("hard"), "hard");
    for (const prompt of promptsOf(played, { size: 3_500, most: 3_500 }).values()) expect(prompt).toBe("");
  });

  it("goes by kind: words, then what may be shortened, and altogether only words", () => {
    const entries = (kind: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ [kind]: i, pad: "x".repeat(40) }));
    const sections = [
      { title: "facts", levels: [entries("a", 10)] },
      { title: "states", levels: [entries("b", 10), entries("b", 5)] },
      { title: "words", levels: [entries("c", 10), entries("c", 2)], mayGo: true as const },
      { title: "none", levels: [[]] },
    ];
    const fitted = (aim: number, most: number) =>
      fitSections(sections, { aim, most })?.map(({ title, data }) => `${title}: ${data.length}`);
    expect(fitted(5_000, 5_000)).toEqual(["facts: 10", "states: 10", "words: 10"]);
    expect(fitted(1_300, 5_000)).toEqual(["facts: 10", "states: 10", "words (8 of 10 entries left out for length): 2"]);
    expect(fitted(0, 5_000)).toEqual([
      "facts: 10",
      "states (5 of 10 entries left out for length): 5",
      "words (8 of 10 entries left out for length): 2",
    ]);
    expect(fitted(0, 900)).toEqual([
      "facts: 10",
      "states (5 of 10 entries left out for length): 5",
      "words (10 of 10 entries left out for length): 0",
    ]);
    expect(fitted(0, 700)).toBeUndefined();
  });

  it("shows all facts, or nothing: never more than there is room for", () => {
    const entry = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 300 }));
    const all = fc.array(fc.array(entry, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(all, fc.nat({ max: 3000 }), fc.nat({ max: 3000 }), ([facts = [], ...words], aim, more) => {
        const sections = [
          { title: "facts", levels: [facts] },
          ...words.map((one, i) => ({ title: `words ${i}`, levels: wordLevels(one, []), mayGo: true as const })),
        ];
        const fitted = fitSections(sections, { aim, most: aim + more });
        const bytes = (data: readonly unknown[]): number =>
          data.reduce<number>((sum, one) => sum + Buffer.byteLength(encodeData(one)) + 1, 0);
        expect(fitted === undefined).toBe(bytes(facts) > aim + more);
        expect(fitted?.[0]).toEqual(fitted && { title: "facts", data: facts });
        expect(bytes((fitted ?? []).flatMap(({ data }) => data))).toBeLessThanOrEqual(aim + more);
      }),
    );
  });

  it("clips long texts of values alone, tells apart what begins alike, and never cuts an expression", async () => {
    const long = "y".repeat(VALUE_CHARACTERS + 1);
    expect(clipValue({ a: "short", b: [long.slice(1)], n: 1, o: null })).toEqual({
      a: "short",
      b: [long.slice(1)],
      n: 1,
      o: null,
    });
    const [one, other] = [clipValue(`${long}a`), clipValue(`${long}b`)];
    expect(one).toMatch(/^y{400}… \[402 characters, digest [0-9a-f]{8}\]$/);
    expect(one).not.toBe(other);
    expect(clipValue("\ud83d\ude00".repeat(201))).toMatch(/^(\ud83d\ude00){200}… \[402 characters/u);
    const facts = capabilityFacts({
      id: "rule",
      version: 1,
      says: "",
      params: {},
      requires: [{ expr: `x == "${long}"` }],
      effects: [
        { set: "x.s", expr: `"${long}" + x.s` },
        { set: "x.t", value: long },
        { create: "x", id: "new_x", fields: { s: long, t: { expr: `"${long}"` } } },
      ],
      duration: 1,
    });
    expect(facts).toMatchObject({
      requires: [`x == "${long}"`],
      effects: [
        { set: "x.s", expr: `"${long}" + x.s` },
        { set: "x.t", value: clipValue(long) },
        { create: "x", id: "new_x", fields: { s: clipValue(long), t: { expr: `"${long}"` } } },
      ],
    });
  });

  it("shortens words text by text, so that no entry goes before another", () => {
    const words = [
      { type: "a", says: "x".repeat(300) },
      { type: "b", fields: { f: "y".repeat(100) } },
    ];
    const levels = wordLevels(words, [{ entity: "e", name: "z".repeat(80) }]);
    expect(levels.map((level) => level.length)).toEqual([3, 3, 3, 1]);
    expect(levels[1]?.[0]).toEqual({ type: "a", says: `${"x".repeat(199)}…` });
    expect(levels[2]?.[1]).toEqual({ type: "b", fields: { f: `${"y".repeat(59)}…` } });
    expect(levels[3]).toEqual([{ entity: "e", name: `${"z".repeat(59)}…` }]);
  });

  it("shows of who is who each path's first and last value, where all changes are too many", async () => {
    const open = {
      tool: "commit_step",
      input: { triggers: [{ capability: "flip", args: { g: "own_bone_gate" } }] },
    } as const;
    const flip = {
      tool: "construct",
      input: {
        op: "create",
        capability: { id: "flip", params: { g: { type: "gate" } }, effects: [{ set: "g.open", expr: "!g.open" }] },
      },
    } as const;
    const calls = ownIdCalls();
    const { case: case_, run } = await playForJudge(
      [...calls.slice(0, -1), flip, ...Array.from({ length: 11 }, () => open), ...calls.slice(-1)],
      "extreme",
    );
    const [question] = identitiesToAsk(case_, run);
    const gate = (size: number): Json | undefined => {
      const { evidence } = evidenceFor(case_, run, question as Question, { size, most: PROMPT_ROOM.most });
      const lives = (evidence?.blocks[0]?.data ?? []) as readonly { [key: string]: Json }[];
      return lives.find(({ entity }) => entity === "own_bone_gate");
    };
    expect((gate(PROMPT_ROOM.size) as { changes: Json[] }).changes).toHaveLength(12);
    expect(gate(4_000)).toMatchObject({
      changes_by_path: [
        { path: "own_bone_gate.open", before: false, after: false, times: 12, triggers: ["t6_2", expect.any(String)] },
      ],
    });
  });

  it("leaves out the earliest instalments", () => {
    expect(cutNarrative(["first ", "second", "third"], 100)).toBe("first\n\nsecond\n\nthird");
    expect(cutNarrative(["first", "second", "third"], 12)).toBe("[1 earlier instalments left out]\n\nsecond\n\nthird");
    expect(cutNarrative(["abcdefghi"], 6)).toBe("ab [cut]");
  });
});
