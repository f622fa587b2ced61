/**
 * `npm run fuzz`: plays random and malicious calls against the engine for as long as you like. `--calls 1000000 --seed 7`;
 * `--game 20000` plays longer games; a failure names the `--seed` and `--only` that play it again.
 */
import { parseArgs } from "node:util";
import { describeFailure, fuzz, showCall } from "../test/fuzz/fuzz.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    game: { type: "string", default: "400" },
    only: { type: "string" },
  },
});

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`fuzz: --${name} takes a whole number of at least ${least}, not ${JSON.stringify(text)}`);
  process.exit(2);
}

const seed = whole("seed", values.seed, 0);
const game = whole("game", values.game, 10);
const only = values.only === undefined ? undefined : whole("only", values.only, 1);
const started = process.cpuUsage();
const report = fuzz({ seed, game, only, calls: whole("calls", values.calls, 1) });
const { user, system } = process.cpuUsage(started);

console.log(
  `seed ${seed}: ${report.calls} calls, ${report.accepted} answered ok, ${((user + system) / 1e6).toFixed(1)} s of CPU`,
);
console.log(`most entities: ${report.mostEntities}; slowest call: ${report.slowestMs.toFixed(0)} ms`);
if (report.slowest !== undefined) console.log(`  ${showCall(report.slowest).slice(0, 400)}`);
const codes = Object.entries(report.codes).sort(([, a], [, b]) => b - a);
console.log(codes.map(([code, many]) => `${code} ${many}`).join(", "));
if (report.failure !== undefined) {
  console.error(describeFailure(report.failure, game));
  process.exitCode = 1;
}
