/** A book as a page: title page, then round by round narrative, contract and reference, its quotes linked both ways. */
import { html, join, type Html } from "./html-text.ts";
import { markedParagraphs, noteId, shortNote, wordsId } from "./marked.ts";
import type { Book, BookItem, BookRound, BookStep, Detail, Told } from "./model.ts";
import { pageText } from "./page.ts";

export interface BookPageOptions {
  /** Only this round, without the title page. */
  readonly round?: number | undefined;
}

export function bookPage(book: Book, { round }: BookPageOptions = {}): string {
  const rounds = book.rounds.filter(({ number }) => round === undefined || number === round);
  return pageText({
    title: `${book.title} (${book.id})`,
    nav: navOf(book, rounds),
    body: html`${round === undefined ? titleOf(book) : headOf(book, [])} ${rounds.map((one) => roundHtml(one, rounds))}
      <footer>${book.id}. Marked words carry an item; their number leads to it, and the item's number back.</footer>`,
  });
}

function navOf(book: Book, rounds: readonly BookRound[]): Html {
  const links = rounds.map(
    ({ number }) =>
      html`<li>
        <a href="#round-${number}">Round ${number}</a>
        <ol>
          <li><a href="#contract-${number}">Contract</a></li>
          <li><a href="#reference-${number}">Reference</a></li>
        </ol>
      </li> `,
  );
  return html`<nav aria-label="Contents">
    <strong>${book.title}</strong>
    <ol>
      <li><a href="#title">Title page</a></li>
      ${links}
    </ol>
    <p class="legend">
      ${MARKS.map(([kind, says]) => html`<span><mark class="${kind}">${kind}</mark> ${says}</span> `)}
    </p>
  </nav>`;
}

/** What marked words of a story carry, for the legend. */
const MARKS = [
  ["A", "a rule"],
  ["P", "what is left undone"],
  ["CA", "a cause"],
  ["TM", "order"],
  ["CC", "at once"],
] as const;

function titleOf(book: Book): Html {
  const cast = book.cast.map(
    ({ id, says, members }) =>
      html`<dt><b>${id}</b>${says === "" ? "" : `: ${says}`}</dt>
        ${members.map(({ name, state }) => html`<dd>${name} <span>${state}</span></dd> `)}`,
  );
  const doings = book.doings.map(
    ({ id, says, lasts, rules }) =>
      html`<dt>${says === "" ? id : says}${lasts === undefined ? "" : html` <span class="id">${lasts}</span>`}</dt>
        ${rules.map((rule) => html`<dd>only if: ${rule}</dd> `)}`,
  );
  return html`${headOf(book, book.facts)}
  ${part("Who and what there is", html`<dl class="cast">${cast}</dl>`, cast.length)}
  ${part("Where", html`${list(book.places.map(({ says }) => html`${says}`))}${list(book.ways.map((way) => html`<span class="about">${way}</span>`))}`, book.places.length)}
  ${part("What can be done", html`<dl class="doings">${doings}</dl>`, doings.length)}
  ${part("What may never be", list(book.invariants.map((says) => html`${says}`)), book.invariants.length)}
  ${part("There, and used by nothing", list(book.unused.map(({ id, says }) => html`<b>${id}</b>: ${says}`)), book.unused.length)}`;
}

function headOf({ title }: Book, facts: readonly string[]): Html {
  return html`<header id="title">
    <h1>${title}</h1>
    ${facts.map((fact) => html`<p>${fact}</p> `)}
  </header>`;
}

function part(head: string, body: Html, count: number): Html {
  return count === 0
    ? html``
    : html`<h3>${head}</h3>
        ${body}`;
}

function list(lines: readonly Html[]): Html {
  return html`<ul class="plain">
    ${lines.map((line) => html`<li>${line}</li> `)}
  </ul>`;
}

function roundHtml(round: BookRound, shown: readonly BookRound[]): Html {
  // A quote of a round that is left out would lead nowhere.
  const quotes = round.quotes.filter(({ note }) => isShown(Number(note.split(".")[0]), shown));
  return html`<section class="round" id="round-${round.number}">
    <h2>Round ${round.number}</h2>
    <div class="story">${markedParagraphs(round.narrative, quotes, round.number)}</div>
    <div id="contract-${round.number}">
      ${round.chapters.map(
        ({ head, items }) =>
          html`<h3>${head}</h3>
            <ol class="items">
              ${items.map((item) => itemHtml(item, round.number, shown))}
            </ol> `,
      )}
    </div>
    <h3 id="reference-${round.number}">Reference</h3>
    <ol class="steps">
      ${round.steps.map(stepHtml)}
    </ol>
  </section> `;
}

function itemHtml({ id, kind, says, details }: BookItem, round: number, shown: readonly BookRound[]): Html {
  return html`<li class="${kind}">
    <span class="kind">${kind}</span>${says}<span class="id">${id}</span>
    <ul class="details">
      ${details.map((detail) => detailHtml(detail, round, shown))}
    </ul>
  </li> `;
}

function detailHtml({ about, says, code, told }: Detail, round: number, shown: readonly BookRound[]): Html {
  const parts = [
    html`<span class="about">${about}</span>`,
    ...(says === "" ? [] : [html`<span class="says">${says}</span>`]),
    ...(code === undefined ? [] : [html`<code>${code}</code>`]),
    ...(told === undefined ? [] : [toldHtml(told, round, shown)]),
  ];
  return html`<li>${join(parts, " ")}</li>`;
}

function toldHtml({ words, note, round: there }: Told, round: number, shown: readonly BookRound[]): Html {
  const number = shortNote(note, round);
  const link = isShown(there, shown)
    ? html`<a href="#${wordsId(note)}" title="To these words in the story">${number} ↑</a>`
    : html``;
  const elsewhere = there === undefined || there === round ? "" : ` (round ${there})`;
  return html`<span class="told" id="${noteId(note)}">“${words}”${elsewhere}${link}</span>`;
}

function isShown(round: number | undefined, shown: readonly BookRound[]): boolean {
  return shown.some(({ number }) => number === round);
}

function stepHtml({ doings, waits }: BookStep): Html {
  const lines = doings.map(
    ({ capability, args, realises }) =>
      html`<span class="doing"
        ><b>${capability}</b>
        ${args.join(", ")}${realises.length === 0 ? "" : html` <span class="realises">→ ${realises.join("; ")}</span>`}</span
      >`,
  );
  return html`<li>
    ${lines.length === 0 ? html`<span class="doing">wait</span>` : lines}${waits === "" ? "" : html`<span class="doing realises">${waits}</span>`}
  </li> `;
}
