/** A shipped case with unguessable words in everything that is sealed: what an agent is told can be searched for them. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { loadCase, printFault, type Case } from "../../src/cases/index.ts";
import type { Tier } from "../../src/runtime/index.ts";

const FOLDER = "cases/maintenance/ark_002";

/** Who may see a part of a case file: everybody, nobody ever, or agents from a tier up to which it is given. */
export type Seen = "public" | "sealed" | "in its round" | "up to hard" | "in easy";

/** Every part of the two kinds of files, by its first key. A part that is not here is found by the test. */
export const SEEN: Readonly<Record<"case" | "round", Readonly<Record<string, Seen>>>> = {
  case: {
    id: "public",
    track: "public",
    clock: "public",
    map: "public",
    types: "up to hard",
    entities: "up to hard",
    invariants: "up to hard",
    capabilities: "in easy",
    title: "sealed",
    family: "sealed",
    stratum: "sealed",
    version: "sealed",
    licence: "sealed",
    canary: "sealed",
    changelog: "sealed",
    unused: "sealed",
    budgets: "public",
  },
  round: {
    round: "public",
    narrative: "in its round",
    events: "sealed",
    structures: "sealed",
    probes: "sealed",
    relations: "sealed",
    reference: "sealed",
  },
};

/** Whether a part is kept from an agent at a tier for the whole run. */
export function isSealed(seen: Seen, tier: Tier): boolean {
  if (seen === "sealed") return true;
  return (seen === "in easy" && tier !== "easy") || (seen === "up to hard" && tier === "extreme");
}

/** Keys whose values are free text: a word more changes nothing that the loader asks for. */
const TEXTS: ReadonlySet<string> = new Set(["says", "name", "title"]);
/** Keys that hold ids of items of the contract, which are sealed names. */
const NAMES: ReadonlySet<string> = new Set(
  "id after until since usedBy availableBefore realises causes effect before events chain".split(" "),
);

export interface Marking {
  readonly tier: Tier;
  /** The narratives of these rounds, too. */
  readonly rounds?: readonly number[];
}

/** What a mark begins with. */
export const MARK = "zqx";
export const markOf = (part: string): string => `${MARK}_${part}_7f3e`;
export const markOfRound = (round: number): string => markOf(`narrative_${round}`);

/** The canary of a marked case: its form is fixed, and it must be found nowhere, too. */
export const CANARY = "0badc0de-0bad-4bad-8bad-0badc0de0bad";

type Yaml = null | boolean | number | string | readonly Yaml[] | { readonly [key: string]: Yaml };

/** The case with marks in whatever is sealed at a tier; `marks` are those that were set. */
export function markedCase({ tier, rounds = [] }: Marking): {
  readonly case: Case;
  readonly marks: ReadonlySet<string>;
} {
  const marks = new Set<string>();
  const mark = (part: string): string => {
    marks.add(markOf(part));
    return markOf(part);
  };
  const editPart = (file: "case" | "round", key: string, value: Yaml): Yaml => {
    const seen = SEEN[file][key];
    return seen !== undefined && isSealed(seen, tier) ? marked(value, key, key, mark) : value;
  };
  const found = withFolder((folder) => {
    for (const file of yamlFiles(folder)) {
      const path = join(folder, file);
      const document = parse(readFileSync(path, "utf8")) as { readonly [key: string]: Yaml };
      const kind = file === "case.yaml" ? "case" : "round";
      const edited = Object.fromEntries(
        Object.entries(document).map(([key, value]) => [key, editPart(kind, key, value)]),
      );
      const round = Number(document["round"]);
      if (kind === "round" && rounds.includes(round)) {
        marks.add(markOfRound(round));
        edited["narrative"] = `${markOfRound(round)}. ${document["narrative"] as string}`;
      }
      writeFileSync(path, stringify(edited));
    }
    return load(folder);
  });
  return { case: found, marks };
}

export function plainCase(): Case {
  return withFolder(load);
}

/** The first keys of every file of the case. */
export function partsOfFiles(): readonly (readonly [kind: "case" | "round", key: string])[] {
  return withFolder((folder) =>
    yamlFiles(folder).flatMap((file) =>
      Object.keys(parse(readFileSync(join(folder, file), "utf8")) as object).map(
        (key) => [file === "case.yaml" ? "case" : "round", key] as const,
      ),
    ),
  );
}

function marked(value: Yaml, key: string, part: string, mark: (part: string) => string): Yaml {
  if (typeof value === "string") {
    if (key === "canary") return `worldagent-canary-${CANARY}`;
    if (TEXTS.has(key) || (part === "unused" && key !== part)) return `${value} ${mark(part)}`;
    return NAMES.has(key) && value !== "first" ? `${value}_${mark("name")}` : value;
  }
  if (Array.isArray(value)) return (value as readonly Yaml[]).map((one) => marked(one, key, part, mark));
  if (typeof value !== "object" || value === null) return value;
  // How a capability or a type is made up is left as it is: another world would be another reference.
  const isWorld = part === "types" || part === "entities" || part === "capabilities" || part === "invariants";
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isWorld && !canHold(name, one) ? one : marked(one, name, part, mark),
    ]),
  );
}

/** Whether texts lie in a member of the world's parts. */
function canHold(name: string, value: Yaml): boolean {
  return (
    TEXTS.has(name) ||
    name === "requires" ||
    (typeof value === "object" && value !== null && "says" in value) ||
    isEntity(value)
  );
}

function isEntity(value: Yaml): boolean {
  return typeof value === "object" && value !== null && "name" in value;
}

function yamlFiles(folder: string): readonly string[] {
  return ["case.yaml", ...readdirSync(join(folder, "rounds")).map((file) => `rounds/${file}`)];
}

function load(folder: string): Case {
  const loaded = loadCase(folder);
  if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
  return loaded.value;
}

function withFolder<T>(use: (folder: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), "sealed-"));
  try {
    cpSync(FOLDER, join(root, "ark_002"), { recursive: true });
    return use(join(root, "ark_002"));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
