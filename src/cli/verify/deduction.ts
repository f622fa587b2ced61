/** Verifies deduction cases one after the other, with the progress on stderr. */
import { setImmediate } from "node:timers/promises";
import type { DeductionCase } from "../../cases/index.ts";
import { verifyDeduction, type DeductionVerification } from "../../tracks/index.ts";
import { EXIT } from "../exit.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { note } from "../output.ts";
import { progressOf, type Progress } from "./run.ts";

/** What was found of a case, or the fault of ours that kept it from being found. */
export type DeductionFound = { readonly verified: DeductionVerification } | { readonly fault: string };

export interface FindDeductionOptions {
  /** Told of each case, in the order of the cases. */
  readonly onCase: (case_: DeductionCase, found: DeductionFound) => void;
}

/** Verifies every case. Ctrl-C ends the command at once. */
export async function findDeduction(cases: readonly DeductionCase[], { onCase }: FindDeductionOptions): Promise<void> {
  if (cases.length === 0) return;
  const display = progressOf(cases.length, 0, "deduction cases");
  const interrupt = listenForInterrupt(() => {
    display.clear();
    note(`Interrupted: ${display.done()} of ${cases.length} deduction cases are done; nothing is kept.`);
    process.exit(EXIT.interrupted);
  });
  for (const case_ of cases) {
    const found = await verifyHere(case_, display);
    display.count();
    display.clear();
    onCase(case_, found);
  }
  interrupt.release();
}

/** How long this thread works before whoever waits for it has a turn. */
const TURN_MS = 50;

async function verifyHere(case_: DeductionCase, display: Progress): Promise<DeductionFound> {
  try {
    const finding = verifyDeduction(case_);
    let turnMs = performance.now();
    for (let next = finding.next(); ; next = finding.next()) {
      if (next.done === true) return { verified: next.value };
      if (performance.now() - turnMs < TURN_MS) continue;
      display.say(`${case_.id} ${next.value}`);
      await setImmediate();
      turnMs = performance.now();
    }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
