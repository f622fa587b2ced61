import { isReached, type Preflight } from "../../endpoint/index.ts";
import { escapeText, preflightLines } from "../../report/index.ts";
import { requireKey, resolveModel, type ModelFlags } from "../endpoints.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { refuseKeyInFlags } from "../given-key.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { note, print, printJson } from "../output.ts";
import { preflightModel } from "../preflight.ts";

export interface DoctorArguments extends ModelFlags {
  readonly model: string;
  readonly json: boolean;
}

/** Probes an endpoint as a set does before its first run, and says what it found and what to do about it. */
export async function doctor(args: DoctorArguments): Promise<ExitCode> {
  refuseKeyInFlags(args, process.env);
  const resolved = resolveModel(args, [], process.env);
  const { baseUrl } = resolved.settings;
  // A missing key is wrong use, to be said before anything is begun.
  requireKey(resolved.settings, process.env);
  const interrupt = listenForInterrupt(() => note("Stopping after the request under way; Ctrl-C again stops at once."));
  note(escapeText(`Probing ${args.model} at ${baseUrl} with some ten requests.`));
  let found: Preflight | undefined;
  try {
    found = await preflightModel(resolved, interrupt.signal);
  } finally {
    interrupt.release();
  }
  if (found === undefined) {
    note("Stopped. What was found until now says nothing yet; give the same command again.");
    return EXIT.interrupted;
  }
  const reached = isReached(found);
  if (args.json) printJson({ baseUrl, model: args.model, reached, ...found });
  else print(preflightLines(found));
  if (!reached) return EXIT.endpointFault;
  return found.ok ? EXIT.done : EXIT.failed;
}
