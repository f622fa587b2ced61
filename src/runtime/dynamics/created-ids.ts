/** The ids of what may come into being: told to everybody, so that it can be predicted. */
import * as z from "zod";
import { textOf } from "../field.ts";
import { idOf } from "../ids.ts";

export const createdPatternSchema = z.strictObject({
  type: idOf.describe("The type of what comes into being"),
  pattern: z
    .string()
    .regex(
      /^[a-z](?:[a-z0-9_]|<n>|<id>){0,60}$/,
      "an id in which <n> stands for a whole number and <id> for the id of an entity, such as letter_<n>",
    )
    .refine((text) => (text.match(/</g) ?? []).length <= 3, "at most three placeholders"),
  says: textOf.min(1).describe("The pattern in words"),
});
export type CreatedPattern = z.infer<typeof createdPatternSchema>;

/** Whether `id` is one that something of type `type` may come into being with. */
export function fitsCreated(patterns: readonly CreatedPattern[], type: string, id: string): boolean {
  return patterns.some((one) => one.type === type && expressionOf(one.pattern).test(id));
}

/** Whether `id` fits a pattern of any type. */
export function fitsAnyCreated(patterns: readonly CreatedPattern[], id: string): boolean {
  return patterns.some(({ pattern }) => expressionOf(pattern).test(id));
}

/** A pattern holds no character that means something in a regular expression but its placeholders. */
function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll("<n>", "[0-9]{1,12}").replaceAll("<id>", "[a-z][a-z0-9_]{0,63}")}$`);
}
