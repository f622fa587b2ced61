import type { TriggerId } from "../runtime/index.ts";
import type { ItemId } from "./contract.ts";

/** What is final of an event, structure or probe: the judge's verdict after the audit of its evidence. */
export interface AuditedItem {
  readonly id: ItemId;
  readonly kind: "E" | "A" | "P";
  readonly round: number;
  readonly status: "pass" | "fail" | "undecided";
  /** One sentence: the judge's, or the audit's where it turned the verdict. */
  readonly reason: string;
  /** An event's binding, a structure's uses, a probe's violations. */
  readonly triggers: readonly TriggerId[];
  /** A structure's or a violation's constructions, by number. */
  readonly constructions: readonly number[];
}
