/** An expression as it is evaluated: every name resolved, every operation allowed. */
import type { FieldValue } from "../field.ts";
import type { StaticType } from "./static-type.ts";

export const COMPARISONS = ["==", "!=", "<", "<=", ">", ">="] as const;
export const ARITHMETIC = ["+", "-", "*", "/", "%"] as const;
export const MACROS = ["exists", "all", "exists_one", "filter", "map"] as const;
export const FUNCTIONS = [
  "all",
  "entity",
  "count",
  "linked",
  "travelTicks",
  "inside",
  "alongside",
  "min",
  "max",
  "abs",
  "clamp",
] as const;

export type BinaryOperator = (typeof COMPARISONS)[number] | (typeof ARITHMETIC)[number] | "in";
export type MacroName = (typeof MACROS)[number];

interface Base {
  /** Its own words in the source. */
  readonly text: string;
}

export type Node =
  | (Base & { readonly kind: "literal"; readonly value: FieldValue })
  | (Base & { readonly kind: "entity"; readonly id: string })
  | (Base & { readonly kind: "variable"; readonly name: string })
  | (Base & { readonly kind: "clock" })
  | (Base & {
      readonly kind: "field";
      readonly of: Node;
      readonly field: string;
      /** The type whose every entity is read, where `of` ranges over it. */
      readonly ranged?: string;
      /** The type of the members, where the field is a set; "" for any type. */
      readonly setOf?: string;
    })
  | (Base & { readonly kind: "member"; readonly of: Node; readonly member: string })
  | (Base & { readonly kind: "list"; readonly items: readonly Node[] })
  | (Base & { readonly kind: "not" | "negate"; readonly operand: Node })
  | (Base & { readonly kind: "binary"; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node })
  | (Base & { readonly kind: "and" | "or"; readonly left: Node; readonly right: Node })
  | (Base & { readonly kind: "choice"; readonly test: Node; readonly then: Node; readonly otherwise: Node })
  | (Base & { readonly kind: "extent"; readonly type: string })
  | (Base & {
      readonly kind: "macro";
      readonly macro: MacroName;
      readonly range: Node;
      readonly variable: string;
      readonly body: Node;
    })
  | (Base & {
      readonly kind: "call";
      readonly name: "entity" | "count" | "linked" | "travelTicks" | "inside" | "min" | "max" | "abs" | "clamp";
      readonly args: readonly Node[];
    })
  | (Base & { readonly kind: "alongside"; readonly capability: string });

/** A node with what is known of its value. */
export interface TypedNode {
  readonly node: Node;
  readonly type: StaticType;
}

/** Calls `visit` for the node and everything inside it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "field":
    case "member":
      return [node.of];
    case "list":
      return node.items;
    case "not":
    case "negate":
      return [node.operand];
    case "binary":
    case "and":
    case "or":
      return [node.left, node.right];
    case "choice":
      return [node.test, node.then, node.otherwise];
    case "macro":
      return [node.range, node.body];
    case "call":
      return node.args;
    default:
      return [];
  }
}
