/**
 * `npm run bench`: how fast rollouts are, and how their cost grows. Prints the figures with their spread and keeps them as
 * JSON under bench-results/. `npm run bench -- --rounds 15` takes longer and tells more.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSurroundings } from "../../src/cli/surroundings.ts";
import { tableLines, type Column } from "../../src/report/index.ts";
import type { Measured } from "./measure.ts";
import { benchRollouts, type Growth } from "./rollout.ts";

/** What a rollout must reach, in instances a second. */
const GOAL = 300_000;
const LEAST_MS = 150;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1_000) {
  console.error(`bench: --rounds takes a whole number from 1 to 1000, not ${JSON.stringify(values.rounds)}`);
  process.exit(2);
}

const root = new URL("../../", import.meta.url);
const cases = fileURLToPath(new URL("cases/deduction", root));
const rollouts = benchRollouts(cases, { rounds, leastMs: LEAST_MS });
const { packageVersion, gitCommit, nodeVersion, platform, now } = readSurroundings();
const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: availableParallelism(), node: nodeVersion, platform };

const count = (value: number): string => Math.round(value).toLocaleString("en-GB");
const spread = ([low, high]: readonly [number, number], say: (value: number) => string): string =>
  `${say(low)} to ${say(high)}`;
const speed = (what: string): readonly Column<Measured>[] => [
  { head: what, align: "right", cell: ({ perSecond }) => count(perSecond) },
  { head: "middle half of rounds", align: "right", cell: ({ quartiles }) => spread(quartiles, count) },
];
const ratio: readonly Column<Growth>[] = [
  { head: "cost of one", align: "right", cell: (one) => one.ratio.toFixed(2) },
  { head: "spread", align: "right", cell: (one) => spread(one.ratioSpread, (value) => value.toFixed(2)) },
];

const lines = [
  `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${gitCommit ?? "unknown"}; ${rounds} rounds, variants interleaved`,
  "",
  "Rollouts of the shipped cases, all folds, waiting",
  ...tableLines<Measured>(
    [
      { head: "case", cell: ({ name }) => name },
      ...speed("instances/s"),
      { head: `${count(GOAL)} or more`, cell: ({ perSecond }) => (perSecond >= GOAL ? "yes" : "no") },
    ],
    rollouts.cases,
  ),
  "",
  "Growth by entities: the cost of an instance, that among 20 people being 1",
  ...tableLines<Growth>(
    [{ head: "world", cell: ({ name }) => name }, ...speed("instances/s"), ...ratio],
    rollouts.byEntities,
  ),
  "",
  "Growth by ticks: the cost of a tick, that of a rollout of 100 being 1",
  ...tableLines<Growth>(
    [{ head: "rollout", cell: ({ name }) => name }, ...speed("ticks/s"), ...ratio],
    rollouts.byTicks,
  ),
];
console.log(lines.join("\n"));

const folder = new URL("bench-results/", root);
mkdirSync(folder, { recursive: true });
const at = now();
const file = new URL(`rollout-${at.replaceAll(/[:.]/g, "-")}.json`, folder);
const kept = { v: 1, at, version: packageVersion, commit: gitCommit, machine, rounds, leastMs: LEAST_MS, rollouts };
writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
console.log(`\nKept: ${fileURLToPath(file)}`);
