/** Reads logs: strictly for an audit, which wants every fault, and up to the first fault for a resumption. */
import { basename } from "node:path";
import { CHAIN_START, followLine, passUnreadable, type ChainState } from "./chain-follower.ts";
import { FIRST_PREV, type LineFault } from "./chain.ts";
import { MAX_LINE_BYTES, type LogEntry } from "./entry.ts";
import { RecordError } from "./error.ts";
import { readLines, type FileLine } from "./lines.ts";

/** A fault with its place. `line` counts from 1, as editors do; the entry there has `seq` line − 1. */
export interface LogFault extends LineFault {
  readonly file: string;
  readonly line: number;
}

export type LogItem =
  | { readonly kind: "entry"; readonly line: number; readonly endByte: number; readonly entry: LogEntry }
  | { readonly kind: "fault"; readonly line: number; readonly endByte: number; readonly fault: LogFault };

export interface ReadLogOptions {
  readonly maxLineBytes?: number;
}

/** The fault in one line: `log.jsonl:7: wrong_hash: expected …, seen …`. */
export function describeLogFault(fault: LogFault): string {
  return `${fault.file}:${fault.line}: ${fault.kind}: expected ${fault.expected}, seen ${fault.seen}`;
}

/**
 * Strict: yields every line of a log as its entry or as the fault it has, to the end, at most one fault a line.
 * A line removed, moved or changed is one or two faults, not one on each line after it.
 */
export async function* readLog(path: string, options: ReadLogOptions = {}): AsyncGenerator<LogItem, void, undefined> {
  let state: ChainState = CHAIN_START;
  for await (const line of readLines(path, options.maxLineBytes ?? MAX_LINE_BYTES)) {
    const followed =
      line.text === undefined
        ? { state: passUnreadable(state, line.remains), fault: line.fault }
        : followLine(state, line.text);
    state = followed.state;
    if (followed.fault !== undefined) yield faultItem(path, line, followed.fault);
    else if ("entry" in followed && followed.entry !== undefined) {
      yield { kind: "entry", line: line.line, endByte: line.end, entry: followed.entry };
    }
  }
}

function faultItem(path: string, line: FileLine, fault: LineFault): LogItem {
  return {
    kind: "fault",
    line: line.line,
    endByte: line.end,
    fault: { ...fault, file: basename(path), line: line.line },
  };
}

/** What a strict reading found. `lastHash` is that of the last sound entry (64 zeros where there is none). */
export interface LogCheck {
  readonly entries: number;
  readonly lastHash: string;
  readonly sealed: boolean;
  readonly faults: readonly LogFault[];
}

/** Reads a whole log strictly, handing each sound entry to `visit`, and lists its faults. */
export async function checkLog(
  path: string,
  visit?: (entry: LogEntry) => void,
  options: ReadLogOptions = {},
): Promise<LogCheck> {
  const faults: LogFault[] = [];
  let entries = 0;
  let last: LogEntry | undefined;
  for await (const item of readLog(path, options)) {
    if (item.kind === "fault") {
      faults.push(item.fault);
      continue;
    }
    entries += 1;
    last = item.entry;
    visit?.(item.entry);
  }
  return { entries, lastHash: last?.hash ?? FIRST_PREV, sealed: last?.kind === "seal", faults };
}

/** The intact prefix of a log. */
export interface LogPrefix {
  readonly lines: number;
  readonly bytes: number;
  readonly lastHash: string;
  readonly sealed: boolean;
  /**
   * What ends the prefix before the end of the file. `torn`: nothing complete follows it, which is what a killed
   * process leaves, and it may be cut. Otherwise the log was damaged in some other way.
   */
  readonly end?: { readonly fault: LogFault; readonly torn: boolean };
}

/** Recovery: reads up to the first fault, handing each entry of the intact prefix to `visit`. */
export async function recoverLog(
  path: string,
  visit?: (entry: LogEntry) => void,
  options: ReadLogOptions = {},
): Promise<LogPrefix> {
  let prefix: LogPrefix = { lines: 0, bytes: 0, lastHash: FIRST_PREV, sealed: false };
  let fault: LogFault | undefined;
  for await (const item of readLog(path, options)) {
    if (fault !== undefined) return { ...prefix, end: { fault, torn: false } };
    if (item.kind === "fault") {
      fault = item.fault;
      continue;
    }
    const { entry } = item;
    prefix = { lines: item.line, bytes: item.endByte, lastHash: entry.hash, sealed: entry.kind === "seal" };
    visit?.(entry);
  }
  return fault === undefined ? prefix : { ...prefix, end: { fault, torn: true } };
}

/**
 * Yields the entries of a log that must be sound. A torn end is passed over, since it was never shown to anyone; a
 * fault with complete lines after it throws `log_damaged`.
 */
export async function* readEntries(
  path: string,
  options: ReadLogOptions = {},
): AsyncGenerator<LogEntry, void, undefined> {
  let fault: LogFault | undefined;
  for await (const item of readLog(path, options)) {
    if (fault !== undefined) throw damagedLog(path, fault);
    if (item.kind === "entry") yield item.entry;
    else fault = item.fault;
  }
}

/** The error for a log with a fault that no killed process leaves. */
export function damagedLog(path: string, fault: LogFault): RecordError {
  return new RecordError("log_damaged", {
    where: `${path}:${fault.line}`,
    what: `the log is damaged (${fault.kind}): expected ${fault.expected}, seen ${fault.seen}`,
    remedy:
      "`audit` lists every fault. Restore the folder from a copy; or move it away, and the same command then plays the run anew",
    facts: { line: fault.line, kind: fault.kind, expected: fault.expected, seen: fault.seen },
  });
}
