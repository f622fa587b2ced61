import { entityIds, lookUp, suggest } from "../runtime/index.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import { faultsOfEventName, type CaseParts, type RoundPart } from "./parts.ts";
import { troubleOfArgument, troubleOfPath } from "./paths.ts";
import { splitPerturbation } from "./perturbation.ts";
import type { StructureDraft } from "./schema.ts";

/** Structures name events, a structure of the reference at their level, and perturbed states that can be. */
export function checkStructures(parts: CaseParts, { file }: RoundPart): readonly PathFault[] {
  return file.structures.flatMap((structure, i) => {
    const base: Path = ["structures", i];
    const { usedBy, availableBefore, refusedWhen, allowedWhen } = structure;
    return [
      ...faultsOfEventName(parts, file.round, usedBy, "this", [...base, "usedBy"]),
      ...(availableBefore === undefined
        ? []
        : faultsOfEventName(parts, file.round, availableBefore, "this or earlier", [...base, "availableBefore"])),
      ...faultsOfReference(parts, structure, base),
      ...faultsOfLevel(structure, base),
      ...refusedWhen.flatMap((draft, j) =>
        faultsOfPerturbed(parts, file.round, structure, draft, [...base, "refusedWhen", j]),
      ),
      ...allowedWhen.flatMap((draft, j) =>
        faultsOfPerturbed(parts, file.round, structure, draft, [...base, "allowedWhen", j]),
      ),
    ];
  });
}

function faultsOfReference(
  { world, capabilities }: CaseParts,
  { level, reference }: StructureDraft,
  base: Path,
): readonly PathFault[] {
  const known = {
    capability: capabilities && Object.keys(capabilities),
    entity: world && entityIds(world.entities),
    type: world && Object.keys(world.types),
  }[level];
  if (known === undefined || known.includes(reference)) return [];
  return [faultAt([...base, "reference"], `there is no ${level} ${quote(reference)}`, suggest(reference, known))];
}

/** A capability is what it refuses; types and entities are checked by their fields and use. */
function faultsOfLevel({ level, refusedWhen, allowedWhen }: StructureDraft, base: Path): readonly PathFault[] {
  const lists = { refusedWhen, allowedWhen };
  return Object.entries(lists).flatMap(([key, list]) => {
    if (level === "capability" && list.length === 0) {
      const hint =
        key === "refusedWhen"
          ? "a capability is what it refuses: state when it must"
          : "state a harmless difference under which it must still be allowed";
      return [faultAt(base, `${quote(key)} is missing`, hint)];
    }
    return level !== "capability" && list.length > 0
      ? [faultAt([...base, key], `only a structure of level capability has ${quote(key)}`, undefined, "key")]
      : [];
  });
}

function faultsOfPerturbed(
  parts: CaseParts,
  round: number,
  structure: StructureDraft,
  draft: StructureDraft["refusedWhen"][number],
  base: Path,
): readonly PathFault[] {
  const { world, capabilities } = parts;
  const { paths, since, args } = splitPerturbation(draft);
  const params = structure.level === "capability" ? lookUp(capabilities ?? {}, structure.reference)?.params : undefined;
  return [
    ...(since === undefined ? [] : faultsOfEventName(parts, round, since, "this or earlier", [...base, "since"])),
    ...Object.entries(paths).flatMap(([path, value]) => {
      const trouble = world && troubleOfPath(world, path, value);
      if (!trouble) return [];
      // A path that is not there is a fault of the key; a value it cannot hold, of the value.
      const at = world && troubleOfPath(world, path) ? "key" : "value";
      return [faultAt([...base, path], trouble.message, trouble.hint, at)];
    }),
    ...Object.entries(args ?? {}).flatMap(([name, value]) => {
      if (params === undefined) return [];
      const param = lookUp(params, name);
      if (!param)
        return [
          faultAt(
            [...base, "args", name],
            `capability ${quote(structure.reference)} has no parameter ${quote(name)}`,
            suggest(name, Object.keys(params)),
            "key",
          ),
        ];
      const trouble = world && troubleOfArgument(world, param, value);
      return trouble ? [faultAt([...base, "args", name], trouble.message, trouble.hint)] : [];
    }),
  ];
}
