import { entityIds, lookUp, suggest } from "../runtime/index.ts";
import { checkChangelog } from "./check-changelog.ts";
import { checkEvents, checkItemIds } from "./check-events.ts";
import { checkProbes } from "./check-probes.ts";
import { checkReferencePlay } from "./check-reference-play.ts";
import { checkCrossing, checkOrder, checkRelationNames } from "./check-relations.ts";
import { checkStructures } from "./check-structures.ts";
import { checkTold } from "./check-told.ts";
import { faultAt, quote, type Fault, type PathFault } from "./fault.ts";
import type { CaseParts } from "./parts.ts";
import { placeFaults } from "./source.ts";

const ROUND_CHECKS = [
  checkEvents,
  checkStructures,
  checkProbes,
  checkRelationNames,
  checkReferencePlay,
  checkTold,
] as const;

/** Everything that one part of a case says of another: names, paths, values, conditions, quotations, order. */
export function checkReferences(parts: CaseParts): readonly Fault[] {
  const ids = checkItemIds(parts);
  const across = [...checkCrossing(parts), ...checkOrder(parts)];
  const ofRounds = parts.rounds.flatMap((round) => {
    const faults: readonly PathFault[] = [
      ...(ids.get(round) ?? []),
      ...ROUND_CHECKS.flatMap((check) => check(parts, round)),
      ...across.filter((fault) => fault.round === round.file.round),
    ];
    return placeFaults(round.source, faults);
  });
  const ofCase = [...checkUnused(parts), ...checkChangelog(parts)];
  return [...(parts.caseFile ? placeFaults(parts.caseFile.source, ofCase) : []), ...ofRounds];
}

/** `unused` names types, entities, capabilities, places and fields there are. */
function checkUnused({ caseFile, world, capabilities }: CaseParts): readonly PathFault[] {
  if (caseFile === undefined || world === undefined) return [];
  const known = [
    ...Object.keys(world.types),
    ...entityIds(world.entities),
    ...Object.keys(capabilities ?? {}),
    ...Object.keys(world.map.places),
  ];
  return Object.keys(caseFile.file.unused).flatMap((name) => {
    const [type = "", field] = name.split(".");
    if (field === undefined ? known.includes(name) : Object.hasOwn(lookUp(world.types, type)?.fields ?? {}, field))
      return [];
    const hint = suggest(
      name,
      field === undefined ? known : Object.keys(lookUp(world.types, type)?.fields ?? {}).map((one) => `${type}.${one}`),
    );
    return [
      faultAt(
        ["unused", name],
        `there is no type, entity, capability, place or type.field ${quote(name)}`,
        hint,
        "key",
      ),
    ];
  });
}
