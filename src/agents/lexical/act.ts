/** Submits a use of a capability, and mends what is simplest to mend where it is refused: somebody is elsewhere. */
import type { Arg, CapabilityDraft, ToolAnswer } from "../../runtime/index.ts";
import { ask, placeOf, type Known, type Play, type Purse } from "./ask.ts";
import type { Use } from "./match.ts";

/** Submits a use; where it is refused, brings together what must be together, and submits it once more. */
export async function* act(use: Use, known: Known, purse: Purse): Play<boolean> {
  if (yield* submit(use, known, purse)) return true;
  let mended = false;
  for (const { what, where } of meetingsOf(use, known)) {
    if (known.places.has(where) || known.at.get(what) === where) continue;
    mended = (yield* bringTo(what, where, known, purse)) || mended;
  }
  // Fetching leads the one who acts away from where the others are, so walking together comes after it.
  for (const { what, where } of meetingsOf(use, known)) {
    if (known.places.has(where)) mended = (yield* goTo(what, where, known, purse)) || mended;
  }
  return mended && (yield* submit(use, known, purse));
}

async function* submit({ capability, args }: Use, known: Known, purse: Purse): Play<boolean> {
  const answer = yield* ask(purse, "commit_step", { triggers: [{ capability: capability.id, args }] });
  if (answer === undefined || !("changes" in answer)) return false;
  keepUp(known, answer);
  return true;
}

function keepUp(known: Known, { changes }: Extract<ToolAnswer, { readonly changes: unknown }>): void {
  for (const { path, after } of changes) {
    if (path.endsWith(".at") && (typeof after === "string" || after === null))
      known.at.set(path.slice(0, -".at".length), after);
  }
}

/** What must be where, by the requirements of a use: at a place, or with somebody. */
function meetingsOf(
  { capability, args }: Use,
  known: Known,
): readonly { readonly what: string; readonly where: string }[] {
  const movers = moversOf(known);
  const canWalk = (id: string): boolean =>
    movers.some(({ type }) => type === undefined || known.entities.get(id)?.type === type);
  const named = (name: string): string => String(args[name] ?? name);
  return capability.requires.flatMap(({ expr }) =>
    [...expr.matchAll(/\b(\w+)\.at == (\w+)(\.at)?(?![\w.])/g)].flatMap(([, left = "", right = "", both]) => {
      const [a, b] = [named(left), named(right)];
      if (both === undefined)
        return known.entities.has(a) && (known.places.has(b) ? canWalk(a) : known.entities.has(b))
          ? [{ what: a, where: b }]
          : [];
      const [what, other] = canWalk(a) ? [a, b] : [b, a];
      const where = placeOf(known, other);
      return canWalk(what) && where !== undefined ? [{ what, where }] : [];
    }),
  );
}

/** A capability that sets where one of its parameters is to another of them, and the names of both. */
interface Mover {
  readonly capability: CapabilityDraft;
  readonly moved: string;
  readonly to: string;
  /** The type of what is moved. */
  readonly type: string | undefined;
}

function settersOfAt(known: Known): readonly Mover[] {
  return known.capabilities.flatMap((capability) =>
    capability.effects.flatMap(({ set, expr }) => {
      const moved = /^(\w+)\.at$/.exec(set ?? "")?.[1];
      if (
        moved === undefined ||
        expr === undefined ||
        !Object.hasOwn(capability.params, moved) ||
        !Object.hasOwn(capability.params, expr)
      )
        return [];
      return [{ capability, moved, to: expr, type: capability.params[moved]?.type }];
    }),
  );
}

/** Ways to go to a place, the plainest first. */
function moversOf(known: Known): readonly Mover[] {
  const movers = settersOfAt(known).filter(({ capability, to }) => capability.params[to]?.kind === "place");
  return movers.sort((a, b) => Object.keys(a.capability.params).length - Object.keys(b.capability.params).length);
}

/** Walks an entity along linked places. Whether it got there, having gone. */
async function* goTo(who: string, goal: string, known: Known, purse: Purse): Play<boolean> {
  let gone = false;
  for (const place of wayTo(placeOf(known, who), goal, known)) {
    let moved = false;
    for (const { capability, moved: param, to } of moversOf(known)) {
      const args = fillAlone(capability, { [param]: who, [to]: place }, known);
      if (args !== undefined) moved = yield* submit({ capability, args }, known, purse);
      if (moved) break;
    }
    if (!moved) return false;
    gone = true;
  }
  return gone;
}

/** Has a thing come to be with somebody: they go where it is, and whatever sets its place to them is tried. */
async function* bringTo(what: string, holder: string, known: Known, purse: Purse): Play<boolean> {
  const place = placeOf(known, what);
  if (place === undefined) return false;
  yield* goTo(holder, place, known, purse);
  const from = known.at.get(what) ?? "";
  for (const { capability, moved, to } of settersOfAt(known)) {
    if (!fits(what, capability.params[moved], known) || !fits(holder, capability.params[to], known)) continue;
    const args = fillAlone(capability, { [moved]: what, [to]: holder }, known, from);
    if (args !== undefined && (yield* submit({ capability, args }, known, purse))) return true;
  }
  return false;
}

/** Fills what is left open with the one entity that fits: `hint`, or the only one of its type. */
function fillAlone(
  capability: CapabilityDraft,
  given: Readonly<Record<string, Arg>>,
  known: Known,
  hint = "",
): Use["args"] | undefined {
  const args: Record<string, Arg> = { ...given };
  for (const [name, param] of Object.entries(capability.params)) {
    if (Object.hasOwn(args, name)) {
      if (!fits(String(args[name]), param, known) && param.kind === undefined) return undefined;
      continue;
    }
    if (param.kind !== undefined) return undefined;
    const all = [...known.entities.keys()].filter((id) => fits(id, param, known) && !Object.values(args).includes(id));
    const only = all.includes(hint) ? hint : all.length === 1 ? all[0] : undefined;
    if (only === undefined) return undefined;
    args[name] = only;
  }
  return args;
}

function fits(id: string, param: CapabilityDraft["params"][string] | undefined, known: Known): boolean {
  const entity = known.entities.get(id);
  return (
    entity !== undefined &&
    param !== undefined &&
    param.kind === undefined &&
    (param.type === undefined || param.type === entity.type)
  );
}

/** The places of a shortest way, the start left out; empty where there is none or one is there already. */
function wayTo(start: string | undefined, goal: string, known: Known): readonly string[] {
  if (start === undefined || start === goal) return [];
  const cameFrom = new Map<string, string>([[start, start]]);
  for (const place of cameFrom.keys()) {
    for (const next of known.neighbours.get(place) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, place);
  }
  if (!cameFrom.has(goal)) return [];
  const way: string[] = [];
  for (let place = goal; place !== start; place = cameFrom.get(place) as string) way.unshift(place);
  return way;
}
