/** Asking a scripted endpoint in the tests of itself, with bodies as they stand. */
import { afterEach } from "vitest";
import { chatty, scripted, startScriptedEndpoint, type ScriptedEndpoint, type ScriptedOptions } from "./index.ts";

const open: ScriptedEndpoint[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((endpoint) => endpoint.stop()));
});

/** An endpoint that goes away after the test. */
export async function start(options: Partial<ScriptedOptions> = {}): Promise<ScriptedEndpoint> {
  const endpoint = await startScriptedEndpoint({ policy: chatty, ...options });
  open.push(endpoint);
  return endpoint;
}

export const USER = { role: "user", content: "Tell me." };
export const TOOL = { type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } };

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: Record<string, unknown>;
}

/** Asks with a body as it stands. */
export async function ask(
  endpoint: Pick<ScriptedEndpoint, "url">,
  body: object,
  headers: Record<string, string> = {},
): Promise<Told> {
  const response = await fetch(`${endpoint.url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "scripted", messages: [USER], ...body }),
  });
  const text = await response.text();
  const isData = response.headers.get("content-type") === "application/json";
  return { status: response.status, headers: response.headers, text, data: isData ? JSON.parse(text) : {} };
}

export function messageOf({ data }: Told): Record<string, unknown> {
  return (data["choices"] as readonly { message: Record<string, unknown> }[])[0]?.message ?? {};
}

/** The message of what a request was refused for. */
export function refusalOf({ status, data }: Told): string {
  return `${status} ${(data["error"] as { message: string } | undefined)?.message}`;
}

export const called = (id: string, args: unknown = "{}", name = "look"): object => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
});
export const answered = (id: string): object => ({ role: "tool", tool_call_id: id, content: "ok" });

/** Says two things, each with calls. */
export const TALK = scripted([
  {
    text: "I look around, and “beyond” 🙂.",
    calls: [
      { tool: "look", input: {} },
      { tool: "look", input: { at: "the gate", how: "closely\n" } },
    ],
  },
  { text: "Done.", calls: [{ tool: "look", input: { at: "the sky" } }] },
]);
