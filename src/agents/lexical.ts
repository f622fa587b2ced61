/**
 * A baseline without a model, for the easy tier alone: it matches words.
 *
 * It reads each piece of the story, looks for the capability whose words and parameters are most like it, fills the
 * parameters by type in the order in which things are named, and submits that one use. It understands nothing: neither
 * who does what to whom, nor order, nor condition, nor that two things happen at once. What a story tells backwards it
 * plays backwards, and a rule or a refusal it tells apart from a deed by its "not" alone. Whatever it scores is what
 * likeness of words is worth in a case; a model that does no better has understood no more.
 */
import type { Agent } from "../tracks/index.ts";
import { act } from "./lexical/act.ts";
import { readStory, readWorld, type Known, type Play, type Purse } from "./lexical/ask.ts";
import { actorTypeOf, usesIn, vocabularyOf, type Reader } from "./lexical/match.ts";
import { lexiconOf, placeLexiconOf, type Memory } from "./lexical/mentions.ts";
import { isDenial, piecesOf, tokensOf } from "./lexical/words.ts";

/** Uses tried for one piece of the story, the likeliest first. */
const MOST_TRIED = 2;
/** Steps that one piece may cost, walks and refusals counted. */
const MOST_STEPS = 12;

export const lexicalAgent: Agent = {
  name: "lexical",
  says: "matches the words of each sentence to a capability and understands nothing; easy tier only",
  settings: { v: 1, mostTried: MOST_TRIED, mostSteps: MOST_STEPS },
  refuses: (kind) => {
    if (kind.track === "deduction") return "it matches the sentences of a story, and deduction tells none";
    return kind.tier === "easy" ? undefined : `it matches sentences to given capabilities, and ${kind.tier} gives none`;
  },
  async *play() {
    const memory: Memory = { last: new Map(), narrator: undefined };
    for (;;) {
      yield* playRound(memory);
      const answer = yield { tool: "end_round", input: {} };
      if (!answer.ok) return { outcome: "stopped", detail: answer.error.message };
    }
  },
};

async function* playRound(memory: Memory): Play<void> {
  const { text, purse } = yield* readStory();
  const known = yield* readWorld(purse);
  const reader = readerOf(known);
  for (const piece of piecesOf(text)) {
    const uses = usesIn(piece, reader, memory);
    if (!isDenial(tokensOf(piece))) yield* tryInTurn(uses, known, purse);
  }
}

async function* tryInTurn(uses: ReturnType<typeof usesIn>, known: Known, purse: Purse): Play<void> {
  const share: Purse = { calls: purse.calls, steps: Math.min(purse.steps, MOST_STEPS) };
  const before = { ...share };
  for (const use of uses.slice(0, MOST_TRIED)) {
    if (yield* act(use, known, share)) break;
  }
  purse.calls -= before.calls - share.calls;
  purse.steps -= before.steps - share.steps;
}

function readerOf(known: Known): Reader {
  return {
    known,
    entities: lexiconOf(known.entities.values()),
    places: placeLexiconOf(known.places),
    actorType: actorTypeOf(known.capabilities),
    vocabulary: vocabularyOf(known.capabilities),
  };
}
