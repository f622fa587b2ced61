import type { TriggerId } from "../runtime/index.ts";
import type { ItemId } from "./contract.ts";
import type { Judgment } from "./judgment.ts";

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
  /** Of an undecided item: the judge's endpoint never brought an answer. */
  readonly noAnswer?: true;
}

/** Why a judge's pass does not stand: it is refused, or what it rests on was itself left undecided. */
export interface PassFault {
  readonly status: "fail" | "undecided";
  readonly reason: string;
  readonly noAnswer?: true;
}

export function refused(reason: string): PassFault {
  return { status: "fail", reason };
}

/** A pass that needs an entity of which it is not settled who it is. */
export function unsettled({ why, noAnswer }: { readonly why: string; readonly noAnswer: boolean }): PassFault {
  return { status: "undecided", reason: why, ...(noAnswer && { noAnswer }) };
}

/** A judgment as it stands after the audit, which can only take a pass away. */
export function auditedItem(
  base: Pick<AuditedItem, "id" | "kind" | "round">,
  judgment: Judgment | undefined,
  fault: PassFault | undefined,
): AuditedItem {
  const status = fault?.status ?? judgment?.verdict ?? "fail";
  const noAnswer = status === "undecided" && (fault ?? judgment)?.noAnswer === true;
  return {
    ...base,
    status,
    reason: fault?.reason ?? judgment?.reason ?? "no judgment",
    triggers: judgment?.triggers ?? [],
    constructions: judgment?.constructions ?? [],
    ...(noAnswer && { noAnswer }),
  };
}
