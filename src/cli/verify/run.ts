/** Finds all parts of some cases: those that are kept, and the others by workers, with the progress on stderr. */
import type { Case } from "../../cases/index.ts";
import { escapeText } from "../../report/index.ts";
import type { Tier } from "../../runtime/index.ts";
import { contentDigestOf, partsOf, type PartFound } from "../../tracks/index.ts";
import { EXIT } from "../exit.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { note } from "../output.ts";
import { CLEAR_LINE, isLive } from "../terminal.ts";
import { defaultCacheFolder, NO_CACHE, openPartCache, type PartCache, type PartKey } from "./cache.ts";
import { codeDigest, workerFile } from "./code.ts";
import { findParts, type PartTask } from "./pool.ts";

export interface FindOptions {
  readonly tiers: readonly Tier[];
  /** Workers at once. */
  readonly jobs: number;
  /** The folder in which parts are kept; false: in none; undefined: in the usual one. */
  readonly cache: string | false | undefined;
  /** Told of each case as soon as all of it is found, in the order of the cases. */
  readonly onCase: (case_: Case, found: CaseFound) => void;
}

/** The parts of one case; `faults` says of those that are missing why. */
export interface CaseFound {
  readonly parts: readonly PartFound[];
  readonly faults: readonly string[];
}

/** Every part of every case is found, or a fault says why not. Ctrl-C ends the command at once; what was found is kept. */
export async function findVerifications(
  cases: readonly Case[],
  { tiers, jobs, cache: folder, onCase }: FindOptions,
): Promise<void> {
  const worker = workerFile();
  const code = folder === false ? undefined : codeDigest();
  const cache = cacheIn(folder, worker, code);
  const found = new Map<Case, { readonly parts: PartFound[]; readonly faults: string[] }>(
    cases.map((case_) => [case_, { parts: [], faults: [] }]),
  );
  const tasks = cases.flatMap((case_): readonly PartTask[] => {
    const content = contentDigestOf(case_);
    return partsOf(case_).map((part) => ({ case: case_, order: { directory: case_.directory, content, part, tiers } }));
  });
  const keyOf = ({ order: { content, part } }: PartTask): PartKey => ({ content, code: code ?? "", tiers, part });
  const open = tasks.filter((task) => {
    const known = cache.find(keyOf(task));
    if (known !== undefined) found.get(task.case)?.parts.push(known);
    return known === undefined;
  });
  const display = progressOf(tasks.length, tasks.length - open.length);
  const interrupt = listenForInterrupt(() => {
    display.clear();
    const kept = cache === NO_CACHE ? "nothing is kept" : "they are kept, and the same command goes on from there";
    note(`Interrupted: ${display.done()} of ${tasks.length} parts are done; ${kept}.`);
    process.exit(EXIT.interrupted);
  });
  const waiting = [...cases];
  const tellOfWhole = (): void => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const one = found.get(next) as CaseFound;
      if (one.parts.length + one.faults.length < partsOf(next).length) return;
      waiting.shift();
      display.clear();
      onCase(next, one);
    }
  };
  tellOfWhole();
  let isKeeping = true;
  await findParts(open, jobs, worker, {
    onProgress: (task, text) => display.say(`${task.case.id} ${text}`),
    onFound: (task, part) => {
      found.get(task.case)?.parts.push(part);
      display.count();
      const fault = isKeeping ? cache.keep(keyOf(task), part) : undefined;
      if (fault !== undefined) {
        isKeeping = false;
        display.clear();
        note(escapeText(`Nothing is kept of this: ${fault}`));
      }
      tellOfWhole();
    },
    onFault: (task, message) => {
      found.get(task.case)?.faults.push(message);
      display.count();
      tellOfWhole();
    },
  });
  interrupt.release();
  display.clear();
}

/** The sources change from one moment to the next, and tests run them: there parts are kept only where somebody says so. */
function cacheIn(folder: FindOptions["cache"], worker: string | undefined, code: string | undefined): PartCache {
  if (folder === false || code === undefined) return NO_CACHE;
  if (folder !== undefined) return openPartCache(folder);
  return worker === undefined ? NO_CACHE : openPartCache(defaultCacheFolder(process.env));
}

export interface Progress {
  readonly say: (text: string) => void;
  readonly count: () => void;
  readonly done: () => number;
  readonly clear: () => void;
}

const REDRAW_MS = 100;
const PLAIN_MS = 10_000;

/** Says on stderr how far it has come: in place on a terminal, else a line now and then. */
export function progressOf(parts: number, kept: number, what = "parts"): Progress {
  const live = isLive(process.stderr, process.env);
  let saidMs = performance.now();
  let done = kept;
  return {
    say: (text) => {
      const now = performance.now();
      if (now - saidMs < (live ? REDRAW_MS : PLAIN_MS)) return;
      saidMs = now;
      const line = escapeText(`${done} of ${parts} ${what} · ${text}`);
      if (live) process.stderr.write(`${CLEAR_LINE}${line}`);
      else note(line);
    },
    count: () => {
      done += 1;
    },
    done: () => done,
    clear: () => {
      if (live) process.stderr.write(CLEAR_LINE);
    },
  };
}
