import { AGENTS } from "../../agents/index.ts";
import { scenarioOf } from "../../cases/index.ts";
import { addPlanned, agentNameSchema, openRun, runIdOf, runPath, type RecordedRun } from "../../records/index.ts";
import { escapeJson } from "../../report/index.ts";
import { manifestOf, playLines, type Agent, type AgentEnd } from "../../tracks/index.ts";
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
  if (run === undefined) throw new UserError(`${path} is finished already`, `play another with --repeat ${repeat + 1}`);
  // Ends the input, and so the loop, between two calls: each is on disk before it is answered.
  const interrupt = listenForInterrupt(() => process.stdin.destroy());
  try {
    sayStart(run);
    const end = await playLines(run, stdinOf(interrupt.signal), (line) =>
      process.stdout.write(`${escapeJson(line)}\n`),
    );
    sayEnd(run, end);
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

function sayStart(run: RecordedRun): void {
  if (run.repair !== undefined) note(`Cut ${run.repair.bytes} bytes that a killed process left at the end of the log.`);
  if (run.logged.length > 0) note(`Going on in round ${run.session.round}, after ${run.logged.length} calls.`);
  note(`Recorded in ${run.path}. One call a line, such as {"tool": "help", "input": {}}; end_round closes a round.`);
}

function sayEnd(run: RecordedRun, end: AgentEnd | undefined): void {
  if (end !== undefined) note(`The run is over: ${end.outcome}.`);
  else note(`The run is not over (round ${run.session.round}); the same command goes on with it.`);
}
