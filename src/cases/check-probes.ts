import type { ForbiddenValue } from "../contracts/index.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import { faultsOfEventName, type CaseParts, type RoundPart } from "./parts.ts";
import { troubleOfCondition, troubleOfPattern, type Trouble } from "./paths.ts";

/** Probes open and close with events of their round, and forbid what the world can do. */
export function checkProbes(parts: CaseParts, { file }: RoundPart): readonly PathFault[] {
  const { world } = parts;
  const at = (path: Path, trouble: Trouble | undefined, place?: "key"): readonly PathFault[] =>
    trouble ? [faultAt(path, trouble.message, trouble.hint, place)] : [];
  return file.probes.flatMap((probe, i) => {
    const base: Path = ["probes", i];
    const { after, until, forbids } = probe;
    const faults = [
      ...faultsOfEventName(parts, file.round, after, "this", [...base, "after"]),
      ...(until === undefined ? [] : faultsOfEventName(parts, file.round, until, "this", [...base, "until"])),
      ...(until === after
        ? [
            faultAt(
              [...base, "until"],
              `its window opens and ends with ${quote(after)}`,
              "leave until out, or name a later event",
            ),
          ]
        : []),
    ];
    if (world === undefined) return faults;
    if ("holds" in forbids) faults.push(...at([...base, "forbids", "holds"], troubleOfCondition(world, forbids.holds)));
    else if (Object.keys(forbids.changes).length === 0)
      faults.push(faultAt([...base, "forbids", "changes"], "it forbids nothing"));
    else {
      for (const [pattern, value] of Object.entries(forbids.changes)) {
        const path: Path = [...base, "forbids", "changes", pattern];
        const missing = troubleOfPattern(world, pattern);
        faults.push(...at(path, missing ?? troubleOfPattern(world, pattern, valueIn(value)), missing && "key"));
      }
    }
    if (probe.while !== undefined) faults.push(...at([...base, "while"], troubleOfCondition(world, probe.while)));
    return faults;
  });
}

/** The value a forbidden value speaks of; none where it is any. */
function valueIn(value: ForbiddenValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("not" in value) return value.not;
  return "any" in value ? undefined : value;
}
