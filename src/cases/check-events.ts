import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import type { CaseParts, RoundPart } from "./parts.ts";
import { troubleOfCondition, troubleOfEntity, troubleOfPath, type Trouble } from "./paths.ts";

/** Entities, paths, values and conditions of the round's events exist in the world. */
export function checkEvents({ world }: CaseParts, { file }: RoundPart): readonly PathFault[] {
  const at = (path: Path, trouble: Trouble | undefined): readonly PathFault[] =>
    trouble ? [faultAt(path, trouble.message, trouble.hint)] : [];
  return file.events.flatMap((event, i) => {
    const base: Path = ["events", i];
    const twice = [
      ...repeated(event.involves).map((j) =>
        faultAt([...base, "involves", j], `${quote(event.involves[j])} stands twice`),
      ),
      ...repeated(event.defining).map((j) =>
        faultAt([...base, "defining", j], `${quote(event.defining[j])} stands twice`),
      ),
    ];
    if (world === undefined) return twice;
    const accepts = event.accepts.flatMap(({ defining, given }, j) => [
      ...Object.entries(defining).flatMap(([path, value]) =>
        at([...base, "accepts", j, "defining", path], troubleOfPath(world, path, value)),
      ),
      ...(given === undefined ? [] : at([...base, "accepts", j, "given"], troubleOfCondition(world, given))),
    ]);
    return [
      ...twice,
      ...event.involves.flatMap((id, j) => at([...base, "involves", j], troubleOfEntity(world, id))),
      ...event.defining.flatMap((path, j) => at([...base, "defining", j], troubleOfPath(world, path))),
      ...(event.given === undefined ? [] : at([...base, "given"], troubleOfCondition(world, event.given))),
      ...accepts,
    ];
  });
}

/** The positions of what stands in the list before. */
function repeated(list: readonly string[]): readonly number[] {
  return list.flatMap((one, i) => (list.indexOf(one) < i ? [i] : []));
}

/** Events, structures, probes and relations share one name space over the whole case. */
export function checkItemIds(parts: CaseParts): ReadonlyMap<RoundPart, readonly PathFault[]> {
  const taken = new Map<string, string>();
  // The ids that relations get are fixed, so they are taken before any that an author chose.
  for (const { file, relations } of parts.rounds) {
    for (const { item } of relations) taken.set(item.id, `a relation of round ${file.round}`);
  }
  return new Map(
    parts.rounds.map((round): [RoundPart, readonly PathFault[]] => {
      const { file } = round;
      const lists = { events: "an event", structures: "a structure", probes: "a probe" } as const;
      const faults = (Object.keys(lists) as (keyof typeof lists)[]).flatMap((list) =>
        file[list].flatMap(({ id }, i) => {
          const owner = taken.get(id);
          if (owner !== undefined)
            return [faultAt([list, i, "id"], `the id ${quote(id)} is taken by ${owner}`, "ids are unique in a case")];
          taken.set(id, `${lists[list]} of round ${file.round}`);
          return [];
        }),
      );
      return [round, faults];
    }),
  );
}
