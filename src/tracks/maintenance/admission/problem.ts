import type { ItemId } from "../../../contracts/index.ts";
import type { Tier } from "../../../runtime/index.ts";

/** The nine checks of admission, as spec and docs number them. */
export type CheckNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Why a case is refused. */
export interface Problem {
  readonly check: CheckNumber;
  readonly tier?: Tier;
  readonly item?: ItemId;
  readonly message: string;
}
