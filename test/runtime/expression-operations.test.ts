import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ASTNode } from "@marcbachmann/cel-js";
import { describe, expect, it } from "vitest";
import { checkNode } from "../../src/runtime/expression/check.ts";
import { ExpressionFault } from "../../src/runtime/expression/fault.ts";
import { parseExpression } from "../../src/runtime/expression/parse.ts";
import { compile, faultIn, village } from "./support/village.ts";

const world = village();

/** Every operation of the parser's tree with an expression of it, and the code it is refused with where it is. */
const OPERATIONS: Readonly<Record<string, readonly [text: string, code?: string]>> = {
  value: ["3"],
  id: ["ann"],
  ".": ["ann.coins"],
  call: ["abs(1)"],
  rcall: ["all(person).exists(x, x.awake)"],
  list: ["[1, 2]"],
  "?:": ["ann.awake ? 1 : 2"],
  "||": ["ann.awake || bob.awake"],
  "&&": ["ann.awake && bob.awake"],
  "!_": ["!ann.awake"],
  "-_": ["-ann.coins"],
  "!=": ["ann.coins != 1"],
  "==": ["ann.coins == 1"],
  in: ["ann in weavers.members"],
  "+": ["1 + 2"],
  "-": ["1 - 2"],
  "*": ["1 * 2"],
  "/": ["1 / 2"],
  "%": ["1 % 2"],
  "<": ["ann.coins < 1"],
  "<=": ["ann.coins <= 1"],
  ">": ["ann.coins > 1"],
  ">=": ["ann.coins >= 1"],
  map: ['{"a": 1}', "expression_forbidden"],
  "[]": ["weavers.members[0]", "expression_forbidden"],
  // the parser has these only where it is asked for optional values
  ".?": ["ann.?friend", "expression_syntax"],
  "[?]": ["weavers.members[?0]", "expression_syntax"],
};

/** The operations that the library declares, read from its types. */
function declaredOperations(): readonly string[] {
  const main = createRequire(import.meta.url).resolve("@marcbachmann/cel-js");
  const types = readFileSync(join(dirname(main), "index.d.ts"), "utf8");
  const unions = types.matchAll(/export type (?:Binary|Unary|Access|Structural)Operator =([^]*?)(?=\nexport|\n\n)/g);
  return [...unions].flatMap(([, union]) =>
    [...(union as string).matchAll(/'([^']+)'/g)].map(([, op]) => op as string),
  );
}

describe("the operations of an expression", () => {
  it("RT84 are a closed list: everything the parser has is on it, or is refused", () => {
    expect([...declaredOperations()].sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  it.each(Object.entries(OPERATIONS))("RT84 %s is taken or refused as the list says", (op, [text, code]) => {
    const parsed = parseExpression(text);
    expect(parsed.ok ? parsed.value.op : "none").toBe(code === "expression_syntax" ? "none" : op);
    const compiled = compile(world, text);
    expect(compiled.ok ? undefined : compiled.error.code).toBe(code);
  });

  it.each(["<=>", "bind", "constructor", "__proto__", "toString", ""])(
    "RT84 %j, should a later parser have it, is refused",
    (op) => {
      const text = "ann later bob";
      const node = { op, args: [], input: text, range: { start: 0, end: text.length } } as unknown as ASTNode;
      const scope = { world, variables: {}, mayReadClock: true, mayReadStep: true };
      const refusal = (): unknown => {
        try {
          return checkNode(node, scope);
        } catch (error) {
          return error;
        }
      };
      expect(refusal()).toBeInstanceOf(ExpressionFault);
      expect(refusal()).toMatchObject({ code: "expression_forbidden", message: expect.stringContaining(text) });
    },
  );

  it.each(['{"a": 1}', "weavers.members[0]"])("RT84 the refusal of %s says what there is instead", (text) => {
    expect(faultIn(world, text).hint).toMatch(/== != < .*all\(type\)/);
  });
});
