/** The six tools as a model is offered them in each track: exactly what the runtime's schemas say. */
import type { ToolDefinition } from "../../endpoint/index.ts";
import { digestOf, toolJsonSchemas, toolsOf, type Json, type Track } from "../../runtime/index.ts";

export const CHAT_TOOLS: Readonly<Record<Track, readonly ToolDefinition[]>> = {
  maintenance: definitionsOf("maintenance"),
  deduction: definitionsOf("deduction"),
};

export const TOOLS_DIGEST = digestOf(CHAT_TOOLS);

function definitionsOf(track: Track): readonly ToolDefinition[] {
  return toolJsonSchemas(toolsOf(track)).map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema as { readonly [key: string]: Json },
  }));
}
