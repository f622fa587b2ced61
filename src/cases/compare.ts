import { canonicalJson, compareText, type CapabilityDraft } from "../runtime/index.ts";
import type { Case } from "./case.ts";

/** What two cases have in common that they should not. */
export interface SharedContent {
  readonly cases: readonly [string, string];
  /** Sentences, and rows of words without a full stop between, that stand in both narratives. */
  readonly sentences: readonly string[];
  /** Capabilities that are the same but for the names of their parameters and types: `walk = go`. */
  readonly capabilities: readonly string[];
  /** Whether they are no two cases of their own: a sentence, or more capabilities than a handful. */
  readonly isTooMuch: boolean;
}

/** To go, to take, to give: what every world has to say in the same way. */
export const MOST_SHARED_CAPABILITIES = 5;

/** Fewer words may be the same by chance: "Nobody spoke." */
const LEAST_SENTENCE_WORDS = 4;

/** As many words in a row are no chance, whatever stands around them. */
const ROW_WORDS = 9;

/** Compares every two cases, pairs in the order of their ids; those that share nothing are left out. */
export function compareCases(cases: readonly Case[]): readonly SharedContent[] {
  const facts = [...cases]
    .sort((a, b) => compareText(a.id, b.id))
    .map((case_) => ({ id: case_.id, rows: rowsOf(case_), capabilities: shapesOf(case_) }));
  return facts
    .flatMap((one, i) =>
      facts.slice(i + 1).map((other): SharedContent => {
        const sentences = mergeRows([...one.rows].filter((row) => other.rows.has(row)));
        const capabilities = [...one.capabilities].flatMap(([shape, id]) => {
          const twin = other.capabilities.get(shape);
          return twin === undefined ? [] : [twin === id ? id : `${id} = ${twin}`];
        });
        const isTooMuch = sentences.length > 0 || capabilities.length > MOST_SHARED_CAPABILITIES;
        return { cases: [one.id, other.id], sentences, capabilities, isTooMuch };
      }),
    )
    .filter(({ sentences, capabilities }) => sentences.length + capabilities.length > 0);
}

/** Every sentence of the narratives, and every row of nine words within one. */
function rowsOf({ narratives }: Case): ReadonlySet<string> {
  return rowsOfTexts(narratives);
}

/** Every sentence of some texts, and every row of nine words within one. */
export function rowsOfTexts(texts: readonly string[]): ReadonlySet<string> {
  const rows = new Set<string>();
  for (const sentence of texts.flatMap((text) => text.split(/[.!?…]+(?=\s|["'”’)]|$)/))) {
    const words =
      sentence
        .toLowerCase()
        .replaceAll("’", "'")
        .match(/[\p{L}\p{N}']+/gu) ?? [];
    if (words.length >= LEAST_SENTENCE_WORDS && words.length < ROW_WORDS) rows.add(`${words.join(" ")}.`);
    for (let from = 0; from + ROW_WORDS <= words.length; from += 1)
      rows.add(words.slice(from, from + ROW_WORDS).join(" "));
  }
  return rows;
}

/** Rows that overlap by all words but one are one longer row. */
export function mergeRows(rows: readonly string[]): readonly string[] {
  return rows.reduce<readonly string[]>((merged, row) => {
    const last = merged.at(-1);
    const words = row.split(" ");
    const overlap = words.slice(0, -1).join(" ");
    return last !== undefined && words.length === ROW_WORDS && last.endsWith(overlap)
      ? [...merged.slice(0, -1), `${last} ${words.at(-1) ?? ""}`]
      : [...merged, row];
  }, []);
}

/** Capabilities by what they are once their parameters and types are called by number. */
function shapesOf({ world }: Case): ReadonlyMap<string, string> {
  return new Map(
    Object.values(world.capabilities)
      .sort((a, b) => compareText(a.id, b.id))
      .map((capability) => [shapeOf(capability), capability.id]),
  );
}

function shapeOf({ params, requires, effects, duration }: CapabilityDraft): string {
  const names = new Map(Object.keys(params).map((name, i) => [name, `p${i + 1}`]));
  const types = new Map<string, string>();
  for (const { type } of Object.values(params)) if (type !== undefined) types.set(type, `t${types.size + 1}`);
  const rename = (text: string): string =>
    text
      .replace(/(?<![.\w])[a-z][a-z0-9_]*/g, (word) => names.get(word) ?? types.get(word) ?? word)
      .replace(/\s+/g, "");
  const kinds = Object.values(params).map(({ type, ...rest }) => [rest, type === undefined ? null : types.get(type)]);
  const parts = JSON.parse(
    JSON.stringify([kinds, requires.map(({ expr }) => expr), effects, duration], (_, value: unknown) =>
      typeof value === "string" ? rename(value) : value,
    ),
  ) as unknown;
  return canonicalJson(parts);
}
