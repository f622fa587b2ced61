import * as z from "zod";

/** `rate` is passed / scored, unrounded, and null where nothing is scored: never 0 or 1 there, never NaN. */
export const rateSchema = z
  .strictObject({ passed: z.int().min(0), scored: z.int().min(0), rate: z.number().min(0).max(1).nullable() })
  .refine(({ passed, scored }) => passed <= scored, "more passed than scored")
  .refine(({ passed, scored, rate }) => rate === divide(passed, scored), "rate is not passed / scored");
export type Rate = Readonly<z.infer<typeof rateSchema>>;

/** The share of `items` that pass. Undecided does not pass. */
export function rateOf(items: readonly { readonly status: "pass" | "fail" | "undecided" }[]): Rate {
  const passed = items.filter((item) => item.status === "pass").length;
  return { passed, scored: items.length, rate: divide(passed, items.length) };
}

/** The equal-weight mean of two rates; null where one of them is null. */
export function meanOf(a: Rate, b: Rate): number | null {
  return a.rate === null || b.rate === null ? null : (a.rate + b.rate) / 2;
}

function divide(passed: number, scored: number): number | null {
  return scored === 0 ? null : passed / scored;
}
