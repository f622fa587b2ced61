import type { ASTNode } from "@marcbachmann/cel-js";
import { suggest } from "../errors.ts";
import { faultOfId, faultOfName } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { checkCall } from "./check-call.ts";
import { ExpressionFault } from "./fault.ts";
import { ARITHMETIC, FUNCTIONS, MACROS, type BinaryOperator, type MacroName, type TypedNode } from "./node.ts";
import { fieldNames, knownNames, typeOfEntityField, typeOfName, type Scope } from "./scope.ts";
import {
  BOOL,
  describeRange,
  describeType,
  faultOfEquality,
  highest,
  joinTypes,
  lowest,
  NULL,
  NUMBER,
  TEXT,
  type StaticType,
} from "./static-type.ts";

const OPERATIONS = "there are == != < <= > >= in && || ! + - * / %, a ? b : c, who.at, [a, b], all(type).exists(x, …)";

/** Resolves names, allows only known operations, types every part, and refuses what could never be true. */
export function checkNode(ast: ASTNode, scope: Scope, nesting = 0): TypedNode {
  const text = ast.input.slice(ast.range.start, ast.range.end);
  const check = (part: ASTNode) => checkNode(part, scope, nesting);
  switch (ast.op) {
    case "value":
      return checkLiteral(ast.args, text);
    case "id":
      return checkName(ast.args, scope);
    case ".":
      return checkField(check(ast.args[0]), ast.args[1], text, scope);
    case "list": {
      const items = ast.args.map(check);
      const of = items.reduce<StaticType | undefined>((joined, item) => {
        if (joined === undefined) return item.type;
        const next = joinTypes(joined, item.type);
        if (next === undefined) {
          throw new ExpressionFault(
            "expression_type",
            `the list ${text} mixes ${describeType(joined)} and ${describeType(item.type)}`,
          );
        }
        return next;
      }, undefined);
      return { node: { kind: "list", items: items.map((item) => item.node), text }, type: { kind: "list", of } };
    }
    case "!_":
      return { node: { kind: "not", operand: expectKind(check(ast.args), "bool", "!").node, text }, type: BOOL };
    case "-_": {
      const operand = expectKind(check(ast.args), "number", "-");
      return { node: { kind: "negate", operand: operand.node, text }, type: negated(operand.type) };
    }
    case "&&":
    case "||": {
      const left = expectKind(check(ast.args[0]), "bool", ast.op).node;
      const right = expectKind(check(ast.args[1]), "bool", ast.op).node;
      return { node: { kind: ast.op === "&&" ? "and" : "or", left, right, text }, type: BOOL };
    }
    case "?:": {
      const [test, then, otherwise] = [check(ast.args[0]), check(ast.args[1]), check(ast.args[2])];
      expectKind(test, "bool", "? :");
      const type = joinTypes(then.type, otherwise.type);
      if (type === undefined) {
        throw new ExpressionFault(
          "expression_type",
          `in ${text} the two outcomes are ${describeType(then.type)} and ${describeType(otherwise.type)}`,
          "both must be of one kind",
        );
      }
      return { node: { kind: "choice", test: test.node, then: then.node, otherwise: otherwise.node, text }, type };
    }
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "in":
      return checkBinary(ast.op, check(ast.args[0]), check(ast.args[1]), text);
    case "call":
      return checkCall(ast.args[0], ast.args[1], text, scope, check);
    case "rcall":
      return checkMacro(ast.args[0], ast.args[1], ast.args[2], text, scope, nesting);
    default:
      // what a later parser may have that this one has not is refused, too
      throw new ExpressionFault(
        "expression_forbidden",
        `${text} uses ${ast.op}, which expressions here do not have`,
        OPERATIONS,
      );
  }
}

function checkLiteral(value: unknown, text: string): TypedNode {
  if (typeof value === "boolean") return { node: { kind: "literal", value, text }, type: BOOL };
  if (value === null) return { node: { kind: "literal", value, text }, type: NULL };
  if (typeof value === "string")
    return { node: { kind: "literal", value, text }, type: { kind: "text", literal: value } };
  if (typeof value === "bigint" || typeof value === "number") {
    const number = Number(value);
    if (typeof value === "bigint" && !Number.isSafeInteger(number)) {
      throw new ExpressionFault(
        "expression_type",
        `${text} is larger than any whole number here`,
        `at most ${Number.MAX_SAFE_INTEGER}`,
      );
    }
    return {
      node: { kind: "literal", value: number, text },
      type: { kind: "number", min: number, max: number, whole: Number.isInteger(number) },
    };
  }
  throw new ExpressionFault("expression_forbidden", `${text} is a kind of literal that expressions here do not have`);
}

function checkName(name: string, scope: Scope): TypedNode {
  if (name === "clock" && scope.mayReadClock)
    return { node: { kind: "clock", text: name }, type: { kind: "number", min: 0, whole: true } };
  if (name === "clock") throw new ExpressionFault("expression_forbidden", "an invariant never mentions the clock");
  const found = typeOfName(scope, name);
  if (found === undefined) {
    const known = knownNames(scope);
    throw new ExpressionFault(
      "expression_unknown_name",
      `"${name}" is no parameter, entity or place`,
      faultOfId(name) === undefined
        ? (suggest(name, known) ?? "words of an enum and texts stand in double quotes")
        : undefined,
    );
  }
  const text = name;
  if (found.kind === "variable") return { node: { kind: "variable", name, text }, type: found.type };
  if (found.kind === "entity") return { node: { kind: "entity", id: name, text }, type: found.type };
  return { node: { kind: "literal", value: name, text }, type: found.type };
}

function checkField(of: TypedNode, field: string, text: string, scope: Scope): TypedNode {
  const { type } = of;
  if (type.kind === "record") {
    const member = Object.hasOwn(type.members, field) ? type.members[field] : undefined;
    if (member === undefined) {
      throw new ExpressionFault(
        "unknown_field",
        `${of.node.text} has no member "${field}"`,
        suggest(field, Object.keys(type.members)),
      );
    }
    return { node: { kind: "member", of: of.node, member: field, text }, type: member };
  }
  if (type.kind !== "entity" && !(type.kind === "holder" && field === "at")) {
    const hint = type.kind === "holder" ? "only `.at` can be read of what may be a place" : undefined;
    throw new ExpressionFault(
      "expression_type",
      `${text}: ${of.node.text} is ${describeType(type)}, which has no field "${field}"`,
      hint,
    );
  }
  const entityType = type.kind === "entity" ? type.type : undefined;
  const found = typeOfEntityField(scope.world, entityType, field);
  if (found === undefined) {
    throw new ExpressionFault(
      "unknown_field",
      `${text}: ${entityType === undefined ? "no type" : `type ${entityType}`} has no field "${field}"`,
      suggest(field, fieldNames(scope.world, entityType)),
    );
  }
  const ranged = type.kind === "entity" && type.ranged === true ? entityType : undefined;
  const setOf = found.kind === "list" ? { setOf: (found.of?.kind === "entity" && found.of.type) || "" } : {};
  return {
    node: { kind: "field", of: of.node, field, text, ...(ranged === undefined ? {} : { ranged }), ...setOf },
    type: found,
  };
}

function checkBinary(operator: BinaryOperator, left: TypedNode, right: TypedNode, text: string): TypedNode {
  const node = { kind: "binary", operator, left: left.node, right: right.node, text } as const;
  switch (operator) {
    case "==":
    case "!=": {
      refuseNeverEqual(left, right, text);
      return { node, type: BOOL };
    }
    case "in": {
      if (right.type.kind !== "list") {
        throw new ExpressionFault(
          "expression_type",
          `${text}: ${right.node.text} is ${describeType(right.type)}, not a list`,
        );
      }
      if (right.type.of !== undefined) refuseNeverEqual(left, { node: right.node, type: right.type.of }, text);
      return { node, type: BOOL };
    }
    case "+":
      if (isWritten(left.type) && isWritten(right.type) && (left.type.kind === "text" || right.type.kind === "text"))
        return { node, type: TEXT };
      break;
    default:
  }
  for (const side of [left, right]) expectKind(side, "number", operator);
  if ((ARITHMETIC as readonly string[]).includes(operator)) return { node, type: NUMBER };
  if (left.type.kind === "number" && right.type.kind === "number" && isNeverOrdered(operator, left.type, right.type)) {
    throw new ExpressionFault(
      "expression_never_true",
      `${text} is never true: ${left.node.text} is ${describeRange(left.type)}, ${right.node.text} is ${describeRange(right.type)}`,
    );
  }
  return { node, type: BOOL };
}

/** What can stand in a text: `"crate_" + 3`. */
function isWritten(type: StaticType): boolean {
  return (
    type.kind === "text" ||
    type.kind === "enum" ||
    type.kind === "number" ||
    type.kind === "place" ||
    type.kind === "entity"
  );
}

type NumberType = Extract<StaticType, { kind: "number" }>;

function isNeverOrdered(operator: BinaryOperator, a: NumberType, b: NumberType): boolean {
  switch (operator) {
    case "<":
      return lowest(a) >= highest(b);
    case "<=":
      return lowest(a) > highest(b);
    case ">":
      return highest(a) <= lowest(b);
    case ">=":
      return highest(a) < lowest(b);
    default:
      return false;
  }
}

function negated(type: StaticType): StaticType {
  if (type.kind !== "number") return NUMBER;
  return {
    kind: "number",
    ...(type.max === undefined ? {} : { min: -type.max }),
    ...(type.min === undefined ? {} : { max: -type.min }),
    ...(type.whole === undefined ? {} : { whole: type.whole }),
  };
}

function refuseNeverEqual(left: TypedNode, right: TypedNode, text: string): void {
  const fault = faultOfEquality(left.type, right.type);
  if (fault === undefined) return;
  throw new ExpressionFault(
    "expression_never_true",
    `${text} compares what is never equal: ${fault}`,
    hintOfEquality(left, right),
  );
}

function hintOfEquality(left: TypedNode, right: TypedNode): string | undefined {
  for (const [quoted, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (quoted.type.kind !== "text" || quoted.type.literal === undefined) continue;
    if (["entity", "place", "holder"].includes(other.type.kind))
      return `ids stand without quotes: ${quoted.type.literal}`;
    if (other.type.kind === "enum") return suggest(quoted.type.literal, other.type.values);
    if (other.type.kind === "number" && /^-?\d+(\.\d+)?$/.test(quoted.type.literal))
      return `numbers stand without quotes: ${quoted.type.literal}`;
    if (other.type.kind === "bool") return "true and false stand without quotes";
  }
  const kinds = [left.type.kind, right.type.kind];
  if (kinds.includes("place") && kinds.includes("entity"))
    return "to ask where an entity is, compare its `at`: who.at == mill";
  return undefined;
}

function expectKind(part: TypedNode, kind: "bool" | "number", operator: string): TypedNode {
  if (part.type.kind === kind) return part;
  throw new ExpressionFault(
    "expression_type",
    `${operator} needs ${kind === "bool" ? "true or false" : "a number"}, but ${part.node.text} is ${describeType(part.type)}`,
  );
}

function checkMacro(
  macro: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  text: string,
  scope: Scope,
  nesting: number,
): TypedNode {
  if (!(MACROS as readonly string[]).includes(macro)) {
    throw new ExpressionFault(
      "expression_forbidden",
      `expressions here have no .${macro}()`,
      `lists have ${MACROS.join(", ")}; functions are ${FUNCTIONS.join(", ")}`,
    );
  }
  if (nesting >= LIMITS.macroNesting) {
    throw new ExpressionFault(
      "expression_too_nested",
      `${text} loops inside ${nesting} other loops`,
      `at most ${LIMITS.macroNesting} of ${MACROS.join(", ")} inside one another`,
    );
  }
  const range = checkNode(receiver, scope, nesting);
  const [variable, body] = args;
  if (range.type.kind !== "list") {
    throw new ExpressionFault(
      "expression_type",
      `${text}: ${range.node.text} is ${describeType(range.type)}, not a list`,
    );
  }
  if (args.length !== 2 || variable?.op !== "id" || body === undefined) {
    throw new ExpressionFault("expression_syntax", `${text}: write .${macro}(x, condition over x)`);
  }
  const name = variable.args;
  const fault =
    faultOfName(name) ?? (Object.hasOwn(scope.variables, name) ? `"${name}" is a parameter already` : undefined);
  if (fault !== undefined)
    throw new ExpressionFault("expression_unknown_name", `${text}: ${fault}`, "take another name for the variable");
  const element: StaticType = range.type.of ?? NULL;
  const inner = checkNode(body, { ...scope, variables: { ...scope.variables, [name]: element } }, nesting + 1);
  if (macro !== "map") expectKind(inner, "bool", `.${macro}()`);
  const type: StaticType = macro === "map" ? { kind: "list", of: inner.type } : macro === "filter" ? range.type : BOOL;
  return {
    node: {
      kind: "macro",
      macro: macro as MacroName,
      range: range.node,
      variable: name,
      body: inner.node,
      text,
    },
    type,
  };
}
