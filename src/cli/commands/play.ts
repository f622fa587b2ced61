import { setImmediate } from "node:timers/promises";
import { AGENTS } from "../../agents/index.ts";
import { scenarioOf } from "../../cases/index.ts";
import { addPlanned, agentNameSchema, openRun, runIdOf, runPath, type RecordedRun } from "../../records/index.ts";
import { escapeJson } from "../../report/index.ts";
import { manifestOf, playLines, type Agent, type AgentEnd } from "../../tracks/index.ts";
import { sayCommand } from "../called-as.ts";
import { caseFolders, casesFolder, countOf, loadAll, tierOf } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { note } from "../output.ts";
import { readSurroundings } from "../surroundings.ts";
import { UserError } from "../user-error.ts";

export interface PlayArguments {
  readonly case: string;
  readonly tier: string;
  readonly out: string;
  readonly agentName: string;
  readonly repeat: number;
  readonly stop: boolean;
  readonly casesDir?: string | undefined;
}

/** Plays one run by lines of stdin. Answers are the only thing on stdout. */
export async function play(args: PlayArguments): Promise<ExitCode> {
  const tier = tierOf(args.tier);
  const repeat = countOf("repeat", args.repeat, 100_000_000);
  const agent = playerNamed(args.agentName);
  if (/[*?]/.test(args.case)) throw new UserError(`"${args.case}" is a pattern, and one plays one case`);
  const [case_] = loadAll(caseFolders(casesFolder(args.casesDir), [args.case]));
  if (case_ === undefined) throw new UserError(`there is no case "${args.case}"`);
  const manifest = manifestOf({ case: case_, tier, agent, repeat }, readSurroundings());
  const id = runIdOf(manifest);
  const path = runPath(args.out, id);
  addPlanned(args.out, [id]);
  const run = await openRun(args.out, manifest, scenarioOf(case_, tier));
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
  const { round } = run.session;
  if (end === undefined && interrupted) {
    note(`Interrupted in round ${round}; the same command goes on with the run.`);
    return;
  }
  note(
    end === undefined
      ? `The run is not over (round ${round}): the same command goes on with it, and with --stop ends it here, to be judged as it is.`
      : `The run is over: ${end.outcome}.`,
  );
  const next = ["judge", "score"].map((word) => sayCommand([word, out], casesDir));
  note(`${end === undefined ? "When it is over" : "Next"}: ${next.join(" && ")}`);
}
