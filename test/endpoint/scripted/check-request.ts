/** What a good server refuses: the scripted endpoint is strict, since that is how a client is tested. */
import type { Json } from "../../../src/runtime/index.ts";
import { isObject, listOf, parseJson, wireError, type JsonObject, type WireError, wordOf } from "./wire.ts";

/** Parameters of a request that are known. Anything else is refused, as OpenAI does. */
const PARAMETERS = new Set(
  (
    "model messages tools tool_choice parallel_tool_calls response_format stream stream_options max_tokens " +
    "max_completion_tokens temperature top_p seed reasoning_effort stop n user"
  ).split(" "),
);

/** Members of a message. Those behind the role are what this server itself may have sent. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(["role", "content", "name"]),
  developer: new Set(["role", "content", "name"]),
  user: new Set(["role", "content", "name"]),
  assistant: new Set(["role", "content", "name", "tool_calls", "refusal", "serial", "reasoning_content"]),
  tool: new Set(["role", "content", "tool_call_id"]),
};

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const bad = (message: string, param: string): WireError => wireError(400, message, { param });

/** The first thing a strict server would refuse a request for, or undefined where it is sound. */
export function refuseRequest(body: unknown): WireError | undefined {
  if (!isObject(body)) return bad("We could not parse the JSON body of your request.", "body");
  const unknown = Object.keys(body).find((key) => !PARAMETERS.has(key));
  if (unknown !== undefined) return bad(`Unrecognized request argument supplied: ${unknown}`, unknown);
  if (typeof body["model"] !== "string" || body["model"] === "")
    return bad("you must provide a model parameter", "model");
  return refuseParameters(body) ?? refuseTools(body) ?? refuseMessages(body["messages"]);
}

function refuseParameters(body: JsonObject): WireError | undefined {
  const { stream, stream_options: options, temperature, top_p: topP } = body;
  if (stream !== undefined && typeof stream !== "boolean") return bad("'stream' must be a boolean", "stream");
  if (options !== undefined && stream !== true)
    return bad("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
  for (const name of ["max_tokens", "max_completion_tokens"]) {
    const most = body[name];
    if (most !== undefined && !(Number.isInteger(most) && Number(most) >= 1))
      return bad(`Invalid '${name}': integer below minimum value.`, name);
  }
  if (temperature !== undefined && !(typeof temperature === "number" && temperature >= 0 && temperature <= 2))
    return bad("Invalid 'temperature': decimal above maximum value.", "temperature");
  if (topP !== undefined && !(typeof topP === "number" && topP >= 0 && topP <= 1))
    return bad("Invalid 'top_p': decimal above maximum value.", "top_p");
  return refuseFormat(body["response_format"]);
}

function refuseFormat(format: Json | undefined): WireError | undefined {
  if (format === undefined) return undefined;
  const type = isObject(format) ? format["type"] : undefined;
  if (type === "text" || type === "json_object") return undefined;
  const schema = isObject(format) && isObject(format["json_schema"]) ? format["json_schema"] : undefined;
  if (type !== "json_schema" || schema === undefined)
    return bad(
      "Invalid 'response_format.type'. Supported values are: 'text', 'json_object' and 'json_schema'.",
      "response_format",
    );
  if (typeof schema["name"] !== "string" || !NAME.test(schema["name"]))
    return bad("Invalid 'response_format.json_schema.name'.", "response_format.json_schema.name");
  return schema["strict"] === true ? refuseStrict(schema["schema"], "response_format.json_schema.schema") : undefined;
}

/** Strict schemas close every object and require every member. */
function refuseStrict(schema: Json | undefined, where: string): WireError | undefined {
  if (Array.isArray(schema)) return firstOf(schema, (part, i) => refuseStrict(part as Json, `${where}.${i}`));
  if (!isObject(schema)) return undefined;
  const members = schema["properties"];
  if (isObject(members)) {
    if (schema["additionalProperties"] !== false)
      return bad(
        `Invalid schema: In context=(), 'additionalProperties' is required to be supplied and to be false.`,
        where,
      );
    const required = listOf(schema["required"]);
    const missing = Object.keys(members).find((key) => !required.includes(key));
    if (missing !== undefined)
      return bad(
        `Invalid schema: 'required' is required to include every key in properties. Missing '${missing}'.`,
        where,
      );
  }
  return firstOf(Object.entries(schema), ([key, part]) => refuseStrict(part, `${where}.${key}`));
}

function refuseTools(body: JsonObject): WireError | undefined {
  const { tools, tool_choice: choice, parallel_tool_calls: parallel } = body;
  if (tools === undefined) {
    if (choice !== undefined) return bad("'tool_choice' is only allowed when 'tools' are specified.", "tool_choice");
    if (parallel !== undefined)
      return bad("'parallel_tool_calls' is only allowed when 'tools' are specified.", "parallel_tool_calls");
    return undefined;
  }
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > 128)
    return bad("Invalid 'tools': 1 to 128 are taken.", "tools");
  const named = isObject(choice) && isObject(choice["function"]) ? choice["function"]["name"] : undefined;
  const names = tools.map((tool) =>
    isObject(tool) && isObject(tool["function"]) ? tool["function"]["name"] : undefined,
  );
  if (choice !== undefined && !["auto", "none", "required"].includes(wordOf(choice)) && !names.includes(named))
    return bad("Invalid value for 'tool_choice'.", "tool_choice");
  return firstOf(tools, (tool, i) => refuseTool(tool as Json, `tools[${i}]`));
}

function refuseTool(tool: Json, where: string): WireError | undefined {
  const made = isObject(tool) && tool["type"] === "function" ? tool["function"] : undefined;
  if (!isObject(made)) return bad(`Invalid '${where}'.`, where);
  if (typeof made["name"] !== "string" || !NAME.test(made["name"]))
    return bad(
      `Invalid '${where}.function.name': string does not match pattern '${NAME.source}'.`,
      `${where}.function.name`,
    );
  const parameters = made["parameters"];
  if (parameters !== undefined && !(isObject(parameters) && parameters["type"] === "object"))
    return bad(
      `Invalid schema for function '${made["name"]}': schema must be of type 'object'.`,
      `${where}.function.parameters`,
    );
  return undefined;
}

function refuseMessages(messages: Json | undefined): WireError | undefined {
  if (!Array.isArray(messages) || messages.length === 0)
    return bad("Invalid 'messages': empty array. Expected an array with minimum length 1.", "messages");
  /** Calls of the assistant message before that wait for their answers. */
  let open: readonly string[] = [];
  for (const [i, message] of (messages as readonly Json[]).entries()) {
    const where = `messages[${i}]`;
    const refused = refuseMessage(message, where);
    if (refused !== undefined) return refused;
    const { role, tool_call_id: id } = message as JsonObject;
    if (role === "tool") {
      if (!open.includes(wordOf(id)))
        return bad(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `${where}.role`,
        );
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0) return unanswered(open, where);
    open = listOf((message as JsonObject)["tool_calls"]).map((call) => wordOf((call as JsonObject)["id"]));
  }
  return open.length > 0 ? unanswered(open, `messages[${messages.length}]`) : undefined;
}

function unanswered(ids: readonly string[], where: string): WireError {
  return bad(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
    `${where}.role`,
  );
}

function refuseMessage(message: Json, where: string): WireError | undefined {
  if (!isObject(message)) return bad(`Invalid type for '${where}': expected an object.`, where);
  const { role, content, tool_calls: calls } = message;
  const members = MEMBERS[wordOf(role)];
  if (members === undefined) return bad(`Invalid value: '${wordOf(role)}'.`, `${where}.role`);
  const unknown = Object.keys(message).find((key) => !members.has(key));
  if (unknown !== undefined) return bad(`Unknown parameter: '${where}.${unknown}'.`, `${where}.${unknown}`);
  if (!isContent(content) && !(role === "assistant" && calls !== undefined && (content ?? null) === null))
    return bad(`Invalid value for 'content': expected a string, got ${describe(content)}.`, `${where}.content`);
  if (calls === undefined) return undefined;
  if (!Array.isArray(calls) || calls.length === 0)
    return bad(
      `Invalid '${where}.tool_calls': empty array. Expected an array with minimum length 1.`,
      `${where}.tool_calls`,
    );
  const ids = calls.map((call) => (isObject(call) ? call["id"] : undefined));
  const twice = ids.find((id, k) => ids.indexOf(id) !== k);
  if (twice !== undefined) return bad(`Duplicate value for 'tool_call_id' of ${wordOf(twice)}.`, `${where}.tool_calls`);
  return firstOf(calls, (call, k) => refuseCall(call as Json, `${where}.tool_calls[${k}]`));
}

function refuseCall(call: Json, where: string): WireError | undefined {
  const made = isObject(call) && call["type"] === "function" ? call["function"] : undefined;
  if (!isObject(call) || !isObject(made)) return bad(`Invalid '${where}'.`, where);
  if (typeof call["id"] !== "string" || call["id"] === "" || call["id"].length > 64)
    return bad(`Invalid '${where}.id': a text of 1 to 64 characters is needed.`, `${where}.id`);
  if (typeof made["name"] !== "string" || !NAME.test(made["name"]))
    return bad(
      `Invalid '${where}.function.name': string does not match pattern '${NAME.source}'.`,
      `${where}.function.name`,
    );
  const args = typeof made["arguments"] === "string" ? parseJson(made["arguments"]) : undefined;
  if (!isObject(args))
    return bad(
      `Invalid '${where}.function.arguments': the text of a JSON object is needed.`,
      `${where}.function.arguments`,
    );
  return undefined;
}

function isContent(content: Json | undefined): boolean {
  if (typeof content === "string") return true;
  const parts = listOf(content);
  return parts.length > 0 && parts.every((part) => isObject(part) && typeof part["text"] === "string");
}

function describe(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  return value === null ? "null" : `a ${Array.isArray(value) ? "list" : typeof value}`;
}

/** The first thing that `find` finds in a list. */
function firstOf<T, F>(list: readonly T[], find: (one: T, i: number) => F | undefined): F | undefined {
  for (const [i, one] of list.entries()) {
    const found = find(one, i);
    if (found !== undefined) return found;
  }
  return undefined;
}
