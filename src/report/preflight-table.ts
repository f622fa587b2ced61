/** What a preflight found, as a table and what to do about it. */
import type { Preflight } from "../endpoint/index.ts";
import { escapeText } from "./escape.ts";
import { tableLines, type Column } from "./table.ts";

type Probe = Preflight["probes"][number];

const COLUMNS: readonly Column<Probe>[] = [
  { head: "probe", cell: ({ name }) => name },
  { head: "result", cell: ({ status }) => status },
  { head: "what was seen", cell: ({ seen }) => seen },
];

/** The lines for a person; every word of an endpoint in them is escaped. */
export function preflightLines(preflight: Preflight): readonly string[] {
  return [...tableLines(COLUMNS, preflight.probes), "", ...adviceLines(preflight), summaryOf(preflight)];
}

/** A line for each probe that asks something of the reader, what failed first. */
export function adviceLines({ probes }: Pick<Preflight, "probes">): readonly string[] {
  const asking = ["fail", "warn"].flatMap((status) => probes.filter((one) => one.status === status));
  return asking.flatMap(({ name, advice }) => (advice === undefined ? [] : [escapeText(`${name}: ${advice}`)]));
}

function summaryOf({ ok, probes, found, tokens }: Preflight): string {
  const count = (status: Probe["status"]): number => probes.filter((one) => one.status === status).length;
  const [failed, warned] = [count("fail"), count("warn")];
  const verdict = ok
    ? warned === 0
      ? "All well"
      : `It will do, with ${sayCount(warned, "warning")}`
    : `${sayCount(failed, "probe")} failed`;
  const window = found.contextTokens === undefined ? "" : `, window ${found.contextTokens} tokens`;
  return `${verdict}. The probes cost ${sayCount(tokens, "token")}${window}.`;
}

function sayCount(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
