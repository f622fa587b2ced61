/** JSON Schemas of case files for editors: completion, words on hovering, and most faults while one types. */
import * as z from "zod";
import { perturbationSchema, relationSchema } from "../contracts/index.ts";
import { EFFECT_VERBS, effectSchema, ID_PATTERN, idOf, literalSchema, nameOf } from "../runtime/index.ts";
import { deductionFileSchema } from "./deduction/schema.ts";
import { caseFileSchema, roundFileSchema } from "./schema.ts";

/** The files of a case that have a schema. */
export const CASE_SCHEMAS = ["case", "round", "deduction"] as const;
export type CaseSchemaName = (typeof CASE_SCHEMAS)[number];

type SchemaNode = Record<string, unknown>;

const FILES = {
  case: { schema: caseFileSchema, title: "A case of WorldAgent-Benchmark: its world (case.yaml)" },
  round: { schema: roundFileSchema, title: "A round of a case of WorldAgent-Benchmark (rounds/NN.yaml)" },
  deduction: {
    schema: deductionFileSchema,
    title: "A deduction case of WorldAgent-Benchmark: its world and its rules (case.yaml)",
  },
} as const;

/**
 * The schema of a case file as JSON Schema (draft 7, which editors know best). It refuses what loading refuses as far as
 * one file by itself tells: keys, kinds, words, ids, sizes. What only the whole case tells `cases verify` says.
 */
export function caseJsonSchema(name: CaseSchemaName): Readonly<Record<string, unknown>> {
  const { schema, title } = FILES[name];
  const made = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => refine(zodSchema, jsonSchema as SchemaNode),
  });
  const { $schema, ...rest } = made;
  return { $schema, title, ...rest };
}

/**
 * What an author sees of keys whose schemas a model under test sees too, in the tool `construct`: what models are told is
 * not changed for the sake of editors.
 */
const WORDS: Readonly<Record<string, string>> = {
  kind: "bool, int, number, text, enum, place, ref or refs",
  min: "The least value",
  max: "The greatest value",
  default: "What a new entity has where nothing is stated",
  says: "In words",
  fields: "What is known of each, by id",
  params: "Who and what it takes, by name",
  requires: "What must hold before the step; each a rule, with the rule in words",
  effects: "What it changes",
  for: "Apply it to every match",
  // Of a deduction case.
  track: "deduction",
  variant: "base or alternate: the alternate has other rules and stakes",
  goal: "What the character is to bring about, told in words",
  map: "Places, and the ways between them",
  types: "Kinds of things, by id, each field with who sees it",
  processes: "Rules that apply by themselves, by id",
  schedule: "What happens at given ticks, by id",
  actions: "What the character can do, by id; to wait is always possible",
  creates: "The ids that what comes into being may have",
  pattern: "An id in which <n> stands for a whole number and <id> for the id of an entity: letter_<n>",
  folds: "How the five initial states differ",
  from: "The least value",
  to: "The greatest value",
  step: "From one value to the next",
  among: "The values it is drawn from",
};

/** What the schemas check by code, which no conversion sees, said as JSON Schema says it. */
function refine(schema: z.core.$ZodType, node: SchemaNode): void {
  describeKeys(node["properties"]);
  if (comesFrom(schema, idOf) || comesFrom(schema, nameOf)) node["pattern"] = ID_PATTERN.source;
  if (comesFrom(schema, relationSchema)) node["oneOf"] = exactlyOne(Object.keys(relationSchema.shape), ["told"]);
  if (comesFrom(schema, perturbationSchema)) refinePerturbation(node);
  if (comesFrom(schema, effectSchema)) node["oneOf"] = exactlyOne(EFFECT_VERBS);
}

function describeKeys(properties: unknown): void {
  if (typeof properties !== "object" || properties === null) return;
  for (const [key, child] of Object.entries(properties as Readonly<Record<string, SchemaNode>>)) {
    const words = Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
    if (words !== undefined) child["description"] ??= words;
  }
}

/** Whether a schema is `origin`, or was made of it by describing it. */
function comesFrom(schema: z.core.$ZodType, origin: z.core.$ZodType): boolean {
  for (let one: z.core.$ZodType | undefined = schema; one !== undefined; one = one._zod.parent)
    if (one === origin) return true;
  return false;
}

function exactlyOne(keys: readonly string[], but: readonly string[] = []): readonly SchemaNode[] {
  return keys.filter((key) => !but.includes(key)).map((key) => ({ required: [key] }));
}

/** Beside its own keys a perturbation holds paths and nothing else. */
function refinePerturbation(node: SchemaNode): void {
  const value = z.toJSONSchema(literalSchema, { target: "draft-7", io: "input" });
  const { $schema: _, ...literal } = value;
  node["patternProperties"] = {
    "^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$": { description: "entity.field and the value it has instead", ...literal },
  };
  node["additionalProperties"] = false;
}
