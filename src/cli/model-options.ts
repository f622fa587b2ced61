/** Options by which a command is told which model it asks, where, and what every request states. Only words: help loads this. */
import type { Options } from "yargs";

const text = { type: "string", requiresArg: true } as const;
const number = { type: "number", requiresArg: true } as const;

/** Where a model is asked. */
export const ENDPOINT_OPTIONS = {
  "base-url": { ...text, describe: "Of an OpenAI-compatible API: http://127.0.0.1:8000/v1 (default: OPENAI_BASE_URL)" },
  "api-key-env": { ...text, describe: "The environment variable that holds the key (default: OPENAI_API_KEY)" },
  "no-api-key": { type: "boolean", describe: "The server wants no key" },
  timeout: { ...number, describe: "Deadline of one attempt, in seconds (default: 300)" },
  attempts: { ...number, describe: "Attempts at one request (default: 6)" },
  "longest-wait": { ...number, describe: "Longest wait between two attempts, in seconds (default: 120)" },
} as const satisfies Record<string, Options>;

/** What every request states. Nothing is sent that is not stated. */
export const REQUEST_OPTIONS = {
  stream: { type: "boolean", describe: "Ask for the answer in pieces" },
  "max-tokens": { ...number, describe: "Most tokens of one answer" },
  temperature: { ...number, describe: "From 0 to 2" },
  "top-p": { ...number, describe: "From 0 to 1" },
  seed: { ...number, describe: "A whole number" },
  "reasoning-effort": { ...text, describe: "As the endpoint spells it: low, medium, high" },
  "context-tokens": { ...number, describe: "The model's window, prompt and answer together" },
  extra: { ...text, describe: "Further members of every request, as a JSON object" },
} as const satisfies Record<string, Options>;

/** How tools are offered to a model and its calls are read. */
export const TOOL_OPTIONS = {
  "tool-choice": { ...text, describe: "auto, required, or omit where the server does not know it (default: auto)" },
  "parallel-tool-calls": { type: "boolean", describe: "Sent only where stated; --parallel-tool-calls=false forbids" },
  "empty-content": { ...text, describe: "How a message without text is sent back: null, empty, omit (default: null)" },
  "text-calls": { type: "boolean", describe: "Take <tool_call> in the text for calls" },
} as const satisfies Record<string, Options>;
