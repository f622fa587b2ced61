/**
 * Follows the chain of a log over faults. After a fault it takes up the chain again from the line's own hash, so
 * that one flipped bit is one difference and not one on every line after it. Pure.
 */
import { entryOf, faultOfLink, FIRST_PREV, readLoneLine, type LineFault, type LoneLine } from "./chain.ts";
import type { LogEntry } from "./entry.ts";

/** Where a follower stands. */
export interface ChainState {
  /** The number the next line should have. */
  readonly seq: number;
  /** Hashes its `prev` may name: one, or two after a line whose hash and content disagree. */
  readonly prevs: readonly string[];
  /** Entries that may lie in unreadable lines just passed: the next number may be higher by as many. */
  readonly unread: number;
  readonly sealed: boolean;
}

export const CHAIN_START: ChainState = { seq: 0, prevs: [FIRST_PREV], unread: 0, sealed: false };

/** The state after a line, with the entry it holds or the fault it has. */
export interface Followed {
  readonly state: ChainState;
  readonly entry?: LogEntry;
  readonly fault?: LineFault;
}

/** Follows the chain over one more line (its text without the newline). */
export function followLine(state: ChainState, text: string): Followed {
  const line = readLoneLine(text);
  if (line.claim === undefined) {
    const unread = state.unread + countEntries(text);
    return { state: { ...state, unread }, ...(line.fault && { fault: line.fault }) };
  }
  return line.fault === undefined ? followSound(state, line) : followDamaged(state, line.claim, line.fault);
}

/** Passes over bytes that are no text at all (too long, not UTF-8, torn); `remains` is what can be read of them. */
export function passUnreadable(state: ChainState, remains = ""): ChainState {
  return { ...state, unread: state.unread + countEntries(remains) };
}

/** A line whose content and hash disagree: either of them may be what the next line names. */
function followDamaged(state: ChainState, claim: NonNullable<LoneLine["claim"]>, fault: LineFault): Followed {
  const trusted = claim.seq >= state.seq && claim.seq <= state.seq + state.unread;
  const seq = (trusted ? claim.seq : state.seq) + 1;
  return { state: { ...state, seq, prevs: [claim.hash, claim.computed], unread: 0 }, fault };
}

function followSound(state: ChainState, line: LoneLine): Followed {
  const claim = line.claim as NonNullable<LoneLine["claim"]>;
  const inGap = claim.seq > state.seq && claim.seq <= state.seq + state.unread;
  const linkFault = inGap ? undefined : faultOfLink(claim, state.seq, state.prevs);
  // A line from further up neither moves the chain on nor back.
  if (claim.seq < state.seq) return { state, ...(linkFault && { fault: linkFault }) };
  const next: ChainState = { ...state, seq: claim.seq + 1, prevs: [claim.hash], unread: 0 };
  if (linkFault !== undefined) return { state: next, fault: linkFault };
  if (state.sealed)
    return {
      state: next,
      fault: {
        kind: "misplaced",
        expected: "nothing after the seal",
        seen: `line of kind ${String(line.body?.["kind"])}`,
      },
    };
  const entry = entryOf(line);
  if (!entry.ok) return { state: next, fault: entry.error };
  return { state: { ...next, sealed: entry.value.kind === "seal" }, entry: entry.value };
}

/** How many entries an unreadable text seems to hold: two, for instance, where the newline between them was lost. */
function countEntries(text: string): number {
  return Math.max(1, text.match(/"prev":"[0-9a-f]{64}","/g)?.length ?? 0);
}
