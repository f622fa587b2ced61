/** What an agent is given, as a page. */
import { splitEntry, HEADS, sayTask } from "./given-text.ts";
import type { Given } from "./given.ts";
import { html } from "./html-text.ts";
import { markedParagraphs } from "./marked.ts";
import { pageText } from "./page.ts";

export interface GivenPageOptions {
  readonly round?: number | undefined;
}

export function givenPage(given: Given, { round }: GivenPageOptions = {}): string {
  const rounds = given.rounds.filter(({ number }) => round === undefined || number === round);
  const title = `${given.caseId} in ${given.tier}`;
  const sources = given.sources.map(({ from, entries }) => {
    const lines = entries
      .map(splitEntry)
      .map(({ head, rest }) => html`<li>${head}${rest.map((line) => html`<div><code>${line}</code></div>`)}</li> `);
    return html`<h3 id="${from}">${HEADS[from] ?? from}</h3>
      <ul class="entries">
        ${lines}
      </ul> `;
  });
  const help = given.help.map(
    ({ topic, text }) =>
      html`<details>
        <summary>${topic}</summary>
        <pre>${text}</pre>
      </details> `,
  );
  return pageText({
    title,
    nav: html`<nav aria-label="Contents">
      <strong>${title}</strong>
      <ol>
        <li><a href="#title">What is given</a></li>
        ${given.sources.map(({ from }) => html`<li><a href="#${from}">${HEADS[from] ?? from}</a></li> `)}
        <li><a href="#help">Help</a></li>
        ${rounds.map(({ number }) => html`<li><a href="#round-${number}">Instalment ${number}</a></li> `)}
      </ol>
    </nav>`,
    body: html`<header id="title">
        <h1>What an agent is given</h1>
        <p>of ${given.caseId}, in ${given.tier}</p>
      </header>
      <p>${sayTask(given)}</p>
      ${sources}
      <h3 id="help">Help, topic by topic</h3>
      ${help}
      ${rounds.map(
        ({ number, narrative, steps, calls }) =>
          html`<section class="round" id="round-${number}">
            <h2>Instalment ${number}</h2>
            <p class="small">At most ${steps} steps and ${calls} calls.</p>
            <div class="story">${markedParagraphs(narrative, [], number)}</div>
          </section> `,
      )}`,
  });
}
