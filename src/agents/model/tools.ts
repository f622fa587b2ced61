/** The six tools as a model is offered them: exactly what the runtime's schemas say. */
import type { ToolDefinition } from "../../endpoint/index.ts";
import { digestOf, toolJsonSchemas, type Json } from "../../runtime/index.ts";

export const CHAT_TOOLS: readonly ToolDefinition[] = toolJsonSchemas().map(({ name, description, inputSchema }) => ({
  name,
  description,
  parameters: inputSchema as { readonly [key: string]: Json },
}));

export const TOOLS_DIGEST = digestOf(CHAT_TOOLS);
