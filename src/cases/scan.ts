import { CST, Lexer, Parser } from "yaml";

/** A syntax that case files do without, at an offset of the text. */
export interface ScanFault {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/**
 * The parser's own stack: a map and its entries take about two places each. Case files nest about eight deep;
 * the composer recurses, and 200,000 open brackets would exhaust the process, so depth is bounded before it.
 */
const MAX_DEPTH = 64;

const REFUSED: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  anchor: ["an anchor (&)", "write the value out where it is needed"],
  alias: ["an alias (*)", "write the value out; a text that begins with * or & needs quotes"],
  tag: ["a tag (!)", "leave the tag away; a text that begins with ! needs quotes"],
  "directive-line": ["a directive (%)", "leave the line away"],
};

/**
 * Reads the tokens of a YAML text without building anything, and reports anchors, aliases, tags, directives,
 * control characters and nesting that is too deep. Time is linear in the text. `what` is what its faults call the file.
 */
export function scanYaml(text: string, what = "case file"): readonly ScanFault[] {
  // eslint-disable-next-line no-control-regex
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.exec(text);
  if (control) {
    const code = text.charCodeAt(control.index).toString(16).toUpperCase().padStart(4, "0");
    return [
      {
        offset: control.index,
        message: `a control character (U+${code}): this is no text`,
        hint: `${what}s are YAML in UTF-8`,
      },
    ];
  }
  const faults: ScanFault[] = [];
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const refused = REFUSED[CST.tokenType(lexeme) ?? ""];
    if (refused)
      faults.push({ offset: parser.offset, message: `${refused[0]} has no place in a ${what}`, hint: refused[1] });
    for (const _token of parser.next(lexeme)) void _token;
    if (parser.stack.length > MAX_DEPTH) {
      return [
        ...faults,
        { offset: parser.offset, message: "the file nests too deep", hint: `a ${what} needs about eight levels` },
      ];
    }
  }
  return faults;
}
