/** Reads queries to their end, with every answer checked to be one that can be sent and kept. */
import { expect } from "vitest";
import { admitCall } from "../../../src/runtime/admit.ts";
import { canonicalJson } from "../../../src/runtime/canonical.ts";
import { LIMITS } from "../../../src/runtime/limits.ts";
import { bytesOf } from "../../../src/runtime/page.ts";
import { callTool, type Session, type Turn } from "../../../src/runtime/session.ts";
import { countEntities } from "../../../src/runtime/state/index.ts";
import { OPENING, soundCall, type Player, type ToolCall } from "../../fuzz/calls.ts";
import { learn, nothingKnown, type Knowledge } from "../../fuzz/knowledge.ts";
import { openFor } from "../../fuzz/players.ts";
import { randomOf, type Random } from "../../fuzz/random.ts";

export type Loose = Readonly<Record<string, unknown>>;

/** Makes a call; its answer takes at most 8 KB, holds no half of a character and is no fault of the program. */
export function callWell(session: Session, tool: string, input: unknown = {}): Turn {
  const turn = callTool(session, admitCall(tool, input));
  const bytes = bytesOf(turn.answer);
  if (bytes > LIMITS.answerBytes || turn.internal !== undefined)
    expect.fail(`${tool} ${JSON.stringify(input)}: ${bytes} bytes, ${String(turn.internal?.cause)}`);
  canonicalJson(turn.answer);
  return turn;
}

export interface WholeRead {
  readonly entries: readonly Loose[];
  readonly session: Session;
  readonly cursors: readonly string[];
}

/** All pages of a query; `between` goes on with the session after each page. Undefined where the first page is refused. */
export function readToEnd(
  session: Session,
  query: Loose,
  between: (session: Session) => Session = (same) => same,
): WholeRead | undefined {
  const entries: Loose[] = [];
  const cursors: string[] = [];
  let now = session;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const { answer } = callWell(now, "read_data", cursor === undefined ? query : { ...query, cursor });
    if (!answer.ok && cursor === undefined) return undefined;
    if (!answer.ok || !("entries" in answer)) return expect.fail(`${JSON.stringify(query)}: ${JSON.stringify(answer)}`);
    const page = answer.entries as readonly Loose[];
    expect(page.length).toBeLessThanOrEqual((query["limit"] as number | undefined) ?? LIMITS.defaultPageEntries);
    entries.push(...page);
    cursor = answer.cursor;
    if (cursor === undefined) continue;
    cursors.push(cursor);
    now = between(now);
  }
  return { entries, session: now, cursors };
}

/** The story that `get_context` tells, read on to its end. */
export function readStory(session: Session, input: Loose = {}): { readonly text: string; readonly pages: number } {
  let text = "";
  let pages = 0;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const { answer } = callWell(session, "get_context", cursor === undefined ? input : { ...input, cursor });
    if (!answer.ok || !("budgets" in answer)) return expect.fail(JSON.stringify(answer));
    const part = "narrative" in answer ? answer.narrative : answer.intro;
    text += part.text;
    cursor = part.cursor;
    pages += 1;
  }
  return { text, pages };
}

/** A session in the midst of a game, and how it goes on. */
export interface Midgame {
  readonly player: Player;
  readonly session: Session;
  readonly random: Random;
  readonly known: Knowledge;
}

/** Plays so many sound calls of a seed. */
export function midgame(player: Player, seed: number, calls: number): Midgame {
  const game = { player, session: openFor(player), random: randomOf(seed), known: nothingKnown() };
  for (const call of OPENING) game.session = carryOut(game, call);
  for (let i = 0; i < calls; i += 1) game.session = carryOut(game, soundCall(game.random, game.known, player));
  return game;
}

/** Of a larger world every entity is read by itself, many times over: what would grow it further is not done. */
const MOST_ENTITIES = 120;

/** The session after a call, of whose answer the game learns. */
export function carryOut({ session, known }: Midgame, { tool, input }: ToolCall): Session {
  const turn = callWell(session, String(tool), input);
  if (countEntities(turn.session.world.entities) > MOST_ENTITIES) return session;
  if (turn.answer.ok) learn(known, String(tool), input as Loose, turn.answer);
  return turn.session;
}

/** A query that is meant well, of the kind that the fuzzer asks, from its beginning. */
export function soundQuery({ random, known, player }: Midgame): Loose {
  for (;;) {
    const { tool, input } = soundCall(random, known, player);
    const query = input as Loose;
    if (tool === "read_data" && query["cursor"] === undefined) return query;
  }
}
