/**
 * `npm run bench`: what a step, a page, a call, an audit and a rollout cost, and how that grows. Variants are interleaved;
 * what counts are the ratios of one run. Prints them with their spread and keeps them as JSON under bench-results/.
 *
 *     npm run bench -- --only stack,steps,reads,calls,runs,rollouts --rounds 15
 *     npm run bench -- --quick      three short rounds and short runs: whether it works, and where something grows by a lot
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSurroundings } from "../../src/cli/surroundings.ts";
import { benchCalls } from "./calls.ts";
import { benchReads } from "./reads.ts";
import { benchRollouts } from "./rollout.ts";
import { benchRuns } from "./runs.ts";
import { benchStack } from "./stack.ts";
import { benchSteps } from "./steps.ts";
import { linesOfCalls, linesOfReads, linesOfRollouts, linesOfRuns, linesOfStack, linesOfSteps } from "./tables.ts";

const SECTIONS = ["stack", "steps", "reads", "calls", "runs", "rollouts"] as const;
type Section = (typeof SECTIONS)[number];

const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    only: { type: "string", default: SECTIONS.join(",") },
    quick: { type: "boolean", default: false },
  },
});
const isQuick = values.quick;
const rounds = Number(values.rounds ?? (isQuick ? 3 : 9));
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1_000)
  refuse(`--rounds takes a whole number from 1 to 1000, not ${JSON.stringify(values.rounds)}`);
const wanted = values.only.split(",");
const stranger = wanted.find((one) => !SECTIONS.includes(one as Section));
if (stranger !== undefined) refuse(`--only knows ${SECTIONS.join(", ")}, not ${JSON.stringify(stranger)}`);

function refuse(what: string): never {
  console.error(`bench: ${what}`);
  process.exit(2);
}

const options = { rounds, leastMs: isQuick ? 25 : 100 };
const root = new URL("../../", import.meta.url);
const { packageVersion, gitCommit, nodeVersion, platform, now } = readSurroundings();
const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: availableParallelism(), node: nodeVersion, platform };
console.log(
  `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${gitCommit ?? "unknown"}; ${rounds} rounds, variants interleaved`,
);

const results: Partial<Record<Section, unknown>> = {};

async function section<T>(
  name: Section,
  bench: () => T | Promise<T>,
  say: (result: T) => readonly string[],
): Promise<void> {
  if (!wanted.includes(name)) return;
  const result = await bench();
  results[name] = result;
  console.log(["", ...say(result)].join("\n"));
}

await section("stack", () => benchStack(options), linesOfStack);
await section("steps", () => benchSteps(options), linesOfSteps);
await section("reads", () => benchReads(options), linesOfReads);
await section("calls", () => benchCalls(options), linesOfCalls);
await section("runs", () => benchRuns({ isQuick }), linesOfRuns);
const cases = fileURLToPath(new URL("cases/deduction", root));
await section("rollouts", () => benchRollouts(cases, { ...options, leastMs: 1.5 * options.leastMs }), linesOfRollouts);

const folder = new URL("bench-results/", root);
mkdirSync(folder, { recursive: true });
const at = now();
const file = new URL(`bench-${at.replaceAll(/[:.]/g, "-")}.json`, folder);
const kept = { v: 2, at, version: packageVersion, commit: gitCommit, machine, ...options, ...results };
writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
console.log(`\nKept: ${fileURLToPath(file)}`);
