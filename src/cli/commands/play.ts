import { setImmediate } from "node:timers/promises";
import { AGENTS } from "../../agents/index.ts";
import type { AnyCase } from "../../cases/index.ts";
import {
  addPlanned,
  agentNameSchema,
  openRun,
  runIdOf,
  runPath,
  scenarioOfRun,
  type RecordedRun,
} from "../../records/index.ts";
import { escapeJson } from "../../report/index.ts";
import { manifestOf, playLines, type Agent, type AgentEnd, type RunPlan } from "../../tracks/index.ts";
import { sayCommand } from "../called-as.ts";
import { countOf, tierOf } from "../choose.ts";
import { conditionOf, foldOf, modeOf } from "../config/track-axes.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { note } from "../output.ts";
import { readSurroundings } from "../surroundings.ts";
import { caseRoots, folderNamed, loadAnyCases } from "../cases/of-track.ts";
import { UserError } from "../user-error.ts";

export interface PlayArguments {
  readonly case: string;
  readonly tier?: string | undefined;
  readonly condition?: string | undefined;
  readonly mode?: string | undefined;
  readonly fold?: string | undefined;
  readonly out: string;
  readonly agentName: string;
  readonly repeat: number;
  readonly stop: boolean;
  readonly casesDir?: string | undefined;
}

/** Plays one run by lines of stdin. Answers are the only thing on stdout. */
export async function play(args: PlayArguments): Promise<ExitCode> {
  const repeat = countOf("repeat", args.repeat, 100_000_000);
  const agent = playerNamed(args.agentName);
  if (/[*?]/.test(args.case)) throw new UserError(`"${args.case}" is a pattern, and one plays one case`);
  const [case_] = loadAnyCases([folderNamed(caseRoots(args.casesDir), args.case)]);
  if (case_ === undefined) throw new UserError(`there is no case "${args.case}"`);
  const manifest = manifestOf(planOf(args, case_, agent, repeat), readSurroundings());
  const id = runIdOf(manifest);
  const path = runPath(args.out, id);
  addPlanned(args.out, [id]);
  const run = await openRun(args.out, manifest, scenarioOfRun(case_, manifest));
  if (run === undefined) throw new UserError(`${path} is over already`, `play another with --repeat ${repeat + 1}`);
  // Ends the input, and so the loop, between two calls: each is on disk before it is answered.
  const interrupt = listenForInterrupt(() => process.stdin.destroy());
  const answer = (line: string): void => void process.stdout.write(`${escapeJson(line)}\n`);
  try {
    sayStart(run);
    // Who only wants to stop need not close a terminal's input first.
    const lines = args.stop && process.stdin.isTTY ? noLines() : stdinOf(interrupt.signal);
    const end = await playLines(run, lines, answer, async () => {
      // Ctrl-C may have come with the end of the input, and is heard only when the event loop has turned.
      await setImmediate();
      return args.stop && !interrupt.signal.aborted ? "stopped" : "open";
    });
    sayEnd(args, run, end, interrupt.signal.aborted);
    return end === undefined && interrupt.signal.aborted ? EXIT.interrupted : EXIT.done;
  } finally {
    run.close();
    interrupt.release();
    process.stdin.destroy();
  }
}

const OF_MAINTENANCE = ["tier"] as const;
const OF_DEDUCTION = ["condition", "mode", "fold"] as const;

/** The run that the command is of, in the words of the case's track. */
function planOf(args: PlayArguments, case_: AnyCase, agent: Agent, repeat: number): RunPlan {
  const { track, id } = case_;
  const [own, others] = track === "maintenance" ? [OF_MAINTENANCE, OF_DEDUCTION] : [OF_DEDUCTION, OF_MAINTENANCE];
  const needs = own.filter((flag) => flag !== "fold" && args[flag] === undefined).map((flag) => `--${flag}`);
  const other = others.find((flag) => args[flag] !== undefined);
  if (other !== undefined)
    throw new UserError(
      `${id} is of the track ${track}, which has no --${other}`,
      `say ${own.map((flag) => `--${flag}`).join(", ")}`,
    );
  if (needs.length > 0) throw new UserError(`${id} is of the track ${track}: ${needs.join(", ")} must be given`);
  if (track === "maintenance") return { track, case: case_, tier: tierOf(args.tier ?? ""), agent, repeat };
  return {
    track,
    case: case_,
    condition: conditionOf(args.condition ?? ""),
    mode: modeOf(args.mode ?? ""),
    fold: foldOf(args.fold ?? "1"),
    agent,
    repeat,
  };
}

/** Who plays by hand. The names of built-in agents are theirs: a judge trusts what `reference` played. */
function playerNamed(name: string): Agent {
  const parsed = agentNameSchema.safeParse(name);
  if (!parsed.success) throw new UserError(`--agent-name "${name}" is no name`, parsed.error.issues[0]?.message);
  if (AGENTS.some((agent) => agent.name === name))
    throw new UserError(`--agent-name ${name} is the name of a built-in agent`, "take another");
  return {
    name,
    says: "plays by lines of stdin",
    settings: { v: 1, input: "lines" },
    play: () => {
      throw new Error("a player by lines is not driven");
    },
  };
}

/** The chunks of stdin; an interruption ends them as the end of the input would. */
async function* stdinOf(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function* noLines(): AsyncGenerator<Uint8Array, void, undefined> {}

function sayStart(run: RecordedRun): void {
  if (run.repair !== undefined) note(`Cut ${run.repair.bytes} bytes that a killed process left at the end of the log.`);
  if (run.loggedCalls > 0) note(`Going on in round ${run.session.round}, after ${run.loggedCalls} calls.`);
  note(`Recorded in ${run.path}. One call a line, such as {"tool": "help", "input": {}}; end_round closes a round.`);
}

/** How it stands, how to go on or to end it, and what comes next. */
function sayEnd(
  { out, casesDir }: PlayArguments,
  run: RecordedRun,
  end: AgentEnd | undefined,
  interrupted: boolean,
): void {
  const { round, scenario } = run.session;
  const isJudged = scenario.track === "maintenance";
  if (end === undefined && interrupted) {
    note(`Interrupted in round ${round}; the same command goes on with the run.`);
    return;
  }
  note(
    end === undefined
      ? `The run is not over (round ${round}): the same command goes on with it, and with --stop ends it here, to be ${isJudged ? "judged" : "scored"} as it is.`
      : `The run is over: ${end.outcome}.`,
  );
  const next = (isJudged ? ["judge", "score"] : ["score"]).map((word) => sayCommand([word, out], casesDir));
  note(`${end === undefined ? "When it is over" : "Next"}: ${next.join(" && ")}`);
}
