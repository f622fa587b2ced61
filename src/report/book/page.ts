/** A page that stands alone: its style is in it, and it may load and run nothing. */
import { createHash } from "node:crypto";
import { html, type Html } from "./html-text.ts";
import { STYLE } from "./style.ts";

export interface PageParts {
  readonly title: string;
  readonly nav: Html;
  readonly body: Html;
}

/** The whole file. Its policy forbids everything but this very style. */
export function pageText({ title, nav, body }: PageParts): string {
  const digest = createHash("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  // To the character what the digest is of: nothing may stand around it.
  const style: Html = { html: `<style>${STYLE}</style>` };
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        ${nav}
        <main>${body}</main>
      </body>
    </html> `;
  return page.html;
}
