import type { ASTNode } from "@marcbachmann/cel-js";
import { nearestWord, suggest } from "../errors.ts";
import { faultOfId, lookUp } from "../ids.ts";
import { entityIds, getEntity } from "../state/index.ts";
import { ExpressionFault } from "./fault.ts";
import { FUNCTIONS, MACROS, type TypedNode } from "./node.ts";
import type { Scope } from "./scope.ts";
import { BOOL, describeType, NUMBER, type StaticType } from "./static-type.ts";

type Check = (part: ASTNode) => TypedNode;

/** The types a function's arguments may have, in words and as a test. */
const isPlace = (type: StaticType) => type.kind === "place" || type.kind === "holder";
const isEntity = (type: StaticType) => type.kind === "entity" || type.kind === "holder";
const isNumber = (type: StaticType) => type.kind === "number";
const isList = (type: StaticType) => type.kind === "list";

const WHOLE: StaticType = { kind: "number", min: 0, whole: true };

/** Checks a call of one of our functions. */
export function checkCall(name: string, args: readonly ASTNode[], text: string, scope: Scope, check: Check): TypedNode {
  switch (name) {
    case "all":
      return checkExtent(args, text, scope);
    case "alongside":
      return checkAlongside(args, text, scope);
    case "entity":
      return checkEntity(args, text, scope, check);
    case "count": {
      const [list] = expectArgs(name, args, ["a list"], [isList], text, check);
      return { node: { kind: "call", name, args: [list.node], text }, type: WHOLE };
    }
    case "linked":
    case "travelTicks": {
      const ends = expectArgs(name, args, ["a place", "a place"], [isPlace, isPlace], text, check);
      return {
        node: { kind: "call", name, args: ends.map((end) => end.node), text },
        type: name === "linked" ? BOOL : WHOLE,
      };
    }
    case "inside": {
      const isHolder = (type: StaticType) => isPlace(type) || isEntity(type);
      const ends = expectArgs(name, args, ["an entity", "a place or an entity"], [isEntity, isHolder], text, check);
      return { node: { kind: "call", name, args: ends.map((end) => end.node), text }, type: BOOL };
    }
    case "abs": {
      const [of] = expectArgs(name, args, ["a number"], [isNumber], text, check);
      return { node: { kind: "call", name, args: [of.node], text }, type: NUMBER };
    }
    case "clamp": {
      const of = expectArgs(
        name,
        args,
        ["a number", "a number", "a number"],
        [isNumber, isNumber, isNumber],
        text,
        check,
      );
      return { node: { kind: "call", name, args: of.map((one) => one.node), text }, type: NUMBER };
    }
    case "min":
    case "max": {
      if (args.length === 0) throw new ExpressionFault("expression_type", `${text}: ${name} needs at least one number`);
      const of = args.map(check);
      const single = of.length === 1 ? of[0] : undefined;
      const isNumbers =
        single?.type.kind === "list" && (single.type.of === undefined || single.type.of.kind === "number");
      if (!isNumbers) for (const one of of) expect(one, isNumber, "a number", text);
      return { node: { kind: "call", name, args: of.map((one) => one.node), text }, type: NUMBER };
    }
    default: {
      const near = nearestWord(name, FUNCTIONS);
      const isMacro = (MACROS as readonly string[]).includes(name);
      throw new ExpressionFault(
        "expression_forbidden",
        `expressions here have no function ${name}()`,
        isMacro
          ? `write it behind a list: all(type).${name}(x, …)`
          : near !== undefined
            ? `did you mean ${near}()?`
            : `functions are ${FUNCTIONS.join(", ")}; lists have ${MACROS.join(", ")}`,
      );
    }
  }
}

function checkExtent(args: readonly ASTNode[], text: string, scope: Scope): TypedNode {
  const [type] = args;
  if (args.length !== 1 || type?.op !== "id")
    throw new ExpressionFault("expression_syntax", `${text}: write all(type), with the id of a type`);
  if (lookUp(scope.world.types, type.args) === undefined) {
    throw new ExpressionFault(
      "unknown_type",
      `${text}: there is no type "${type.args}"`,
      suggest(type.args, Object.keys(scope.world.types)),
    );
  }
  return {
    node: { kind: "extent", type: type.args, text },
    type: { kind: "list", of: { kind: "entity", type: type.args, nullable: false, ranged: true } },
  };
}

function checkAlongside(args: readonly ASTNode[], text: string, scope: Scope): TypedNode {
  if (!scope.mayReadStep)
    throw new ExpressionFault("expression_forbidden", `${text}: alongside means something only inside a capability`);
  const [capability] = args;
  if (
    args.length !== 1 ||
    capability?.op !== "value" ||
    typeof capability.args !== "string" ||
    faultOfId(capability.args) !== undefined
  ) {
    throw new ExpressionFault(
      "expression_syntax",
      `${text}: write alongside("capability"), with the id of a capability in quotes`,
    );
  }
  return {
    node: { kind: "alongside", capability: capability.args, text },
    type: { kind: "number", min: 0, max: 63, whole: true },
  };
}

function checkEntity(args: readonly ASTNode[], text: string, scope: Scope, check: Check): TypedNode {
  const [of] = expectArgs(
    "entity",
    args,
    ["the id of an entity"],
    [(type) => type.kind === "text" || type.kind === "entity"],
    text,
    check,
  );
  if (of.type.kind === "text" && of.type.literal !== undefined) {
    const entity = getEntity(scope.world.entities, of.type.literal);
    if (entity === undefined) {
      throw new ExpressionFault(
        "unknown_entity",
        `${text}: there is no entity "${of.type.literal}"`,
        suggest(of.type.literal, entityIds(scope.world.entities)),
      );
    }
    return {
      node: { kind: "entity", id: entity.id, text },
      type: { kind: "entity", type: entity.type, nullable: false },
    };
  }
  return { node: { kind: "call", name: "entity", args: [of.node], text }, type: { kind: "entity", nullable: false } };
}

function expectArgs<const Words extends readonly string[]>(
  name: string,
  args: readonly ASTNode[],
  words: Words,
  tests: readonly ((type: StaticType) => boolean)[],
  text: string,
  check: Check,
): { readonly [K in keyof Words]: TypedNode } {
  if (args.length !== words.length) {
    throw new ExpressionFault(
      "expression_type",
      `${text}: ${name} takes ${words.length} argument(s): ${words.join(", ")}`,
    );
  }
  return args.map((arg, i) =>
    expect(check(arg), tests[i] as (type: StaticType) => boolean, words[i] as string, text),
  ) as unknown as {
    readonly [K in keyof Words]: TypedNode;
  };
}

function expect(part: TypedNode, test: (type: StaticType) => boolean, words: string, text: string): TypedNode {
  if (test(part.type)) return part;
  throw new ExpressionFault(
    "expression_type",
    `${text}: ${part.node.text} is ${describeType(part.type)}, not ${words}`,
  );
}
