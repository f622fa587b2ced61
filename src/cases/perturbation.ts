import type { Perturbation, StructureItem } from "../contracts/index.ts";
import { literalSchema, type FieldValue } from "../runtime/index.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import type { StructureDraft } from "./schema.ts";

type PerturbationDraft = StructureDraft["refusedWhen"][number];

/** The keys of a perturbation that are no paths. */
const OTHER_KEYS: ReadonlySet<string> = new Set(["since", "args", "clock", "told"]);
const PATH = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/** A structure with the paths of its perturbations apart from their other keys. Call it on drafts without faults. */
export function toStructureItem(draft: StructureDraft): StructureItem {
  const { id, level, says, usedBy, availableBefore, reference, refusedWhen, allowedWhen } = draft;
  return {
    id,
    level,
    says,
    usedBy,
    ...(availableBefore === undefined ? {} : { availableBefore }),
    reference,
    refusedWhen: refusedWhen.map(splitPerturbation),
    allowedWhen: allowedWhen.map(splitPerturbation),
  };
}

/** `{ key.at: mill, since: bell, told: "…" }` with its paths in `paths`. */
export function splitPerturbation(draft: PerturbationDraft): Perturbation {
  const { since, args, clock, told } = draft;
  return {
    paths: Object.fromEntries(pathsOf(draft)) as Readonly<Record<string, FieldValue>>,
    ...(clock === undefined ? {} : { clock }),
    ...(args === undefined ? {} : { args }),
    ...(since === undefined ? {} : { since }),
    ...(told === undefined ? {} : { told }),
  };
}

/** Keys that are neither paths nor known, values that no field can hold, and perturbations that change nothing. */
export function faultsOfPerturbation(draft: PerturbationDraft, path: Path): readonly PathFault[] {
  const faults = pathsOf(draft).flatMap(([key, value]) => {
    if (!PATH.test(key)) {
      return [
        faultAt(
          [...path, key],
          `unknown key ${quote(key)}`,
          "a perturbation has paths (entity.field), clock, args, since and told",
          "key",
        ),
      ];
    }
    return literalSchema.safeParse(value).success ? [] : [faultAt([...path, key], `no field can hold ${quote(value)}`)];
  });
  const changes = pathsOf(draft).length > 0 || draft.clock !== undefined || Object.keys(draft.args ?? {}).length > 0;
  return changes
    ? faults
    : [
        ...faults,
        faultAt(path, "the perturbation changes nothing", "name a path and its value, e.g. { stokers_key.at: galley }"),
      ];
}

function pathsOf(draft: PerturbationDraft): readonly (readonly [string, unknown])[] {
  return Object.entries(draft).filter(([key]) => !OTHER_KEYS.has(key));
}
