/** Numbers as a narrative tells them: in digits, or in English words. */
const UNITS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/** Other words that tell an amount plainly. */
const OTHERS: Readonly<Record<number, readonly string[]>> = {
  0: ["none", "nothing", "empty"],
  0.5: ["half"],
  1: ["once", "single"],
  2: ["twice", "pair", "both"],
  3: ["thrice"],
  6: ["half a dozen"],
  12: ["dozen", "a dozen"],
  100: ["hundred"],
};

/** The ways to write a number, in lower case. */
export function spellingsOf(value: number): readonly string[] {
  const others = OTHERS[value] ?? [];
  return [String(value), ...others, ...wordsOf(value)];
}

function wordsOf(value: number): readonly string[] {
  if (!Number.isInteger(value) || value < 0 || value > 100) return [];
  if (value === 100) return ["one hundred", "a hundred"];
  const unit = UNITS[value];
  if (unit !== undefined) return [unit];
  const [tens, rest] = [TENS[Math.floor(value / 10)] as string, value % 10];
  return rest === 0 ? [tens] : [`${tens}-${UNITS[rest] ?? ""}`, `${tens} ${UNITS[rest] ?? ""}`];
}

/** Whether a text tells a number; "forty-two" does not tell two, nor 12 a 2. */
export function tellsNumber(text: string, value: number): boolean {
  const flat = text.toLowerCase().replaceAll(/\s+/g, " ");
  return spellingsOf(Math.abs(value)).some((spelling) => {
    const pattern = spelling.replaceAll(".", String.raw`\.`);
    const tens = TENS.filter((word) => word !== "").join("|");
    return new RegExp(`(?<![\\p{L}\\d.-])(?<!\\b(?:${tens}) )${pattern}(?![\\p{L}\\d]|[.,-]\\d|-\\p{L})`, "u").test(
      flat,
    );
  });
}
