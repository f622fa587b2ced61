/** How servers say that a prompt does not fit their window: a dozen wordings, and as many that only look like one. */

/** Codes that say so, whatever the words are. */
const CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "contextwindowexceedederror",
  "model_context_window_exceeded",
  "exceed_context_size_error",
  "prompt_too_long",
  "input_too_long",
  "request_too_large",
  "string_above_max_length",
]);

/** Phrases in lower case, each with a server that uses it. Plain texts, so that searching is linear. */
const PHRASES: readonly string[] = [
  "maximum context length", // OpenAI, vLLM, DeepSeek, OpenRouter, Mistral
  "exceeds the context window", // OpenAI
  "context window exceed", // MiniMax: "context window exceeds limit"
  "context length exceeded", // Groq, Ollama
  "context_length_exceeded",
  "contextwindowexceedederror", // LiteLLM
  "longer than the model's context length", // SGLang
  "longer than the maximum model length", // vLLM, decoder prompt
  "maximum model length",
  "too long to fit into the model", // vLLM, older
  "exceeds the maximum allowed length", // SGLang
  "exceed context window", // llama-cpp-python: "Requested tokens (n) exceed context window of n"
  "exceeds the available context size", // llama.cpp
  "context size has been exceeded", // llama.cpp, LM Studio
  "context the overflows", // LM Studio: "keep the first n tokens when context the overflows"
  "context length of only", // LM Studio
  "greater than the context length", // LM Studio
  "input length exceeds context length", // Ollama
  "exceeds the context length", // Ollama, embedding and chat
  "prompt too long", // Ollama: "prompt too long; exceeded max context length"
  "prompt is too long", // Anthropic
  "input is too long", // Bedrock: "Input is too long for requested model"
  "exceed context limit", // Anthropic: "input length and `max_tokens` exceed context limit"
  "the input token count", // Gemini: "The input token count (n) exceeds the maximum number of tokens allowed (n)"
  "exceeds the maximum number of tokens", // Gemini, Bedrock
  "`inputs` must have less than", // TGI: "`inputs` must have less than n tokens"
  "`inputs` tokens + `max_new_tokens` must be", // TGI
  "too large for model with", // Mistral: "Prompt contains n tokens … too large for model with n maximum context length"
  "exceeded model token limit", // Moonshot
  "maximum prompt length is", // xAI
  "prompt token count of", // Copilot: "prompt token count of n exceeds the limit of n"
  "range of input length should be", // DashScope
  "but the configured context size is", // DS4
  "reduce the length of the messages", // Groq, Together
  "reduce the length of the input", // vLLM
  "the configured limit of", // Cerebras: "Current length is n while limit is n" and Fireworks
  "current length is", // Cerebras
  "prompt exceeds the length limit",
  "prompt exceeds max length", // Zhipu
  "inputs tokens exceed", // Together: "`inputs` tokens + …", "input tokens exceed"
  "input tokens exceed",
  "tokens exceed the model's",
];

/** Phrases that make a refusal one of pace: they speak of tokens too. */
const PACE: readonly string[] = [
  "rate limit",
  "rate_limit",
  "too many requests",
  "per minute",
  "per min",
  "per day",
  "tpm",
  "throttl",
  "please wait",
  "try again in",
];

/** Whether an error says that the prompt passes the window. */
export function isOverflow(codes: readonly string[], message: string): boolean {
  if (codes.some((code) => CODES.has(code))) return true;
  const said = message.toLowerCase();
  if (PACE.some((phrase) => said.includes(phrase))) return false;
  return PHRASES.some((phrase) => said.includes(phrase));
}
