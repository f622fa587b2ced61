import type { DeductionCase } from "../../../cases/index.ts";
import { digestOf } from "../../../runtime/index.ts";

/** The digest of everything that the verification of a case follows from; where its file lies is none of it. */
export function deductionContentDigestOf(case_: DeductionCase): string {
  const { id, title, family, variant, version, canary, worldDigest, contractDigest } = case_;
  return digestOf({ id, title, family, variant, version, canary, world: worldDigest, contract: contractDigest });
}
