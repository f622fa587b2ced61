import { AGENTS, CHAT_AGENT, chatMethod } from "../../agents/index.ts";
import { tableLines } from "../../report/index.ts";
import { suggest, TIERS, type Json } from "../../runtime/index.ts";
import type { Agent } from "../../tracks/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { methodLines } from "../method-text.ts";
import { print, printJson } from "../output.ts";
import { UserError } from "../user-error.ts";

/** An agent that a run can name. `model` has settings only once it is known which model, and where. */
type Named = Pick<Agent, "name" | "says" | "refusesTier"> & Partial<Pick<Agent, "settings">>;

const NAMED: readonly Named[] = [...AGENTS, CHAT_AGENT];

export async function listAll({ json }: { readonly json: boolean }): Promise<ExitCode> {
  if (json) printJson(NAMED.map(factsOf));
  else {
    print(
      tableLines<Named>(
        [
          { head: "agent", cell: ({ name }) => name },
          { head: "tiers", cell: (agent) => tiersOf(agent).join(", ") },
          { head: "what it does", cell: ({ says }) => says },
        ],
        NAMED,
      ),
    );
  }
  return EXIT.done;
}

export async function show({ name, json }: { readonly name: string; readonly json: boolean }): Promise<ExitCode> {
  const agent = namedBy(name);
  const method = agent === CHAT_AGENT ? chatMethod() : undefined;
  if (json) printJson({ ...factsOf(agent), ...(method === undefined ? {} : { method }) });
  else {
    const refused = TIERS.flatMap((tier) => {
      const why = agent.refusesTier?.(tier);
      return why === undefined ? [] : [`does not play ${tier}: ${why}`];
    });
    print([
      `${agent.name} ${agent.says}`,
      `plays: ${tiersOf(agent).join(", ")}`,
      ...refused,
      ...(method === undefined ? settingLines(agent.settings ?? {}) : methodLines(method)),
    ]);
  }
  return EXIT.done;
}

function namedBy(word: string): Named {
  const agent = NAMED.find(({ name }) => name === word);
  if (agent !== undefined) return agent;
  const names = NAMED.map(({ name }) => name);
  throw new UserError(`there is no agent "${word}"`, suggest(word, names));
}

function settingLines(settings: Agent["settings"]): readonly string[] {
  return ["settings:", ...Object.entries(settings).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)];
}

function factsOf(agent: Named): { readonly [key: string]: Json } {
  const { name, says, settings } = agent;
  return { name, says, tiers: tiersOf(agent), ...(settings === undefined ? {} : { settings }) };
}

function tiersOf(agent: Named): readonly string[] {
  return TIERS.filter((tier) => agent.refusesTier?.(tier) === undefined);
}
