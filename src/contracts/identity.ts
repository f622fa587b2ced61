/**
 * Who is who in a world whose ids are the agent's own: which of its entities the contract's names stand for. One map for
 * the whole run, so that a second Odile does not escape what happened to the first.
 */
import { entityIds, getEntity } from "../runtime/index.ts";
import type { CaseContract } from "./contract.ts";
import type { Identity } from "./judgment.ts";
import type { Trace } from "./trace.ts";

/** What an entity that the contract names is in the world of a run. */
export type Who =
  | { readonly kind: "is"; readonly id: string }
  /** It has none there, or none that the audit accepts. */
  | { readonly kind: "nobody"; readonly why: string }
  /** The judge did not decide; `noAnswer` where its endpoint never brought an answer. */
  | { readonly kind: "unsettled"; readonly why: string; readonly noAnswer: boolean };

/** By the contract's name. Undefined where the ids are as given (easy, hard, the reference): then each is itself. */
export type IdentityMap = ReadonlyMap<string, Who>;

export function whoIs(identity: IdentityMap | undefined, entity: string): Who {
  if (identity === undefined) return { kind: "is", id: entity };
  return identity.get(entity) ?? { kind: "nobody", why: `nobody was asked who ${entity} is in this world` };
}

/**
 * The entities of which it must be known who they are, in the order in which the contract first names them: those that
 * its events involve, and those that a structure is. Of the first `rounds` rounds; of all where it is left out.
 */
export function namedEntities(contract: CaseContract, rounds = contract.rounds.length): readonly string[] {
  return [
    ...new Set(
      contract.rounds
        .slice(0, rounds)
        .flatMap(({ events, structures }) => [
          ...events.flatMap(({ involves }) => involves),
          ...structures.flatMap(({ level, reference }) => (level === "entity" ? [reference] : [])),
        ]),
    ),
  ];
}

/**
 * The map that follows from one settled judgment an entity. Refused are an id that never was in the run's world, and an
 * id that is somebody else's already: the entity that the contract names first keeps it.
 */
export function settleIdentities(
  contract: CaseContract,
  judgments: ReadonlyMap<string, Identity>,
  trace: Trace,
): IdentityMap {
  const everThere = idsOf(trace);
  const owners = new Map<string, string>();
  const settled = new Map<string, Who>();
  for (const entity of namedEntities(contract)) {
    const judgment = judgments.get(entity);
    if (judgment === undefined) continue;
    const who = whoFrom(judgment, everThere, owners);
    if (who.kind === "is") owners.set(who.id, entity);
    settled.set(entity, who);
  }
  return settled;
}

function whoFrom(
  { entity, verdict, is, noAnswer }: Identity,
  everThere: ReadonlySet<string>,
  owners: ReadonlyMap<string, string>,
): Who {
  const none = `no entity of this world is ${entity}`;
  switch (verdict) {
    case "undecided":
      return {
        kind: "unsettled",
        why: `it is not settled which entity of this world is ${entity}`,
        noAnswer: noAnswer === true,
      };
    case "absent":
      return { kind: "nobody", why: none };
    case "found":
      break;
  }
  if (is === null) return { kind: "nobody", why: `${none}: it was said to be found, and no id was named` };
  if (!everThere.has(is)) return { kind: "nobody", why: `${none}: there never was ${is} in it` };
  const owner = owners.get(is);
  return owner === undefined ? { kind: "is", id: is } : { kind: "nobody", why: `${none}: ${is} is ${owner} already` };
}

/** The ids of all entities that were ever in the world of a run. */
function idsOf(trace: Trace): ReadonlySet<string> {
  const ids = new Set(entityIds(trace.initial.entities));
  for (const { record, after } of trace.entries) {
    const made =
      record.kind === "construction"
        ? record.item.level === "entity"
          ? [record.item.id]
          : []
        : record.triggers.flatMap(({ writes }) =>
            writes.flatMap((write) => (write.kind === "create" ? write.path : [])),
          );
    for (const id of made) if (getEntity(after.entities, id) !== undefined) ids.add(id);
  }
  return ids;
}
