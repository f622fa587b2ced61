import { AGENTS } from "../../agents/index.ts";
import { tableLines } from "../../report/index.ts";
import { TIERS } from "../../runtime/index.ts";
import type { Agent } from "../../tracks/index.ts";
import { agentOf } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { print, printJson } from "../output.ts";

export async function listAll({ json }: { readonly json: boolean }): Promise<ExitCode> {
  if (json) printJson(AGENTS.map(factsOf));
  else {
    print(
      tableLines<Agent>(
        [
          { head: "agent", cell: ({ name }) => name },
          { head: "tiers", cell: (agent) => tiersOf(agent).join(", ") },
          { head: "what it does", cell: ({ says }) => says },
        ],
        AGENTS,
      ),
    );
  }
  return EXIT.done;
}

export async function show({ name, json }: { readonly name: string; readonly json: boolean }): Promise<ExitCode> {
  const agent = agentOf(name, AGENTS);
  if (json) printJson(factsOf(agent));
  else {
    const refused = TIERS.flatMap((tier) => {
      const why = agent.refusesTier?.(tier);
      return why === undefined ? [] : [`does not play ${tier}: ${why}`];
    });
    const settings = Object.entries(agent.settings).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
    print([`${agent.name} ${agent.says}`, `plays: ${tiersOf(agent).join(", ")}`, ...refused, "settings:", ...settings]);
  }
  return EXIT.done;
}

function factsOf(agent: Agent): unknown {
  return { name: agent.name, says: agent.says, tiers: tiersOf(agent), settings: agent.settings };
}

function tiersOf(agent: Agent): readonly string[] {
  return TIERS.filter((tier) => agent.refusesTier?.(tier) === undefined);
}
