/** Check 4: cheats made from the reference earn nothing that they do not deserve. */
import { isScored, type EventItem, type HeldEvent, type ItemId, type Trace } from "../../../contracts/index.ts";
import { getEntity, type AcceptedTrigger, type World } from "../../../runtime/index.ts";
import type { Base } from "./base.ts";
import { CHEATS, type Cheat } from "./cheats/cheat.ts";
import { freeze } from "./cheats/freeze.ts";
import { mega, spam } from "./cheats/merged.ts";
import { idleArguments, setters } from "./cheats/setters.ts";
import { scoreOf, type Outcome } from "./judge.ts";
import type { Problem } from "./problem.ts";
import { judgeReplayed, replay, scoreReplayed } from "./replay.ts";
import type { Script } from "./script.ts";

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

/** What a cheat scored: passed items, of as many as the reference passes. */
export interface CheatScore {
  readonly cheat: Cheat;
  readonly completion: { readonly passed: number; readonly of: number };
  readonly relation: { readonly passed: number; readonly of: number };
}

export interface CheatChecked {
  readonly score: CheatScore;
  readonly problems: readonly Problem[];
}

export function* checkCheats(base: Base): Generator<CheatChecked> {
  const reference = scoreOf(base.bench, base.tier, base.trace, base.verdicts);
  for (const cheat of CHEATS) {
    const replayed = replay(base, cheatOf(base, cheat), { asAgent: true });
    const own = scoreReplayed(base, replayed);
    const score: CheatScore = {
      cheat,
      completion: { passed: own.completion.passed, of: reference.completion.passed },
      relation: { passed: own.relation.passed, of: reference.relation.passed },
    };
    const messages = faultsOf(score, base, replayed.trace, judgeReplayed(base, replayed));
    yield {
      score,
      problems: messages.map(({ item, message }) => ({
        check: 4,
        tier: base.tier,
        ...(item === undefined ? {} : { item }),
        message: `${cheat}: ${message}`,
      })),
    };
  }
}

interface CheatFault {
  readonly item?: ItemId;
  readonly message: string;
}

function faultsOf(score: CheatScore, base: Base, trace: Trace, outcome: Outcome): readonly CheatFault[] {
  switch (score.cheat) {
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
      return (["completion", "relation"] as const).flatMap((which) => {
        const { passed, of } = score[which];
        return passed < of ? [] : [{ message: `${which} ${passed} is not below the reference's ${of}` }];
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
