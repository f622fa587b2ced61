/** Whether what is planned fits the set it is planned into. */
import { setImmediate } from "node:timers/promises";
import {
  readManifest,
  RecordError,
  requireSameRun,
  requireSet,
  requireSetAgent,
  runNamesIn,
  runPath,
  type Manifest,
} from "../../records/index.ts";
import type { AnyCase } from "../../cases/index.ts";
import type { RunPlan } from "./plan.ts";

/**
 * Refuses a folder that holds something else than this set, before anything is played or written: no set at all, runs on
 * another version of a planned case, or a planned agent with other settings, in its ledger or in its runs. A run whose
 * manifest cannot be read is left to be named when it is its turn. Throws RecordError: `not_a_set`, `other_agent`,
 * `other_case`, `other_manifest`, `bad_file`.
 */
export async function requireFit(plans: readonly RunPlan[], setFolder: string): Promise<void> {
  requireSet(setFolder);
  const cases = new Map(plans.map(({ case: case_ }) => [case_.id, case_.worldDigest]));
  const agents = new Map(plans.map(({ agent }) => [agent.name, agent.settings]));
  for (const [name, settings] of agents) requireSetAgent(setFolder, { name, settings });
  for (const [i, run] of runNamesIn(setFolder).entries()) {
    // Lets Ctrl-C be heard in a set of very many runs.
    if (i % 100 === 99) await setImmediate();
    const path = runPath(setFolder, run);
    const saved = manifestIn(path);
    if (saved === undefined) continue;
    const { name, settings } = saved.agent;
    requireSameRun(path, {
      ...saved,
      worldDigest: cases.get(saved.case) ?? saved.worldDigest,
      agent: { name, settings: agents.get(name) ?? settings },
    });
  }
}

/**
 * Refuses a folder whose runs are on other versions of these cases: what can be known before an endpoint is probed.
 * Throws RecordError `other_case`.
 */
export async function requireSameCases(cases: readonly AnyCase[], setFolder: string): Promise<void> {
  const digests = new Map(cases.map(({ id, worldDigest }) => [id, worldDigest]));
  for (const [i, run] of runNamesIn(setFolder).entries()) {
    if (i % 100 === 99) await setImmediate();
    const path = runPath(setFolder, run);
    const saved = manifestIn(path);
    if (saved !== undefined)
      requireSameRun(path, { ...saved, worldDigest: digests.get(saved.case) ?? saved.worldDigest });
  }
}

function manifestIn(path: string): Manifest | undefined {
  try {
    return readManifest(path);
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}
