/** The public API of the package: everything the command line does, as functions with types. */
export {
  canonicalJson,
  compareText,
  LEVELS,
  sameJson,
  TIERS,
  type Json,
  type Level,
  type Tier,
} from "./runtime/index.ts";
