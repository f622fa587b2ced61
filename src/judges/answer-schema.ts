/** The form of a judge's answer. What an endpoint is sent as JSON Schema and what the parser checks are one schema. */
import * as z from "zod";
import type { JsonObject } from "../endpoint/index.ts";
import type { Json } from "../runtime/index.ts";
import type { Question } from "./question.ts";

/** Strict structured output knows no bounds and no patterns, and wants every field required: bounds are the parser's. */
const citation = z.strictObject({
  trigger: z
    .string()
    .nullable()
    .describe("The id of a trigger, such as t3_1; null where the citation is of a construction"),
  construction: z.int().nullable().describe("The number of a construction; null where the citation is of a trigger"),
  quote: z.string().describe("The words or values of the record that show it"),
});

const reason = z.string().describe("One sentence: why");
const citations = z.array(citation).describe("What of the record shows it; may be empty");

/** The answer to a question about an item. The verdict comes last, after what it rests on. */
export const itemAnswerSchema = z.strictObject({
  citations,
  triggers: z.array(z.string()).describe("Ids of triggers: see the question for which"),
  constructions: z.array(z.int()).describe("Numbers of constructions: see the question for which"),
  reason,
  verdict: z.enum(["pass", "fail"]),
});
export type ItemAnswer = z.infer<typeof itemAnswerSchema>;

/** The answer to a question about an identity. */
export const identityAnswerSchema = z.strictObject({
  citations,
  reason,
  is: z.string().nullable().describe("The id of the thing in the record; null where there is none"),
  verdict: z.enum(["found", "absent"]),
});
export type IdentityAnswer = z.infer<typeof identityAnswerSchema>;

/** How an endpoint is asked for JSON. */
export const ANSWER_FORMATS = ["json_schema", "json_object", "plain"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** `response_format` of a request; undefined where nothing is sent. */
export function responseFormatFor(kind: Question["kind"], format: AnswerFormat): Json | undefined {
  switch (format) {
    case "plain":
      return undefined;
    case "json_object":
      return { type: "json_object" };
    case "json_schema":
      return { type: "json_schema", json_schema: { name: nameOf(kind), strict: true, schema: answerJsonSchema(kind) } };
  }
}

function nameOf(kind: Question["kind"]): string {
  return kind === "identity" ? "identity_judgment" : "item_judgment";
}

/** The JSON Schema of an answer. Integers lose the bounds that Zod gives them: strict mode refuses those. */
export function answerJsonSchema(kind: Question["kind"]): JsonObject {
  const schema = kind === "identity" ? identityAnswerSchema : itemAnswerSchema;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  return rest as JsonObject;
}
