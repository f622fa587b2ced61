/** The words of the display of a set under way: a pure function of what has happened so far. */
import type { RunName } from "../tracks/index.ts";

export interface SetProgress {
  readonly planned: number;
  readonly done: number;
  /** Of those done: ended on a fault or could not be played. */
  readonly failed: number;
  /** Of those done: were finished before, and took no time. */
  readonly skipped?: number;
  /** What is being played now, the longest first. */
  readonly running: readonly { readonly run: RunName; readonly round: number; readonly calls: number }[];
  /** What models were asked; left out where none was. */
  readonly asked?: AskedSoFar;
  /** The request that has waited longest for its answer: who asked, and how long ago. */
  readonly oldest?: { readonly label: string; readonly ageMs: number };
  readonly elapsedMs: number;
}

/** Sums over the answers that came while the display was there; those of a log are not heard again. */
export interface AskedSoFar {
  readonly answers: number;
  readonly tokens: number;
  /** Some of the tokens are an estimate. */
  readonly estimated: boolean;
  /** Answers whose tokens are not known at all. */
  readonly uncounted: number;
  readonly costUsd: number;
  /** Answers whose price is not known. */
  readonly unpriced: number;
}

export const NOTHING_ASKED: AskedSoFar = {
  answers: 0,
  tokens: 0,
  estimated: false,
  uncounted: 0,
  costUsd: 0,
  unpriced: 0,
};

/** A part of the line and its rank: where not all fit, those of the least rank are taken first. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

/** How many words the line may spend; what it names is the same. */
type Words = "full" | "short" | "terse";

/** Parts up to this rank are named as long as any way of saying them fits. */
const WANTED = 6;

/**
 * One line in at most `columns`: `3/8 done, 1 failed · ark_001.hard.reference.1 round 4, 57 calls · 12 s`, and where
 * models are asked `3/8 done, 1 failed · 4 running · 120k tokens · $0.42 · …`. Where that is too long it is said in fewer
 * words (`3/8 done 4 running 1 failed · 120k tok · $0.42 · …`), and only then are the least important parts left out.
 */
export function progressLine(progress: SetProgress, columns: number): string {
  const ways: readonly Words[] = asksModels(progress) ? ["full", "short"] : ["full"];
  const words = ways.find((one) => join(wantedOf(partsOf(progress, one)), one).length <= columns);
  const chosen = words ?? (asksModels(progress) ? "terse" : "full");
  const parts = partsOf(progress, chosen);
  // So tersely said, a time that has passed would be read as one that is left.
  return withinColumns(chosen === "terse" ? wantedOf(parts) : parts, chosen, columns);
}

function wantedOf(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ rank }) => rank <= WANTED);
}

function withinColumns(parts: readonly Part[], words: Words, columns: number): string {
  const taken = new Set(parts.slice(0, 1));
  for (const part of [...parts].sort((a, b) => a.rank - b.rank)) {
    const more = parts.filter((one) => taken.has(one) || one === part);
    if (join(more, words).length <= columns) taken.add(part);
  }
  const kept = parts.filter((one) => taken.has(one));
  const text = join(kept, words);
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** The same where lines stay: nothing is left out. */
export function progressText(progress: SetProgress): string {
  return join(partsOf(progress, "full"), "full");
}

function asksModels({ asked, oldest }: SetProgress): boolean {
  return asked !== undefined || oldest !== undefined;
}

function partsOf(progress: SetProgress, words: Words): readonly Part[] {
  const { asked, oldest, elapsedMs } = progress;
  const asks = asksModels(progress);
  return [
    ...(asks ? sayRuns(progress, words) : [sayDone(progress), ...sayFirst(progress)]),
    ...(asked === undefined ? [] : sayAsked(asked, elapsedMs, words)),
    ...sayRunRate(progress, asks),
    { text: sayTime(elapsedMs), rank: 7 },
    ...sayLeft(progress, words),
    ...(oldest === undefined ? [] : [sayOldest(oldest, words)]),
  ];
}

function sayDone({ planned, done, failed }: SetProgress): Part {
  return { text: `${done}/${planned} done${failed === 0 ? "" : `, ${failed} failed`}`, rank: 0 };
}

/** Runs that take seconds: which one it is matters more than how many there are. */
function sayFirst({ running }: SetProgress): readonly Part[] {
  const [first] = running;
  if (first === undefined) return [];
  const more = running.length > 1 ? ` and ${running.length - 1} more` : "";
  return [{ text: `${first.run.run} round ${first.round}, ${first.calls} calls${more}`, rank: 2 }];
}

/** How many runs are done, running and failed: in one part where words are few. */
function sayRuns(progress: SetProgress, words: Words): readonly Part[] {
  const { planned, done, failed, running } = progress;
  const n = running.length;
  if (words === "full") return [sayDone(progress), ...(n === 0 ? [] : [{ text: `${n} running`, rank: 1 }])];
  const [asRunning, asFailed] = words === "short" ? ["running", "failed"] : ["run", "fail"];
  const parts = [
    `${done}/${planned} done`,
    ...(n === 0 ? [] : [`${n} ${asRunning}`]),
    ...(failed === 0 ? [] : [`${failed} ${asFailed}`]),
  ];
  return [{ text: parts.join(" "), rank: 0 }];
}

/** Who is waited for longest is named only where there is room for a name. */
function sayOldest({ label, ageMs }: NonNullable<SetProgress["oldest"]>, words: Words): Part {
  const text = words === "full" ? `oldest call ${label} ${sayTime(ageMs)}` : `oldest ${saySpan(ageMs)}`;
  return { text, rank: 2 };
}

function sayAsked(asked: AskedSoFar, elapsedMs: number, words: Words): readonly Part[] {
  const { tokens, estimated, uncounted } = asked;
  const unsure = uncounted > 0 ? "≥" : estimated ? "~" : "";
  const known = uncounted < asked.answers;
  const [unit, perMin] = words === "full" ? ["tokens", " tokens/min"] : ["tok", "/min"];
  const rate = `${sayCount(perMinute(tokens, elapsedMs))}${perMin}`;
  return [
    { text: known ? `${unsure}${sayCount(tokens)} ${unit}` : `— ${unit}`, rank: 3 },
    { text: words === "terse" ? sayShortCost(asked) : sayCost(asked), rank: 4 },
    ...(known && elapsedMs > 0 ? [{ text: rate, rank: 6 }] : []),
  ];
}

/** As sayCost, without cents from ten dollars on. */
function sayShortCost(asked: AskedSoFar): string {
  const said = sayCost(asked).replace("≥ ", "≥");
  return asked.costUsd < 10 ? said : said.replace(/\$.*/, `$$${sayCount(asked.costUsd)}`);
}

/** `$0.42`; `≥ $0.42` where some answers have no known price, and `—` where none has. */
export function sayCost({ costUsd, unpriced }: Pick<AskedSoFar, "answers" | "costUsd" | "unpriced">): string {
  if (costUsd === 0 && unpriced > 0) return "cost —";
  return `${unpriced > 0 ? "≥ " : ""}$${costUsd < 0.01 && costUsd > 0 ? costUsd.toFixed(4) : costUsd.toFixed(2)}`;
}

/** How fast runs come to their end. Said only where models are asked: there it says how long a set will take. */
function sayRunRate(progress: SetProgress, asks: boolean): readonly Part[] {
  const played = playedOf(progress);
  if (!asks || played === 0 || progress.elapsedMs === 0) return [];
  return [{ text: `${sayCount(perMinute(played * 60, progress.elapsedMs))} runs/h`, rank: 9 }];
}

/** As the runs of now went, so will the rest. */
function sayLeft(progress: SetProgress, words: Words): readonly Part[] {
  const { planned, done, elapsedMs } = progress;
  const played = playedOf(progress);
  if (played === 0 || done === planned) return [];
  const leftMs = (elapsedMs / played) * (planned - done);
  return [{ text: words === "full" ? `about ${sayTime(leftMs)} left` : `${saySpan(leftMs)} left`, rank: 5 }];
}

function playedOf({ done, skipped }: SetProgress): number {
  return done - (skipped ?? 0);
}

function perMinute(count: number, elapsedMs: number): number {
  return (count * 60_000) / elapsedMs;
}

function join(parts: readonly Part[], words: Words): string {
  return parts.map(({ text }) => text).join(words === "terse" ? " " : " · ");
}

/** `0`, `8`, `999`, `1.2k`, `120k`, `3.4M`. */
export function sayCount(count: number): string {
  const whole = Math.round(count);
  if (whole < 1_000) return String(whole);
  const [size, unit] = whole < 999_500 ? [1_000, "k"] : [1_000_000, "M"];
  const scaled = whole / size;
  return `${scaled < 9.95 ? scaled.toFixed(1) : String(Math.round(scaled))}${unit}`;
}

/** `0 s`, `59 s`, `2 min 5 s`, `1 h 4 min`. */
export function sayTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time in its largest unit alone: `42 s`, `2 min`, `26 h`, `3 d`. */
function saySpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}
