export { readCalls, type CallReading, type ReadCalls } from "./calls.ts";
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
export { estimateTokens } from "./estimate.ts";
export { openGate, openGates, type EndpointSurroundings, type Gate } from "./gate.ts";
export { messageToSend, toolMessage, type HistoryForm } from "./history.ts";
export { readKey, type Environment } from "./key.ts";
export { openEndpoint } from "./open-endpoint.ts";
export { runPreflight, type PreflightOptions } from "./preflight.ts";
export {
  applyFindings,
  isReached,
  preflightSchema,
  type Found,
  type Preflight,
  type Probe,
} from "./preflight/findings.ts";
export { costOf, parsePrices, readPrices, type Prices } from "./price.ts";
export { endpointSettingsSchema, modelSettingsSchema, type EndpointSettings, type ModelSettings } from "./settings.ts";
export { promptTokensFell, type PromptSize } from "./usage.ts";
