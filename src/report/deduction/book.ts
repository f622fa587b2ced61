/** A deduction case as people read it: what is told of it in both conditions, and all that is not. */
import type { DeductionCase } from "../../cases/index.ts";
import {
  type Capability,
  type CompiledEntry,
  type CompiledProcess,
  type World,
  describeField,
  entityIds,
  entityIdsOfType,
  getEntity,
  sameJson,
  visibilityOf,
} from "../../runtime/index.ts";
import { fill, fillParagraphs, paperWidth, type Indent } from "../book/wrap.ts";
import { callIt, sayCount, sayPlace, spell } from "../book/words.ts";
import { deductionSummaryOf } from "./summary.ts";
import { escapeText } from "../escape.ts";

/** A case as lines that hold nothing a terminal would act on. */
export function deductionCaseLines(case_: DeductionCase, columns?: number): readonly string[] {
  const width = paperWidth(columns);
  const { worlds, dynamics, goal } = case_;
  const world = worlds[1] as World;
  return [
    "",
    ...fill(case_.title.toUpperCase(), width),
    "",
    ...factsOf(case_).flatMap((fact) => fill(fact, width, hang(0))),
    "",
    ...fillParagraphs(case_.intro, width),
    ...section("The goal", [...fill(goal.says, width, hang(2)), ...fill(goal.expr, width, hang(6))]),
    ...section("Where", placesOf(world, width)),
    ...section("What there is, and who sees it", typesOf(case_, world, width)),
    ...section("Who and what, in the first fold", entitiesOf(world, width)),
    ...section("What differs between the folds", variationsOf(case_, width)),
    ...section(
      "What goes on by itself",
      dynamics.processes.flatMap((process) => processLines(process, case_.unit, width)),
    ),
    ...section(
      "What happens at given times",
      dynamics.schedule.flatMap((entry) => entryLines(entry, case_.unit, width)),
    ),
    ...section(
      `What ${callIt(world, dynamics.character)} can do`,
      Object.values(world.capabilities).flatMap((action) => actionLines(action, case_, width)),
    ),
    ...section(
      "What comes into being",
      dynamics.creates.flatMap(({ type, pattern, says }) => fill(`${type} ${pattern}: ${says}`, width, hang(2))),
    ),
  ].map(escapeText);
}

function section(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", head, ...lines];
}

function hang(columns: number): Indent {
  return { first: " ".repeat(columns), rest: " ".repeat(columns + 2) };
}

function factsOf(case_: DeductionCase): readonly string[] {
  const summary = deductionSummaryOf(case_);
  const { dynamics, unit } = case_;
  return [
    `${case_.id}: family ${case_.family}, ${case_.variant}, version ${case_.version}`,
    `${dynamics.ticks} ticks of one ${unit} each: ${sayCount(summary.segments, "segment")} of ${dynamics.segment} (M1), ${sayCount(summary.rounds, "decision point")} ${dynamics.decision} apart (M2), ${sayCount(summary.folds, "fold")}`,
    `${sayCount(summary.entities, "entity", "entities")} with ${sayCount(summary.fields, "field")}, ${sayCount(summary.processes, "process", "processes")}, ${sayCount(summary.entries, "schedule entry", "schedule entries")}, ${sayCount(summary.actions, "action")}`,
    `world ${case_.worldDigest.slice(0, 12)}, contract ${case_.contractDigest.slice(0, 12)}`,
  ];
}

function placesOf(world: World, width: number): readonly string[] {
  const { places, links } = world.map;
  return [
    ...Object.entries(places).flatMap(([id, says]) => fill(`${id}: ${says}`, width, hang(2))),
    ...links.flatMap(({ from, to, bothWays, ticks }) =>
      fill(
        `${callIt(world, from)} ${bothWays ? "↔" : "→"} ${callIt(world, to)}: ${sayCount(ticks, "tick")}`,
        width,
        hang(4),
      ),
    ),
  ];
}

function typesOf({ dynamics }: DeductionCase, world: World, width: number): readonly string[] {
  return Object.values(world.types).flatMap(({ id, says, fields }) => [
    ...fill(
      `${says === "" ? id : `${id}: ${says}`} (where it is: ${visibilityOf(dynamics, id, "at")})`,
      width,
      hang(2),
    ),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const words = field.says === undefined || field.says === "" ? "" : `: ${field.says}`;
      return fill(`${name}, ${visibilityOf(dynamics, id, name)}, ${describeField(field)}${words}`, width, hang(6));
    }),
  ]);
}

function entitiesOf(world: World, width: number): readonly string[] {
  return Object.keys(world.types).flatMap((type) =>
    entityIdsOfType(world.entities, type).flatMap((id) => {
      const entity = getEntity(world.entities, id);
      if (entity === undefined) return [];
      const state = Object.entries(entity.fields).map(([field, value]) => `${spell(field)} ${JSON.stringify(value)}`);
      const name = entity.name === "" || entity.name === id ? id : `${entity.name} (${id})`;
      return fill(`${name}: ${[sayPlace(world, entity.at), ...state].join("; ")}`, width, hang(2));
    }),
  );
}

/** Paths whose value is not the same in every fold, with the values in the order of the folds. */
function variationsOf({ worlds }: DeductionCase, width: number): readonly string[] {
  const all = Object.values(worlds);
  const [first] = all;
  if (first === undefined) return [];
  return entityIds(first.entities)
    .toSorted()
    .flatMap((id) => {
      const states = all.map((world) => getEntity(world.entities, id));
      const fields = ["at", ...Object.keys(states[0]?.fields ?? {})];
      return fields.flatMap((field) => {
        const values = states.map((state) => (field === "at" ? state?.at : state?.fields[field]) ?? null);
        if (values.every((value) => sameJson(value, values[0]))) return [];
        return fill(`${id}.${field}: ${values.map((value) => JSON.stringify(value)).join(", ")}`, width, hang(2));
      });
    });
}

function ruleLines(
  head: string,
  { says, tells }: { readonly says: string; readonly tells: string },
  width: number,
): readonly string[] {
  return [
    ...fill(head, width, hang(2)),
    ...fill(`naming: ${says}`, width, hang(6)),
    ...fill(`open: ${tells}`, width, hang(6)),
  ];
}

function processLines({ id, draft, sealed }: CompiledProcess, unit: string, width: number): readonly string[] {
  const { name, every, phase, priority } = draft;
  const offset = phase === 0 ? "" : `, phase ${phase}`;
  const when = every === 1 ? `every ${unit}` : `every ${every} ${unit}s${offset}`;
  const order = priority === 0 ? "" : `, priority ${priority}`;
  return ruleLines(`${name} [${id}]: ${when}${order}${sealed ? ", sealed" : ""}`, draft, width);
}

function entryLines({ id, draft, sealed }: CompiledEntry, unit: string, width: number): readonly string[] {
  const head = `${draft.name} [${id}]: ${unit} ${draft.at.join(", ")}${sealed ? ", sealed" : ""}`;
  return ruleLines(head, draft, width);
}

function actionLines(
  action: Capability,
  { dynamics: { actionTells } }: DeductionCase,
  width: number,
): readonly string[] {
  const { id, says, params, requires, duration } = action;
  const given = Object.entries(params).map(([name, { type, kind, values }]) => {
    const what = values === undefined ? (type ?? kind ?? "entity") : values.join(" | ");
    return `${name}: ${what}`;
  });
  const lasts =
    duration === 1 ? "" : typeof duration === "number" ? `, ${sayCount(duration, "tick")}` : `, lasts ${duration}`;
  return [
    ...ruleLines(`${id}(${given.join(", ")})${lasts}`, { says, tells: actionTells[id] ?? "" }, width),
    ...requires.flatMap(({ expr, says: rule }) =>
      fill(`only if: ${rule === undefined || rule === "" ? expr : `${rule} (${expr})`}`, width, hang(6)),
    ),
  ];
}
