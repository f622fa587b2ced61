/** A part of a verification as it is kept: read back, it is checked to the last field and never trusted blindly. */
import * as z from "zod";
import type { ItemId } from "../../../contracts/index.ts";
import { tierSchema } from "../../../runtime/index.ts";
import { CHEATS } from "./cheats/cheat.ts";
import { MUTANT_KINDS } from "./mutants/mutant.ts";
import type { PartFound } from "./part.ts";
import type { CheckNumber } from "./problem.ts";

const count = z.int().min(0);
const itemId = z.string().transform((id) => id as ItemId);

const problemSchema = z.strictObject({
  check: z
    .int()
    .min(1)
    .max(9)
    .transform((check) => check as CheckNumber),
  tier: tierSchema.exactOptional(),
  item: itemId.exactOptional(),
  message: z.string(),
});

export const cheatScoreSchema = z.strictObject({
  cheat: z.enum(CHEATS),
  completion: z.strictObject({ passed: count, of: count }),
  relation: z.strictObject({ passed: count, of: count }),
});

export const kindTallySchema = z.strictObject({ made: count, killed: count, overkills: count });

const killSchema = z.strictObject({
  kind: z.enum(MUTANT_KINDS),
  round: z.int().min(1),
  says: z.string(),
  isAimed: z.boolean(),
});

const tallySchema = z.strictObject({
  kinds: z.partialRecord(z.enum(MUTANT_KINDS), kindTallySchema),
  kills: z.record(itemId, killSchema),
});

/** What was found of one part. */
export const partFoundSchema: z.ZodType<PartFound> = z.union([
  z.strictObject({
    part: z.literal("whole"),
    problems: z.array(problemSchema),
    cheats: z.array(cheatScoreSchema),
  }),
  z.strictObject({
    part: z.int().min(1),
    tiers: z.partialRecord(tierSchema, tallySchema),
    problems: z.array(problemSchema),
  }),
]);
