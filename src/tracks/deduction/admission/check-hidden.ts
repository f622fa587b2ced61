/** Check 9. Something that nobody is shown matters, and shows: a rule reads a hidden field and writes one that is seen. */
import type { Bench } from "./bench.ts";
import type { Checked } from "./problem.ts";
import { readsOf, writesOf, type TypedField } from "./reads.ts";
import { visibilityOf } from "../../../runtime/index.ts";

export interface HiddenFigures {
  /** Hidden fields, as type.field, with what is seen of them: `person.mood (grudges)`. */
  readonly shown: Readonly<Record<string, readonly string[]>>;
  /** Hidden fields that nothing seen turns on directly. */
  readonly unseen: readonly string[];
}

export function checkHidden({ dynamics, worlds }: Pick<Bench, "dynamics" | "worlds">): Checked<HiddenFigures> {
  const [world] = worlds;
  if (world === undefined) throw new Error("checkHidden: a case without folds");
  const isHidden = ({ type, field }: TypedField): boolean => visibilityOf(dynamics, type, field) === "hidden";
  const isShown = ({ type, field }: TypedField): boolean =>
    ["public", "local"].includes(visibilityOf(dynamics, type, field));
  const hidden = Object.entries(dynamics.visibility)
    .flatMap(([type, fields]) =>
      Object.entries(fields).flatMap(([field, seen]) => (seen === "hidden" ? [`${type}.${field}`] : [])),
    )
    .sort();
  const shown = new Map<string, Set<string>>();
  for (const process of dynamics.processes) {
    const reads = readsOf(world, process).filter(isHidden);
    const writes = writesOf(world, process).filter(isShown);
    for (const read of reads) {
      const there = shown.get(nameOf(read)) ?? new Set();
      for (const write of writes) there.add(`${nameOf(write)} (${process.id})`);
      if (there.size > 0) shown.set(nameOf(read), there);
    }
  }
  const figures: HiddenFigures = {
    shown: Object.fromEntries([...shown].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, to]) => [id, [...to].sort()])),
    unseen: hidden.filter((id) => !shown.has(id)),
  };
  if (shown.size > 0) return { figures, problems: [] };
  const message =
    hidden.length === 0
      ? "no field is hidden"
      : `none of its hidden fields (${hidden.join(", ")}) is read by a process that writes a field that is seen`;
  const hint = "let something that can be seen turn on something hidden, so that it can be inferred";
  return { figures, problems: [{ check: 9, where: "case", message, hint }] };
}

function nameOf({ type, field }: TypedField): string {
  return `${type}.${field}`;
}
