import * as z from "zod";

/**
 * Who sees the value of a field: everybody; those in the same place; nobody, though it is part of the truth; nobody, and
 * nothing that can be seen depends on it.
 */
export const VISIBILITIES = ["public", "local", "hidden", "sealed"] as const;
export const visibilitySchema = z.enum(VISIBILITIES);
export type Visibility = (typeof VISIBILITIES)[number];

/** Of the place an entity is in; where it is cannot be sealed, since what is seen turns on it. */
export const placeVisibilitySchema = z.enum(["public", "local", "hidden"]);
