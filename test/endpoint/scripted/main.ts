/**
 * The scripted endpoint as a program, to try `worldagent run --agent model` without a model:
 *
 *     npx tsx test/endpoint/scripted/main.ts --case ark_001 [--quirk NAME] [--fault-rate 0.2] [--port 8000]
 *
 * One server plays every tier of the cases it knows. Prints its base URL; Ctrl-C ends it.
 */
import { parseArgs } from "node:util";
import { findCase, listCases, loadCase, printFault, type Case } from "../../../src/cases/index.ts";
import { nearestWord } from "../../../src/runtime/index.ts";
import { FAULTS, type FaultName } from "./faults.ts";
import { obliging } from "./obliging.ts";
import { chatty, firstOf, idle, looper, type Policy } from "./policy.ts";
import { QUIRKS, type QuirkName } from "./quirks.ts";
import { startScriptedEndpoint } from "./server.ts";
import { solver } from "./solver.ts";

const PLAIN_FAULTS: readonly FaultName[] = ["rate_limited_seconds", "server_error", "cut", "error_inside"];

/** What a person did wrong; its message is all they are shown. */
class UsageError extends Error {}

const { values } = parseArgs({
  options: {
    case: { type: "string", multiple: true, default: [] },
    "cases-dir": { type: "string", default: "cases/maintenance" },
    policy: { type: "string", default: "solver" },
    parallel: { type: "string", default: "1" },
    quirk: { type: "string", multiple: true, default: [] },
    fault: { type: "string", multiple: true, default: [] },
    "fault-rate": { type: "string" },
    model: { type: "string", multiple: true, default: ["scripted"] },
    key: { type: "string" },
    port: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
  },
});

/** A word of a closed list. */
function oneOf<T extends string>(word: string, words: readonly T[], flag: string): T {
  const found = words.find((one) => one === word);
  if (found !== undefined) return found;
  const near = nearestWord(word, words);
  throw new UsageError(
    `--${flag} ${word}: there is none; ${near === undefined ? `known: ${words.join(", ")}` : `did you mean ${near}?`}`,
  );
}

function numberOf(text: string, flag: string, least: number, most: number): number {
  const number = Number(text);
  if (text !== "" && number >= least && number <= most) return number;
  throw new UsageError(`--${flag} ${text}: a number from ${least} to ${most} is needed`);
}

function casesNamed(root: string, ids: readonly string[]): readonly Case[] {
  const folders =
    ids.length === 0
      ? listCases(root)
      : ids.map((id) => {
          const found = findCase(root, id);
          if (!found.ok) throw new UsageError([found.error.message, found.error.hint].filter(Boolean).join("; "));
          return found.value;
        });
  return folders.map(({ directory }) => {
    const loaded = loadCase(directory);
    if (!loaded.ok) throw new UsageError(loaded.error.map(printFault).join("\n"));
    return loaded.value;
  });
}

function policyNamed(name: string): Policy {
  const parallel = values.parallel === "round" ? "round" : numberOf(values.parallel, "parallel", 1, 64);
  switch (oneOf(name, ["solver", "chatty", "idle", "looper"], "policy")) {
    case "solver":
      return solver(casesNamed(values["cases-dir"], values.case), { parallel });
    case "chatty":
      return chatty;
    case "idle":
      return idle;
    case "looper":
      return looper;
  }
}

async function main(): Promise<void> {
  const faults = values.fault.map((name) => oneOf(name, Object.keys(FAULTS) as FaultName[], "fault"));
  const rate = values["fault-rate"] ?? (faults.length > 0 ? "0.2" : undefined);
  const endpoint = await startScriptedEndpoint({
    policy: firstOf(obliging, policyNamed(values.policy)),
    quirks: values.quirk.map((name) => oneOf(name, Object.keys(QUIRKS) as QuirkName[], "quirk")),
    models: values.model,
    keepsBodies: false,
    port: numberOf(values.port, "port", 0, 65_535),
    seed: numberOf(values.seed, "seed", 0, 2 ** 31),
    ...(values.key === undefined ? {} : { key: values.key }),
    ...(rate === undefined
      ? {}
      : {
          faults: {
            rate: numberOf(rate, "fault-rate", 0, 1),
            kinds: faults.length > 0 ? faults : PLAIN_FAULTS,
          },
        }),
  });
  process.stdout.write(`${endpoint.url}\n`);
  const [model = ""] = values.model;
  const keyed = values.key === undefined ? "--no-api-key" : "--api-key-env VARIABLE";
  process.stderr.write(
    `Try: worldagent run --agent model --model ${model} --base-url ${endpoint.url} ${keyed} --cases ark_001 --tier easy --out runs/scripted\n`,
  );
  process.once("SIGINT", () => void endpoint.stop());
  process.once("SIGTERM", () => void endpoint.stop());
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
