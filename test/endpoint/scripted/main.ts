/**
 * The scripted endpoint as a program, to try `worldagent run --agent model` and `judge --judge model` without a model.
 * One server plays every tier of the cases it knows. Prints its base URL; Ctrl-C ends it.
 */
import { parseArgs } from "node:util";
import { findCase, listCases, loadCase, printFault, type Case } from "../../../src/cases/index.ts";
import { nearestWord, TIERS, type Tier } from "../../../src/runtime/index.ts";
import { FAULTS, type FaultName } from "./faults.ts";
import { judgeByOracle, type Oracle } from "./judge.ts";
import { obliging } from "./obliging.ts";
import { oracleOf } from "./oracle.ts";
import { chatty, firstOf, idle, looper, type Policy } from "./policy.ts";
import { QUIRKS, type QuirkName } from "./quirks.ts";
import { startScriptedEndpoint } from "./server.ts";
import { solver } from "./solver.ts";

const PLAIN_FAULTS: readonly FaultName[] = ["rate_limited_seconds", "server_error", "cut", "error_inside"];

/** What a person did wrong; its message is all they are shown. */
class UsageError extends Error {}

const HELP = `npx tsx test/endpoint/scripted/main.ts [options]: an endpoint that plays a model, and judges, by the reference of a case

  --case ID          a case it knows (default: all); --cases-dir DIR where they lie
  --policy NAME      solver (plays the reference), chatty, idle, looper
  --parallel N       calls a message of the solver, or round
  --judge TIER       judges as the exact judge judges the reference in this tier (default: extreme where the ids are the
                     agent's own, else hard); it knows the reference alone and nothing of known edits
  --quirk NAME       what it does that no endpoint should: ${Object.keys(QUIRKS).join(", ")}
  --fault NAME       what it fails with: ${Object.keys(FAULTS).join(", ")}
  --fault-rate N     how often, from 0 to 1
  --model NAME       the models it serves (default: scripted)
  --key KEY          the key it wants (default: none)
  --port N, --seed N
`;

function readFlags() {
  try {
    return parseArgs({
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
        judge: { type: "string" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}; --help lists them\n`);
    process.exit(2);
  }
}

const values = readFlags();

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

/** Says of every case what is true of its reference; whichever case knows the question answers. */
function judgeOf(cases: readonly Case[], tier: Tier | undefined): ReturnType<typeof judgeByOracle> {
  const known = new Map<Tier, readonly Oracle[]>();
  const oraclesOf = (one: Tier): readonly Oracle[] => {
    const oracles = known.get(one) ?? cases.map((case_) => oracleOf(case_, one));
    known.set(one, oracles);
    return oracles;
  };
  return judgeByOracle((question) => {
    const own = question.kind === "identity" || question.ownIds;
    for (const oracle of oraclesOf(tier ?? (own ? "extreme" : "hard"))) {
      const known = oracle(question);
      if (known !== undefined) return known;
    }
    return undefined;
  });
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const judge = judgeOf(
    casesNamed(values["cases-dir"], values.case),
    values.judge === undefined ? undefined : oneOf(values.judge, TIERS, "judge"),
  );
  const faults = values.fault.map((name) => oneOf(name, Object.keys(FAULTS) as FaultName[], "fault"));
  const rate = values["fault-rate"] ?? (faults.length > 0 ? "0.2" : undefined);
  const endpoint = await startScriptedEndpoint({
    policy: firstOf(obliging, judge, policyNamed(values.policy)),
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
