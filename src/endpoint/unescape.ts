/**
 * What a text says once its escapes are undone: those of JSON and of programming languages, of URLs and of HTML. Each
 * character knows where it stood in the text as it came, so that what is found can be cut there.
 */

/** A text, and for each of its characters where its writing ends in the text as it came; it begins where the last one ended. */
export interface Reading {
  readonly text: string;
  /** Undefined where nothing was undone: every character stands where it stood. */
  readonly ends: Int32Array | undefined;
}

/** Escapes within escapes that are undone: a text in JSON in a URL in HTML. Backslashes of any number are one escape. */
const MAX_READINGS = 5;

/** Backslashes with or without a code behind them, %XX, and characters of HTML. Each branch is linear. */
const ESCAPE =
  /\\+(?:u\{0{0,8}([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))?|%([0-9a-f]{2})|&#0{0,16}([0-9]{1,7});?|&#x0{0,16}([0-9a-f]{1,6});?|&([a-z]{2,8});/gi;

/** What begins like an escape at the end of a text, which may have been shortened within it. */
const BEGUN = /(?:\\(?:u\{?[0-9a-f]{0,6}|x[0-9a-f]?)?|%[0-9a-f]?|&[#a-z0-9]{0,24})$/i;

/** Characters of HTML that a key may hold, by the names they have there. */
const NAMED: Readonly<Record<string, string | undefined>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  bsol: "\\",
  plus: "+",
  equals: "=",
  hyphen: "-",
  dash: "-",
  lowbar: "_",
  period: ".",
  colon: ":",
  percnt: "%",
  num: "#",
  commat: "@",
  excl: "!",
  dollar: "$",
  ast: "*",
};

/** The text as it stands, and with its escapes undone once, twice, …, as long as that changes it. */
export function readingsOf(text: string): readonly Reading[] {
  const readings: Reading[] = [{ text, ends: undefined }];
  for (let last = readings[0]; last !== undefined && readings.length <= MAX_READINGS;) {
    last = undone(last);
    if (last !== undefined) readings.push(last);
  }
  return readings;
}

/** Where the writing of the character at `index` ends. */
export function endOf({ ends }: Reading, index: number): number {
  return ends === undefined ? index + 1 : (ends[index] ?? 0);
}

/** Where the writing of the character at `index` begins. */
export function startOf(reading: Reading, index: number): number {
  return index === 0 ? 0 : endOf(reading, index - 1);
}

/** `text` without an escape that it ends in the middle of. */
export function withoutBegun(text: string): string {
  const from = Math.max(0, text.length - 32);
  const begun = BEGUN.exec(text.slice(from));
  if (begun === null) return text;
  let end = from + begun.index;
  while (end > 0 && text[end - 1] === "\\") end -= 1;
  return text.slice(0, end);
}

function undone(reading: Reading): Reading | undefined {
  const { text } = reading;
  if (!/[\\%&]/.test(text)) return undefined;
  const parts: string[] = [];
  const ends = new Int32Array(text.length);
  let made = 0;
  let from = 0;
  let changed = false;
  const take = (upTo: number): void => {
    parts.push(text.slice(from, upTo));
    for (let at = from; at < upTo; at += 1, made += 1) ends[made] = endOf(reading, at);
  };
  for (const match of text.matchAll(ESCAPE)) {
    const said = charactersOf(match);
    if (said === undefined) continue;
    changed = true;
    take(match.index);
    from = match.index + match[0].length;
    parts.push(said);
    // of what stands for nothing (a backslash alone) the place falls to the character behind it
    for (let i = 0; i < said.length; i += 1, made += 1) ends[made] = endOf(reading, from - 1);
  }
  if (!changed) return undefined;
  take(text.length);
  return { text: parts.join(""), ends: ends.subarray(0, made) };
}

/** What an escape stands for; undefined where it is none. */
function charactersOf([whole, long, four, two, percent, decimal, hex, name]: RegExpMatchArray): string | undefined {
  if (name !== undefined) return NAMED[name.toLowerCase()];
  if (decimal !== undefined) return characterOf(Number(decimal));
  const code = long ?? four ?? two ?? percent ?? hex;
  if (code !== undefined) return characterOf(parseInt(code, 16));
  return whole.startsWith("\\") ? "" : undefined;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
