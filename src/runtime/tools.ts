/** The six tools: names, descriptions, input schemas, examples. Everything a model, MCP or docs/ shows comes from here. */
import * as z from "zod";
import type { Json } from "./canonical.ts";
import { capabilitySchema, triggerSchema } from "./capability.ts";
import { fieldSchema, literalSchema, textOf } from "./field.ts";
import { idOf, nameOf } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import {
  constructAnswerSchema,
  contextAnswerSchema,
  endRoundAnswerSchema,
  helpAnswerSchema,
  readAnswerSchema,
  stepAnswerSchema,
} from "./tool-answers.ts";

export const TOOL_NAMES = ["help", "get_context", "read_data", "construct", "commit_step", "end_round"] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export function isToolName(name: string): name is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(name);
}

export const helpInputSchema = z.strictObject({
  topic: z
    .string()
    .optional()
    .describe(
      "A topic of the answer's list, such as capabilities, expressions, steps, example; the overview where left out",
    ),
});

export const contextInputSchema = z.strictObject({
  round: z
    .int()
    .min(1)
    .optional()
    .describe("An earlier round, to read its instalment again; the newest where left out"),
  cursor: z.string().optional().describe("The cursor of an answer that was cut, to read on"),
});

export const SOURCES = ["map", "types", "entities", "capabilities", "invariants", "log", "constructions"] as const;
export type Source = (typeof SOURCES)[number];

export const readInputSchema = z.strictObject({
  from: z.enum(SOURCES).describe("What to read"),
  id: z.string().optional().describe('One entry by its id; in the log a step ("12", "r1") or a trigger ("t12_1")'),
  type: idOf.optional().describe("Entities of this type only"),
  where: z
    .string()
    .min(1)
    .optional()
    .describe('Only entries for which this expression over `it` is true: "it.at == kitchen"'),
  fields: z.array(z.string()).min(1).max(LIMITS.fieldsPerType).optional().describe("Only these members of each entry"),
  limit: z
    .int()
    .min(1)
    .max(LIMITS.pageEntries)
    .default(LIMITS.defaultPageEntries)
    .describe("Entries a page; a page may hold fewer, since it never exceeds 8 KB"),
  cursor: z.string().optional().describe("The cursor of the page before, with the same query"),
});
export type ReadInput = z.infer<typeof readInputSchema>;

/** The parts of `construct`. Flat and lenient about what an update leaves out; construct.ts says what fits together. */
export const typePartSchema = z.strictObject({
  id: idOf,
  says: textOf.optional().describe("One sentence: what such a thing is"),
  fields: z.record(idOf, fieldSchema).optional().describe("Its fields; in an update those to add"),
});
export const entityPartSchema = z.strictObject({
  id: nameOf,
  type: idOf.optional().describe("Its type; needed to create"),
  name: textOf.optional().describe("What it is called; its id where left out"),
  at: z.string().nullable().optional().describe("A place, another entity that holds it, or null"),
  fields: z.record(idOf, literalSchema).optional().describe("Fields that differ from their defaults"),
});

export const constructInputSchema = z.strictObject({
  op: z.enum(["create", "update", "delete"]).describe("What to do with it"),
  type: typePartSchema.optional().describe("The type to create, or the fields to add to it"),
  entity: entityPartSchema.optional().describe("The entity to create, or its id and mended name"),
  capability: capabilitySchema.optional().describe("The capability to create, or its whole new version"),
  level: z.enum(["type", "entity", "capability"]).optional().describe("Needed to delete: what `id` names"),
  id: z.string().optional().describe("Needed to delete: what is to go"),
});
export type ConstructInput = z.infer<typeof constructInputSchema>;

export const stepInputSchema = z.strictObject({
  triggers: z
    .array(triggerSchema)
    .max(LIMITS.triggersPerStep)
    .default([])
    .describe("What is done, all at once; none for a wait"),
  until: z
    .literal("first")
    .optional()
    .describe("The clock moves to the earliest end only: longer doings go on while the next step begins"),
  advance: z
    .int()
    .min(0)
    .max(LIMITS.ticks)
    .default(0)
    .describe("Ticks the clock moves on afterwards; a wait needs at least 1"),
});
export type StepInput = z.infer<typeof stepInputSchema>;

export const endRoundInputSchema = z.strictObject({});

/** One tool: what a model is shown, and what its input and answer are checked against. */
export interface Tool {
  readonly name: ToolName;
  /** One paragraph, under 2 KB. */
  readonly description: string;
  readonly input: z.ZodType;
  readonly answer: z.ZodType;
  /** Valid inputs, quoted in hints. */
  readonly examples: readonly Json[];
}

export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  help: {
    name: "help",
    description:
      "The protocol of this world: how to play, what may be constructed in this tier, how expressions, steps and time work, a worked example. Start here. Without `topic` it gives the overview and the list of topics. Reading changes nothing but the count of calls.",
    input: helpInputSchema,
    answer: helpAnswerSchema,
    examples: [{ topic: "capabilities" }],
  },
  get_context: {
    name: "get_context",
    description:
      "The newest instalment of the story in full, where you are (case, tier, round, step, clock) and what is left of each budget. Earlier instalments are read again with `round`; a text that is cut names a `cursor` to read on. Reading changes nothing but the count of calls.",
    input: contextInputSchema,
    answer: contextAnswerSchema,
    examples: [{ round: 1 }],
  },
  read_data: {
    name: "read_data",
    description:
      "Reads the world: `from` map, types, entities, capabilities, invariants, log (steps, the refused ones too) or constructions. Narrow it with `id`, `type` (entities only), `where` (an expression over `it`, such as `it.at == kitchen && it.hot`) and `fields`. Answers come in pages in a fixed order; where an answer has a `cursor`, the same query with that cursor gives the next page. An entry too large to show whole is cut and says so; its `id` alone gives it whole, in pieces. Reading changes nothing but the count of calls.",
    input: readInputSchema,
    answer: readAnswerSchema,
    examples: [{ from: "entities", type: "person", where: "it.at == kitchen", fields: ["name", "at"], limit: 20 }],
  },
  construct: {
    name: "construct",
    description:
      "Creates, updates or deletes one type, entity or capability, where the tier permits (help topic construction). Create and update take the item under `type`, `entity` or `capability`; delete takes `level` and `id`. A capability's update is its whole new version; a type's update only adds fields; an entity's update only mends its name, since everything else of it changes by steps. What is in use cannot be deleted, and ids are never used again.",
    input: constructInputSchema,
    answer: constructAnswerSchema,
    examples: [
      {
        op: "create",
        capability: {
          id: "heat",
          says: "Somebody heats a kettle beside them",
          params: { who: { type: "person" }, k: { type: "kettle" } },
          requires: [{ expr: "who.at == k.at" }, { expr: "k.litres > 0", says: "nobody heats an empty kettle" }],
          effects: [{ set: "k.hot", value: true }],
          duration: 3,
        },
      },
      { op: "create", type: { id: "kettle", says: "A kettle", fields: { hot: { kind: "bool", default: false } } } },
      { op: "create", entity: { id: "ana", type: "person", name: "Ana", at: "yard", fields: {} } },
      { op: "delete", level: "capability", id: "heat" },
    ],
  },
  commit_step: {
    name: "commit_step",
    description:
      'Submits one step: triggers (uses of capabilities with arguments) that happen at the same time. All of them see the world before the step; it is accepted whole or refused whole, and a refused step changes nothing. What needs something done first goes into a later step. The clock then moves to the latest end, plus `advance`; with `until: "first"` to the earliest end. No triggers and `advance` of at least 1 is a wait. The answer gives trigger ids, intervals, changes and the clock.',
    input: stepInputSchema,
    answer: stepAnswerSchema,
    examples: [{ triggers: [{ capability: "heat", args: { who: "ana", k: "kettle" } }], advance: 0 }],
  },
  end_round: {
    name: "end_round",
    description:
      "Closes the round once its instalment has been acted out. It cannot be reopened. The answer is the next instalment, or that the case is finished.",
    input: endRoundInputSchema,
    answer: endRoundAnswerSchema,
    examples: [{}],
  },
};

/** The JSON Schema of a tool as a model is given it: an object at its root. */
export interface ToolJsonSchema {
  readonly name: ToolName;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export function toolJsonSchemas(tools: Readonly<Record<ToolName, Tool>> = TOOLS): readonly ToolJsonSchema[] {
  return TOOL_NAMES.map((name) => ({
    name,
    description: tools[name].description,
    inputSchema: inputJsonSchema(tools[name]),
  }));
}

/** The JSON Schema of one tool's input, without the dialect's address. */
export function inputJsonSchema(tool: Tool): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: "input" });
  return schema;
}
