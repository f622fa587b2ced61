/** Checks 6 and 7: what the story tells of what the contract asks, and what it gives away. */
import type { Case } from "../../../cases/index.ts";
import { itemsOf, type EventItem, type ItemId, type PathMark } from "../../../contracts/index.ts";
import { entityIds, fieldOf, getEntity } from "../../../runtime/index.ts";
import type { Bench } from "./judge.ts";
import { tellsNumber } from "./numbers.ts";
import type { Problem } from "./problem.ts";

/**
 * Check 6: no id, no name of a capability and no sentence of the contract stands in a narrative, no id in a sentence of the
 * contract, and every entity and place that an event needs is named by then.
 */
export function checkLeaks(case_: Case): readonly Problem[] {
  return [...leaksIn(case_), ...wordingIn(case_), ...unnamedIn(case_)];
}

function leaksIn(case_: Case): readonly Problem[] {
  const ids = new Set(idsOf(case_).filter((id) => id.includes("_")));
  const inCamelCase = new Map([...ids].map((id) => [camelCase(id), id]));
  const texts = case_.contract.rounds.flatMap(({ round, events, structures, probes }, i) => [
    { where: `the narrative of round ${round}`, text: case_.narratives[i] ?? "" },
    ...[...events, ...structures, ...probes].map(({ id, says }) => ({ where: `the sentence of ${id}`, text: says })),
  ]);
  return texts.flatMap(({ where, text }) => {
    const snakes = (text.match(/[a-z][a-z0-9]*(?:_[a-z0-9]+)+/g) ?? []).filter((word) => ids.has(word));
    const camels = (text.match(/[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+/g) ?? []).flatMap(
      (word) => inCamelCase.get(word) ?? [],
    );
    return [...new Set([...snakes, ...camels])].map((id): Problem => ({
      check: 6,
      message: `${where} gives the id ${id} away`,
    }));
  });
}

function camelCase(id: string): string {
  return id.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Words in a row that a narrative may share with a sentence of its contract; names alone often make eight. */
const MOST_SHARED_WORDS = 8;

/** Fewer words make no sentence that could be told from chance. */
const LEAST_SENTENCE_WORDS = 4;

/** Fewer words of a capability's name in a row are plain speech: somebody may take a brake. */
const LEAST_NAME_WORDS = 3;

/** Narratives that say what the contract says in its own words, and capabilities called by their names. */
function wordingIn({ contract, narratives, world }: Case): readonly Problem[] {
  const tellings = narratives.map((narrative) => ` ${plainWordsOf(narrative).join(" ")} `);
  const sentences = contract.rounds.flatMap(({ round, events, structures, probes }) =>
    [...events, ...structures, ...probes].flatMap(({ id, says }) => {
      const words = plainWordsOf(says);
      const shared = longestShared(words, tellings[round - 1] ?? "");
      const isWhole = shared.length === words.length && words.length >= LEAST_SENTENCE_WORDS;
      return isWhole || shared.length > MOST_SHARED_WORDS
        ? [{ round, what: `the sentence of ${id as string}`, words: shared }]
        : [];
    }),
  );
  const names = Object.keys(world.capabilities).flatMap((id) => {
    const words = id.split("_");
    if (words.length < LEAST_NAME_WORDS) return [];
    const at = tellings.findIndex((telling) => telling.includes(` ${words.join(" ")} `));
    return at < 0 ? [] : [{ round: at + 1, what: `the name of the capability ${id}`, words }];
  });
  return [...sentences, ...names].map(({ round, what, words }): Problem => ({
    check: 6,
    message: `the narrative of round ${round} has ${what} word for word: "${words.join(" ")}"; say one of them otherwise`,
  }));
}

function plainWordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  );
}

/** The longest row of `words` that stands in a telling (words between single blanks, one at each end). */
function longestShared(words: readonly string[], telling: string): readonly string[] {
  let [from, to] = [0, 0];
  for (let start = 0; start < words.length; start += 1)
    while (
      start + to - from < words.length &&
      telling.includes(` ${words.slice(start, start + to - from + 1).join(" ")} `)
    )
      [from, to] = [start, start + to - from + 1];
  return words.slice(from, to);
}

function idsOf({ world, contract }: Case): readonly string[] {
  const { types, entities, capabilities, map } = world;
  const fields = Object.values(types).flatMap((type) => Object.keys(type.fields));
  return [
    ...Object.keys(types),
    ...fields,
    ...entityIds(entities),
    ...Object.keys(capabilities),
    ...Object.keys(map.places),
    ...itemsOf(contract).map(({ id }) => id),
  ];
}

function unnamedIn(case_: Case): readonly Problem[] {
  return case_.contract.rounds.flatMap(({ events }, i) => {
    const told = case_.narratives
      .slice(0, i + 1)
      .join("\n")
      .toLowerCase();
    return events.flatMap((event) =>
      neededBy(case_, event)
        .filter((id) => !isNamed(case_, id, told))
        .map((id): Problem => ({
          check: 6,
          item: itemOf(event),
          message: `it needs ${id}, and no narrative up to its round names ${nameOf(case_, id)}`,
        })),
    );
  });
}

/**
 * The entities that took part or that the marks speak of, and the places the circumstances name; not a place where one of
 * those stands from the beginning: who never leaves it need not be told to be there.
 */
function neededBy({ world }: Case, { involves, defining, given, accepts }: EventItem): readonly string[] {
  const paths = [...defining, ...accepts.flatMap((way) => Object.keys(way.defining))];
  const inWords = [given, ...accepts.map((way) => way.given)]
    .flatMap((text) => text?.match(/[a-z][a-z0-9_]*/g) ?? [])
    .filter((word) => getEntity(world.entities, word) !== undefined || Object.hasOwn(world.map.places, word));
  const entities = [...involves, ...paths.map((path) => path.split(".")[0] ?? "")];
  const beginnings = new Set(entities.map((id) => getEntity(world.entities, id)?.at));
  return [...new Set([...entities, ...inWords.filter((id) => !beginnings.has(id))])];
}

function itemOf({ id }: EventItem): ItemId {
  return id as string as ItemId;
}

function nameOf({ world }: Case, id: string): string {
  return getEntity(world.entities, id)?.name ?? world.map.places[id] ?? id;
}

/** Whether a text in lower case holds a word of the name of an entity or place that tells it from most others of them. */
export function isNamed(case_: Case, id: string, told: string): boolean {
  const own = wordsOf(nameOf(case_, id));
  const { entities, map } = case_.world;
  const all = getEntity(entities, id) === undefined ? Object.keys(map.places) : entityIds(entities);
  const others = all.filter((other) => other !== id).map((other) => new Set(wordsOf(nameOf(case_, other))));
  const distinctive = own.filter((word) => others.every((words) => !words.has(word)));
  return (distinctive.length > 0 ? distinctive : own).some((word) =>
    new RegExp(`(?<![a-z])${word}(?:s|es)?(?![a-z])`, "u").test(told),
  );
}

const PLAIN = new Set([
  "the",
  "of",
  "in",
  "on",
  "and",
  "his",
  "her",
  "its",
  "their",
  "who",
  "with",
  "over",
  "for",
  "old",
  "new",
  "from",
  "that",
  "which",
]);

function wordsOf(name: string): readonly string[] {
  const words =
    name
      .toLowerCase()
      .replaceAll(/['’]s\b/g, "")
      .match(/\p{L}+/gu) ?? [];
  return words.filter((word) => word.length > 2 && !PLAIN.has(word));
}

/** Check 7: a defining path is something a reader can know the value of. */
export function checkDefiningPaths({ case: case_, marks }: Bench): readonly Problem[] {
  return case_.contract.rounds.flatMap(({ events }, i) => {
    const told = case_.narratives.slice(0, i + 1).join("\n");
    return events.flatMap((event) =>
      (marks.events.get(event.id) ?? [])
        .flatMap((way) => way.paths.flatMap((mark) => troubleOf(case_, mark, told) ?? []))
        .map((message): Problem => ({ check: 7, item: itemOf(event), message })),
    );
  });
}

function troubleOf({ world }: Case, mark: PathMark, told: string): string | undefined {
  const [id = "", field = ""] = mark.path.split(".");
  const kind = field === "at" ? "place" : fieldOf(world, getEntity(world.entities, id)?.type ?? "", field)?.kind;
  if (kind === "text") return `its defining path ${mark.path} is a text: nobody can know its words`;
  const value = mark.kind === "amount" ? Math.abs(mark.total) : mark.after;
  if ((kind !== "int" && kind !== "number") || typeof value !== "number" || tellsNumber(told, value)) return undefined;
  return `its defining path ${mark.path} ${mark.kind === "amount" ? "changes by" : "becomes"} ${value}, which no narrative up to its round tells`;
}
