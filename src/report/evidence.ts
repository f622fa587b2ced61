/** The evidence of a score as a tree: item → verdict → binding → triggers → what they changed. */
import type { Case } from "../cases/index.ts";
import {
  eventsOfRelation,
  type RelationItem,
  type Score,
  type ScoredItem,
  type SettledRun,
  type Trace,
  type TracedTrigger,
} from "../contracts/index.ts";
import { unreachable, type Construction, type TriggerId, type Write } from "../runtime/index.ts";
import { escapeText } from "./escape.ts";

/** What the tree of one run is made of. */
export interface Evidence {
  readonly case: Case;
  readonly score: Score;
  readonly settled: SettledRun;
  readonly trace: Trace;
}

/** The tree, round by round in the order of the contract, as lines without control characters. */
export function evidenceLines(evidence: Evidence): readonly string[] {
  const says = sentencesOf(evidence.case);
  const rounds = evidence.score.rounds.flatMap(({ round, played }) => {
    const items = evidence.score.items.filter((item) => item.round === round);
    return [
      `round ${round}${played ? "" : " (not played)"}`,
      ...items.flatMap((item) => itemLines(evidence, item, says)),
    ];
  });
  return [...identityLines(evidence.settled), ...rounds].map(escapeText);
}

/** Who is who, where that had to be settled. */
function identityLines({ identity }: SettledRun): readonly string[] {
  if (identity === undefined || identity.size === 0) return [];
  const lines = [...identity].map(([entity, who]) => `  ${who.kind === "is" ? `${entity} is ${who.id}` : who.why}`);
  return ["who is who", ...lines];
}

function itemLines(evidence: Evidence, item: ScoredItem, says: ReadonlyMap<string, string>): readonly string[] {
  const sentence = says.get(item.id);
  const scored = item.scored ? "" : " (not scored in this tier)";
  const head = `  ${item.kind} ${item.id}: ${item.status}${sayStanding(item)}${scored}${sentence === undefined ? "" : ` — ${sentence}`}`;
  const reason = item.status === "pass" && item.triggers !== undefined ? [] : [`      ${item.reason}`];
  return [head, ...reason, ...evidenceOf(evidence, item)];
}

/** Who judged it, where two judges did, and what a model's pass rests on. */
function sayStanding({ standing, by }: ScoredItem): string {
  const judge = by === undefined ? "" : `, ${by === "exact" ? "by the exact judge" : "by the model"}`;
  switch (standing) {
    case undefined:
    case "confirmed":
      return judge;
    case "word":
      return `${judge}, on the judge's word alone`;
    case "refused":
      return `${judge}, a pass that the audit turned`;
  }
}

function evidenceOf({ case: case_, settled, trace }: Evidence, item: ScoredItem): readonly string[] {
  const relation = relationOf(case_, item);
  if (relation !== undefined)
    return [...eventsOfRelation(relation).map((event) => heldLine(settled, event)), ...groundingLines(item)];
  const held = settled.held.get(item.id as string as Parameters<SettledRun["held"]["get"]>[0]);
  const binding =
    held === undefined
      ? []
      : [`      bound [${held.interval.start}, ${held.interval.end}) to ${held.triggers.join(", ")}`];
  const triggers = (item.triggers ?? []).flatMap((id) => triggerLines(trace, id));
  const constructions = (item.constructions ?? []).flatMap((number) => constructionLine(trace, number));
  return [...binding, ...constructions, ...triggers];
}

function relationOf(case_: Case, item: ScoredItem): RelationItem | undefined {
  return case_.contract.rounds[item.round - 1]?.relations.find(({ id }) => id === item.id);
}

function heldLine(settled: SettledRun, event: Parameters<SettledRun["held"]["get"]>[0]): string {
  const held = settled.held.get(event);
  if (held === undefined) return `      ${event} does not hold`;
  return `      ${event} [${held.interval.start}, ${held.interval.end}) round ${held.round}: ${held.triggers.join(", ")}`;
}

/** What grounds a causal item: the way from each cause, and what the effect comes to in a replay without it. */
function groundingLines({ grounding }: ScoredItem): readonly string[] {
  if (grounding === undefined) return [];
  const { mediated, butFor, causes } = grounding;
  return [
    `      ${mediated ? "mediated" : "not mediated"}; ${butFor ? "holds but-for" : "does not hold but-for"}`,
    ...causes.flatMap(({ cause, way, without }) => [
      `        ${cause}: ${way === null ? "no way leads to the effect" : way.map(({ from, path, to }) => `${from} –${path}→ ${to}`).join(", ")}`,
      ...without.map(({ trigger, outcome, code, path }) => {
        const what =
          outcome === "refused"
            ? `refused (${code})`
            : outcome === "changed"
              ? `still changes ${path}`
              : "changes nothing";
        return `          without it ${trigger} ${what}`;
      }),
    ]),
  ];
}

function triggerLines(trace: Trace, id: TriggerId): readonly string[] {
  const traced = trace.triggers.get(id);
  if (traced === undefined) return [`        ${id}: no accepted trigger`];
  const writes = traced.trigger.writes.map((write) => `          ${sayWrite(write)}`);
  return [`        ${id}: ${sayTrigger(traced)}`, ...(writes.length === 0 ? ["          changes nothing"] : writes)];
}

function sayTrigger({ trigger }: TracedTrigger): string {
  const args = Object.entries(trigger.args).map(([name, value]) => `${name}: ${String(value)}`);
  const version = trigger.version === 1 ? "" : ` version ${trigger.version}`;
  return `${trigger.capability}(${args.join(", ")})${version} [${trigger.start}, ${trigger.end})`;
}

function sayWrite(write: Write): string {
  switch (write.kind) {
    case "set":
      return `${write.path}: ${show(write.before)} → ${show(write.after)}${write.same === true ? " (as it was)" : ""}`;
    case "add":
      return `${write.path}: ${write.before} → ${write.after} (this one added ${write.by})`;
    case "insert":
    case "remove":
      return `${write.path}: ${write.kind} ${write.member}${write.same === true ? " (as it was)" : ""}`;
    case "create":
    case "destroy":
      return `${write.path}: ${write.kind}, a ${write.entity.type}`;
    default:
      return unreachable(write);
  }
}

function constructionLine(trace: Trace, number: number): readonly string[] {
  const record: Construction | undefined = trace.constructions.get(number)?.record;
  if (record === undefined) return [`        construction ${number}: there is none`];
  return [
    `        construction ${number}: ${record.op} ${record.item.level} ${record.item.id}, before step ${record.afterStep + 1}`,
  ];
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What each event, structure and probe says, by id. */
function sentencesOf(case_: Case): ReadonlyMap<string, string> {
  return new Map(
    case_.contract.rounds.flatMap(({ events, structures, probes }) =>
      [...events, ...structures, ...probes].map(({ id, says }): [string, string] => [id, says]),
    ),
  );
}
