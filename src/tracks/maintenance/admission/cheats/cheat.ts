/** The cheats that are made from every reference, in the order in which they are tried. */
export const CHEATS = ["setters", "freeze", "idle arguments", "mega", "spam"] as const;
export type Cheat = (typeof CHEATS)[number];
