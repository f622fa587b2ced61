/**
 * The engine's tests that run without the seal, each with the reason. All others under test/runtime and test/contracts
 * run with it (vitest.config.ts); determinism.test.ts holds that these are all.
 */
export const UNSEALED: Readonly<Record<string, string>> = {
  "test/runtime/determinism-processes.test.ts": "starts processes, and waits for them",
};
