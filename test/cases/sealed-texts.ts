/** Every text that a case file can hold, classed by who may see it, and a deduction case with marks in what is sealed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import {
  caseJsonSchema,
  loadDeductionCase,
  printFault,
  type CaseSchemaName,
  type DeductionCase,
} from "../../src/cases/index.ts";
import type { Condition, Mode } from "../../src/runtime/index.ts";
import { MARK, SEEN } from "../fuzz/sealed-case.ts";

type Node = Readonly<Record<string, unknown>>;

/** The paths at which a file may hold a text: `processes.*.effects[].set`; a key that is the author's is `*`. */
export function textPathsOf(name: CaseSchemaName): readonly string[] {
  const root = caseJsonSchema(name);
  const paths = new Set<string>();
  walk(root, "", []);
  return [...paths].sort();

  function walk(node: unknown, path: string, within: readonly unknown[]): void {
    if (typeof node !== "object" || node === null || within.includes(node)) return;
    const { type, properties, additionalProperties, propertyNames, patternProperties, items, $ref, ...rest } =
      node as Node;
    const inside = [...within, node];
    const at = (key: string) => (path === "" ? key : `${path}.${key}`);
    if (typeof $ref === "string") walk((root["definitions"] as Node)[$ref.split("/").at(-1) ?? ""], path, inside);
    for (const key of ["anyOf", "oneOf", "allOf"])
      for (const one of (rest[key] ?? []) as unknown[]) walk(one, path, inside);
    if ([type].flat().includes("string") || typeof rest["const"] === "string") paths.add(path);
    for (const [key, child] of Object.entries((properties ?? {}) as Node)) walk(child, at(key), inside);
    for (const child of Object.values((patternProperties ?? {}) as Node)) walk(child, at("*"), inside);
    if (propertyNames !== undefined) paths.add(at("*"));
    walk(additionalProperties, at("*"), inside);
    for (const child of [items].flat()) walk(child, `${path}[]`, inside);
  }
}

/** Who may see a text of a deduction case; `open` is the condition that tells the rules, `acts` the mode in which one acts. */
type SeenInDeduction = "public" | "sealed" | "open" | "acts" | "acts, open" | "by its visibility";

/** The longest beginning of a path decides. */
const SEEN_IN_DEDUCTION: Readonly<Record<string, SeenInDeduction>> = {
  id: "public",
  clock: "public",
  character: "public",
  intro: "public",
  "goal.says": "public",
  "goal.expr": "open",
  map: "public",
  types: "by its visibility",
  entities: "by its visibility",
  creates: "public",
  processes: "open",
  "processes.*.name": "public",
  "processes.*.says": "public",
  schedule: "open",
  "schedule.*.name": "public",
  "schedule.*.says": "public",
  actions: "acts, open",
  "actions.*.says": "acts",
  "actions.*.params": "acts",
  // The words of a refusal, in either condition.
  "actions.*.requires[].says": "acts",
  track: "sealed",
  title: "sealed",
  family: "sealed",
  variant: "sealed",
  canary: "sealed",
  licence: "sealed",
  changelog: "sealed",
  folds: "sealed",
};

/** Keys that are themselves an entry's public id. */
const PUBLIC_KEYS: ReadonlySet<string> = new Set(["processes.*", "schedule.*"]);

const CLASSES: Readonly<Record<CaseSchemaName, Readonly<Record<string, string>>>> = {
  case: SEEN.case,
  round: SEEN.round,
  deduction: SEEN_IN_DEDUCTION,
};

/** The class of a text's path, and the row that gives it; undefined where there is none. */
export function classOf(
  name: CaseSchemaName,
  path: string,
): { readonly seen: string; readonly row: string } | undefined {
  const rows = Object.keys(CLASSES[name]).filter(
    (row) => path === row || (/^(\.|\[)/.test(path.slice(row.length)) && path.startsWith(row)),
  );
  const row = rows.sort((a, b) => b.length - a.length)[0];
  return row === undefined ? undefined : { seen: CLASSES[name][row] as string, row };
}

export const rowsOf = (name: CaseSchemaName): readonly string[] => Object.keys(CLASSES[name]);

export interface How {
  readonly condition: Condition;
  readonly mode: Mode;
}

function isSealed(path: string, { condition, mode }: How): boolean {
  if (PUBLIC_KEYS.has(path)) return false;
  const seen = classOf("deduction", path)?.seen ?? "sealed";
  if (seen === "sealed") return true;
  if (seen.includes("open") && condition === "naming") return true;
  return seen.includes("acts") && mode === "M1";
}

const POND = "test/fixtures/cases/mill_pond/case.yaml";

type Yaml = null | boolean | number | string | readonly Yaml[] | { readonly [key: string]: Yaml };

/** What a text becomes; undefined where another text would be another world, or none. */
type Marker = (text: string, mark: string) => string;
const words: Marker = (text, mark) => `${text} ${mark}`;
const rule: Marker = (text, mark) => `(${text}) && tilda.name != "${mark}"`;

/** How sealed texts are marked. A path that is not here is not: its values are words of a closed list, or decide what happens. */
const MARKERS: Readonly<Record<string, Marker>> = {
  title: words,
  licence: words,
  "changelog[].says": words,
  "goal.expr": rule,
  "processes.*.tells": words,
  "processes.*.when": rule,
  "schedule.*.tells": words,
  "actions.*.tells": words,
  "actions.*.says": words,
  "actions.*.requires[].says": words,
  "actions.*.requires[].expr": rule,
};

/** A name that only marked cases have, for a field that nobody sees. */
const SEALED_FIELD = `creaks_${MARK}`;

/** The mill pond with a text in it that is hidden; `marked` for a play: with marks in all that is sealed there. */
export function pondCase(how?: How): { readonly case: DeductionCase; readonly marked: ReadonlySet<string> } {
  const marked = new Set<string>();
  const edit = (value: Yaml, path: string): Yaml => {
    if (typeof value === "string") {
      const marker = how !== undefined && isSealed(path, how) ? MARKERS[path] : undefined;
      if (marker === undefined) return value;
      marked.add(path);
      return marker(value, `${MARK}_${marked.size}`);
    }
    if (Array.isArray(value)) return (value as readonly Yaml[]).map((one) => edit(one, `${path}[]`));
    if (typeof value !== "object" || value === null) return value;
    const isOpen = KEYED.has(path);
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        edit(one, isOpen ? `${path}.*` : path === "" ? key : `${path}.${key}`),
      ]),
    );
  };
  const text = readFileSync(POND, "utf8");
  const told = edit(parse(how === undefined ? text : text.replaceAll(/\bcreaks\b/g, SEALED_FIELD)) as Yaml, "");
  const loaded = loadFrom(withHidden(told as Loose, how !== undefined));
  return { case: loaded, marked };
}

const KEYED: ReadonlySet<string> = new Set(["processes", "schedule", "actions", "types", "entities"]);

type Loose = Record<string, Record<string, unknown>>;

/** With a text that is hidden, and where it is marked a rule that nobody is told of. */
function withHidden(file: Loose, isMarked: boolean): Loose {
  const { types, entities, processes } = structuredClone(file) as Record<
    "types" | "entities" | "processes",
    Record<string, Loose>
  >;
  const secret = { kind: "text", default: "", visibility: "hidden", says: "What nobody is told" };
  const person = types["person"] as Loose;
  person["fields"] = { ...person["fields"], secret };
  const ida = { ...entities["ida"], secret: isMarked ? `${MARK}_hidden` : "another text" };
  const creaking = {
    name: `${MARK} creaking`,
    says: `${MARK} it creaks`,
    tells: `${MARK} Every 3 hours it creaks.`,
    every: 3,
    effects: [{ add: `wheel.${SEALED_FIELD}`, by: 2 }],
  };
  return {
    ...file,
    types,
    entities: { ...entities, ida },
    processes: { ...processes, ...(isMarked && { [`creaking_${MARK}`]: creaking }) },
  };
}

function loadFrom(file: Loose): DeductionCase {
  const root = mkdtempSync(join(tmpdir(), "sealed-"));
  try {
    mkdirSync(join(root, "mill_pond"));
    writeFileSync(join(root, "mill_pond/case.yaml"), stringify(file));
    const loaded = loadDeductionCase(join(root, "mill_pond"));
    if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
    return loaded.value;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
