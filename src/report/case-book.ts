/** A case as people read it: as a book, or as an agent of a tier would be given it; as lines or as a page. */
import type { Case } from "../cases/index.ts";
import type { Tier } from "../runtime/index.ts";
import { bookOf } from "./book/book.ts";
import { bookPage } from "./book/book-html.ts";
import { givenPage } from "./book/given-html.ts";
import { givenTextLines } from "./book/given-text.ts";
import { givenOf } from "./book/given.ts";
import { bookLines } from "./book/text.ts";
import { paperWidth } from "./book/wrap.ts";
import { escapeText } from "./escape.ts";

export interface CaseTextOptions {
  /** Only this round. */
  readonly round?: number | undefined;
  /** Instead of the book, what an agent of this tier is given: no contract, no reference. */
  readonly tier?: Tier | undefined;
  /** Columns of the paper (default: 80). */
  readonly columns?: number | undefined;
}

/** A case, or a round of it, as lines that hold nothing a terminal would act on. */
export function caseLines(case_: Case, { round, tier, columns }: CaseTextOptions = {}): readonly string[] {
  const width = paperWidth(columns);
  const lines =
    tier === undefined
      ? bookLines(bookOf(case_), { round, width })
      : givenTextLines(givenOf(case_, tier), { round, width });
  return lines.map(escapeText);
}

/** The same as a page: one file of HTML that loads nothing and runs nothing. */
export function casePage(case_: Case, { round, tier }: Omit<CaseTextOptions, "columns"> = {}): string {
  return tier === undefined ? bookPage(bookOf(case_), { round }) : givenPage(givenOf(case_, tier), { round });
}
