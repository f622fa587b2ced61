export { knownEdits, type KnownEdit, type KnownEditsOptions } from "./known-edits.ts";
export { playCalls, type PlayedCalls, type PlayOptions } from "./play.ts";
export { type CheckNumber, type Problem } from "./problem.ts";
export { verifyCase, type CaseVerification, type TierVerification, type VerifyOptions } from "./verify.ts";
