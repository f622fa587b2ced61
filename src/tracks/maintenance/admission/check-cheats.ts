/** Check 4: cheats made from the reference earn nothing that they do not deserve. */
import { isScored, type EventItem, type HeldEvent, type ItemId, type Trace } from "../../../contracts/index.ts";
import { getEntity, type AcceptedTrigger, type World } from "../../../runtime/index.ts";
import type { Base } from "./base.ts";
import { freeze } from "./cheats/freeze.ts";
import { mega, spam } from "./cheats/merged.ts";
import { idleArguments, setters } from "./cheats/setters.ts";
import type { Outcome } from "./judge.ts";
import type { Problem } from "./problem.ts";
import { judgeReplayed, replay } from "./replay.ts";
import type { Script } from "./script.ts";

export const CHEATS = ["setters", "freeze", "idle arguments", "mega", "spam"] as const;
export type Cheat = (typeof CHEATS)[number];

/** The script of a cheat. Only where the tier leaves capabilities to the agent. */
export function cheatOf(base: Base, cheat: Cheat): Script {
  switch (cheat) {
    case "setters":
      return setters(base.bench.case, base.script);
    case "freeze":
      return freeze(base);
    case "idle arguments":
      return idleArguments(base.bench.case, base.script);
    case "mega":
      return mega(base);
    case "spam":
      return spam(base);
  }
}

export function checkCheats(base: Base): readonly Problem[] {
  return CHEATS.flatMap((cheat) => {
    const replayed = replay(base, cheatOf(base, cheat));
    const outcome = judgeReplayed(base, replayed);
    const messages = faultsOf(cheat, base, replayed.trace, outcome);
    return messages.map(({ item, message }): Problem => ({
      check: 4,
      tier: base.tier,
      ...(item === undefined ? {} : { item }),
      message: `${cheat}: ${message}`,
    }));
  });
}

interface CheatFault {
  readonly item?: ItemId;
  readonly message: string;
}

function faultsOf(cheat: Cheat, base: Base, trace: Trace, outcome: Outcome): readonly CheatFault[] {
  switch (cheat) {
    case "setters":
    case "freeze":
      return capabilities(base)
        .filter((id) => !outcome.failed.has(id))
        .map((item) => ({ item, message: "it passes" }));
    case "idle arguments":
      return base.bench.case.contract.rounds
        .flatMap(({ events }) => events)
        .flatMap((event) => undeserved(event, outcome.held.get(event.id), trace));
    case "mega":
    case "spam":
      return (["completion", "relation"] as const).flatMap((score) => {
        const [own, reference] = [outcome.score[score], base.outcome.score[score]];
        return own.passed < reference.passed
          ? []
          : [
              {
                message: `${score} ${own.passed}/${own.scored} is not below the reference's ${reference.passed}/${reference.scored}`,
              },
            ];
      });
  }
}

function capabilities({ bench, tier }: Base): readonly ItemId[] {
  return bench.case.contract.rounds.flatMap(({ structures }) =>
    structures
      .filter(({ level }) => level === "capability" && isScored({ kind: "A", level }, tier))
      .map(({ id }) => id),
  );
}

/** The entities of an event that holds though nothing its triggers wrote or looked at is theirs. */
function undeserved(event: EventItem, held: HeldEvent | undefined, trace: Trace): readonly CheatFault[] {
  if (held === undefined) return [];
  const bound = held.triggers.flatMap((id) => trace.triggers.get(id) ?? []);
  const idle = event.involves.filter(
    (entity) => !bound.some(({ trigger, step }) => touches(trigger, entity, step.before)),
  );
  return idle.map((entity) => ({
    item: event.id as string as ItemId,
    message: `it holds, and ${entity} was only an argument`,
  }));
}

function touches({ writes, reads }: AcceptedTrigger, entity: string, before: World): boolean {
  const type = getEntity(before.entities, entity)?.type ?? "";
  return (
    writes.some((write) => write.path.split(".")[0] === entity || JSON.stringify(write).includes(`"${entity}"`)) ||
    reads.some((read) => read.startsWith(`${entity}.`) || read.startsWith(`${type}.*`) || holds(before, read, entity))
  );
}

function holds(world: World, path: string, entity: string): boolean {
  const [id = "", field = ""] = path.split(".");
  const holder = getEntity(world.entities, id);
  const value = field === "at" ? holder?.at : holder?.fields[field];
  return value === entity || (Array.isArray(value) && value.includes(entity));
}
