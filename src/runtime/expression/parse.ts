import { Environment, ParseError, type ASTNode } from "@marcbachmann/cel-js";
import { refuse, succeed, type Result } from "../errors.ts";
import { LIMITS } from "../limits.ts";

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: {
    maxAstNodes: LIMITS.expressionNodes,
    maxDepth: 50,
    maxListElements: LIMITS.listElements,
    maxMapEntries: 1,
    maxCallArguments: 16,
  },
});

/** Parses a CEL expression into the library's syntax tree. Only the syntax is the library's; meaning is ours. */
export function parseExpression(text: string): Result<ASTNode> {
  if (text.length > LIMITS.expressionCharacters) {
    return refuse("expression_too_long", `the expression has ${text.length} characters`, {
      hint: `at most ${LIMITS.expressionCharacters}; split it into several requirements`,
    });
  }
  try {
    return succeed(environment.parse(text).ast);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    if (error.code.includes("limit") || error.summary.includes("Exceeded")) {
      return refuse("expression_too_large", `the expression is too large: ${error.summary}`, {
        hint: `at most ${LIMITS.expressionNodes} nodes, 50 deep; split it into several requirements`,
      });
    }
    const at = error.range ? `, at character ${error.range.start + 1}` : "";
    // the parser reads UTF-16 units: what it shows may be half a character, which no JSON can hold
    const why = error.summary.replace(/\p{Surrogate}/gu, "\ufffd");
    return refuse("expression_syntax", `${JSON.stringify(text)} does not parse: ${why}${at}`, {
      hint: "expressions are CEL: == != < <= > >= && || ! + - * / %, a ? b : c, x in [a, b], who.at, all(type).exists(x, …)",
    });
  }
}

/** The texts of the parts that `&&` joins at the top of an expression; the whole where there is but one, or where it does not parse. */
export function splitConjuncts(text: string): readonly string[] {
  const parsed = parseExpression(text);
  return parsed.ok ? textsOfConjuncts(parsed.value) : [text];
}

function textsOfConjuncts(ast: ASTNode): readonly string[] {
  if (ast.op === "&&") return ast.args.flatMap(textsOfConjuncts);
  return [ast.input.slice(ast.range.start, ast.range.end)];
}
