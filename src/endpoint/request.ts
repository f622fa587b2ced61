/** The body of a request. Pure, and in one order of members: after a resume the same bytes go out. */
import { applyAdaptations } from "./adapt.ts";
import type { ChatRequest, JsonObject, ToolDefinition } from "./chat.ts";
import type { ModelSettings } from "./settings.ts";

/** What is asked: the settings, the request and what the endpoint was found to refuse; nothing that none of them states. */
export function requestBody(model: ModelSettings, request: ChatRequest): JsonObject {
  const { tools = [] } = request;
  const stated = Object.entries({
    model: model.model,
    messages: request.messages,
    ...(tools.length === 0 ? {} : toolMembers(model, request, tools)),
    [model.maxTokensAs]: model.maxTokens,
    temperature: model.temperature,
    top_p: model.topP,
    seed: model.seed,
    reasoning_effort: model.reasoningEffort,
    response_format: request.responseFormat,
    ...(model.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }).filter(([, value]) => value !== undefined);
  return applyAdaptations({ ...model.extra, ...(Object.fromEntries(stated) as JsonObject) }, request.adapted);
}

function toolMembers(model: ModelSettings, request: ChatRequest, tools: readonly ToolDefinition[]): JsonObject {
  const choice = request.toolChoice ?? (model.toolChoice === "omit" ? undefined : model.toolChoice);
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(model.parallelToolCalls === undefined ? {} : { parallel_tool_calls: model.parallelToolCalls }),
  };
}
