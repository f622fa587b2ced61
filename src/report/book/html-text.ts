/** Text from case files as HTML: nothing in it can become an element, an attribute, or turn the direction of a page. */
import { escapeLines } from "../escape.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML that is safe to put into a page. Only this file and literals make any. */
export interface Html {
  readonly html: string;
}

export function escapeHtml(text: string): string {
  return escapeLines(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

type Part = Html | string | number | readonly Html[];

/** A template of HTML: what is put in is escaped, unless it is HTML already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const said = strings.map((literal, i) => literal + (i < parts.length ? sayPart(parts[i] as Part) : ""));
  return { html: said.join("") };
}

function sayPart(part: Part): string {
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

/** Parts one after the other, with a text between them. */
export function join(parts: readonly Html[], between: string): Html {
  return { html: parts.map((one) => one.html).join(escapeHtml(between)) };
}
