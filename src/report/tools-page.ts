/** docs/tools.md: the reference of the six tools, made from their schemas, so that it cannot differ from them. */
import { ERROR_CODES, inputJsonSchema, LIMITS, TOOL_NAMES, TOOLS, toolsOf, type Tool } from "../runtime/index.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** The page as Markdown: the tools of maintenance, then those of deduction as far as they differ. */
export function toolsPage(): string {
  const limits = Object.entries(LIMITS).map(([name, value]) => `| ${name} | ${value} |`);
  return `${[
    "# The six tools",
    "Made from the schemas by `npm run docs`; do not edit.",
    'Every answer is `{ "ok": true, … }` or `{ "ok": false, "error": { code, message, path?, hint? } }` and never larger than 8 KB.',
    "Maintenance first; [deduction](#deduction) has the same six with inputs of its own.",
    ...TOOL_NAMES.map((name) => sectionOf(TOOLS[name], "##")),
    "## Deduction",
    "Nothing is constructed here: `construct` takes what it takes in maintenance and refuses.",
    ...TOOL_NAMES.filter((name) => name !== "construct").map((name) => sectionOf(toolsOf("deduction")[name], "###")),
    "## Error codes",
    ERROR_CODES.map((code) => `\`${code}\``).join(" · "),
    "## Limits",
    ["| limit | value |", "| --- | --- |", ...limits].join("\n"),
  ].join("\n\n")}\n`;
}

function sectionOf(tool: Tool, mark: string): string {
  const rows = rowsOf(inputJsonSchema(tool), "");
  const table =
    rows.length === 0 ? "Takes nothing: `{}`." : ["| key | is | what |", "| --- | --- | --- |", ...rows].join("\n");
  const examples = tool.examples.map((example) => `    ${JSON.stringify(example)}`).join("\n");
  return `${mark} ${tool.name}\n\n${tool.description}\n\n${table}\n\n${examples}`;
}

/** One row a key; the keys of nested objects below it, with their path. */
function rowsOf(schema: Schema, path: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]) => {
    const name = path === "" ? key : `${path}.${key}`;
    const required = schema.required?.includes(key) === true ? "" : "?";
    const row = `| \`${name}${required}\` | ${cell(kindOf(part))} | ${cell(part.description ?? "")} |`;
    const inner = part.items ?? (typeof part.additionalProperties === "object" ? part.additionalProperties : part);
    const below = part.items === undefined ? (part.additionalProperties === inner ? `${name}.*` : name) : `${name}[]`;
    return [row, ...rowsOf(inner, below)];
  });
}

function kindOf(schema: Schema): string {
  const fallback = schema.default === undefined ? "" : `, default ${JSON.stringify(schema.default)}`;
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ") + fallback;
  if (schema.const !== undefined) return JSON.stringify(schema.const) + fallback;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(kindOf))].join(" or ") + fallback;
  if (schema.items !== undefined) return `list of ${kindOf(schema.items)}${fallback}`;
  return `${Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "anything")}${fallback}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
