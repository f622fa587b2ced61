/** Requirements taken apart: what can be stripped from a capability one by one. */
import { splitConjuncts, type Capability } from "../../../runtime/index.ts";

/** The capability with one requirement for each conjunct of its requirements. */
export function splitRequirements(capability: Pick<Capability, "requires">): Capability["requires"] {
  return capability.requires.flatMap(({ expr, says }) =>
    splitConjuncts(expr).map((part) => ({ expr: part, ...(says === undefined ? {} : { says }) })),
  );
}
