/** A round's contract and reference, item by item, in words. */
import type { Case } from "../../cases/index.ts";
import type {
  CaseMarks,
  EventId,
  EventItem,
  ForbiddenValue,
  PathMark,
  Perturbation,
  ProbeItem,
  RelationItem,
  RoundContract,
  StructureItem,
} from "../../contracts/index.ts";
import { unreachable } from "../../runtime/index.ts";
import type { BookItem, BookRound, BookStep, Chapter, Detail } from "./model.ts";
import type { Notes } from "./quotes.ts";
import { callIt, sayAmount, sayArgument, sayPath, sayPerturbation, sayState, spell } from "./words.ts";

/** What the items of a round are said with. */
export interface RoundWords {
  readonly case: Case;
  /** None where the reference could not be played. */
  readonly marks: CaseMarks | undefined;
  readonly notes: Notes;
  /** What every event of the case says. */
  readonly events: ReadonlyMap<EventId, string>;
}

/** A round without the quotes of its narrative: later rounds may still point at words of it. */
export function roundOf(words: RoundWords, contract: RoundContract): Omit<BookRound, "quotes"> {
  const { case: case_ } = words;
  const chapters: readonly Chapter[] = [
    { head: "Events", items: contract.events.map((event, i) => eventItem(words, event, i + 1)) },
    { head: "Structures", items: contract.structures.map((one) => structureItem(words, contract.round, one)) },
    { head: "Probes", items: contract.probes.map((probe) => probeItem(words, contract.round, probe)) },
    { head: "Relations", items: contract.relations.map((one) => relationItem(words, contract.round, one)) },
  ];
  return {
    number: contract.round,
    narrative: case_.narratives[contract.round - 1] ?? "",
    chapters: chapters.filter(({ items }) => items.length > 0),
    steps: (case_.reference[contract.round - 1] ?? []).map((step) => stepOf(words, step)),
  };
}

function eventItem({ case: { world }, marks }: RoundWords, event: EventItem, number: number): BookItem {
  const [own, ...others] = marks?.events.get(event.id) ?? [];
  const known =
    own === undefined ? event.defining.map((path) => sayPath(world, path)) : own.paths.map((m) => sayMark(m));
  function sayMark(mark: PathMark): string {
    return mark.kind === "amount" ? sayAmount(world, mark.path, mark.total) : sayState(world, mark.path, mark.after);
  }
  return {
    id: event.id,
    kind: "E",
    number,
    says: event.says,
    details: [
      { about: "takes part", says: event.involves.map((id) => callIt(world, id)).join(", ") },
      { about: "known by", says: known.join(" and ") },
      ...others.map((way): Detail => ({
        about: "or by",
        says: `${way.paths.map(sayMark).join(" and ")}${way.given === undefined ? "" : ", given"}`,
        ...(way.given === undefined ? {} : { code: way.given }),
      })),
      ...(event.given === undefined ? [] : [{ about: "given", says: "", code: event.given }]),
    ],
  };
}

function structureItem(words: RoundWords, round: number, structure: StructureItem): BookItem {
  const { world } = words.case;
  const difference = (about: string, one: Perturbation): Detail => ({
    about,
    says: `${sayPerturbation(world, one)}${one.since === undefined ? "" : `, from “${sayEvent(words, one.since)}” on`}`,
    ...(one.told === undefined ? {} : { told: words.notes.take(round, "A", structure.says, one.told) }),
  });
  const before =
    structure.availableBefore === undefined ? "" : `, there before “${sayEvent(words, structure.availableBefore)}”`;
  return {
    id: structure.id,
    kind: "A",
    number: undefined,
    says: structure.says,
    details: [
      {
        about: structure.level,
        says: `for “${sayEvent(words, structure.usedBy)}”${before}; the reference has its “${spell(structure.reference)}”`,
      },
      ...structure.refusedWhen.map((one) => difference("refuses", one)),
      ...structure.allowedWhen.map((one) => difference("still allows", one)),
    ],
  };
}

function probeItem(words: RoundWords, round: number, probe: ProbeItem): BookItem {
  const until = probe.until === undefined ? "to the end of the round" : `to before “${sayEvent(words, probe.until)}”`;
  return {
    id: probe.id,
    kind: "P",
    number: undefined,
    says: probe.says,
    details: [
      {
        about: "never",
        ...sayForbidden(words, probe),
        ...(probe.told === undefined ? {} : { told: words.notes.take(round, "P", probe.says, probe.told) }),
      },
      { about: "window", says: `from “${sayEvent(words, probe.after)}” ${until}` },
      ...(probe.while === undefined ? [] : [{ about: "while", says: "", code: probe.while }]),
    ],
  };
}

function sayForbidden({ case: { world } }: RoundWords, { forbids }: ProbeItem): Pick<Detail, "says" | "code"> {
  if ("holds" in forbids) return { says: "a state in which", code: forbids.holds };
  return {
    says: Object.entries(forbids.changes)
      .map(([path, value]) => sayWrite(path, value))
      .join(" or "),
  };
  function sayWrite(path: string, value: ForbiddenValue): string {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isMap && "any" in value) return `${subject(path)}, whatever it becomes`;
    if (isMap && "not" in value) return `${subject(path)}, unless it becomes ${sayArgument(world, value.not)}`;
    if (isMap || path.includes("*"))
      return `${subject(path)} becomes ${isMap ? "anything" : sayArgument(world, value)}`;
    return sayState(world, path, value);
  }
  function subject(path: string): string {
    if (!path.includes("*")) return sayPath(world, path);
    const parts = path.split(".");
    const field = parts.at(-1) === "at" ? "the place" : `the field ${spell(parts.at(-1) ?? "")}`;
    return `${field} of any ${parts.length === 3 ? spell(parts[0] ?? "") : "person or thing"}`;
  }
}

function relationItem(words: RoundWords, round: number, relation: RelationItem): BookItem {
  const says = sayRelation(words, relation);
  return {
    id: relation.id,
    kind: relation.kind,
    number: undefined,
    says,
    details: [{ about: "told", says: "", told: words.notes.take(round, relation.kind, says, relation.told) }],
  };
}

function sayRelation(words: RoundWords, relation: RelationItem): string {
  const event = (id: EventId): string => `“${sayEvent(words, id)}”`;
  switch (relation.kind) {
    case "CA":
      return `${relation.causes.map(event).join(" and ")} ${relation.causes.length === 1 ? "makes" : "make"} ${event(relation.effect)} possible`;
    case "TM":
      return `${event(relation.before)} comes ${relation.immediate ? "immediately " : ""}before ${event(relation.after)}`;
    case "CC":
      return `${relation.events.map(event).join(" and ")} ${MODES[relation.mode]}`;
    default:
      return unreachable(relation);
  }
}

const MODES = { start_together: "start together", overlap: "overlap", end_together: "end together" } as const;

function sayEvent({ events }: RoundWords, id: EventId): string {
  return events.get(id) ?? spell(id);
}

function stepOf(words: RoundWords, { triggers, until, advance }: Case["reference"][number][number]): BookStep {
  const { world } = words.case;
  return {
    doings: triggers.map(({ capability, args, realises }) => ({
      capability: spell(capability),
      args: Object.entries(args).map(([name, value]) => `${spell(name)} ${sayArgument(world, value)}`),
      realises: realises.map((id) => sayEvent(words, id)),
    })),
    waits: [
      ...(until === undefined ? [] : ["until the first of them ends"]),
      ...(advance === undefined || advance === 0
        ? []
        : [`then ${advance} ${advance === 1 ? "tick passes" : "ticks pass"}`]),
    ].join(", "),
  };
}
