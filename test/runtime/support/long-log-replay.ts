/** Plays the long log again and compares every answer and every digest. */
import { applyConstruction, applyStepRecord } from "../../../src/runtime/apply-record.ts";
import { effectRecordSchema } from "../../../src/runtime/record.ts";
import type { Turn } from "../../../src/runtime/session.ts";
import { sha256 } from "../../../src/runtime/digest.ts";
import { digestOfWorld, type World } from "../../../src/runtime/world.ts";
import { ENGINE, hashOfAnswer, type Engine, type LoggedPlay } from "./long-log.ts";
import { numbersFrom, type Numbers } from "./numbers.ts";

export interface Replay {
  /** The first thing that is not as logged, in words; null where all is. */
  readonly difference: string | null;
  /** How many calls were compared. */
  readonly calls: number;
  /** A hash over all answers and digests. */
  readonly chain: string;
}

export interface ReplayOptions {
  readonly engine?: Engine;
  /** Shuffles the keys of every object of the case's parts and of every input; as they lie where left out. */
  readonly shuffle?: string;
  /** The triggers of each step the other way round. Their numbers then differ, and so only digests are compared. */
  readonly reverseTriggers?: boolean;
  /** Makes the world from the records of the calls too, and compares its digest. */
  readonly fromRecords?: boolean;
}

export function replayLog(plays: readonly LoggedPlay[], options: ReplayOptions = {}): Replay {
  let [calls, chain] = [0, ""];
  for (const play of plays) {
    for (const seen of replayPlay(play, options)) {
      calls += 1;
      if (seen.difference !== null) return { difference: `${play.name}: ${seen.difference}`, calls, chain };
      chain = sha256(`${chain} ${seen.compared}`);
    }
  }
  return { difference: null, calls, chain };
}

function* replayPlay(
  play: LoggedPlay,
  { engine = ENGINE, shuffle, reverseTriggers = false, fromRecords = false }: ReplayOptions,
): Generator<{ readonly difference: string | null; readonly compared: string }> {
  const numbers = shuffle === undefined ? undefined : numbersFrom(shuffle);
  const given = <T>(value: T): T => (numbers === undefined ? value : shuffledKeys(value, numbers));
  let session = engine.open(given(play.parts));
  let digest = digestOfWorld(session.world);
  let rebuilt = session.world;
  for (const [i, call] of play.calls.entries()) {
    const input = reverseTriggers ? withTriggersReversed(call.input) : call.input;
    const turn = engine.call(session, call.tool, given(input));
    session = turn.session;
    digest = engine.digest(turn, digest);
    rebuilt = fromRecords ? worldAfter(rebuilt, turn) : rebuilt;
    const what =
      digest !== call.digest
        ? "another digest"
        : !reverseTriggers && hashOfAnswer(turn) !== call.answer
          ? `another answer: ${JSON.stringify(turn.answer)}`
          : fromRecords && digestOfWorld(rebuilt) !== digestOfWorld(session.world)
            ? "its records make another world"
            : null;
    const difference = what && `call ${i + 1}, ${call.tool} ${JSON.stringify(input)}, has ${what}`;
    yield { difference, compared: `${call.answer} ${digest}` };
  }
}

/** The world after a turn, from the record it leaves, written down and read again. Rounds of deduction leave no writes. */
function worldAfter(world: World, { record, session }: Turn): World {
  if (record === undefined) return world;
  const read = effectRecordSchema.parse(JSON.parse(JSON.stringify(record)));
  switch (read.kind) {
    case "accepted":
      return applyStepRecord(world, read);
    case "construction":
      return applyConstruction(world, read);
    case "span":
      return session.world;
    default:
      return world;
  }
}

/** The same data with the keys of every object in an order that `numbers` draws. */
export function shuffledKeys<T>(value: T, numbers: Numbers): T {
  if (Array.isArray(value)) return value.map((one: unknown) => shuffledKeys(one, numbers)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => ({
    entry: [key, shuffledKeys(one, numbers)] as const,
    rank: numbers.below(1_000_000),
  }));
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)) as T;
}

function withTriggersReversed(input: unknown): unknown {
  if (typeof input !== "object" || input === null || !("triggers" in input)) return input;
  const { triggers } = input;
  return Array.isArray(triggers) ? { ...input, triggers: triggers.toReversed() as unknown[] } : input;
}
