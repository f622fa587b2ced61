/**
 * A process of its own that plays the long log again: `node … long-log-child.js LOG`. Prints as JSON what came of it, and
 * what it was run under. KEYS seeds the order of keys, RECORDS=1 has worlds made from records too, and CLOCK_SHIFT_MS
 * moves what this process takes for the present.
 */
// First of all, so that nothing sees the date before it is moved.
import { presentYear } from "./shifted-date.ts";
import { readFileSync } from "node:fs";
import type { LongLog } from "./long-log-generate.ts";
import { replayLog, type ReplayOptions } from "./long-log-replay.ts";

const { KEYS, RECORDS } = process.env;
const { plays } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Pick<LongLog, "plays">;
const options: ReplayOptions = { ...(KEYS && { shuffle: KEYS }), fromRecords: RECORDS === "1" };
const surroundings = {
  node: process.version,
  year: presentYear(),
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
};
process.stdout.write(JSON.stringify({ ...replayLog(plays, options), ...surroundings }));
