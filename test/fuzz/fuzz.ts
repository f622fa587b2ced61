/** Plays game after game of sound and malicious calls against the engine and checks what must hold after each of them. */
import { admitCall, admitText } from "../../src/runtime/admit.ts";
import { callTool, isOver, type Session, type Turn } from "../../src/runtime/session.ts";
import { countEntities } from "../../src/runtime/state/index.ts";
import { OPENING, PLAYERS, soundCall, type Player, type ToolCall } from "./calls.ts";
import { builtInsWatch, callWatch, faultOfAnswer, faultOfChange, faultOfRules, heapInUse } from "./checks.ts";
import { learn, nothingKnown } from "./knowledge.ts";
import { malicious } from "./malice.ts";
import { openFor } from "./players.ts";
import { randomOf, seedOfGame } from "./random.ts";
import { digestHolds, worldChecker } from "./world-check.ts";

/** Answers one call: the engine, or one with a fault planted in it. */
export type Engine = (session: Session, call: ToolCall) => Turn;

export const engine: Engine = (session, { tool, input, text }) =>
  callTool(session, text === undefined ? admitCall(tool, input) : admitText(tool, text));

export interface FuzzOptions {
  readonly seed: number;
  readonly calls: number;
  /** Calls of one game; each game has its own seed, so that a failure replays without the games before it. */
  readonly game?: number;
  /** Plays only the game in which this call (from 1) stands, up to it. */
  readonly only?: number | undefined;
  readonly engine?: Engine;
  readonly heapMiB?: number;
  /** CPU time that one call may take. */
  readonly callMs?: number;
}

export interface FuzzFailure {
  readonly seed: number;
  /** Number of the call, from 1. */
  readonly call: number;
  readonly player: Player;
  readonly fault: string;
  /** The last calls of the game, the failing one included. */
  readonly last: readonly ToolCall[];
}

export interface FuzzReport {
  readonly calls: number;
  readonly accepted: number;
  /** Answers by error code, `ok` among them. */
  readonly codes: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly slowest: ToolCall | undefined;
  readonly mostEntities: number;
  readonly failure?: FuzzFailure;
}

/** The bounds that stand in docs/hostile-input.md. */
export const FUZZ_BOUNDS = { callMs: 1_000, heapMiB: 512 } as const;
const GAME = 400;
/** How often what is costly is checked. */
const WHOLE_CHECK_EVERY = 250;

/** Plays `calls` calls; stops at the first fault. The same seed plays the same calls. */
export function fuzz(options: FuzzOptions): FuzzReport {
  const { calls, only, game: length = GAME } = options;
  const tally: Tally = { calls: 0, accepted: 0, codes: {}, slowestMs: 0, slowest: undefined, mostEntities: 0 };
  const touched = builtInsWatch();
  const first = only === undefined ? 0 : Math.floor((only - 1) / length);
  const last = only ?? calls;
  for (let game = first; game * length < last; game += 1) {
    const many = Math.min(length, last - game * length);
    const failure = playGame(options, { game, many, begin: game * length }, tally, touched);
    if (failure !== undefined) return { ...tally, failure };
  }
  return tally;
}

type Tally = { -readonly [K in keyof FuzzReport]: FuzzReport[K] } & { codes: Record<string, number> };

function playGame(
  options: FuzzOptions,
  { game, many, begin }: { readonly game: number; readonly many: number; readonly begin: number },
  tally: Tally,
  touched: (whole: boolean) => string | undefined,
): FuzzFailure | undefined {
  const { seed, callMs = FUZZ_BOUNDS.callMs, heapMiB = FUZZ_BOUNDS.heapMiB } = options;
  const play = options.engine ?? engine;
  const player = PLAYERS[game % PLAYERS.length] as Player;
  const random = randomOf(seedOfGame(seed, game));
  const checkWorld = worldChecker();
  const watch = callWatch();
  let known = nothingKnown();
  let session = openFor(player);
  let opening = 0;
  // one game in twenty goes on however large its world becomes: every call costs more there
  const grows = random.once(20);
  const last: ToolCall[] = [];
  for (let i = 1; i <= many; i += 1) {
    if (isOver(session) || (isGrown(session) && !grows)) {
      [session, known, opening] = [openFor(player), nothingKnown(), 0];
    }
    const sound = OPENING[opening++] ?? soundCall(random, known, player);
    const call = opening > OPENING.length && random.once(2) ? malicious(random, known, sound) : sound;
    last.push(call);
    if (last.length > 5) last.shift();
    const failed = (fault: string): FuzzFailure => ({ seed, call: begin + i, player, fault, last });

    watch.begin();
    let turn: Turn;
    try {
      turn = play(session, call);
    } catch (error) {
      return failed(`thrown across the boundary: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const ms = watch.end(callMs);
    const before = session;
    session = turn.session;
    count(tally, turn, ms, call);
    const isWhole = i % WHOLE_CHECK_EVERY === 0 || i === many;
    const fault =
      (ms > callMs ? `a call of ${Math.round(ms)} ms` : undefined) ??
      touched(isWhole) ??
      faultOfAnswer(before, call.tool, turn) ??
      faultOfChange(before, call.tool, turn) ??
      checkWorld(session.world) ??
      (session.world === before.world ? undefined : faultOfRules(player, session)) ??
      (isWhole ? wholeFault(session, heapMiB) : undefined);
    if (fault !== undefined) return failed(fault);
    if (turn.answer.ok && isLoose(call.input)) learn(known, String(call.tool), call.input, turn.answer);
  }
  return undefined;
}

function wholeFault({ world }: Session, heapMiB: number): string | undefined {
  if (!digestHolds(world)) return "the digest is not that of the same world built anew";
  const used = heapInUse(heapMiB);
  return used > heapMiB ? `a heap of ${Math.round(used)} MiB, beyond ${heapMiB}` : undefined;
}

function count(tally: Tally, { answer, session }: Turn, ms: number, call: ToolCall): void {
  const code = answer.ok ? "ok" : answer.error.code;
  tally.calls += 1;
  tally.accepted += answer.ok ? 1 : 0;
  tally.codes[code] = (tally.codes[code] ?? 0) + 1;
  if (ms > tally.slowestMs) [tally.slowestMs, tally.slowest] = [ms, call];
  tally.mostEntities = Math.max(tally.mostEntities, countEntities(session.world.entities));
}

function isGrown({ world }: Session): boolean {
  return countEntities(world.entities) > 300;
}

function isLoose(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null;
}

/** A failure in words, with what replays it. */
export function describeFailure({ seed, call, player, fault, last }: FuzzFailure, game = GAME): string {
  const replay = `npm run fuzz -- --seed ${seed} --only ${call}${game === GAME ? "" : ` --game ${game}`}`;
  const lines = last.map((one) => `  ${showCall(one)}`);
  return [`call ${call} of seed ${seed} (${player}): ${fault}`, "the last calls:", ...lines, `again: ${replay}`].join(
    "\n",
  );
}

const SHOWN = 2_000;

export function showCall(call: ToolCall): string {
  const { tool, input, text } = call;
  // what no JSON holds is shown as a text
  const value = (_key: string, one: unknown) =>
    typeof one === "number" && !Number.isFinite(one)
      ? String(one)
      : typeof one === "object" || typeof one !== "function"
        ? one
        : "function";
  return JSON.stringify([typeof tool === "symbol" ? "symbol" : tool, text ?? input], value).slice(0, SHOWN);
}
