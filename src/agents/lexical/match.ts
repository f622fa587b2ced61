/** From a piece of the story to the uses of capabilities that it may tell of. */
import type { Arg, CapabilityDraft, Param } from "../../runtime/index.ts";
import type { Known } from "./ask.ts";
import { findNamed, mentionsIn, type Lexicon, type Memory, type Mention } from "./mentions.ts";
import { contentOf, numbersIn, tokensOf, type Token } from "./words.ts";

/** One use of a capability, as it is submitted. */
export interface Use {
  readonly capability: CapabilityDraft;
  readonly args: Readonly<Record<string, Arg>>;
}

/** What matching looks things up in; made once a round. */
export interface Reader {
  readonly known: Known;
  readonly entities: Lexicon;
  readonly places: Lexicon;
  readonly actorType: string | undefined;
  readonly vocabulary: readonly Vocabulary[];
}

/** The words of a capability, each with what a match of it is worth. */
export interface Vocabulary {
  readonly capability: CapabilityDraft;
  readonly worth: ReadonlyMap<string, number>;
}

/** Below this a likeness of words is taken for chance. */
const LEAST_SCORE = 1.5;
/** A word of the id tells more than one of its sentence. */
const ID_WORTH = 2;

/** The words of each capability; a word that several share is worth less to each. */
export function vocabularyOf(capabilities: readonly CapabilityDraft[]): readonly Vocabulary[] {
  const words = capabilities.map((capability) => ({
    capability,
    id: contentOf(capability.id),
    says: contentOf(capability.says),
  }));
  const sharers = (word: string): number => words.filter(({ id, says }) => id.has(word) || says.has(word)).length;
  return words.map(({ capability, id, says }) => ({
    capability,
    worth: new Map(
      [...new Set([...id, ...says])].map((word) => [word, (id.has(word) ? ID_WORTH : 1) / Math.sqrt(sharers(word))]),
    ),
  }));
}

/** The type that the first parameter of most capabilities has: those who do things. */
export function actorTypeOf(capabilities: readonly CapabilityDraft[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { params } of capabilities) {
    const type = Object.values(params).find((param) => param.type !== undefined)?.type;
    if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
}

/** The uses a piece may tell of, the likeliest first. `memory` goes on to the next piece. */
export function usesIn(piece: string, reader: Reader, memory: Memory): readonly Use[] {
  const tokens = tokensOf(piece);
  const before: Memory = { last: new Map(memory.last), narrator: memory.narrator };
  const mentions = mentionsIn(tokens, reader.known, reader.entities, reader.actorType, memory);
  const scored = reader.vocabulary.map((words) => ({
    capability: words.capability,
    score: scoreOf(words, tokens, mentions, reader),
  }));
  return scored
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || (a.capability.id < b.capability.id ? -1 : 1))
    .flatMap(({ capability }) => {
      const args = fill(capability, tokens, mentions, reader, before);
      return args === undefined ? [] : [{ capability, args }];
    });
}

/** Words in common, and a point for each parameter (but the actor's) that the piece names something for. None without a word of the id. */
function scoreOf(
  { capability, worth }: Vocabulary,
  tokens: readonly Token[],
  mentions: readonly Mention[],
  reader: Reader,
): number {
  const id = contentOf(capability.id);
  const stems = new Set(tokens.map(({ stem }) => stem));
  if (![...id].some((word) => stems.has(word))) return 0;
  const words = [...stems].reduce((sum, stem) => sum + (worth.get(stem) ?? 0), 0);
  const types = new Set(mentions.map((mention) => reader.known.entities.get(mention.id)?.type));
  const named = Object.values(capability.params).filter(
    ({ type }) => type !== undefined && type !== reader.actorType && types.has(type),
  );
  return words + named.length;
}

/** Arguments by type in order of mention, then from what was named before; undefined where one cannot be filled. */
function fill(
  capability: CapabilityDraft,
  tokens: readonly Token[],
  mentions: readonly Mention[],
  reader: Reader,
  memory: Memory,
): Use["args"] | undefined {
  const args: Record<string, Arg> = {};
  const used = new Set<string>();
  const numbers = [...numbersIn(tokens)];
  const places = findNamed(tokens, reader.places).map(({ id }) => id);
  for (const [name, param] of Object.entries(capability.params)) {
    const value =
      param.kind === undefined
        ? entityFor(name, param, capability, mentions, reader, memory, used)
        : valueFor(param, tokens, numbers, places);
    if (value === undefined) return undefined;
    args[name] = value;
    if (param.kind === undefined) used.add(String(value));
  }
  return args;
}

function entityFor(
  name: string,
  { type }: Param,
  capability: CapabilityDraft,
  mentions: readonly Mention[],
  reader: Reader,
  memory: Memory,
  used: ReadonlySet<string>,
): string | undefined {
  const { entities } = reader.known;
  const fits = (id: string): boolean => type === undefined || entities.get(id)?.type === type;
  const sameType = Object.entries(capability.params).filter(
    ([, param]) => param.kind === undefined && param.type === type,
  );
  const index = sameType.findIndex(([other]) => other === name);
  const surest = mentions.filter(({ id }) => fits(id)).slice(0, sameType.length);
  const inOrder = surest.toSorted((a, b) => a.position - b.position).map(({ id }) => id);
  // Where fewer are named than there are parameters, whoever was spoken of before comes first, as the one who acts.
  const carried = memory.last.get(type ?? "");
  const candidates =
    carried !== undefined && !inOrder.includes(carried) && inOrder.length < sameType.length
      ? [carried, ...inOrder]
      : inOrder;
  const chosen = candidates[index];
  if (chosen !== undefined && !used.has(chosen)) return chosen;
  const all = [...entities.keys()].filter((id) => fits(id) && !used.has(id));
  return all.length === 1 ? all[0] : undefined;
}

/** Takes numbers and places away as it uses them. */
function valueFor(param: Param, tokens: readonly Token[], numbers: number[], places: string[]): Arg | undefined {
  switch (param.kind) {
    case "int":
    case "number":
      return numbers.shift();
    case "place":
      return places.shift();
    case "bool":
      return true;
    case "enum": {
      const stems = new Set(tokens.map(({ stem }) => stem));
      return param.values?.find((value) => [...contentOf(value)].some((word) => stems.has(word)));
    }
    default:
      return undefined;
  }
}
