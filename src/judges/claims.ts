/** The words an agent or author attached to things: names, sentences, notes. To a judge they are claims. */
import type { TraceStep } from "../contracts/index.ts";
import type { JsonObject } from "../endpoint/index.ts";
import { getEntity, type Capability, type EntityType, type World } from "../runtime/index.ts";

/** What entities are called. The last name counts: it may have been mended. */
export function nameClaims(ids: readonly string[], worlds: readonly World[]): readonly JsonObject[] {
  return ids.flatMap((id) => {
    const name = worlds.map(({ entities }) => getEntity(entities, id)?.name).findLast((one) => one !== undefined);
    return name === undefined || name === "" || name === id ? [] : [{ entity: id, name }];
  });
}

export function capabilityClaims(capabilities: readonly Capability[]): readonly JsonObject[] {
  return capabilities.flatMap(({ id, version, says, params, requires, effects }): readonly JsonObject[] => {
    const words = {
      ...(says === "" ? {} : { says }),
      ...saysOf("params", params),
      ...listOf(
        "requires",
        requires.map((one) => one.says),
      ),
      ...listOf(
        "names_what_it_creates",
        effects.map((one) => one.name),
      ),
    };
    return Object.keys(words).length === 0 ? [] : [{ capability: id, version, ...words }];
  });
}

export function typeClaims(types: readonly EntityType[]): readonly JsonObject[] {
  return types.flatMap(({ id, says, fields }): readonly JsonObject[] => {
    const words = { ...(says === "" ? {} : { says }), ...saysOf("fields", fields) };
    return Object.keys(words).length === 0 ? [] : [{ type: id, ...words }];
  });
}

/** The notes of triggers. */
export function noteClaims(steps: readonly TraceStep[]): readonly JsonObject[] {
  return steps.flatMap(({ record }) =>
    record.triggers.flatMap(({ id, note }): readonly JsonObject[] =>
      note === undefined || note === "" ? [] : [{ trigger: id, note }],
    ),
  );
}

function saysOf(key: string, parts: Readonly<Record<string, { readonly says?: string | undefined }>>): JsonObject {
  const said = Object.entries(parts).flatMap(([name, { says }]) =>
    says === undefined || says === "" ? [] : [[name, says] as const],
  );
  return said.length === 0 ? {} : { [key]: Object.fromEntries(said) };
}

function listOf(key: string, words: readonly (string | undefined)[]): JsonObject {
  const said = words.filter((one) => one !== undefined && one !== "") as string[];
  return said.length === 0 ? {} : { [key]: said };
}
