import * as z from "zod";
import { nameOf, type TriggerId } from "../runtime/index.ts";
import type { ItemId } from "./contract.ts";

const triggerId = z
  .string()
  .regex(/^t[1-9][0-9]*_[1-9][0-9]*$/)
  .transform((id) => id as TriggerId);

const noAnswer = z
  .literal(true)
  .optional()
  .describe("Of an undecided one: the judge's endpoint never brought an answer, readable or not");

/**
 * What a judge says of one item (E, A or P): `pass` with the triggers that realised it (for a probe: none),
 * `fail` with what it saw (for a probe: the triggers that did the forbidden thing), or `undecided`.
 */
export const judgmentSchema = z.strictObject({
  v: z.literal(1),
  item: z.string().transform((id) => id as ItemId),
  kind: z.enum(["E", "A", "P"]),
  round: z.int().min(1),
  vote: z.int().min(1).default(1),
  verdict: z.enum(["pass", "fail", "undecided"]),
  triggers: z.array(triggerId).describe("An event's binding, a structure's uses, a probe's violations"),
  constructions: z.array(z.int().min(1)).describe("A structure's or a violation's constructions, by number"),
  reason: z.string().describe("One sentence"),
  by: z.enum(["exact", "model"]).optional().describe("Who said it, in a set to which several judges add"),
  surplus: z.array(z.array(triggerId)).optional().describe("Earlier realisations of the same marks"),
  noAnswer,
});
export type Judgment = z.infer<typeof judgmentSchema>;

/**
 * Which entity of an agent's own world is the one that the contract names: settled once for a run, before any item.
 * `is` is null where the agent's world has none, and where the judge did not decide.
 */
export const identitySchema = z.strictObject({
  v: z.literal(1),
  kind: z.literal("identity"),
  entity: nameOf.describe("As the contract names it"),
  vote: z.int().min(1).default(1),
  verdict: z.enum(["found", "absent", "undecided"]),
  is: z.string().nullable().describe("Its id in the agent's world"),
  reason: z.string().describe("One sentence"),
  noAnswer,
});
export type Identity = z.infer<typeof identitySchema>;
