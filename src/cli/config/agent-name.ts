/** The name under which a model's runs are kept. */

/** Names no model may bear beside those of built-in agents: kinds of agents, and names of agents to come. */
const RESERVED: readonly string[] = ["model", "mcp", "player", "persist", "everything", "last-change", "rules"];

/**
 * A model's name as the name of an agent: `Qwen/Qwen3-32B` becomes `qwen-qwen3-32b`. Lower-case letters, digits, _ and -,
 * at most 64, beginning with a letter; never that of a built-in agent, which gets `m-` before it.
 */
export function agentNameOf(model: string, builtIn: readonly string[]): string {
  const plain = model
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "");
  const taken = plain === "" || !/^[a-z]/.test(plain) || isReserved(plain, builtIn);
  return (taken ? `m-${plain}` : plain).slice(0, 64).replace(/[-_]+$/, "");
}

/** Whether a name belongs to an agent of the program's own. */
export function isReserved(name: string, builtIn: readonly string[]): boolean {
  return RESERVED.includes(name) || builtIn.includes(name);
}
