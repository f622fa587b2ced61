import { getEntity, type EntityTable } from "./table.ts";

const deepestOf = new WeakMap<EntityTable, number>();

/** How many holders the most deeply contained entity has above it; found once for each arrangement of holders. */
export function deepestContainment(table: EntityTable): number {
  const known = deepestOf.get(table);
  if (known !== undefined) return known;
  const depths = new Map<string, number>();
  let deepest = 0;
  for (const id of table.ids.all()) {
    const way: string[] = [];
    for (
      let at: string | null | undefined = id;
      typeof at === "string" && !depths.has(at);
      at = getEntity(table, at)?.at
    ) {
      depths.set(at, 0);
      way.push(at);
    }
    for (const one of way.reverse()) {
      const at = getEntity(table, one)?.at ?? null;
      const depth = at === null ? 0 : 1 + (depths.get(at) ?? 0);
      depths.set(one, depth);
      deepest = Math.max(deepest, depth);
    }
  }
  deepestOf.set(table, deepest);
  return deepest;
}

/** No entity has more holders above it, its place among them. Costs nothing, where the deepest must be looked for. */
export function containmentBound(table: EntityTable): number {
  return table.held + 1;
}
