/** What a config file may say. Flags override it. */
import * as z from "zod";
import { endpointSettingsSchema, modelSettingsSchema } from "../../endpoint/index.ts";
import { agentNameSchema } from "../../records/index.ts";

const word = z.string().min(1).max(256);
const words = z.union([word, z.array(word).min(1).max(1000)]);
const fold = z.union([z.int(), word]);
const folds = z.union([fold, z.array(fold).min(1).max(100)]);

export const budgetsSchema = z.strictObject({
  tokens: z.int().min(1).optional().describe("Most tokens of the whole set, what was spent before included"),
  costUsd: z
    .number()
    .refine((cost) => cost > 0, "must be more than 0")
    .optional()
    .describe("Most US dollars of the whole set; needs a price for every model"),
  minutes: z
    .number()
    .refine((minutes) => minutes > 0, "must be more than 0")
    .optional()
    .describe("Most minutes of one command"),
});
export type SetBudgets = z.infer<typeof budgetsSchema>;

const modelEntrySchema = z.strictObject({
  agent: z.literal("model"),
  name: agentNameSchema
    .optional()
    .describe("Under which its runs are kept; made from the model's name where not stated"),
  endpoint: word.optional().describe("One of `endpoints`; else its settings stand here"),
  ...modelSettingsSchema.shape,
  ...endpointSettingsSchema.partial().shape,
});

/** The schema of a config file where these are the built-in agents. */
export function configSchemaOf(builtIn: readonly string[]) {
  const agent = z.discriminatedUnion("agent", [modelEntrySchema, z.strictObject({ agent: z.enum(builtIn) })]);
  return z.strictObject({
    v: z.literal(1),
    cases: words.optional(),
    track: word.optional().describe("maintenance or deduction"),
    tiers: words.optional().describe("Of maintenance"),
    conditions: words.optional().describe("Of deduction: open, naming"),
    modes: words.optional().describe("Of deduction: m1, m2"),
    folds: folds.optional().describe("Of deduction: 1-5, or a list"),
    repeats: z.int().min(1).max(10_000).optional(),
    out: word.optional().describe("The folder of the set, seen from the file's folder"),
    judge: word.optional(),
    concurrency: z
      .int()
      .min(1)
      .max(256)
      .optional()
      .describe("For every endpoint that states none, and for agents that ask nobody"),
    prices: word.optional().describe("A price file, seen from the file's folder"),
    budgets: budgetsSchema.optional(),
    endpoints: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), endpointSettingsSchema).optional(),
    agents: z
      .array(z.union([word, agent]))
      .min(1)
      .max(100)
      .optional(),
  });
}
export type Config = z.infer<ReturnType<typeof configSchemaOf>>;
