/**
 * What happened by itself in a span and showed itself: only that may be asked about. A question names a rule and an entity;
 * were it of something that nobody could see, it would tell who is behind it.
 */
import { getEntity } from "../state.ts";
import type { World } from "../world.ts";
import type { Dynamics, Happening } from "./dynamics.ts";
import { splitPath } from "./merge-naturally.ts";
import { isSeen } from "./observe.ts";
import type { MadeChange } from "./tick.ts";

/** Gathers the happenings of a rollout that the character saw something of, each once, in the order in which they came. */
export class SeenHappenings {
  readonly #dynamics: Dynamics;
  readonly #found = new Map<string, Happening>();

  constructor(dynamics: Dynamics) {
    this.#dynamics = dynamics;
  }

  get found(): readonly Happening[] {
    return [...this.#found.values()];
  }

  /**
   * An entry or a process of which a change was seen. A process is told for one of the entities it was bound to where the
   * change was seen of that very entity, else as a whole.
   */
  take({ kind, id, entities, paths, after }: MadeChange): void {
    const seen = paths.filter((path) => isPathSeen(this.#dynamics, after, path)).map((path) => splitPath(path).id);
    if (seen.length === 0) return;
    if (kind === "entry") {
      this.#add(id, { kind, id });
      return;
    }
    const shown = entities.filter((entity) => seen.includes(entity));
    if (shown.length === 0) this.#add(id, { kind, id, entity: null });
    for (const entity of shown) this.#add(`${id} ${entity}`, { kind, id, entity });
  }

  #add(key: string, happening: Happening): void {
    if (!this.#found.has(key)) this.#found.set(key, happening);
  }
}

/** Whether the character saw a change of a path when it was made. Comings and goings everybody sees. */
function isPathSeen(dynamics: Dynamics, after: World, path: string): boolean {
  const { id, field } = splitPath(path);
  if (field === "") return true;
  const entity = getEntity(after.entities, id);
  return entity !== undefined && isSeen(dynamics, after, entity, field);
}
