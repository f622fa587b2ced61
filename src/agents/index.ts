import type { Agent } from "../tracks/index.ts";
import { idleAgent } from "./idle.ts";
import { lexicalAgent } from "./lexical.ts";
import { referenceAgent } from "./reference.ts";

export { modelAgent, type ModelAgentOptions } from "./model/agent.ts";
export { messagesOf } from "./model/conversation.ts";
export { CHAT_AGENT, chatMethod, type ChatMethod, type SettingFact } from "./model/method.ts";

/** The built-in agents that need nothing but a case, by name. */
export const AGENTS: readonly Agent[] = [referenceAgent, idleAgent, lexicalAgent];
