/** Which entities and places a piece of the story names, and whom its pronouns may mean. */
import type { Known, Seen } from "./ask.ts";
import { contentOf, isStopWord, type Token } from "./words.ts";

/** Something that is named: how surely, and at which word. */
export interface Mention {
  readonly id: string;
  /** The sum over the matched words of 1 / the number of things that bear the word; at least 1 for a whole name. */
  readonly weight: number;
  readonly position: number;
}

/** The words by which things of one sort are known. */
export type Lexicon = ReadonlyMap<string, ReadonlySet<string>>;

/** What is carried over from one piece to the next. Updated by `mentionsIn`. */
export interface Memory {
  /** The last named entity of each type. */
  readonly last: Map<string, string>;
  /** Who says "I", where the story has told it ("I am Teo"). */
  narrator: string | undefined;
}

/** Less than this and a name is not meant: a word that many things bear. */
const LEAST_WEIGHT = 0.5;
/** How surely a pronoun means whoever was named last. */
const PRONOUN_WEIGHT = 0.6;

export function lexiconOf(entities: Iterable<Seen>): Lexicon {
  // "Teo, who tells it": what follows is a description, and its verbs would be taken for names.
  return new Map(
    [...entities].map(({ id, name }) => [id, contentOf(`${id} ${name.replace(/,? (?:who|which|that)\b.*/, "")}`)]),
  );
}

export function placeLexiconOf(places: ReadonlyMap<string, string>): Lexicon {
  return new Map([...places].map(([id, says]) => [id, contentOf(`${id} ${says}`)]));
}

/** What the tokens name of a lexicon, the surest first, then in order of mention. */
export function findNamed(tokens: readonly Token[], lexicon: Lexicon): readonly Mention[] {
  const found: Mention[] = [];
  for (const [id, words] of lexicon) {
    const seen = new Set<string>();
    let weight = 0;
    let best = 0;
    let position = 0;
    tokens.forEach((token, i) => {
      if (seen.has(token.stem) || isStopWord(token) || !words.has(token.stem)) return;
      seen.add(token.stem);
      const share = 1 / bearersOf(token.stem, lexicon);
      weight += share;
      if (share <= best) return;
      best = share;
      position = i;
    });
    // A name said in full is meant, however many others have it in theirs ("Ilka", "Ilka's iron knife").
    const sure = seen.size > 0 && seen.size === words.size ? Math.max(1, weight) : weight;
    if (sure >= LEAST_WEIGHT) found.push({ id, weight: sure, position });
  }
  return found.sort((a, b) => b.weight - a.weight || a.position - b.position);
}

function bearersOf(stem: string, lexicon: Lexicon): number {
  let count = 0;
  for (const words of lexicon.values()) if (words.has(stem)) count += 1;
  return count;
}

/** The entities a piece names or means by a pronoun. `actorType` is the type of those who do things. */
export function mentionsIn(
  tokens: readonly Token[],
  known: Known,
  lexicon: Lexicon,
  actorType: string | undefined,
  memory: Memory,
): readonly Mention[] {
  const named = findNamed(tokens, lexicon);
  const typeOf = (id: string): string | undefined => known.entities.get(id)?.type;
  const actors = named.filter(({ id }) => typeOf(id) === actorType);
  for (const { id, position } of actors) {
    if (tokens[position - 2]?.text === "i" && tokens[position - 1]?.text === "am") memory.narrator ??= id;
  }
  const pronouns = tokens.flatMap(({ text }, position): readonly Mention[] => {
    const id = whoIs(text, position, actors, memory, actorType);
    return id === undefined || actors.some((actor) => actor.id === id)
      ? []
      : [{ id, weight: PRONOUN_WEIGHT, position }];
  });
  const means = pronouns.filter((one, i) => pronouns.findIndex(({ id }) => id === one.id) === i);
  for (const { id } of named.toSorted((a, b) => a.position - b.position)) memory.last.set(typeOf(id) ?? "", id);
  return [...named, ...means];
}

/** "I" is the narrator, if it has told a name; "he" and "she" whoever was named last, in this piece or before. */
function whoIs(
  text: string,
  position: number,
  actors: readonly Mention[],
  memory: Memory,
  actorType: string | undefined,
): string | undefined {
  if (/^(?:i|me|my|mine|myself)$/.test(text)) return memory.narrator;
  if (!/^(?:he|she|him|her|his|hers|himself|herself)$/.test(text)) return undefined;
  const before = actors.filter((actor) => actor.position < position).sort((a, b) => b.position - a.position);
  return before[0]?.id ?? memory.last.get(actorType ?? "");
}
