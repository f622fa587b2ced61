export {
  stopsEverything,
  type Asked,
  type ChatReply,
  type ChatRequest,
  type Endpoint,
  type InFlight,
  type JsonObject,
  type ToolDefinition,
  type WireCall,
} from "./chat.ts";
export { endpointSettingsSchema, modelSettingsSchema, type EndpointSettings, type ModelSettings } from "./settings.ts";
