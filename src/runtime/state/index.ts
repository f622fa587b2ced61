/**
 * The one folder that owns how the entities of a world are laid out and digested. Everything else reads and changes
 * them through these functions, so that the layout can change without touching anything else.
 */
export { containmentBound, deepestContainment } from "./containment.ts";
export { mayReferTo } from "./references.ts";
export { digestOfRetired, isRetired, NO_RETIRED_IDS, retire, retiredIds, type RetiredIds } from "./retired.ts";
export {
  changeEntities,
  countEntities,
  countOfType,
  digestOfEntities,
  entitiesOf,
  entityIds,
  entityIdsAfter,
  entityIdsOfType,
  getEntity,
  tableOf,
  valueOf,
  type EntityChange,
  type EntityTable,
} from "./table.ts";
