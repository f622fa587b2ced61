import type { CapabilityDraft, World } from "../runtime/index.ts";
import { suggest } from "../runtime/index.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import type { PlacedRelation } from "./relations.ts";
import type { CaseFile, RoundFile } from "./schema.ts";
import type { Source } from "./source.ts";

/** A round file that could be read. */
export interface RoundPart {
  readonly source: Source;
  readonly file: RoundFile;
  readonly relations: readonly PlacedRelation[];
}

/** What of a case could be read, for checks across its files. Where something could not, they check the rest. */
export interface CaseParts {
  readonly caseFile: { readonly source: Source; readonly file: CaseFile } | undefined;
  /** The world; without its capabilities and invariants where those have faults; undefined where there is none. */
  readonly world: World | undefined;
  readonly capabilities: Readonly<Record<string, CapabilityDraft>> | undefined;
  readonly rounds: readonly RoundPart[];
  /** The round of every event that could be read. */
  readonly eventRounds: ReadonlyMap<string, number>;
  /** Whether all round files could be read, so that an event that is not found is nowhere. */
  readonly complete: boolean;
}

/** The round of every event; the first one counts where an id stands twice. */
export function roundsOfEvents(rounds: readonly RoundPart[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { file } of rounds) for (const { id } of file.events) if (!found.has(id)) found.set(id, file.round);
  return found;
}

/** Whether `event` is an event of round `round` (`"this"`), or of it or an earlier one (`"this or earlier"`). */
export function faultsOfEventName(
  parts: CaseParts,
  round: number,
  event: string,
  where: "this" | "this or earlier",
  path: Path,
): readonly PathFault[] {
  const found = parts.eventRounds.get(event);
  if (found === undefined) {
    if (!parts.complete) return [];
    const possible = [...parts.eventRounds]
      .filter(([, r]) => (where === "this" ? r === round : r <= round))
      .map(([id]) => id);
    return [faultAt(path, `there is no event ${quote(event)}`, suggest(event, possible))];
  }
  if (found > round) return [faultAt(path, `event ${quote(event)} belongs to round ${found}, which comes later`)];
  if (where === "this" && found < round) {
    return [
      faultAt(path, `event ${quote(event)} belongs to round ${found}`, "only events of this round can stand here"),
    ];
  }
  return [];
}
