/** A case of either track. */
import type { Result } from "../runtime/index.ts";
import type { Case } from "./case.ts";
import type { DeductionCase } from "./deduction/case.ts";
import { readDeductionCase } from "./deduction/load.ts";
import type { Fault } from "./fault.ts";
import { readText } from "./files.ts";
import { loadCase } from "./load.ts";
import { readSource } from "./source.ts";

export const TRACKS = ["maintenance", "deduction"] as const;
export type Track = (typeof TRACKS)[number];
export type AnyCase = Case | DeductionCase;

/** Loads the case in `directory`, of whichever track its case.yaml says; one that says none is of maintenance. */
export function loadAnyCase(directory: string): Result<AnyCase, readonly Fault[]> {
  const file = `${directory}/case.yaml`;
  const text = readText(file);
  const source = text.ok ? readSource(file, text.value) : undefined;
  if (source?.ok !== true || source.value.value["track"] !== "deduction") return loadCase(directory);
  return readDeductionCase(source.value, directory);
}
