/** A small deduction case that proves itself, and what becomes of it when its file is edited. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readSource, type DeductionCase } from "../../src/cases/index.ts";
import { readDeductionCase } from "../../src/cases/deduction/load.ts";
import { verifyDeduction, type DeductionVerification } from "../../src/tracks/index.ts";
import type { DeductionVerifyOptions } from "../../src/tracks/deduction/admission/verify.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/admission/salt_weir", import.meta.url));
/** The folder in which the case lies, as cases lie in a folder. */
export const WEIR_CASES = fileURLToPath(new URL("../fixtures/admission", import.meta.url));
export const WEIR_TEXT = readFileSync(`${FOLDER}/case.yaml`, "utf8");

/** One place of the file, and what stands there instead. */
export interface Edit {
  readonly from: string | RegExp;
  readonly to: string;
}

/** The case after edits. Throws where one of them changes nothing, and where what comes of them cannot be loaded. */
export function weirAfter(...edits: readonly Edit[]): DeductionCase {
  const text = edits.reduce((before, { from, to }) => {
    const after = typeof from === "string" ? before.replace(from, to) : before.replaceAll(from, to);
    if (after === before) throw new Error(`weirAfter: there is no ${String(from)}`);
    return after;
  }, WEIR_TEXT);
  const source = readSource("case.yaml", text);
  const loaded = source.ok ? readDeductionCase(source.value, FOLDER) : source;
  if (!loaded.ok) throw new Error(loaded.error.map(({ line, message }) => `${line}: ${message}`).join("\n"));
  return loaded.value;
}

/** One more process at the head of the list. */
export function withProcess(text: string): Edit {
  return { from: "\nprocesses:\n", to: `\nprocesses:\n${text.replaceAll(/^/gm, "  ")}\n` };
}

/** Few random plays, since the case is small. */
export const FEW: DeductionVerifyOptions = { randomPlays: 3 };

export function verifyNow(case_: DeductionCase, options: DeductionVerifyOptions = FEW): DeductionVerification {
  const finding = verifyDeduction(case_, options);
  for (let next = finding.next(); ; next = finding.next()) if (next.done === true) return next.value;
}
