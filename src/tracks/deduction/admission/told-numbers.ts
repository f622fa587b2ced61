/** The numbers that a text tells, in digits and in words. */

const SMALL =
  "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety";

/** Words that are a number wherever they stand. `one` is left out: it is a pronoun more often than a number. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.split(" ").map((word, i): [string, number] => [word, i + 2]),
  ...TENS.split(" ").map((word, i): [string, number] => [word, (i + 2) * 10]),
  ["dozen", 12],
  ["hundred", 100],
  ["thousand", 1000],
]);

/** Words that tell a number where the rule has it, and are a manner of speaking elsewhere. */
const MANNERS: Readonly<Record<string, readonly number[]>> = {
  half: [2, 0.5],
  halves: [2, 0.5],
  halved: [2, 0.5],
  double: [2],
  doubles: [2],
  doubled: [2],
  twice: [2],
  triple: [3],
  thrice: [3],
  third: [3],
  thirds: [3],
  quarter: [4, 0.25],
  quarters: [4, 0.25],
  fifth: [5, 0.2],
  tenth: [10, 0.1],
};

/** How 1 may be said in the open condition, where other numbers stand in digits. */
const SINGLE = new Set("a an one once each every single another by".split(" "));

/** The numbers written in digits, without their sign; `40 %` is 40 and 0.4. Digits in ids (letter_12) are none. */
export function digitsIn(text: string): readonly number[] {
  const found = text.matchAll(
    /(?<![\p{L}\p{N}_]|\p{N}[.,])(\d+(?:,\d{3})*(?:\.\d+)?)(?!\p{L}|_|\p{N})(\s?(?:%|per ?cent))?/gu,
  );
  return [...found].flatMap(([, digits = "", percent]) => {
    const value = Number(digits.replaceAll(",", ""));
    return percent === undefined ? [value] : [value, value / 100];
  });
}

/** Whether 1 stands in a text as a measure alone: `at least 1 for each valve`, `8 for each 1 of its age`. */
export function isMeasureAlone(text: string): boolean {
  const bare = text.replaceAll(/\b1 (?:for|per|of)\b|\b(?:each|every|per) 1\b/g, "");
  return !digitsIn(bare).includes(1);
}

/** The number words of a text, each with its value. */
export function numberWordsIn(text: string): readonly { readonly word: string; readonly value: number }[] {
  return wordsOf(text).flatMap((word) => {
    const value = WORDS.get(word);
    return value === undefined ? [] : [{ word, value }];
  });
}

/** Words that say one of these numbers in a manner of speaking: `half` where a rule divides by 2. */
export function mannersIn(text: string, numbers: ReadonlySet<number>): readonly string[] {
  return wordsOf(text).filter(
    (word) => Object.hasOwn(MANNERS, word) && (MANNERS[word] ?? []).some((value) => numbers.has(value)),
  );
}

/**
 * Whether the open condition tells a number: in digits; 1 also in words; parts and multiples as one says them. 0 need not
 * be told: that nothing is added, or that something is there, is said in a hundred ways.
 */
export function isTold(text: string, value: number): boolean {
  const words = wordsOf(text);
  if (value === 0 || digitsIn(text).includes(value)) return true;
  if (value === 1) return words.some((word) => SINGLE.has(word));
  return words.some((word) => Object.hasOwn(MANNERS, word) && MANNERS[word]?.includes(value) === true);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
