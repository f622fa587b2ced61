/** What an agent is given, as plain lines. */
import type { Given, GivenEntry } from "./given.ts";
import { heading } from "./text.ts";
import { fill, fillParagraphs } from "./wrap.ts";

export interface GivenTextOptions {
  /** Only this round's instalment; what is given at the beginning stands before it all the same. */
  readonly round?: number | undefined;
  readonly width: number;
}

export function givenTextLines(given: Given, { round, width }: GivenTextOptions): readonly string[] {
  const rounds = given.rounds.filter(({ number }) => round === undefined || number === round);
  return [
    ...heading(`What an agent is given of ${given.caseId} in ${given.tier}`),
    "",
    ...fill(sayTask(given), width),
    ...given.sources.flatMap(({ from, entries }) => ["", HEADS[from] ?? from, ...entries.flatMap(entryOf)]),
    ...rounds.flatMap(({ number, narrative, steps, calls }) => [
      "",
      "",
      ...heading(`Instalment ${number}`),
      ...fill(`At most ${steps} steps and ${calls} calls.`, width),
      "",
      ...fillParagraphs(narrative, width),
    ]),
  ];
  function entryOf(entry: GivenEntry): readonly string[] {
    const { head, rest } = splitEntry(entry);
    return [
      ...fill(head, width, { first: "  ", rest: "    " }),
      ...rest.flatMap((line) => fill(line, width, { first: "      ", rest: "        " })),
    ];
  }
}

export const HEADS: Readonly<Record<string, string>> = {
  map: "The map",
  types: "Types",
  entities: "Entities",
  capabilities: "Capabilities",
  invariants: "Invariants",
};

export function sayTask({ toConstruct, unit, clock, help }: Given): string {
  const made = toConstruct.length === 0 ? "Nothing is constructed" : `To construct: ${toConstruct.join(", ")}`;
  const topics = help.map(({ topic }) => topic).join(", ");
  return `${made}. One tick of the clock: ${unit}; it stands at ${clock}. The instalments come one a round, and no later one is known before. The tool help tells of: ${topics}.`;
}

/** An entry of `read_data` for people: its id and its words first, then all else that it says, as it says it. */
export function splitEntry(entry: GivenEntry): { readonly head: string; readonly rest: readonly string[] } {
  const { kind, id, says, name, type, at, from, to, bothWays, ticks, expr, version: _, ...others } = entry;
  if (kind === "link")
    return { head: `${text(from)} ${bothWays === true ? "↔" : "→"} ${text(to)}, ticks ${text(ticks)}`, rest: [] };
  if (expr !== undefined)
    return {
      head: [says, expr]
        .filter((one) => one !== "" && one !== undefined)
        .map(text)
        .join(": "),
      rest: [],
    };
  if (type !== undefined) {
    const fields = Object.entries((others["fields"] ?? {}) as GivenEntry).map(
      ([key, value]) => `${key}: ${text(value)}`,
    );
    return { head: [`${text(id)} (${text(type)}) ${text(name)}, at ${text(at)}`, ...fields].join("; "), rest: [] };
  }
  return { head: says === "" || says === undefined ? text(id) : `${text(id)}: ${text(says)}`, rest: detailsOf(others) };
}

function detailsOf(others: GivenEntry): readonly string[] {
  return Object.entries(others).flatMap(([key, value]) => {
    if (Array.isArray(value)) return value.map((one) => `${key}: ${JSON.stringify(one)}`);
    if (typeof value === "object" && value !== null)
      return Object.entries(value).map(([inner, one]) => `${key}.${inner}: ${JSON.stringify(one)}`);
    return [`${key}: ${text(value)}`];
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
