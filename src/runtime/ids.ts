import * as z from "zod";
import { LIMITS } from "./limits.ts";
import { shorten } from "./show.ts";

/** The shape of every id of a world: entities, types, fields, places, capabilities, parameters. */
export const ID_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;

/** Fields every entity has; no field of a type may bear their names, nor may any id. */
export const BUILT_IN_FIELDS = ["id", "type", "name", "at", "fields"] as const;

/** Names that would be dangerous as keys, that name built-in fields, or that no expression can spell. */
const REFUSED_IDS: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
  ...BUILT_IN_FIELDS,
  ..."true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
]);

/** Words of the expression language: an entity, place or parameter of that name could never be mentioned. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  ..."clock it type map list string int uint double bool bytes dyn has matches".split(" "),
  ..."all entity count linked inside alongside min max abs clamp exists filter".split(" "),
]);

/** Says why `id` cannot be an id, or undefined when it can. */
export function faultOfId(id: string): string | undefined {
  if (REFUSED_IDS.has(id)) return `"${id}" is reserved`;
  if (!ID_PATTERN.test(id)) {
    return `${JSON.stringify(shorten(id, 41))} is no id: lower-case letters, digits and _, at most ${LIMITS.idCharacters}, beginning with a letter`;
  }
  return undefined;
}

/** Says why `id` cannot name something expressions mention (an entity, a place, a parameter). */
export function faultOfName(id: string): string | undefined {
  return faultOfId(id) ?? (RESERVED_WORDS.has(id) ? `"${id}" is a word of the expression language` : undefined);
}

function idSchema(fault: (id: string) => string | undefined) {
  return z.string().superRefine((id, ctx) => {
    const message = fault(id);
    if (message !== undefined) ctx.addIssue({ code: "custom", message, params: { code: "forbidden_id" } });
  });
}

/** An id of a type, a field or a capability. */
export const idOf = idSchema(faultOfId);
/** An id of something that expressions mention by name: an entity, a place, a parameter. */
export const nameOf = idSchema(faultOfName);

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The id of an accepted trigger, `t<step>_<position>`: `t12_1` is the first trigger of step 12. */
export type TriggerId = Branded<"TriggerId">;

/** Makes the id of trigger number `position` (from 1) of accepted step `step` (from 1). */
export function triggerId(step: number, position: number): TriggerId {
  return `t${step}_${position}` as TriggerId;
}

/** Parses a trigger id; undefined where the text has not its shape. */
export function parseTriggerId(text: string): { readonly step: number; readonly position: number } | undefined {
  const match = /^t([1-9][0-9]{0,8})_([1-9][0-9]?)$/.exec(text);
  return match ? { step: Number(match[1]), position: Number(match[2]) } : undefined;
}

/** Own-property lookup that cannot reach a prototype, whatever the key. */
export function lookUp<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
