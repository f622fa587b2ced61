import { freeze } from "immer";
import { basename, resolve } from "node:path";
import type { CaseContract } from "../contracts/index.ts";
import {
  buildWorld,
  lookUp,
  succeed,
  type Result,
  type World,
  type WorldFault,
  type WorldParts,
} from "../runtime/index.ts";
import type { Case } from "./case.ts";
import { checkReferences } from "./check-references.ts";
import { contractDigestOf, worldDigestOf } from "./digests.ts";
import { faultAt, sortFaults, type Fault, type PathFault } from "./fault.ts";
import { readText } from "./files.ts";
import { roundsOfEvents, type RoundPart } from "./parts.ts";
import { toStructureItem } from "./perturbation.ts";
import { readRounds } from "./read-rounds.ts";
import { caseFileSchema, worldPartsOf, type CaseFile } from "./schema.ts";
import { placeFaults, readSource, type Source } from "./source.ts";
import { parseWith } from "./zod-faults.ts";

/**
 * Loads the case in `directory` (case.yaml and rounds/NN.yaml), or lists all that is wrong with it, in the order of
 * files and lines. Files are named as `directory` is given. Throws only where the disk fails.
 */
export function loadCase(directory: string): Result<Case, readonly Fault[]> {
  const read = readCaseFile(directory);
  const { rounds, complete, faults } = readRounds(directory);
  const caseFile = read.ok ? read.value : undefined;
  const built = caseFile && buildFrom(caseFile.source, caseFile.file);
  const references = checkReferences({
    caseFile,
    world: built?.world,
    capabilities: caseFile && worldPartsOf(caseFile.file).capabilities,
    rounds,
    eventRounds: roundsOfEvents(rounds),
    complete,
  });
  const all = [...(read.ok ? [] : read.error), ...faults, ...(built?.faults ?? []), ...references];
  if (all.length > 0 || caseFile === undefined || built?.world === undefined)
    return { ok: false, error: sortFaults(all) };
  return succeed(assemble(directory, caseFile.file, built.world, rounds));
}

interface ReadCase {
  readonly source: Source;
  readonly file: CaseFile;
}

function readCaseFile(directory: string): Result<ReadCase, readonly Fault[]> {
  const file = `${directory}/case.yaml`;
  const text = readText(file);
  if (!text.ok) return { ok: false, error: [{ file, line: 1, column: 1, message: `the file ${text.error}` }] };
  const source = readSource(file, text.value);
  if (!source.ok) return source;
  const parsed = parseWith(caseFileSchema, source.value.value);
  if (!parsed.ok) return { ok: false, error: placeFaults(source.value, parsed.error.map(explainEntityField)) };
  return succeed({ source: source.value, file: parsed.value });
}

/** The fields of an entity stand beside its type; whoever knows the runtime's own shape writes `fields:`. */
function explainEntityField(fault: PathFault): PathFault {
  const [head, , field, ...rest] = fault.path;
  if (head !== "entities" || field !== "fields" || rest.length > 0) return fault;
  return faultAt(fault.path, 'unknown key "fields"', "fields stand directly beside type, name and at", "key");
}

/** The world of a case; where its capabilities or invariants have faults, the world without them, for further checks. */
function buildFrom(
  source: Source,
  file: CaseFile,
): { readonly world: World | undefined; readonly faults: readonly Fault[] } {
  const parts: WorldParts = {
    clock: file.clock.start,
    map: file.map,
    ...worldPartsOf(file),
    invariants: file.invariants,
  };
  const named = basename(resolve(source.file, ".."));
  const misnamed =
    file.id === named ? [] : [faultAt(["id"], `is "${file.id}", and the folder is "${named}"`, "give both one name")];
  const built = buildWorld(parts);
  if (built.ok) return { world: built.value, faults: placeFaults(source, misnamed) };
  const bare = buildWorld({ ...parts, capabilities: {}, invariants: [] });
  const faults = [...misnamed, ...built.error.map((fault) => inCaseFile(fault, file))];
  return { world: bare.ok ? bare.value : undefined, faults: placeFaults(source, faults) };
}

/** A fault of the runtime's parts as a fault of the file, where fields stand beside `type`, `name` and `at`. */
function inCaseFile({ path, message, hint }: WorldFault, file: CaseFile): PathFault {
  const [head, id, key, field] = path;
  if (head !== "entities" || key !== "fields" || field === undefined) return faultAt(path, message, hint);
  const type = lookUp(file.entities, String(id))?.type ?? "";
  const isKnown = Object.hasOwn(lookUp(file.types, type)?.fields ?? {}, field);
  return faultAt([head, String(id), field], message, hint, isKnown ? "value" : "key");
}

function assemble(directory: string, file: CaseFile, world: World, rounds: readonly RoundPart[]): Case {
  const { id, title, family, stratum, version, canary, clock, unused, budgets } = file;
  const contract = freeze(contractOf(rounds), true);
  const reference = freeze(
    rounds.map((round) => round.file.reference),
    true,
  );
  const narratives = freeze(rounds.map((round) => round.file.narrative));
  const stated = budgets === undefined ? {} : { budgets: freeze(budgets, true) };
  const parts = { id, unit: clock.unit, world, narratives, contract, reference, ...stated };
  return freeze({
    ...parts,
    track: "maintenance" as const,
    title,
    family,
    stratum,
    version,
    canary,
    unused: freeze(unused),
    worldDigest: worldDigestOf(parts),
    contractDigest: contractDigestOf(parts),
    directory,
  });
}

function contractOf(rounds: readonly RoundPart[]): CaseContract {
  return {
    rounds: rounds.map(({ file, relations }) => ({
      round: file.round,
      events: file.events,
      structures: file.structures.map(toStructureItem),
      probes: file.probes,
      relations: relations.map(({ item }) => item),
    })),
  };
}
