/** What the passes of a set rest on in which a model judged: a program's word, the judge's alone, or nothing any more. */
import * as z from "zod";
import type { AuditedItem } from "./audited-item.ts";
import type { Judgment } from "./judgment.ts";

/**
 * Of an item that the judge passed, or that passes: `confirmed` where the exact judge passes it as well, `word` where it
 * passes and no program says so too, `refused` where the audit turned the judge's pass.
 */
export const STANDINGS = ["confirmed", "word", "refused"] as const;
export type Standing = (typeof STANDINGS)[number];

const JUDGED_KINDS = ["E", "A", "P"] as const;
type JudgedKind = (typeof JUDGED_KINDS)[number];

const count = z.int().min(0);
const counts = {
  confirmed: count.describe("Passes that the exact judge gives as well"),
  word: count.describe("Passes on the judge's word alone"),
  refused: count.describe("Passes of the judge that the audit turned; the items say why"),
};
export const standingCountsSchema = z.strictObject({
  ...counts,
  byKind: z.strictObject({
    E: z.strictObject(counts),
    A: z.strictObject(counts),
    P: z.strictObject(counts),
  } satisfies Record<JudgedKind, unknown>),
});
export type StandingCounts = z.infer<typeof standingCountsSchema>;

/**
 * The standing of an item after the audit; undefined where nobody passed it, or where it is left undecided. `exact` is
 * what the exact judge and the same audit make of it; left out where that judge does not apply.
 */
export function standingOfItem(
  item: AuditedItem,
  said: Judgment | undefined,
  exact: AuditedItem | undefined,
): Standing | undefined {
  if (item.status === "pass") return exact?.status === "pass" ? "confirmed" : "word";
  return item.status === "fail" && said?.verdict === "pass" ? "refused" : undefined;
}

/** Counts the standings of the items that are scored. */
export function standingOf(
  items: readonly { readonly kind: string; readonly scored: boolean; readonly standing?: Standing | undefined }[],
): StandingCounts {
  const scored = items.filter((item) => item.scored);
  const countOf = (some: typeof scored) => ({
    confirmed: some.filter(({ standing }) => standing === "confirmed").length,
    word: some.filter(({ standing }) => standing === "word").length,
    refused: some.filter(({ standing }) => standing === "refused").length,
  });
  const of = (kind: JudgedKind) => countOf(scored.filter((item) => item.kind === kind));
  return { ...countOf(scored), byKind: { E: of("E"), A: of("A"), P: of("P") } };
}
