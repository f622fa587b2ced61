import type { Agent } from "../tracks/index.ts";
import { everythingAgent } from "./everything.ts";
import { idleAgent } from "./idle.ts";
import { lastChangeAgent } from "./last-change.ts";
import { lexicalAgent } from "./lexical.ts";
import { persistAgent } from "./persist.ts";
import { referenceAgent } from "./reference.ts";
import { rulesAgent } from "./rules.ts";

export { modelAgent, type ModelAgentOptions } from "./model/agent.ts";
export { messagesOf } from "./model/conversation.ts";
export { CHAT_AGENT, chatMethod, type ChatMethod, type SettingFact } from "./model/method.ts";

/** The built-in agents that need nothing but a case, by name. */
export const AGENTS: readonly Agent[] = [
  referenceAgent,
  idleAgent,
  lexicalAgent,
  persistAgent,
  everythingAgent,
  lastChangeAgent,
  rulesAgent,
];
