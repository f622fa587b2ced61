/** A book as plain lines: for a terminal, a printer, a file. */
import type { Book, BookItem, BookRound, BookStep, CastGroup, Detail, Doing } from "./model.ts";
import { fill, fillParagraphs } from "./wrap.ts";

export interface BookTextOptions {
  /** Only this round, without the title page. */
  readonly round?: number | undefined;
  readonly width: number;
}

export function bookLines(book: Book, { round, width }: BookTextOptions): readonly string[] {
  const rounds = book.rounds.filter(({ number }) => round === undefined || number === round);
  const front = round === undefined ? titleLines(book, width) : [`${book.id}: ${book.title}`];
  return [...front, ...rounds.flatMap((one) => ["", "", ...roundLines(one, width)])];
}

/** A heading over a rule. */
export function heading(text: string): readonly string[] {
  return [text, "─".repeat(Array.from(text).length)];
}

function titleLines(book: Book, width: number): readonly string[] {
  return [
    "",
    ...fill(book.title.toUpperCase(), width),
    "",
    ...book.facts.flatMap((fact) => fill(fact, width, { first: "", rest: "  " })),
    ...section(
      "Who and what there is",
      book.cast.flatMap((group) => castLines(group, width)),
    ),
    ...section("Where", [
      ...book.places.flatMap(({ says }) => fill(says, width, hang(2))),
      ...book.ways.flatMap((way) => fill(way, width, hang(4))),
    ]),
    ...section(
      "What can be done",
      book.doings.flatMap((doing) => doingLines(doing, width)),
    ),
    ...section(
      "What may never be",
      book.invariants.flatMap((says) => fill(says, width, hang(2))),
    ),
    ...section(
      "There, and used by nothing",
      book.unused.flatMap(({ id, says }) => fill(`${id}: ${says}`, width, hang(2))),
    ),
  ];
}

function section(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", head, ...lines];
}

function hang(columns: number): { readonly first: string; readonly rest: string } {
  return { first: " ".repeat(columns), rest: " ".repeat(columns + 2) };
}

function castLines({ id, says, members }: CastGroup, width: number): readonly string[] {
  return [
    ...fill(says === "" ? id : `${id}: ${says}`, width, hang(2)),
    ...members.flatMap(({ name, state }) => fill(`${name}: ${state}`, width, hang(6))),
  ];
}

function doingLines({ says, id, lasts, rules }: Doing, width: number): readonly string[] {
  const time = lasts === undefined ? "" : `, ${lasts}`;
  return [
    ...fill(`${says === "" ? id : says}${time}`, width, hang(2)),
    ...rules.flatMap((rule) => fill(`only if: ${rule}`, width, hang(6))),
  ];
}

function roundLines(round: BookRound, width: number): readonly string[] {
  return [
    ...heading(`Round ${round.number}`),
    "",
    ...fillParagraphs(round.narrative, width),
    ...round.chapters.flatMap(({ head, items }) => ["", head, ...items.flatMap((item) => itemLines(item, width))]),
    "",
    "Reference",
    ...round.steps.flatMap((step, i) => stepLines(step, i + 1, width)),
  ];
}

function itemLines({ id, kind, says, details }: BookItem, width: number): readonly string[] {
  return [
    ...fill(`${says} [${id}]`, width, { first: `  ${kind.padEnd(3)} `, rest: " ".repeat(6) }),
    ...details.flatMap((detail) => detailLines(detail, width)),
  ];
}

function detailLines({ about, says, code, told }: Detail, width: number): readonly string[] {
  const said = [says, code ?? ""].filter((one) => one !== "").join(" ");
  const words = told === undefined ? "" : `“${told.words}”${sayElsewhere(told)}`;
  return [
    ...(said === "" ? [] : fill(`${about}: ${said}`, width, hang(6))),
    ...(words === "" ? [] : fill(said === "" ? `${about}: ${words}` : words, width, hang(said === "" ? 6 : 8))),
  ];
}

/** Where words stand in another round's narrative than the item's own. */
function sayElsewhere({ note, round }: { readonly note: string; readonly round: number | undefined }): string {
  return round === undefined || note.startsWith(`${round}.`) ? "" : ` (round ${round})`;
}

function stepLines({ doings, waits }: BookStep, number: number, width: number): readonly string[] {
  const said = doings.map(({ capability, args, realises }) => {
    const made = realises.length === 0 ? "" : ` → ${realises.join("; ")}`;
    return `${capability} (${args.join(", ")})${made}`;
  });
  const lines = [...(said.length === 0 ? ["wait"] : said), ...(waits === "" ? [] : [waits])];
  return lines.flatMap((line, i) =>
    fill(
      i === 0 ? `${number}. ${line}` : line,
      width,
      i === 0 ? { first: "  ", rest: "     " } : { first: "     ", rest: "       " },
    ),
  );
}
