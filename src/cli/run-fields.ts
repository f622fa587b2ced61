/** What of a run stands in JSON, whichever track it is of. Pure. */
import type { DeductionScore } from "../contracts/index.ts";
import type { Condition, Json, Mode, Tier } from "../runtime/index.ts";
import type { RunName } from "../tracks/index.ts";

/** In which form of its track a case was played. */
export function howOf(name: RunName): { readonly [key: string]: Tier | Condition | Mode | number } {
  if (name.track === "maintenance") return { tier: name.tier };
  const { condition, mode, fold } = name;
  return { condition, mode, fold };
}

/** The figures of a run of deduction; all null where it has none. `n` is what each F1 is the mean of. */
export function deductionFigures(score: DeductionScore | undefined, mode: Mode): { readonly [key: string]: Json } {
  const kinds = mode === "M1" ? (["segment"] as const) : (["interval", "lookahead", "counterfactual"] as const);
  const scored = score?.excluded === false ? score : undefined;
  const of = <T extends Json>(read: (kind: (typeof kinds)[number]) => T) =>
    Object.fromEntries(kinds.map((kind) => [kind, read(kind)]));
  return {
    f1: of((kind) => scored?.readings[kind]?.f1.mean ?? null),
    n: of((kind) => scored?.readings[kind]?.f1.n ?? 0),
    quiet: of((kind) => scored?.readings[kind]?.quiet.rate ?? null),
    fires: { precision: scored?.fires.precision.mean ?? null, recall: scored?.fires.recall.mean ?? null },
    goal: scored?.goal ?? null,
    ...(scored && { waits: scored.waits, spans: scored.spans }),
    ...(score?.excluded === true && { excluded: score.reason }),
  };
}
