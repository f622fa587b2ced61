import type { ItemId, RelationItem } from "../contracts/index.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import type { RelationDraft } from "./schema.ts";

/** A relation and where it stands in its file. */
export interface PlacedRelation {
  readonly item: RelationItem;
  readonly path: Path;
}

const FORMS = ["causal", "precedes", "chain", "concurrent"] as const;

/**
 * The relations of a round as programs read them. A chain becomes its temporal items. Ids are
 * `r<round>_<kind><number>`, numbered in the order of the file, each kind apart: `r3_ca1`, `r3_tm1`, `r3_cc1`.
 */
export function placeRelations(round: number, drafts: readonly RelationDraft[]): readonly PlacedRelation[] {
  const counts = { ca: 0, tm: 0, cc: 0 };
  const nextId = (kind: keyof typeof counts): ItemId => `r${round}_${kind}${(counts[kind] += 1)}` as ItemId;
  return drafts.flatMap(({ causal, precedes, chain, concurrent, told }, position): readonly PlacedRelation[] => {
    const path: Path = ["relations", position];
    if (causal) return [{ path, item: { id: nextId("ca"), kind: "CA", ...causal, told } }];
    if (precedes) return [{ path, item: { id: nextId("tm"), kind: "TM", ...precedes, told } }];
    if (concurrent) return [{ path, item: { id: nextId("cc"), kind: "CC", ...concurrent, told } }];
    return (chain ?? []).slice(1).map((after, link) => {
      const before = (chain ?? [])[link] as typeof after;
      return { path, item: { id: nextId("tm"), kind: "TM", before, after, immediate: false, told } };
    });
  });
}

/** A relation says exactly one thing, and not of one event twice. */
export function faultsOfRelations(drafts: readonly RelationDraft[]): readonly PathFault[] {
  return drafts.flatMap((draft, position) => {
    const path: Path = ["relations", position];
    const forms = FORMS.filter((form) => draft[form] !== undefined);
    if (forms.length !== 1) {
      const message = forms.length === 0 ? "it says nothing" : `it says ${forms.length} things: ${forms.join(", ")}`;
      return [faultAt(path, message, `a relation has exactly one of ${FORMS.join(", ")}`)];
    }
    const named: readonly string[] = draft.causal
      ? [...draft.causal.causes, draft.causal.effect]
      : draft.precedes
        ? [draft.precedes.before, draft.precedes.after]
        : (draft.concurrent?.events ?? draft.chain ?? []);
    const twice = named.find((event, i) => named.indexOf(event) < i);
    return twice === undefined
      ? []
      : [faultAt([...path, forms[0] as string], `event ${quote(twice)} is named twice in it`)];
  });
}
