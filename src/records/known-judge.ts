/** The judges this version can answer for, and what a set may say that bears their names. */
import type { Judgment } from "../contracts/index.ts";
import { sameJson } from "../runtime/index.ts";
import { RecordError } from "./error.ts";

/** Whoever else a file names has said nothing that could be checked. */
export const KNOWN_JUDGES = ["exact", "model", "exact+model"] as const;
export type KnownJudge = (typeof KNOWN_JUDGES)[number];

/** The judge that a set names. Throws `unknown_judge`. */
export function requireKnownJudge(name: unknown, where: string): KnownJudge {
  const known = KNOWN_JUDGES.find((one) => one === name);
  if (known !== undefined) return known;
  throw new RecordError("unknown_judge", {
    where,
    what: `they say to be of the judge ${JSON.stringify(name) ?? "nobody"}, which this version does not know`,
    remedy: `Judges are: ${KNOWN_JUDGES.join(", ")}. Judge the run again into a new set: --as NAME`,
  });
}

/**
 * Why lines cannot be of the judge that their header names; undefined where they can. A set of `model` holds nothing but
 * the model's words. One of `exact+model` holds the exact judge's, to the byte, but that an event or structure which that
 * one failed may have the model's instead. `exact` is what the exact judge says now, or why it cannot judge the run.
 */
export function faultOfLines(
  judge: Exclude<KnownJudge, "exact">,
  lines: readonly Judgment[],
  exact: readonly Judgment[] | string | undefined,
): string | undefined {
  if (judge === "model") {
    const other = lines.find(({ by }) => by === "exact");
    return other && `they say to be of the judge model, and that on ${other.item} says to be of the exact judge`;
  }
  if (exact === undefined || typeof exact === "string")
    return `they say to be of the judge exact+model: ${exact ?? "the exact judge does not apply"}`;
  const own = new Map(exact.map((one) => [one.item as string, one]));
  const seen = new Map<string, Judgment["by"]>();
  for (const line of lines) {
    const fault = faultOfLine(line, own.get(line.item)) ?? faultBeside(line, seen);
    if (fault !== undefined) return `that on ${line.item} ${fault}`;
    seen.set(line.item, line.by);
  }
  const missing = exact.find(({ item }) => !seen.has(item));
  return missing && `they lack ${missing.item}, on which the exact judge says ${missing.verdict}`;
}

function faultOfLine({ by, ...said }: Judgment, exact: Judgment | undefined): string | undefined {
  switch (by) {
    case undefined:
      return "does not say which of the judges exact and model it is of";
    case "exact":
      return exact !== undefined && sameJson(exact, said)
        ? undefined
        : "says to be of the exact judge, which judges otherwise";
    case "model":
      return exact?.verdict === "fail" && exact.kind !== "P"
        ? undefined
        : "says to be of the model, which looks again only at events and structures that the exact judge failed";
  }
}

/** Several votes on an item are all the model's. */
function faultBeside({ by, item }: Judgment, seen: ReadonlyMap<string, Judgment["by"]>): string | undefined {
  if (!seen.has(item) || (by === "model" && seen.get(item) === "model")) return undefined;
  return "comes twice, and not both times from the model";
}
