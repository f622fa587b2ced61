import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests of the command line start processes and servers: the slow machine decides, not the fast one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Vitest leaves one core idle, which on a machine of two is half of it.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A half-written JSON report or a leaked environment variable must not reach the next test.
    unstubEnvs: true,
    restoreMocks: true,
  },
});
