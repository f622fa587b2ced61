/** The initial states of a case: what varies between them is drawn from the fold's number. */
import { compareText, sha256, suggest, type EntityDraft } from "../../runtime/index.ts";
import { faultAt, type PathFault } from "../fault.ts";
import type { Choice } from "./schema.ts";

type Vary = Readonly<Record<string, Choice>>;
type Drafts = Readonly<Record<string, EntityDraft>>;

/** Most values a path may be drawn from. */
const MOST_VALUES = 1_000;

/**
 * The entities of a fold. The value of a path is drawn by SHA-256 of seed, fold and path: no path's value depends on
 * another's, nor on their order.
 */
export function draftsOfFold(drafts: Drafts, vary: Vary, seed: string, fold: number): Drafts {
  const changed: Record<string, EntityDraft> = { ...drafts };
  for (const path of Object.keys(vary).sort(compareText)) {
    const { entity, field } = split(path);
    const draft = changed[entity];
    const values = valuesOf(vary[path] as Choice);
    if (draft === undefined || values.length === 0) continue;
    const value = values[draw(`${seed}|${fold}|${path}`, values.length)] as EntityDraft["fields"][string];
    changed[entity] =
      field === "at"
        ? { ...draft, at: value as string | null }
        : { ...draft, fields: { ...draft.fields, [field]: value } };
  }
  return changed;
}

/** What is wrong with the paths and values that vary; whether a value fits its field, building the world tells. */
export function checkVary(drafts: Drafts, vary: Vary): readonly PathFault[] {
  return Object.entries(vary).flatMap(([path, choice]): readonly PathFault[] => {
    const at = ["folds", "vary", path];
    const { entity } = split(path);
    if (!Object.hasOwn(drafts, entity))
      return [faultAt(at, `there is no entity "${entity}"`, suggest(entity, Object.keys(drafts)), "key")];
    const many = valuesOf(choice).length;
    if (many >= 2 && many <= MOST_VALUES) return [];
    return [
      many > MOST_VALUES
        ? faultAt(at, `more than ${MOST_VALUES} values to draw from`, `at most ${MOST_VALUES}: a larger step`)
        : faultAt(at, `${many} values to draw from`, "two or more"),
    ];
  });
}

function split(path: string): { readonly entity: string; readonly field: string } {
  const dot = path.indexOf(".");
  return dot < 0 ? { entity: path, field: "" } : { entity: path.slice(0, dot), field: path.slice(dot + 1) };
}

function valuesOf(choice: Choice): readonly (boolean | number | string | null)[] {
  if ("among" in choice) return choice.among;
  const { from, to, step } = choice;
  const many = Math.floor((to - from) / step + 1e-9) + 1;
  if (!Number.isFinite(many) || many < 1) return [];
  // Counted and not summed up, so that decimals do not drift.
  return Array.from({ length: Math.min(many, MOST_VALUES + 1) }, (_, i) => Number((from + i * step).toFixed(12)));
}

/** A number below `size` from the first 48 bits of a digest. */
function draw(text: string, size: number): number {
  return Number.parseInt(sha256(text).slice(0, 12), 16) % size;
}
