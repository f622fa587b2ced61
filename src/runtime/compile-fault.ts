import { refuse, type Result, type ToolError } from "./errors.ts";
import { describeType, faultOfEquality, type CompiledExpression, type StaticType } from "./expression/index.ts";

/** Carries the first fault out of the compiler; caught at its edge. */
export class CompileFault extends Error {
  readonly error: ToolError;
  constructor(error: ToolError, path: string) {
    super(error.message);
    this.error = { ...error, path: error.path === undefined ? path : `${path}.${error.path}` };
  }
}

/** The value, or its fault thrown to the edge of the compiler, with where it is. */
export function orFault<T>(result: Result<T>, path: string): T {
  if (result.ok) return result.value;
  throw new CompileFault(result.error, path);
}

export function fault(code: ToolError["code"], message: string, path: string, hint?: string): never {
  const refused = refuse(code, message, { hint });
  throw new CompileFault(refused.error, path);
}

/** Refuses an expression whose values the target could never hold. */
export function expectType(compiled: CompiledExpression, expected: StaticType, path: string): CompiledExpression {
  const { type } = compiled;
  const never = () =>
    fault(
      "expression_type",
      `${compiled.text} is ${describeType(type)}, but ${describeType(expected)} is needed`,
      path,
      type.kind === "text" && type.literal !== undefined ? "ids stand without quotes" : undefined,
    );
  if (expected.kind === "holder") {
    if (!["place", "entity", "holder", "null"].includes(type.kind)) never();
  } else if (expected.kind === "text") {
    if (type.kind !== "text" && type.kind !== "enum") never();
  } else if (expected.kind === "entity" && type.kind === "null") {
    if (!expected.nullable) never();
  } else if (expected.kind === "place" && type.kind === "null") {
    never();
  } else if (faultOfEquality(type, expected) !== undefined) {
    never();
  }
  return compiled;
}
