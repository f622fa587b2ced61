import { AGENTS, CHAT_AGENT, chatMethod } from "../../agents/index.ts";
import { tableLines } from "../../report/index.ts";
import { suggest, TIERS, type Json } from "../../runtime/index.ts";
import type { Agent } from "../../tracks/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { methodLines } from "../method-text.ts";
import { print, printJson } from "../output.ts";
import { UserError } from "../user-error.ts";

/** An agent that a run can name. `model` has settings only once it is known which model, and where. */
type Named = Pick<Agent, "name" | "says" | "refuses"> & Partial<Pick<Agent, "settings">>;

const NAMED: readonly Named[] = [...AGENTS, CHAT_AGENT];

export async function listAll({ json }: { readonly json: boolean }): Promise<ExitCode> {
  if (json) printJson(NAMED.map(factsOf));
  else {
    print(
      tableLines<Named>(
        [
          { head: "agent", cell: ({ name }) => name },
          { head: "plays", cell: (agent) => playsOf(agent).join(", ") },
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
    const refused = refusalsOf(agent).map(({ what, why }) => `does not play ${what}: ${why}`);
    print([
      `${agent.name} ${agent.says}`,
      `plays: ${playsOf(agent).join(", ")}`,
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
  return {
    name,
    says,
    tiers: tiersOf(agent),
    deduction: playsDeduction(agent),
    ...(settings === undefined ? {} : { settings }),
  };
}

function tiersOf(agent: Named): readonly string[] {
  return TIERS.filter((tier) => agent.refuses?.({ track: "maintenance", tier }) === undefined);
}

function playsDeduction(agent: Named): boolean {
  return refusalOfDeduction(agent) === undefined;
}

/** No agent plays deduction in a part of its forms alone. */
function refusalOfDeduction(agent: Named): string | undefined {
  return agent.refuses?.({ track: "deduction", condition: "open", mode: "M1" });
}

/** Tiers of maintenance, and deduction. */
function playsOf(agent: Named): readonly string[] {
  return [...tiersOf(agent), ...(playsDeduction(agent) ? ["deduction"] : [])];
}

interface Refused {
  readonly what: string;
  readonly why: string;
}

/** What it does not play; who plays no tier for one reason is said not to play the track. */
function refusalsOf(agent: Named): readonly Refused[] {
  const tiers = TIERS.flatMap((tier): readonly Refused[] => {
    const why = agent.refuses?.({ track: "maintenance", tier });
    return why === undefined ? [] : [{ what: tier, why }];
  });
  const [first] = tiers;
  const none = first !== undefined && tiers.length === TIERS.length && tiers.every(({ why }) => why === first.why);
  const why = refusalOfDeduction(agent);
  return [
    ...(none ? [{ what: "maintenance", why: first.why }] : tiers),
    ...(why === undefined ? [] : [{ what: "deduction", why }]),
  ];
}
