import { freeze } from "immer";
import type { Capability } from "../capability.ts";
import { compiledCapability } from "../compile-capability.ts";
import { lookUp } from "../ids.ts";
import type { World } from "../world.ts";

/**
 * The same world, whose capabilities say in other words what they do. They are compiled here, against all that the world
 * has: what a player is shown of it later may lack what they name.
 */
export function retell(world: World, words: Readonly<Record<string, string>>): World {
  const capabilities = Object.fromEntries(
    Object.entries(world.capabilities).map(([id, capability]): [string, Capability] => [
      id,
      { ...capability, says: lookUp(words, id) ?? capability.says },
    ]),
  );
  const told = freeze({ ...world, capabilities }, true);
  for (const [id, capability] of Object.entries(told.capabilities)) {
    const compiled = compiledCapability(world, capability);
    if (!compiled.ok) throw new Error(`retell: ${id} was lawful, and is not: ${compiled.error.message}`);
  }
  return told;
}
