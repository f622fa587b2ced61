/** A case of either track. */
import { existsSync } from "node:fs";
import { suggest, type Result } from "../runtime/index.ts";
import type { Case } from "./case.ts";
import type { DeductionCase } from "./deduction/case.ts";
import { readDeductionCase } from "./deduction/load.ts";
import { faultAt, quote, type Fault } from "./fault.ts";
import { readText } from "./files.ts";
import { loadCase } from "./load.ts";
import { placeFaults, readSource, type Source } from "./source.ts";

export const TRACKS = ["maintenance", "deduction"] as const;
export type Track = (typeof TRACKS)[number];
export type AnyCase = Case | DeductionCase;

/** Loads the case in `directory`, of whichever track its case.yaml says; one that says none is of maintenance. */
export function loadAnyCase(directory: string): Result<AnyCase, readonly Fault[]> {
  const file = `${directory}/case.yaml`;
  const text = readText(file);
  const source = text.ok ? readSource(file, text.value) : undefined;
  if (source === undefined) return loadCase(directory);
  // Of which track it is cannot be told; only rounds say that it is of maintenance.
  if (!source.ok) return existsSync(`${directory}/rounds`) ? loadCase(directory) : source;
  const track = source.value.value["track"];
  if (track === "deduction") return readDeductionCase(source.value, directory);
  if (track === undefined || track === "maintenance") return loadCase(directory);
  return { ok: false, error: faultsOfTrack(source.value, track) };
}

function faultsOfTrack(source: Source, track: unknown): readonly Fault[] {
  const nearest = typeof track === "string" ? suggest(track, TRACKS) : undefined;
  return placeFaults(source, [
    faultAt(["track"], `there is no track ${quote(track)}`, nearest ?? `it is ${TRACKS.join(" or ")}`),
  ]);
}
