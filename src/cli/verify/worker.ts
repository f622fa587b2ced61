/** A worker thread that finds parts of verifications, one after the other, for the command that started it. */
import { parentPort } from "node:worker_threads";
import { loadCase } from "../../cases/index.ts";
import { contentDigestOf, partFinder, type PartFinder } from "../../tracks/index.ts";
import type { PartOrder, WorkerSays } from "./message.ts";

/** The case last asked for, laid out: the parts of a case come one after the other. */
let laidOut: { readonly content: string; readonly finder: PartFinder } | undefined;

function finderOf({ directory, content }: PartOrder): PartFinder {
  if (laidOut?.content === content) return laidOut.finder;
  const loaded = loadCase(directory);
  if (!loaded.ok || contentDigestOf(loaded.value) !== content)
    throw new Error(`${directory} was changed while it was verified: verify it again`);
  laidOut = { content, finder: partFinder(loaded.value) };
  return laidOut.finder;
}

const SAY_EVERY_MS = 100;

function find(order: PartOrder, say: (what: WorkerSays) => void): void {
  const finding = finderOf(order).find(order.part, order.tiers);
  let saidMs = -Infinity;
  for (let next = finding.next(); ; next = finding.next()) {
    if (next.done === true) return say({ kind: "found", found: next.value });
    const now = performance.now();
    if (now - saidMs < SAY_EVERY_MS) continue;
    saidMs = now;
    say({ kind: "progress", text: next.value });
  }
}

parentPort?.on("message", (order: PartOrder) => {
  const say = (what: WorkerSays) => parentPort?.postMessage(what, []);
  try {
    find(order, say);
  } catch (error) {
    say({ kind: "fault", message: error instanceof Error ? error.message : String(error) });
  }
});
