/** A round's contract in words, as an author or a reader checks it. */
import type {
  EventItem,
  ForbiddenValue,
  Perturbation,
  ProbeItem,
  RelationItem,
  RoundContract,
  StructureItem,
} from "../contracts/index.ts";
import { unreachable } from "../runtime/index.ts";

export function contractLines(contract: RoundContract): readonly string[] {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["Events", contract.events.flatMap(eventLines)],
    ["Structures", contract.structures.flatMap(structureLines)],
    ["Probes", contract.probes.flatMap(probeLines)],
    ["Relations", contract.relations.flatMap(relationLines)],
  ];
  return parts.flatMap(([head, lines]) =>
    lines.length === 0 ? [] : [`${head}:`, ...lines.map((line) => `  ${line}`)],
  );
}

function eventLines(event: EventItem): readonly string[] {
  const accepts = event.accepts.map(
    (way) => `    or by ${sayPaths(way.defining)}${way.given === undefined ? "" : `, given ${way.given}`}`,
  );
  return [
    `E ${event.id}: ${event.says}`,
    `    takes part: ${event.involves.join(", ")}; known by: ${event.defining.join(", ")}${event.given === undefined ? "" : `; given ${event.given}`}`,
    ...accepts,
  ];
}

function structureLines(structure: StructureItem): readonly string[] {
  return [
    `A ${structure.id} (${structure.level}): ${structure.says}`,
    `    used by ${structure.usedBy}${structure.availableBefore === undefined ? "" : `, there before ${structure.availableBefore}`}; the reference's own is ${structure.reference}`,
    ...structure.refusedWhen.map((one) => `    refuses when ${sayPerturbation(one)}`),
    ...structure.allowedWhen.map((one) => `    allows still when ${sayPerturbation(one)}`),
  ];
}

function sayPerturbation({ paths, clock, args, since, told }: Perturbation): string {
  const parts = [
    ...Object.entries(paths).map(([path, value]) => `${path} is ${show(value)}`),
    ...(clock === undefined ? [] : [`the clock is ${clock}`]),
    ...Object.entries(args ?? {}).map(([name, value]) => `${name} is given as ${show(value)}`),
  ];
  return `${parts.join(" and ")}${since === undefined ? "" : `, from ${since} on`}${told === undefined ? "" : ` ("${told}")`}`;
}

function probeLines(probe: ProbeItem): readonly string[] {
  const window = `from ${probe.after} ${probe.until === undefined ? "to the end of the round" : `until ${probe.until}`}`;
  const narrowed = probe.while === undefined ? "" : `, while ${probe.while}`;
  return [
    `P ${probe.id}: ${probe.says}`,
    `    ${window}${narrowed}: never ${sayForbidden(probe)}${probe.told === undefined ? "" : ` ("${probe.told}")`}`,
  ];
}

function sayForbidden({ forbids }: ProbeItem): string {
  if ("holds" in forbids) return `a state in which ${forbids.holds}`;
  return Object.entries(forbids.changes)
    .map(([path, value]) => `a write of ${path}${sayForbiddenValue(value)}`)
    .join(" or ");
}

function sayForbiddenValue(value: ForbiddenValue): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return ` to ${show(value)}`;
  return "not" in value ? ` to anything but ${show(value.not)}` : "";
}

function relationLines(relation: RelationItem): readonly string[] {
  return [`${relation.kind} ${relation.id}: ${sayRelation(relation)} ("${relation.told}")`];
}

function sayRelation(relation: RelationItem): string {
  switch (relation.kind) {
    case "CA":
      return `${relation.causes.join(" and ")} ${relation.causes.length === 1 ? "causes" : "cause"} ${relation.effect}`;
    case "TM":
      return `${relation.before} comes ${relation.immediate ? "immediately " : ""}before ${relation.after}`;
    case "CC":
      return `${relation.events.join(" and ")} ${CONCURRENCY[relation.mode]}`;
    default:
      return unreachable(relation);
  }
}

const CONCURRENCY = { start_together: "start together", overlap: "overlap", end_together: "end together" } as const;

function sayPaths(paths: Readonly<Record<string, unknown>>): string {
  return Object.entries(paths)
    .map(([path, value]) => `${path} becoming ${show(value)}`)
    .join(" and ");
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
