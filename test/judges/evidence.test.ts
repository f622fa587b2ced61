import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call, Case } from "../../src/cases/index.ts";
import { estimatePromptTokens } from "../../src/judges/data-block.ts";
import { identitiesToAsk, itemsToAsk, putQuestion } from "../../src/judges/derive.ts";
import { cutNarrative, evidenceFor, PROMPT_TOKENS } from "../../src/judges/evidence.ts";
import { clipEntry, fitSections, levelsOf } from "../../src/judges/fit.ts";
import { promptSizeFor } from "../../src/judges/model-judge.ts";
import { PROMPT } from "../../src/judges/prompt.ts";
import { GIVEN_IDS, type ItemQuestion } from "../../src/judges/questions.ts";
import { TITLES } from "../../src/judges/titles.ts";
import { digestOf, type Json } from "../../src/runtime/index.ts";
import { horn } from "../tracks/run-fixture.ts";
import { ownIdCalls, playForJudge, referenceCalls, type PlayedForJudge } from "./judge-fixture.ts";

const own = (entity: string): string => `own_${entity}`;

function promptsOf({ case: case_, run }: PlayedForJudge, tokens = PROMPT_TOKENS): ReadonlyMap<string, string> {
  const identity = run.manifest.tier === "extreme" ? own : GIVEN_IDS;
  const questions = [...identitiesToAsk(case_, run), ...itemsToAsk(case_, run, "model", identity)];
  return new Map(
    questions.map((question) => {
      const { messages } = putQuestion(case_, run, question, tokens);
      return [
        question.kind === "identity" ? question.entity : question.item,
        messages.map(({ content }) => content).join("\n"),
      ];
    }),
  );
}

function shownOf({ case: case_, run }: PlayedForJudge, item: string) {
  const question = itemsToAsk(case_, run, "model", GIVEN_IDS).find((one) => one.item === item);
  if (question === undefined) throw new Error(`no item ${item}`);
  const { evidence, known } = evidenceFor(case_, run, question);
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
    expect(evidence.blocks[0]?.data).toContainEqual({
      entity: "own_bone_gate",
      at_the_end: { type: "gate", at: "gate_mouth", open: true },
      there: { construction: expect.any(Number) },
      changes: [{ trigger: "t6_2", path: "own_bone_gate.open", before: false, after: true }],
    });
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
        "81f5c064dd5ba251ebd3481c2c0b1da90a26a2753ec3f3535da8444996f5c9f2",
        "17705c71c21724d8f2d250030c6a3f9dbb541396455f5726ade42042708f20f2",
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
      questions.map((one) => (one.kind === "event" ? { ...one, involves: one.involves.map(({ name }) => name) } : one));
    expect(withoutIds(known)).toEqual(withoutIds(unknown));
    expect(known).not.toEqual(unknown);
  });
});

describe("AG53 Evidence that is too long", () => {
  it("stays under the tokens of a prompt, triggers first, and says what is left out", async () => {
    const long = "x".repeat(900);
    const chatty = referenceCalls("hard").map(({ tool, input }): Call => {
      if (tool !== "commit_step") return { tool, input };
      const triggers = (input["triggers"] as readonly { [key: string]: Json }[]).map((one) => ({ ...one, note: long }));
      return { tool, input: { ...input, triggers } };
    });
    const played = await playForJudge(chatty, "hard");
    for (const tokens of [8_000, 12_000, PROMPT_TOKENS]) {
      for (const [item, prompt] of promptsOf(played, tokens)) {
        expect({ item, fits: estimatePromptTokens(prompt) <= tokens }).toEqual({ item, fits: true });
        expect(prompt).toContain('"trigger":"t15_1"');
      }
    }
    const cut = promptsOf(played, 8_000).get("gate_opened") as string;
    expect(cut).toMatch(/## Words attached .* \(shortened for length; \d+ of \d+ entries left out for length\)/);
    expect(cut).toContain(`## ${TITLES.triggers}\n`);
  });

  it("is cut to three quarters of a smaller window", () => {
    expect([undefined, 16_000, 128_000].map((contextTokens) => promptSizeFor({ contextTokens }))).toEqual([
      PROMPT_TOKENS,
      12_000,
      PROMPT_TOKENS,
    ]);
  });

  it("keeps room for each part and takes the last triggers", () => {
    const entries = (kind: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ [kind]: i, pad: "x".repeat(40) }));
    const sections = [
      { title: "a", levels: levelsOf(entries("a", 50)), share: 0.5, keep: "last" as const },
      { title: "b", levels: levelsOf(entries("b", 50)), share: 0.5, keep: "first" as const },
      { title: "none", levels: [[]], share: 0.1, keep: "first" as const },
    ];
    const fitted = fitSections(sections, 2000);
    expect(fitted.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^a \(\d+ of 50 entries left out for length\)$/),
      expect.stringMatching(/^b \(\d+ of 50 entries left out for length\)$/),
    ]);
    expect(fitted[0]?.data.at(-1)).toMatchObject({ a: 49 });
    expect(fitted[1]?.data[0]).toMatchObject({ b: 0 });
    for (const { data } of fitted) expect(data.length).toBeGreaterThan(10);
    expect(fitSections(sections, 100_000).map(({ title, data }) => [title, data.length])).toEqual([
      ["a", 50],
      ["b", 50],
    ]);
  });

  it("never fits more than there is room for", () => {
    const entry = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 300 }));
    fc.assert(
      fc.property(fc.array(fc.array(entry, { maxLength: 8 }), { maxLength: 4 }), fc.nat({ max: 3000 }), (all, room) => {
        const sections = all.map((entries, i) => ({
          title: `part ${i}`,
          levels: levelsOf(entries),
          share: 1 / all.length,
          keep: "first" as const,
        }));
        const bytes = fitSections(sections, room)
          .flatMap(({ data }) => data)
          .reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)) + 1, 0);
        expect(bytes).toBeLessThanOrEqual(room);
      }),
    );
  });

  it("cuts texts, lists and objects at any depth and says how much", () => {
    expect(clipEntry({ a: "abcdef", b: [1, 2, 3, 4], c: { d: ["x".repeat(9)] } }, 5, 2)).toEqual({
      a: "abcd…",
      b: [1, 2, "… (2 more)"],
      c: { d: ["xxxx…"] },
    });
    expect(clipEntry({ a: 1, b: 2, c: 3 }, 5, 1)).toEqual({ a: 1, b: 2, "…": "1 more" });
    expect(clipEntry({ a: `abc\ud83d\ude00xyz` }, 5, 2)).toEqual({ a: "abc…" });
  });

  it("leaves out the earliest instalments", () => {
    expect(cutNarrative(["first ", "second", "third"], 100)).toBe("first\n\nsecond\n\nthird");
    expect(cutNarrative(["first", "second", "third"], 12)).toBe("[1 earlier instalments left out]\n\nsecond\n\nthird");
    expect(cutNarrative(["abcdefghi"], 6)).toBe("ab [cut]");
  });
});
