import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { UNSEALED } from "./test/runtime/support/unsealed.ts";

const ENGINE = ["test/runtime/**/*.test.ts", "test/contracts/**/*.test.ts"];
/** These put something else in the place of modules. */
const BROKEN = ["test/records/broken-call.test.ts"];
const unsealed = Object.keys(UNSEALED);

export default defineConfig({
  test: {
    // Tests of the command line start processes and servers: the slow machine decides, not the fast one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Vitest leaves one core idle, which on a machine of two is half of it.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A half-written JSON report or a leaked environment variable must not reach the next test.
    unstubEnvs: true,
    restoreMocks: true,
    projects: [
      {
        // The engine's suite runs where clock, chance, timers, environment and locale throw.
        extends: true,
        test: {
          name: "engine",
          include: ENGINE,
          exclude: [...configDefaults.exclude, ...unsealed],
          setupFiles: ["test/runtime/support/sealed-setup.ts"],
        },
      },
      {
        // Half of the time of these would be spent on loading the same modules again for each file. So files share them:
        // what one leaves behind in a module, the next one finds.
        extends: true,
        test: {
          name: "rest",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, "test/{runtime,contracts,fuzz}/**", ...BROKEN],
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: [...unsealed, ...BROKEN, "test/fuzz/**/*.test.ts"] } },
    ],
  },
});
