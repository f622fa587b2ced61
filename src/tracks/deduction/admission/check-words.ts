/**
 * Check 8. The words of the open condition tell the numbers of the rule and no others; the words of naming tell none;
 * all are sentences, and no two rules are told alike.
 */
import type { Checked, DeductionProblem } from "./problem.ts";
import { numbersOfRule, type BoundsOfField } from "./rule-numbers.ts";
import type { RuleText } from "./rule-text.ts";
import { digitsIn, isMeasureAlone, isTold, mannersIn, numberWordsIn } from "./told-numbers.ts";

export interface WordFigures {
  /** Rules whose words were held against them. */
  readonly rules: number;
  /** Numbers that were found told. */
  readonly numbers: number;
}

export function checkWords(rules: readonly RuleText[], bounds: BoundsOfField): Checked<WordFigures> {
  const found = rules.map((rule) => {
    const { needed, allowed } = numbersOfRule(rule, bounds);
    const untold = [...needed].filter((value) => !isTold(rule.tells, value)).sort((a, b) => a - b);
    return {
      numbers: needed.size - untold.length,
      problems: [
        ...untold.map((value) => sayUntold(rule, value)),
        ...inventedBy(rule, allowed),
        ...numbersOfNaming(rule, needed),
        ...sentencesOf(rule),
      ],
    };
  });
  return {
    figures: { rules: rules.length, numbers: found.reduce((sum, { numbers }) => sum + numbers, 0) },
    problems: [...found.flatMap(({ problems }) => problems), ...twins(rules)],
  };
}

function problem(rule: RuleText, message: string, hint: string): DeductionProblem {
  return { check: 8, where: `${rule.kind} ${rule.id}`, message, hint };
}

function sayUntold(rule: RuleText, value: number): DeductionProblem {
  return problem(
    rule,
    `its \`tells\` does not tell the number ${value}: ${quote(rule.tells)}`,
    `say ${value} in digits`,
  );
}

/** Numbers that are told and that the rule does not have. */
function inventedBy(rule: RuleText, allowed: ReadonlySet<number>): readonly DeductionProblem[] {
  const isFree = (value: number): boolean => value === 1 && isMeasureAlone(rule.tells);
  const digits = digitsIn(rule.tells).filter((value) => !allowed.has(value) && !isFree(value));
  // 40 % is 40 and 0.4: one of the two is enough.
  const percents = [...rule.tells.matchAll(/(\d+(?:\.\d+)?)\s?(?:%|per ?cent)/g)].map(([, text]) => Number(text));
  const fine = percents.flatMap((value) =>
    allowed.has(value) || allowed.has(value / 100) ? [value, value / 100] : [],
  );
  const words = numberWordsIn(rule.tells).flatMap(({ value }) => (allowed.has(value) ? [] : [value]));
  const invented = [...new Set([...digits.filter((value) => !fine.includes(value)), ...words])].sort((a, b) => a - b);
  return invented.map((value) =>
    problem(
      rule,
      `its \`tells\` tells the number ${value}, which the ${rule.kind} does not have: ${quote(rule.tells)}`,
      "make the two agree",
    ),
  );
}

function numbersOfNaming(rule: RuleText, needed: ReadonlySet<number>): readonly DeductionProblem[] {
  return (["name", "says"] as const).flatMap((part) => {
    const text = rule[part] ?? "";
    const told = [
      ...(text.match(/\p{N}+/gu) ?? []),
      ...numberWordsIn(text).map(({ word }) => word),
      ...mannersIn(text, needed),
    ];
    return told.length === 0
      ? []
      : [
          problem(
            rule,
            `its \`${part}\` tells a number (${told.join(", ")}): ${quote(text)}`,
            "say it without numbers",
          ),
        ];
  });
}

function sentencesOf(rule: RuleText): readonly DeductionProblem[] {
  return (["says", "tells"] as const).flatMap((part) =>
    isSentences(rule[part])
      ? []
      : [
          problem(
            rule,
            `its \`${part}\` is no full sentence: ${quote(rule[part])}`,
            "begin with a capital letter, end with a full stop",
          ),
        ],
  );
}

/** Begins like a sentence, ends like one, and has more than one word. */
function isSentences(text: string): boolean {
  const trimmed = text.trim();
  return /^["“'‘(]?[\p{Lu}\p{N}]/u.test(trimmed) && /[.!?…]["”'’)]?$/u.test(trimmed) && /\s/.test(trimmed);
}

/** Rules of which somebody could not tell which is meant. */
function twins(rules: readonly RuleText[]): readonly DeductionProblem[] {
  return (["name", "says", "tells"] as const).flatMap((part) => {
    const first = new Map<string, RuleText>();
    return rules.flatMap((rule) => {
      const text = (rule[part] ?? "").toLowerCase().replaceAll(/\s+/g, " ").trim();
      const twin = first.get(text);
      if (text === "") return [];
      if (twin === undefined) first.set(text, rule);
      return twin === undefined
        ? []
        : [
            problem(
              rule,
              `its \`${part}\` is that of ${twin.kind} ${twin.id}: ${quote(text)}`,
              "say each in its own words",
            ),
          ];
    });
  });
}

function quote(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 159)}…` : text);
}
