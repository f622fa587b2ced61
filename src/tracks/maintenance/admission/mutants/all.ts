/** All mutants of a tier's reference that are made without looking at what others came to. */
import type { RoundContract } from "../../../../contracts/index.ts";
import type { Base } from "../base.ts";
import { lateMutants, stripMutants, weakenMutants } from "./build.ts";
import { forbidMutants } from "./forbid.ts";
import type { Mutant } from "./mutant.ts";
import { dropMutants, orderMutants } from "./order.ts";
import { wrongMutants } from "./wrong.ts";

export function* mutantsOf(base: Base, round: RoundContract): Generator<Mutant> {
  yield* dropMutants(base.script, round);
  yield* orderMutants(base.script, round);
  yield* lateMutants(base, round);
  yield* weakenMutants(base, round);
  yield* stripMutants(base, round);
  yield* forbidMutants(base, round);
  yield* wrongMutants(base, round);
}
