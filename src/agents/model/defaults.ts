/** Every default of the chat loop. A changed one is a new version, since runs of two versions are not the same agent. */
import * as z from "zod";

/** Of the loop: what is said, asked, folded and stopped, and in which order. */
export const LOOP_VERSION = 1;

const share = z.number().gt(0).lt(1);

export const loopSettingsSchema = z.strictObject({
  nudges: z.int().min(0).default(3).describe("Nudges in a row for answers without a call; the next such answer stops"),
  callsPerAnswer: z
    .int()
    .min(1)
    .default(64)
    .describe("Calls of one answer that are carried out; those beyond are answered with an error and never made"),
  reserve: z
    .int()
    .min(0)
    .default(4096)
    .describe("Tokens of the window kept free for an answer where maxTokens is not stated; never more than half of it"),
  foldAbove: share.default(0.85).describe("Share of the window less the reserve above which answers are folded"),
  foldBelow: share.default(0.6).describe("Share of the window less the reserve below which folding ends"),
  keptAnswers: z.int().min(0).default(6).describe("The last answers of tools, which are never folded"),
  overflowShare: share
    .default(0.5)
    .describe("Share of what can be folded that is folded where the endpoint says that the window is passed"),
});
export type LoopSettings = z.infer<typeof loopSettingsSchema>;

export const LOOP_DEFAULTS: LoopSettings = loopSettingsSchema.parse({});
