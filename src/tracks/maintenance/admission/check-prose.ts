/** Checks 6 and 7: what the story tells of what the contract asks, and what it gives away. */
import type { Case } from "../../../cases/index.ts";
import { itemsOf, type EventItem, type ItemId, type PathMark } from "../../../contracts/index.ts";
import { entityIds, fieldOf, getEntity } from "../../../runtime/index.ts";
import type { Bench } from "./judge.ts";
import { tellsNumber } from "./numbers.ts";
import type { Problem } from "./problem.ts";

/** Check 6: no id stands in a narrative or a sentence of the contract, and every entity that an event involves is named. */
export function checkLeaks(case_: Case): readonly Problem[] {
  return [...leaksIn(case_), ...unnamedIn(case_)];
}

function leaksIn(case_: Case): readonly Problem[] {
  const ids = new Set(idsOf(case_).filter((id) => id.includes("_")));
  const texts = case_.contract.rounds.flatMap(({ round, events, structures, probes }, i) => [
    { where: `the narrative of round ${round}`, text: case_.narratives[i] ?? "" },
    ...[...events, ...structures, ...probes].map(({ id, says }) => ({ where: `the sentence of ${id}`, text: says })),
  ]);
  return texts.flatMap(({ where, text }) => {
    const found = [...new Set(text.match(/[a-z][a-z0-9]*(?:_[a-z0-9]+)+/g) ?? [])].filter((word) => ids.has(word));
    return found.map((id): Problem => ({ check: 6, message: `${where} gives the id ${id} away` }));
  });
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
      event.involves
        .filter((id) => !isNamed(case_, id, told))
        .map((id): Problem => ({
          check: 6,
          item: itemOf(event),
          message: `it involves ${id}, and no narrative up to its round names ${nameOf(case_, id)}`,
        })),
    );
  });
}

function itemOf({ id }: EventItem): ItemId {
  return id as string as ItemId;
}

function nameOf({ world }: Case, id: string): string {
  return getEntity(world.entities, id)?.name ?? id;
}

/** Whether a text holds a word of an entity's name that tells it from most others. */
function isNamed(case_: Case, id: string, told: string): boolean {
  const own = wordsOf(nameOf(case_, id));
  const others = entityIds(case_.world.entities)
    .filter((other) => other !== id)
    .map((other) => new Set(wordsOf(nameOf(case_, other))));
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
