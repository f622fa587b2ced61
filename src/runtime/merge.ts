import { compareText, sameJson } from "./canonical.ts";
import type { Operation } from "./effects.ts";
import { toolError, type ToolError } from "./errors.ts";
import type { FieldValue } from "./field.ts";
import { sumExactly } from "./number.ts";
import { getEntity, valueOf } from "./state/index.ts";
import { show } from "./value-check.ts";
import type { EntityDraft, World } from "./world.ts";

/** What all triggers of a step together do to one field. */
export interface MergedField {
  readonly id: string;
  readonly field: string;
  readonly before: FieldValue;
  readonly after: FieldValue;
  /** Positions of the triggers that write it, from 0. */
  readonly by: readonly number[];
}

export interface Merged {
  readonly fields: readonly MergedField[];
  readonly creates: readonly { readonly draft: EntityDraft; readonly by: number }[];
  readonly destroys: readonly { readonly id: string; readonly by: readonly number[] }[];
}

/** A conflict or a fault of the merged effects, with the triggers it concerns. */
export interface MergeFault {
  readonly triggers: readonly number[];
  readonly error: ToolError;
}

interface Cell {
  readonly id: string;
  readonly field: string;
  readonly sets: { readonly trigger: number; readonly value: FieldValue }[];
  readonly adds: { readonly trigger: number; readonly by: number }[];
  readonly inserts: { readonly trigger: number; readonly member: string }[];
  readonly removes: { readonly trigger: number; readonly member: string }[];
  readonly claims: number[];
}

/**
 * Merges the operations of all triggers of a step, within a trigger as between triggers: equal `set`s agree, `add`s
 * sum, members are put in and taken out; whatever else meets on one path is a conflict. The order of the triggers
 * never shows but in the positions that faults name.
 */
export function mergeOperations(
  world: World,
  byTrigger: readonly (readonly Operation[])[],
): { readonly merged: Merged; readonly faults: readonly MergeFault[] } {
  const cells = new Map<string, Cell>();
  const creates = new Map<string, { draft: EntityDraft; by: number[] }>();
  const destroys = new Map<string, number[]>();
  byTrigger.forEach((operations, trigger) => {
    for (const operation of operations) {
      if (operation.kind === "create") {
        const known = creates.get(operation.id);
        if (known) known.by.push(trigger);
        else creates.set(operation.id, { draft: operation.draft, by: [trigger] });
      } else if (operation.kind === "destroy") {
        destroys.set(operation.id, [...(destroys.get(operation.id) ?? []), trigger]);
      } else {
        gather(cellOf(cells, operation.id, operation.field), operation, trigger);
      }
    }
  });
  const faults: MergeFault[] = [];
  const fields: MergedField[] = [];
  for (const cell of sortedByKey(cells)) {
    const conflict = conflictOf(cell) ?? destroyedConflict(cell, destroys);
    if (conflict !== undefined) faults.push(conflict);
    else if (hasWrites(cell)) fields.push(mergeCell(world, cell));
  }
  for (const { draft, by } of sortedByKey(creates)) {
    if (by.length > 1) faults.push(conflictAt(by, draft.id, "it is created twice"));
  }
  for (const id of [...destroys.keys()].sort(compareText)) {
    const by = destroys.get(id) as number[];
    if (creates.has(id))
      faults.push(conflictAt([...by, ...(creates.get(id)?.by ?? [])], id, "it is created and destroyed"));
  }
  return {
    merged: {
      fields,
      creates: sortedByKey(creates).map(({ draft, by }) => ({ draft, by: by[0] as number })),
      destroys: [...destroys.keys()].sort(compareText).map((id) => ({ id, by: destroys.get(id) as number[] })),
    },
    faults,
  };
}

function sortedByKey<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map.keys()].sort(compareText).map((key) => map.get(key) as T);
}

function cellOf(cells: Map<string, Cell>, id: string, field: string): Cell {
  const path = `${id}.${field}`;
  let cell = cells.get(path);
  if (cell === undefined)
    cells.set(path, (cell = { id, field, sets: [], adds: [], inserts: [], removes: [], claims: [] }));
  return cell;
}

function gather(cell: Cell, operation: Exclude<Operation, { kind: "create" | "destroy" }>, trigger: number): void {
  switch (operation.kind) {
    case "set":
      cell.sets.push({ trigger, value: operation.value });
      break;
    case "add":
      cell.adds.push({ trigger, by: operation.by });
      break;
    case "insert":
      cell.inserts.push({ trigger, member: operation.member });
      break;
    case "remove":
      cell.removes.push({ trigger, member: operation.member });
      break;
    case "claim":
      cell.claims.push(trigger);
  }
}

function writersOf(cell: Cell): readonly number[] {
  const all = [...cell.sets, ...cell.adds, ...cell.inserts, ...cell.removes].map((one) => one.trigger);
  return [...new Set(all)].sort((a, b) => a - b);
}

function hasWrites(cell: Cell): boolean {
  return cell.sets.length + cell.adds.length + cell.inserts.length + cell.removes.length > 0;
}

function conflictAt(triggers: readonly number[], path: string, what: string): MergeFault {
  return {
    triggers: [...new Set(triggers)].sort((a, b) => a - b),
    error: toolError("conflict", `conflict on ${path}: ${what}`, {
      hint: "all triggers of a step happen at once: what follows something goes into a later step",
    }),
  };
}

function conflictOf(cell: Cell): MergeFault | undefined {
  const path = `${cell.id}.${cell.field}`;
  const [first] = cell.sets;
  if (first !== undefined) {
    const other = cell.sets.find((one) => !sameJson(one.value, first.value));
    if (other !== undefined) {
      const values = [...new Set(cell.sets.map((one) => show(one.value)))].sort();
      return conflictAt(
        cell.sets.map((one) => one.trigger),
        path,
        `it is set to ${values.join(" and to ")}`,
      );
    }
    if (cell.adds.length > 0) return conflictAt(writersOf(cell), path, "it is set and added to");
    if (cell.inserts.length + cell.removes.length > 0)
      return conflictAt(writersOf(cell), path, "it is set and its members change");
  }
  const removed = new Set(cell.removes.map((one) => one.member));
  const both = cell.inserts.find((one) => removed.has(one.member));
  if (both !== undefined) return conflictAt(writersOf(cell), path, `${both.member} is put in and taken out`);
  const claimers = [...new Set(cell.claims)];
  const claimed = claimers.length > 0 ? [...new Set([...claimers, ...writersOf(cell)])] : [];
  if (claimed.length > 1) return conflictAt(claimed, path, "one trigger claims it and another claims or writes it");
  return undefined;
}

function destroyedConflict(cell: Cell, destroys: ReadonlyMap<string, readonly number[]>): MergeFault | undefined {
  const by = destroys.get(cell.id);
  // a claim is no change: a trigger may claim what it destroys, where no other has to do with it
  if (by === undefined || (!hasWrites(cell) && new Set([...by, ...cell.claims]).size === 1)) return undefined;
  return conflictAt([...by, ...writersOf(cell), ...cell.claims], `${cell.id}.${cell.field}`, `${cell.id} is destroyed`);
}

function mergeCell(world: World, cell: Cell): MergedField {
  const entity = getEntity(world.entities, cell.id);
  const before = (entity === undefined ? null : valueOf(entity, cell.field)) ?? null;
  return { id: cell.id, field: cell.field, before, after: mergedValue(cell, before), by: writersOf(cell) };
}

function mergedValue(cell: Cell, before: FieldValue): FieldValue {
  const [set] = cell.sets;
  if (set !== undefined) return set.value;
  if (cell.adds.length > 0)
    return sumExactly(
      before as number,
      cell.adds.map((one) => one.by),
    );
  const members = new Set(before as readonly string[]);
  for (const { member } of cell.inserts) members.add(member);
  for (const { member } of cell.removes) members.delete(member);
  return [...members].sort(compareText);
}
