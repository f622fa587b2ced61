import type { Agent } from "../tracks/index.ts";
import { idleAgent } from "./idle.ts";
import { lexicalAgent } from "./lexical.ts";
import { referenceAgent } from "./reference.ts";

/** The built-in agents, by name. */
export const AGENTS: readonly Agent[] = [referenceAgent, idleAgent, lexicalAgent];
