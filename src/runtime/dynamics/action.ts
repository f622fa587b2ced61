/** What the controlled character can do, and what it does to the world. */
import { compareText, canonicalJson } from "../canonical.ts";
import type { Arg, Args, Capability, Param } from "../capability.ts";
import { isDuration } from "../duration.ts";
import { operationsOf } from "../effects.ts";
import { refuse, succeed, type Result } from "../errors.ts";
import { evaluate, type Environment } from "../expression/index.ts";
import { resolveTrigger } from "../resolve.ts";
import { entityIds, entityIdsOfType } from "../state/index.ts";
import { show } from "../value-check.ts";
import type { World } from "../world.ts";
import { WAIT, WAIT_ID, type ActionUse, type Dynamics, type DynamicsFault } from "./dynamics.ts";
import { mergeNaturally } from "./merge-naturally.ts";
import { observe } from "./observe.ts";

/** An action that is possible here, and how many ticks it lasts. */
export interface LegalAction {
  readonly use: ActionUse;
  readonly duration: number;
}

/**
 * Whether the character can do this here. Judged by what the character sees alone: a requirement that turns on what is
 * not seen is not met, and no refusal tells what the character cannot know.
 */
export function checkAction(dynamics: Dynamics, world: World, use: ActionUse): Result<LegalAction> {
  return checkSeen(observe(dynamics, world), use);
}

function checkSeen(seen: World, use: ActionUse): Result<LegalAction> {
  if (use.action === WAIT_ID) {
    const [given] = Object.keys(use.args).sort(compareText);
    if (given === undefined) return succeed({ use: WAIT, duration: 1 });
    return refuse("unknown_parameter", `${WAIT_ID} takes no arguments`, {
      path: `args.${given}`,
      hint: "leave args out",
    });
  }
  const resolved = resolveTrigger(seen, { capability: use.action, args: use.args });
  if (!resolved.ok) return resolved;
  const { compiled, capability, args } = resolved.value;
  const env: Environment = { world: seen, variables: args };
  for (const [i, expression] of compiled.requires.entries()) {
    const met = evaluate(expression, env);
    if (met.ok && met.value === true) continue;
    const says = capability.requires[i]?.says ?? "";
    const words = says === "" ? "" : ` (${says})`;
    const why = met.ok ? "is false" : `cannot be told from what is seen: ${met.reason}`;
    return refuse("requirement_not_met", `${use.action} is not possible here: ${expression.text} ${why}${words}`, {
      hint: "get_context lists what is possible now",
    });
  }
  const { duration } = compiled;
  if (duration.kind === "literal")
    return succeed({ use: { action: use.action, args }, duration: duration.value as number });
  const ticks = evaluate(duration.expr, env);
  if (ticks.ok && isDuration(ticks.value)) return succeed({ use: { action: use.action, args }, duration: ticks.value });
  return refuse("bad_duration", `${use.action}: how long it takes is ${ticks.ok ? show(ticks.value) : ticks.reason}`);
}

/** Everything the character can do here: `wait` first, the others in the order of their ids and arguments. */
export function legalActions(dynamics: Dynamics, world: World): readonly LegalAction[] {
  const known = legalIn.get(dynamics)?.get(world);
  if (known !== undefined) return known;
  const seen = observe(dynamics, world);
  const others = Object.keys(seen.capabilities)
    .sort(compareText)
    .flatMap((action) =>
      argumentsOf(seen, seen.capabilities[action] as Capability)
        .flatMap((args): readonly LegalAction[] => {
          const checked = checkSeen(seen, { action, args });
          return checked.ok ? [checked.value] : [];
        })
        .sort((a, b) => compareText(canonicalJson(a.use.args), canonicalJson(b.use.args))),
    );
  const legal = [{ use: WAIT, duration: 1 }, ...others];
  const ofDynamics = legalIn.get(dynamics) ?? new WeakMap<World, readonly LegalAction[]>();
  legalIn.set(dynamics, ofDynamics.set(world, legal));
  return legal;
}

const legalIn = new WeakMap<Dynamics, WeakMap<World, readonly LegalAction[]>>();

/** All arguments that there are: compileDynamics and tick refuse a world in which they are too many. */
function argumentsOf(seen: World, { params }: Capability): readonly Args[] {
  let all: Args[] = [{}];
  for (const name of Object.keys(params).sort(compareText)) {
    const values = valuesOf(seen, params[name] as Param);
    all = all.flatMap((args) => values.map((value) => ({ ...args, [name]: value })));
  }
  return all;
}

function valuesOf(seen: World, { type, kind, values }: Param): readonly Arg[] {
  switch (kind) {
    case "place":
      return Object.keys(seen.map.places).sort(compareText);
    case "enum":
      return values ?? [];
    case "bool":
      return [false, true];
    case undefined:
      return type === undefined ? entityIds(seen.entities) : entityIdsOfType(seen.entities, type);
    default:
      return [];
  }
}

/** The tick of the decision point after an action that is chosen at tick `from`. */
export function nextDecision(dynamics: Dynamics, from: number, duration: number): number {
  return Math.ceil((from + duration) / dynamics.decision) * dynamics.decision;
}

/** The world once an action that was found possible has taken effect, before the next tick. */
export function applyAction(world: World, use: ActionUse): Result<World, DynamicsFault> {
  if (use.action === WAIT_ID) return succeed(world);
  const fault = (message: string): Result<never, DynamicsFault> => ({
    ok: false,
    error: {
      kind: "effect",
      tick: world.clock,
      by: [use.action],
      message: `at tick ${world.clock}, ${use.action}: ${message}`,
    },
  });
  const resolved = resolveTrigger(world, { capability: use.action, args: use.args });
  if (!resolved.ok) return fault(resolved.error.message);
  const operations = operationsOf(resolved.value.compiled.effects, { world, variables: resolved.value.args });
  if (!operations.ok) return fault(operations.error.message);
  const merged = mergeNaturally(world, [operations.value], [use.action]);
  return merged.ok ? succeed(merged.value.world) : merged;
}
