/**
 * How deep lists and objects lie in one another, found without recursion: whatever else looks into what came (the client
 * library, a serialiser) recurses, and would end with the stack.
 */

/** Nesting that is taken of anything that comes; what is deeper is looked into by nobody. */
export const MAX_DEPTH = 200;

/** Whether something in `value` is nested more than `most` deep. A text or a number is not nested at all. */
export function isTooDeep(value: unknown, most: number = MAX_DEPTH): boolean {
  let level: readonly object[] = isNested(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= most) return true;
    const next: object[] = [];
    for (const one of level) for (const part of Object.values(one)) if (isNested(part)) next.push(part);
    level = next;
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
