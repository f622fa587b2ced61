/** Text that others wrote, made harmless for a terminal. */

/** Control characters, and marks that turn the direction of text: a terminal acts on them instead of showing them. */
const UNSHOWN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** `text` in one line, with what a terminal would act on written out: `\x1b`, `\u{202e}`. */
export function escapeText(text: string): string {
  return text.replaceAll(UNSHOWN, spell);
}

/** The same, but newlines and tabs stay. */
export function escapeLines(text: string): string {
  return text.replaceAll(UNSHOWN, (character) =>
    character === "\n" || character === "\t" ? character : spell(character),
  );
}

/** JSON in one line whose texts hold nothing a terminal would act on; it parses to the same value. */
export function escapeJson(json: string): string {
  return json.replaceAll(UNSHOWN, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
