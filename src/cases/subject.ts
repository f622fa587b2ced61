import type { Path } from "./fault.ts";

const RECORDS: Readonly<Record<string, string>> = {
  types: "type",
  entities: "entity",
  capabilities: "capability",
  processes: "process",
  schedule: "schedule entry",
  actions: "action",
};
const LISTS: Readonly<Record<string, string>> = {
  invariants: "invariant",
  events: "event",
  structures: "structure",
  probes: "probe",
  relations: "relation",
  reference: "reference step",
};

/**
 * What a path of a case or round file is about, in words: `event "gate_shut" defining 1`,
 * `capability "open_valve" requires 2 expr`, `reference step 3`. Positions are told from 1. Empty for the file itself.
 */
export function describePath(file: unknown, path: Path): string {
  const [head, second, ...rest] = path;
  if (head === undefined) return "";
  if (second === undefined) return String(head);
  const kind = String(head);
  if (Object.hasOwn(RECORDS, kind))
    return [`${RECORDS[kind]} ${JSON.stringify(String(second))}`, ...told(rest)].join(" ");
  if (Object.hasOwn(LISTS, kind) && typeof second === "number") {
    const id = idOfItem(file, kind, second);
    return [`${LISTS[kind]} ${id === undefined ? second + 1 : JSON.stringify(id)}`, ...told(rest)].join(" ");
  }
  return told(path).join(" ");
}

function told(path: Path): readonly string[] {
  return path.map((segment) => (typeof segment === "number" ? String(segment + 1) : segment));
}

function idOfItem(file: unknown, list: string, position: number): string | undefined {
  const items = (file as Readonly<Record<string, unknown>> | null)?.[list];
  const item: unknown = Array.isArray(items) ? items[position] : undefined;
  const id: unknown = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  return typeof id === "string" ? id : undefined;
}
