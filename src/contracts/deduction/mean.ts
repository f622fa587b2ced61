import * as z from "zod";

const unit = z.number().min(0).max(1);

/** A mean with what it is over, unrounded; null where it is over nothing: never 0 or 1 there, never NaN. */
export const meanSchema = z
  .strictObject({ mean: unit.nullable(), n: z.int().min(0) })
  .refine(({ mean, n }) => (mean === null) === (n === 0), "a mean is null exactly where it is over nothing");
export type Mean = Readonly<z.infer<typeof meanSchema>>;

/** The share of quiet spans for which nothing was predicted; null where no span was quiet. */
export const quietSchema = z
  .strictObject({ rate: unit.nullable(), n: z.int().min(0) })
  .refine(({ rate, n }) => (rate === null) === (n === 0), "a rate is null exactly where it is over nothing");
export type Quiet = Readonly<z.infer<typeof quietSchema>>;

/** The mean of the values there are; null is left out and not counted. The order of the values never shows. */
export function meanOfAll(values: readonly (number | null)[]): Mean {
  const there = values.filter((value) => value !== null).sort((a, b) => a - b);
  if (there.length === 0) return { mean: null, n: 0 };
  return { mean: there.reduce((sum, value) => sum + value, 0) / there.length, n: there.length };
}
