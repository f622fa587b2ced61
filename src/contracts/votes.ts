/** From several votes on a question to one: what more than half of those that decided say. */
import { canonicalJson } from "../runtime/index.ts";
import type { Identity, Judgment } from "./judgment.ts";

interface Vote {
  readonly vote: number;
  readonly verdict: string;
  readonly noAnswer?: true | undefined;
}

/**
 * One judgment an item, in the order in which items first come. A single vote stands as it is. Of several the verdict is
 * that of more than half of those that are not undecided, with the evidence that most of these votes give (of equally
 * frequent evidence, the lowest vote's); where they are not all of one mind, the reason says how many. No majority leaves the item undecided.
 */
export function settleVotes(judgments: readonly Judgment[]): ReadonlyMap<string, Judgment> {
  return settleEach(
    judgments,
    ({ item }) => item,
    ({ verdict }) => verdict,
    ({ triggers, constructions }) => canonicalJson([[...triggers].sort(), [...constructions].sort((a, b) => a - b)]),
    (first) => ({ ...first, triggers: [], constructions: [], surplus: undefined }),
  );
}

/** One judgment an entity, as settleVotes does for items; votes agree where they name the same id. */
export function settleIdentityVotes(identities: readonly Identity[]): ReadonlyMap<string, Identity> {
  return settleEach(
    identities,
    ({ entity }) => entity,
    ({ verdict, is }) => (verdict === "found" ? `found ${is ?? "nobody"}` : verdict),
    () => "",
    (first) => ({ ...first, is: null }),
  );
}

function settleEach<T extends Vote & { readonly reason: string }>(
  all: readonly T[],
  keyOf: (vote: T) => string,
  wordOf: (vote: T) => string,
  evidenceOf: (vote: T) => string,
  withoutEvidence: (vote: T) => T,
): ReadonlyMap<string, T> {
  return new Map(
    [...groupBy(all, keyOf)].map(([key, unordered]) => {
      const votes = [...unordered].sort((a, b) => a.vote - b.vote);
      const first = votes[0] as T;
      if (votes.length === 1) return [key, first];
      const winners = majorityOf(votes, wordOf);
      if (winners === undefined) return [key, undecidedBy(votes, wordOf, withoutEvidence(first))];
      // Longest first; sorting is stable, so that among equally frequent evidence the lowest vote's comes first.
      const [frequent] = [...groupBy(winners, evidenceOf).values()].sort((a, b) => b.length - a.length);
      const chosen = frequent?.[0] as T;
      const how = winners.length === votes.length ? "" : `${winners.length} of ${votes.length} votes: `;
      return [key, { ...chosen, reason: `${how}${chosen.reason}` }];
    }),
  );
}

/** The votes for what more than half of those that decided say; undefined where nothing has so many. */
function majorityOf<T extends Vote>(votes: readonly T[], wordOf: (vote: T) => string): readonly T[] | undefined {
  const decided = votes.filter(({ verdict }) => verdict !== "undecided");
  return [...groupBy(decided, wordOf).values()].find((group) => group.length * 2 > decided.length);
}

function undecidedBy<T extends Vote>(votes: readonly T[], wordOf: (vote: T) => string, bare: T): T {
  const { noAnswer: _, ...rest } = bare;
  const counts = [...groupBy(votes, wordOf)].map(([word, group]) => `${group.length} ${word}`);
  return {
    ...rest,
    verdict: "undecided",
    reason: `no majority of ${votes.length} votes: ${counts.join(", ")}`,
    ...(votes.every(({ noAnswer }) => noAnswer === true) && { noAnswer: true }),
  } as unknown as T;
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
