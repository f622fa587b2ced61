/** Requirements taken apart: what can be stripped from a capability one by one. */
import type { Capability } from "../../../runtime/index.ts";

/** The parts of an expression that `&&` joins at its top. */
export function conjunctsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote: string | undefined;
  let from = 0;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string;
    if (quote !== undefined) {
      if (char === "\\") i += 1;
      else if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    // Where an `||` or a `?` stands at the top, it binds weaker: the whole is one part.
    else if (depth === 0 && (text.startsWith("||", i) || char === "?")) return [text];
    else if (depth === 0 && text.startsWith("&&", i)) {
      parts.push(text.slice(from, i).trim());
      from = i + 2;
    }
  }
  return [...parts, text.slice(from).trim()];
}

/** The capability with one requirement for each conjunct of its requirements. */
export function splitRequirements(capability: Pick<Capability, "requires">): Capability["requires"] {
  return capability.requires.flatMap(({ expr, says }) =>
    conjunctsOf(expr).map((part) => ({ expr: part, ...(says === undefined ? {} : { says }) })),
  );
}
