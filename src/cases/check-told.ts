import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import type { CaseParts, RoundPart } from "./parts.ts";
import { findMissing } from "./told.ts";

/**
 * Every `told` stands in the narrative: that of a relation in its own round's, that of a rule (a perturbation, a probe)
 * in its own round's or an earlier one's, since rules are stated once and needed later. A `refusedWhen` must have one.
 */
export function checkTold(parts: CaseParts, { file }: RoundPart): readonly PathFault[] {
  const own = [file.narrative];
  const upToNow = parts.rounds.filter((round) => round.file.round <= file.round).map((round) => round.file.narrative);
  // Where an earlier round could not be read, its words may be the ones.
  const rules = upToNow.length === file.round ? upToNow : undefined;
  return [
    ...file.relations.flatMap(({ told }, i) => faultsOfTold(own, told, ["relations", i, "told"])),
    ...file.probes.flatMap(({ told }, i) => faultsOfTold(rules, told, ["probes", i, "told"])),
    ...file.structures.flatMap(({ refusedWhen, allowedWhen }, i) => [
      ...refusedWhen.flatMap(({ told }, j) => {
        const path: Path = ["structures", i, "refusedWhen", j];
        if (told === undefined)
          return [faultAt(path, '"told" is missing', "quote the words of the narrative that state the rule")];
        return faultsOfTold(rules, told, [...path, "told"]);
      }),
      ...allowedWhen.flatMap(({ told }, j) => faultsOfTold(rules, told, ["structures", i, "allowedWhen", j, "told"])),
    ]),
  ];
}

function faultsOfTold(
  narratives: readonly string[] | undefined,
  told: string | undefined,
  path: Path,
): readonly PathFault[] {
  if (told === undefined || narratives === undefined) return [];
  const missing = narratives.map((narrative) => findMissing(narrative, told));
  if (missing.includes(undefined)) return [];
  const near = missing.reduce(
    (best, one) => ((one?.found.length ?? 0) > (best?.found.length ?? 0) ? one : best),
    missing.at(-1),
  );
  const hint = near?.isEarlier
    ? "it does, but before the words that should come first"
    : near?.found
      ? `${quote(near.found)} is there, what follows is not`
      : undefined;
  return [faultAt(path, `the narrative does not say ${quote(near?.piece)}`, hint)];
}
