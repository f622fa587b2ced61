/** The numbers that a rule turns on, taken from what its author wrote. */
import type { EffectDraft, RuleText } from "./rule-text.ts";

/** Numbers of a rule, all without their sign: a loss of 2 is told as 2. */
export interface RuleNumbers {
  /** Each must stand in the words of the open condition. */
  readonly needed: ReadonlySet<number>;
  /** Those may stand there, too: the bounds of the fields it mentions, the first ticks at which it fires. */
  readonly allowed: ReadonlySet<number>;
}

/** The bounds of a field by its name alone; several types may have a field of that name. */
export type BoundsOfField = ReadonlyMap<string, readonly number[]>;

/** How many firings a text may name one by one: at hours 6, 30 and 54. */
const FIRINGS_NAMED = 4;

export function numbersOfRule(rule: RuleText, bounds: BoundsOfField): RuleNumbers {
  const expressions = [...rule.expressions, ...rule.effects.flatMap(expressionsOfEffect)];
  const literals = [...expressions.flatMap(numbersInExpression), ...rule.effects.flatMap(literalsOfEffect)];
  const needed = new Set([...literals.map(Math.abs), ...timesOf(rule)]);
  const fields = [...expressions.flatMap(fieldsInExpression), ...rule.effects.flatMap(targetsOfEffect)];
  const named = fields.flatMap((field) => bounds.get(field) ?? []).map(Math.abs);
  return { needed, allowed: new Set([...needed, ...named, ...firingsOf(rule), ...(rule.at ?? [])]) };
}

/** The numbers an expression holds; those in its texts and names are none of its own. */
export function numbersInExpression(text: string): readonly number[] {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return [...bare.matchAll(/(?<![\p{L}\p{N}_.])\d+(?:\.\d+)?/gu)].map(([digits]) => Number(digits));
}

/** What stands behind a dot: names of fields, as far as words alone tell. */
function fieldsInExpression(text: string): readonly string[] {
  return [...text.matchAll(/\.([a-z][a-z0-9_]*)/g)].map(([, field]) => field ?? "");
}

function expressionsOfEffect(effect: EffectDraft): readonly string[] {
  const fields = Object.values(effect.fields ?? {}).flatMap((given) => (isExpression(given) ? [given.expr] : []));
  return [
    effect.expr,
    typeof effect.by === "string" ? effect.by : undefined,
    typeof effect.id === "object" ? effect.id.expr : undefined,
    effect.create === undefined ? undefined : (effect.at ?? undefined),
    effect.for?.where,
    ...fields,
  ].filter((text) => text !== undefined);
}

function literalsOfEffect(effect: EffectDraft): readonly number[] {
  return [effect.by, effect.value, ...Object.values(effect.fields ?? {})].filter((value) => typeof value === "number");
}

function targetsOfEffect(effect: EffectDraft): readonly string[] {
  const targets = [effect.set, effect.add].flatMap((target) => (target === undefined ? [] : [target]));
  return [...targets.flatMap(fieldsInExpression), ...Object.keys(effect.fields ?? {})];
}

function isExpression(given: unknown): given is { readonly expr: string } {
  return typeof given === "object" && given !== null && "expr" in given;
}

/** What has to be told of when it takes place; of ticks in even steps the first, the last and the step. */
function timesOf({ every, phase, at, duration }: RuleText): readonly number[] {
  return [
    ...(every === undefined || every === 1 ? [] : [every]),
    ...(every === undefined || every === 1 || phase === undefined || phase % every === 0 ? [] : [phase]),
    ...(at === undefined ? [] : shortenTicks(at)),
    ...(typeof duration === "number" && duration > 1 ? [duration] : []),
  ];
}

function shortenTicks(at: readonly number[]): readonly number[] {
  const [first, second] = at;
  const last = at.at(-1);
  if (first === undefined || second === undefined || last === undefined || at.length < 3) return at;
  const step = second - first;
  const isEven = at.every((tick, i) => tick === first + i * step);
  return isEven ? [first, last, ...(step === 1 ? [] : [step])] : at;
}

function firingsOf({ every, phase, duration }: RuleText): readonly number[] {
  if (every === undefined) return duration === 1 ? [1] : [];
  if (every === 1) return [1];
  const offset = (phase ?? 0) % every;
  return Array.from({ length: FIRINGS_NAMED }, (_, i) => offset + i * every);
}
