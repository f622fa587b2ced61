import { checkAction, type LegalAction } from "../dynamics/action.ts";
import { WAIT_ID, type ActionUse, type Dynamics } from "../dynamics/dynamics.ts";
import { refuse, suggest, toolError, type Result, type ToolError } from "../errors.ts";
import { evaluate } from "../expression/index.ts";
import { lookUp } from "../ids.ts";
import { resolveTrigger } from "../resolve.ts";
import { showText } from "../show.ts";
import type { World } from "../world.ts";
import type { DeductionView } from "./view.ts";

/** Whether the character can do this now, judged by what is seen; in the words that the condition allows. */
export function checkChosen(
  dynamics: Dynamics,
  world: World,
  view: DeductionView,
  use: ActionUse,
): Result<LegalAction> {
  if (use.action !== WAIT_ID && lookUp(view.world.capabilities, use.action) === undefined) {
    return refuse("unknown_action", `there is no action ${showText(use.action)}`, {
      path: "action.action",
      hint: suggest(use.action, [WAIT_ID, ...Object.keys(view.world.capabilities)]),
    });
  }
  const checked = checkAction(dynamics, world, use);
  return checked.ok ? checked : { ok: false, error: inWords(view, use, checked.error) };
}

function inWords(view: DeductionView, use: ActionUse, error: ToolError): ToolError {
  const { code, message, hint } = error;
  const path = error.path === undefined ? "action" : `action.${error.path}`;
  if (view.condition === "open") return toolError(code, message, { path, hint });
  if (code === "bad_duration") return toolError(code, `${use.action} is not possible here`, { path, hint });
  if (code !== "requirement_not_met") return toolError(code, message, { path, hint });
  const says = wordsOfUnmet(view, use);
  return toolError(code, `${use.action} is not possible here${says === "" ? "" : `: ${says}`}`, { path, hint });
}

/** What the first requirement that is not met says. Its expression, with its numbers, is not told in naming. */
function wordsOfUnmet({ world }: DeductionView, use: ActionUse): string {
  const resolved = resolveTrigger(world, { capability: use.action, args: use.args });
  if (!resolved.ok) return "";
  const { compiled, capability, args } = resolved.value;
  const at = compiled.requires.findIndex((expression) => {
    const met = evaluate(expression, { world, variables: args });
    return !met.ok || met.value !== true;
  });
  return capability.requires[at]?.says ?? "";
}
