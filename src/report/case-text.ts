/** A case as people read it: narrative, contract in words, reference; and what an agent is given at a tier. */
import { budgetsOf, solutionOf, worldOfTier, type Call, type Case, type ReferenceStep } from "../cases/index.ts";
import { isScored, ITEM_KINDS, itemsOf, type ItemKind } from "../contracts/index.ts";
import {
  constructibleLevels,
  describeField,
  entityIds,
  getEntity,
  TIERS,
  type Budgets,
  type Tier,
  type World,
} from "../runtime/index.ts";
import { contractLines } from "./contract-text.ts";
import { escapeLines } from "./escape.ts";

/** What `cases list` says of a case. */
export interface CaseSummary {
  readonly id: string;
  readonly track: "maintenance";
  readonly title: string;
  readonly family: string;
  readonly stratum: string;
  readonly version: number;
  /** The world digest: what a run is of. */
  readonly digest: string;
  readonly contractDigest: string;
  readonly rounds: number;
  /** Items of the contract, each once. */
  readonly items: number;
  readonly itemsByKind: Readonly<Record<ItemKind, number>>;
  /** Items that count in each tier; their sum places the case in its stratum. */
  readonly scored: Readonly<Record<Tier, number>>;
}

export function summaryOf(case_: Case): CaseSummary {
  const items = itemsOf(case_.contract);
  const count = <Key extends string>(keys: readonly Key[], number: (key: Key) => number) =>
    Object.fromEntries(keys.map((key) => [key, number(key)])) as Readonly<Record<Key, number>>;
  return {
    id: case_.id,
    track: "maintenance",
    title: case_.title,
    family: case_.family,
    stratum: case_.stratum,
    version: case_.version,
    digest: case_.worldDigest,
    contractDigest: case_.contractDigest,
    rounds: case_.narratives.length,
    items: items.length,
    itemsByKind: count(ITEM_KINDS, (kind) => items.filter((item) => item.kind === kind).length),
    scored: count(TIERS, (tier) => items.filter((item) => isScored(item, tier)).length),
  };
}

export interface CaseTextOptions {
  /** Only this round. */
  readonly round?: number;
  /** Also what an agent would be given at this tier, and the reference as it is played there. */
  readonly tier?: Tier;
}

/** The whole of a case, or of one round of it, as lines. */
export function caseLines(case_: Case, { round, tier }: CaseTextOptions = {}): readonly string[] {
  const summary = summaryOf(case_);
  const kinds = ITEM_KINDS.map((kind) => `${kind} ${summary.itemsByKind[kind]}`).join(", ");
  const head = [
    `${case_.id}: ${case_.title}`,
    `family ${case_.family}, ${case_.stratum}, version ${case_.version}, ${summary.rounds} rounds, ${summary.items} items (${kinds})`,
    `scored items: ${TIERS.map((one) => `${one} ${summary.scored[one]}`).join(", ")}`,
    `world ${case_.worldDigest}`,
    `contract ${case_.contractDigest}`,
  ];
  const given = tier === undefined ? [] : ["", ...givenLines(case_, tier)];
  const rounds = case_.narratives.map((_, i) => i + 1).filter((one) => round === undefined || one === round);
  return [...head, ...given, ...rounds.flatMap((one) => ["", ...roundLines(case_, one, tier)])].flatMap((line) =>
    escapeLines(line).split("\n"),
  );
}

function roundLines(case_: Case, round: number, tier: Tier | undefined): readonly string[] {
  const contract = case_.contract.rounds[round - 1];
  const steps =
    tier === undefined
      ? (case_.reference[round - 1] ?? []).map(sayStep)
      : (solutionOf(case_, tier)[round - 1] ?? []).map(sayCall);
  return [
    `── Round ${round} ──`,
    "",
    (case_.narratives[round - 1] ?? "").trimEnd(),
    "",
    ...(contract === undefined ? [] : contractLines(contract)),
    "",
    tier === undefined ? "Reference:" : `Reference, as it is played in ${tier}:`,
    ...steps.map((step, i) => `  ${i + 1}. ${step}`),
  ];
}

function sayStep({ triggers, until, advance }: ReferenceStep): string {
  const said = triggers.map(({ capability, args, realises }) => {
    const given = Object.entries(args).map(([name, value]) => `${name}: ${String(value)}`);
    return `${capability}(${given.join(", ")})${realises.length === 0 ? "" : ` → ${realises.join(", ")}`}`;
  });
  const waits = [
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(advance === undefined ? [] : [`advance ${advance}`]),
  ];
  return [said.length === 0 ? "wait" : said.join(" + "), ...waits].join("; ");
}

function sayCall({ tool, input }: Call): string {
  return Object.keys(input).length === 0 ? tool : `${tool} ${JSON.stringify(input)}`;
}

/** What the tools would show an agent at the beginning of a tier, and what it may spend. */
function givenLines(case_: Case, tier: Tier): readonly string[] {
  const world = worldOfTier(case_.world, tier);
  const levels = constructibleLevels(tier);
  return [
    `Given in ${tier}. ${levels.length === 0 ? "Nothing is constructed." : `To construct: ${levels.map((level) => PLURAL[level]).join(", ")}.`}`,
    ...budgetLines(budgetsOf(case_, tier)),
    ...placeLines(world),
    ...typeLines(world),
    ...entityLines(world),
    ...listed(
      "Capabilities",
      Object.values(world.capabilities).map(
        ({ id, says, params }) => `${id}(${Object.keys(params).join(", ")}): ${says}`,
      ),
    ),
    ...listed(
      "Invariants",
      world.invariants.map(({ expr, says }) => (says === "" ? expr : `${says}: ${expr}`)),
    ),
  ];
}

const PLURAL = { type: "types", entity: "entities", capability: "capabilities" } as const;

function budgetLines({ rounds, runCalls }: Budgets): readonly string[] {
  return listed("Budgets", [
    ...rounds.map(({ steps, calls }, i) => `round ${i + 1}: ${steps} steps, ${calls} calls`),
    `run: ${runCalls} calls`,
  ]);
}

function placeLines({ map }: World): readonly string[] {
  const links = map.links.map(({ from, to, bothWays, ticks }) => `${from} ${bothWays ? "↔" : "→"} ${to}: ${ticks}`);
  return [
    ...listed(
      "Places",
      Object.entries(map.places).map(([id, says]) => `${id}: ${says}`),
    ),
    ...listed("Links, in ticks", links),
  ];
}

function typeLines({ types }: World): readonly string[] {
  return listed(
    "Types",
    Object.values(types).map(({ id, says, fields }) => {
      const shown = Object.entries(fields).map(([name, field]) => `${name}: ${describeField(field)}`);
      return `${id}: ${says}${shown.length === 0 ? "" : ` { ${shown.join("; ")} }`}`;
    }),
  );
}

function entityLines({ entities }: World): readonly string[] {
  return listed(
    "Entities",
    entityIds(entities).flatMap((id) => {
      const entity = getEntity(entities, id);
      if (entity === undefined) return [];
      const fields = Object.entries(entity.fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      return [
        `${id} (${entity.type}) ${entity.name}, at ${entity.at ?? "nowhere"}${fields.length === 0 ? "" : ` { ${fields.join(", ")} }`}`,
      ];
    }),
  );
}

function listed(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${head}:`, ...lines.map((line) => `  ${line}`)];
}
