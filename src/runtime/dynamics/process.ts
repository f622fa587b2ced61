/** What makes a world move by itself, as an author writes it and as it is run. */
import * as z from "zod";
import { effectSchema } from "../capability.ts";
import type { CompiledEffect } from "../compile-effect.ts";
import type { CompiledExpression } from "../expression/index.ts";
import { textOf } from "../field.ts";
import { idOf, nameOf } from "../ids.ts";
import { LIMITS } from "../limits.ts";

const expression = z.string().min(1);
const effects = z.array(effectSchema).min(1).max(LIMITS.effectsPerCapability);
const words = {
  name: textOf.min(1).describe("What it is called"),
  says: textOf
    .min(1)
    .describe("What it does, in words without its numbers: all that is told where rules are only named"),
  tells: textOf.min(1).describe("What it does with every number: told where rules are open"),
};

/** A rule that applies by itself: at ticks t with (t − phase) mod every = 0, once for each combination of bound entities. */
export const processSchema = z.strictObject({
  id: idOf,
  ...words,
  every: z.int().min(1).max(LIMITS.ticks).default(1).describe("Ticks from one time to the next"),
  phase: z.int().min(0).max(LIMITS.ticks).default(0).describe("Fires at ticks t with (t − phase) mod every = 0"),
  for: z.record(nameOf, idOf).default({}).describe("Bound entities: a name and the type it ranges over"),
  where: expression.optional().describe("Which combinations there are"),
  when: expression.optional().describe("Whether it fires; one that cannot be evaluated does not hold"),
  effects,
  priority: z.int().min(-1000).max(1000).default(0).describe("Lower ones come first within a tick"),
});
export type ProcessDraft = z.infer<typeof processSchema>;

/** Effects at given ticks. */
export const entrySchema = z.strictObject({
  id: idOf,
  ...words,
  at: z.array(z.int().min(1).max(LIMITS.ticks)).min(1).max(LIMITS.entryTicks).describe("The ticks at which it happens"),
  effects,
});
export type EntryDraft = z.infer<typeof entrySchema>;

export interface CompiledProcess {
  readonly id: string;
  readonly draft: ProcessDraft;
  /** Sorted by name. */
  readonly bindings: readonly { readonly name: string; readonly type: string }[];
  readonly where: CompiledExpression | undefined;
  readonly when: CompiledExpression | undefined;
  readonly effects: readonly CompiledEffect[];
  /** It writes sealed fields alone: nobody is told of it, and nobody is asked about it. */
  readonly sealed: boolean;
}

export interface CompiledEntry {
  readonly id: string;
  readonly draft: EntryDraft;
  readonly at: ReadonlySet<number>;
  readonly effects: readonly CompiledEffect[];
  readonly sealed: boolean;
}
