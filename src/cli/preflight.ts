/** The preflight of a model that the command line or a config file names. */
import { runPreflight, type Preflight } from "../endpoint/index.ts";
import { Gates, requireKey, surroundingsWith, type OpenOptions, type ResolvedModel } from "./endpoints.ts";

/** Probes a resolved model; undefined where `stop` ended it. Throws UserError where its key is missing. */
export async function preflightModel(
  { settings, model }: Pick<ResolvedModel, "settings" | "model">,
  stop: AbortSignal,
  { env = process.env, gates = new Gates() }: Pick<OpenOptions, "env" | "gates"> = {},
): Promise<Preflight | undefined> {
  const surroundings = surroundingsWith(requireKey(settings, env));
  return await runPreflight(settings, model, surroundings, { stop, gate: gates.of(settings) });
}
