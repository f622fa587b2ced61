/** Reads JSON Schemas for people: what is expected at a path, in words, and which keys are known there. */
import type { Json } from "./canonical.ts";
import { compareText } from "./canonical.ts";
import type { Path } from "./show.ts";

export type SchemaNode = Readonly<Record<string, unknown>>;

/** The part of a schema at `path`; where alternatives differ by a constant, the one that `input` states. */
export function nodeAt(root: SchemaNode, path: Path, input?: Json): SchemaNode {
  let node: SchemaNode = root;
  let value: unknown = input;
  for (const part of path) {
    node = childOf(chosen(node, value), part);
    value = memberOf(value, part);
  }
  return node;
}

/** The keys an object at `path` may have, sorted. */
export function keysAt(root: SchemaNode, path: Path, input: Json): readonly string[] {
  const node = nodeAt(root, path, input);
  const value = path.reduce<unknown>(memberOf, input);
  const alternatives = alternativesOf(chosen(node, value));
  return [...new Set(alternatives.flatMap((one) => Object.keys(recordOf(one["properties"]))))].sort(compareText);
}

/** What a schema asks for: `a whole number from 1 to 100`. */
export function describeNode(node: SchemaNode): string {
  const alternatives = alternativesOf(node);
  if (alternatives.length > 1) return [...new Set(alternatives.map(describeNode))].join(" or ");
  if ("const" in node) return JSON.stringify(node["const"]);
  if (Array.isArray(node["enum"])) return `one of ${node["enum"].map((word) => JSON.stringify(word)).join(", ")}`;
  const kinds = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  return kinds.map((kind) => describeKind(String(kind), node)).join(" or ");
}

function describeKind(kind: string, node: SchemaNode): string {
  switch (kind) {
    case "integer":
      return `a whole number${boundsOf(node)}`;
    case "number":
      return `a number${boundsOf(node)}`;
    case "string":
      return "a text";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "an object";
    case "null":
      return "null";
    default:
      return "a value";
  }
}

function boundsOf(node: SchemaNode): string {
  const low = node["minimum"];
  const high = node["maximum"];
  const from = typeof low === "number" && low > Number.MIN_SAFE_INTEGER ? ` from ${low}` : "";
  return from + (typeof high === "number" && high < Number.MAX_SAFE_INTEGER ? ` to ${high}` : "");
}

function alternativesOf(node: SchemaNode): readonly SchemaNode[] {
  const found = node["oneOf"] ?? node["anyOf"];
  return Array.isArray(found) ? found.map(recordOf) : [node];
}

/** Of alternatives told apart by a constant member, the one whose constant `value` has; of others, the object. */
function chosen(node: SchemaNode, value: unknown): SchemaNode {
  const alternatives = alternativesOf(node);
  if (alternatives.length === 1) return node;
  const fitting = alternatives.find((one) =>
    Object.entries(recordOf(one["properties"])).some(
      ([key, property]) => "const" in recordOf(property) && memberOf(value, key) === recordOf(property)["const"],
    ),
  );
  return (
    fitting ??
    alternatives.find(
      (one) =>
        one["type"] === "object" &&
        one["properties"] !== undefined &&
        alternatives.filter((other) => other["type"] === "object").length === 1,
    ) ??
    node
  );
}

function childOf(node: SchemaNode, part: PropertyKey): SchemaNode {
  if (typeof part === "number") return recordOf(node["items"]);
  const properties = recordOf(node["properties"]);
  const key = String(part);
  if (Object.hasOwn(properties, key)) return recordOf(properties[key]);
  const among = alternativesOf(node).find((one) => one !== node && Object.hasOwn(recordOf(one["properties"]), key));
  return among ? childOf(among, part) : recordOf(node["additionalProperties"]);
}

function memberOf(value: unknown, part: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, part)
    ? (value as Readonly<Record<PropertyKey, unknown>>)[part]
    : undefined;
}

function recordOf(value: unknown): SchemaNode {
  return typeof value === "object" && value !== null ? (value as SchemaNode) : {};
}
