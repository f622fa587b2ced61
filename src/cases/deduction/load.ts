import { freeze } from "immer";
import { basename, resolve } from "node:path";
import {
  buildWorld,
  compareText,
  compileCondition,
  compileDynamics,
  digestOf,
  digestOfWorld,
  mentionsOfExpressions,
  succeed,
  type CapabilityDraft,
  type CompiledExpression,
  type Dynamics,
  type EntityDraft,
  type Result,
  type Visibility,
  type World,
  type WorldFault,
  type WorldParts,
} from "../../runtime/index.ts";
import { faultsOfChangelog } from "../check-changelog.ts";
import { faultAt, sortFaults, type Fault, type PathFault } from "../fault.ts";
import { readText } from "../files.ts";
import { withIds } from "../schema.ts";
import { placeFaults, readSource, type Source } from "../source.ts";
import { parseWith } from "../zod-faults.ts";
import { FOLDS, type DeductionCase, type Goal } from "./case.ts";
import { checkVary, draftsOfFold } from "./folds.ts";
import { deductionFileSchema, splitField, type DeductionFile } from "./schema.ts";

/**
 * Loads the deduction case in `directory` (case.yaml), or lists all that is wrong with it, in the order of lines. Throws
 * only where the disk fails.
 */
export function loadDeductionCase(directory: string): Result<DeductionCase, readonly Fault[]> {
  const file = `${directory}/case.yaml`;
  const text = readText(file);
  if (!text.ok) return { ok: false, error: [{ file, line: 1, column: 1, message: `the file ${text.error}` }] };
  const source = readSource(file, text.value);
  return source.ok ? readDeductionCase(source.value, directory) : source;
}

/** As loadDeductionCase, from a file that was read. */
export function readDeductionCase(source: Source, directory: string): Result<DeductionCase, readonly Fault[]> {
  const refuse = (faults: readonly PathFault[]): Result<never, readonly Fault[]> => ({
    ok: false,
    error: sortFaults(placeFaults(source, faults)),
  });
  const parsed = parseWith(deductionFileSchema, source.value);
  if (!parsed.ok) return refuse(parsed.error);
  const file = parsed.value;
  const faults = [...checkShape(file, directory), ...checkVary(draftsOf(file), file.folds.vary)];
  if (faults.length > 0) return refuse(faults);
  const worlds: Record<number, World> = {};
  for (const fold of FOLDS) {
    const built = buildWorld(partsOf(file, fold));
    if (!built.ok) return refuse(built.error.map((fault) => placed(fault, file)));
    worlds[fold] = built.value;
  }
  const world = worlds[1] as World;
  const compiled = compileDynamics(world, {
    character: file.character,
    processes: withIds(file.processes),
    schedule: withIds(file.schedule),
    visibility: visibilityOf(file),
    creates: file.creates,
    actionTells: tellsOf(file),
    decision: file.decision,
    segment: file.segment,
    ticks: file.ticks,
  });
  if (!compiled.ok) return refuse(compiled.error.map((fault) => placed(fault, file)));
  const goal = compileCondition(world, file.goal.expr);
  if (!goal.ok) return refuse([faultAt(["goal", "expr"], goal.error.message, goal.error.hint)]);
  const sealed = sealedIn(goal.value, visibilityOf(file));
  if (sealed.length > 0)
    return refuse([
      faultAt(
        ["goal", "expr"],
        `it reads the sealed ${sealed.join(", ")}`,
        "what is sealed nobody can find out: a goal is over what is public, local or hidden",
      ),
    ]);
  const assembled = { ...file.goal, holds: goal.value };
  return succeed(assemble(file, directory, worlds, compiled.value, assembled));
}

function checkShape(file: DeductionFile, directory: string): readonly PathFault[] {
  const named = basename(resolve(directory));
  const { ticks, clock } = file;
  return [
    ...(file.id === named
      ? []
      : [faultAt(["id"], `is "${file.id}", and the folder is "${named}"`, "give both one name")]),
    ...(["segment", "decision"] as const).flatMap((key) =>
      ticks % file[key] === 0 ? [] : [faultAt([key], `${file[key]} does not go into ${ticks} ticks`)],
    ),
    ...(clock.start === 0 ? [] : [faultAt(["clock", "start"], "a deduction case begins at tick 0")]),
    ...faultsOfChangelog(file),
  ];
}

function draftsOf(file: DeductionFile): Readonly<Record<string, EntityDraft>> {
  return Object.fromEntries(
    Object.entries(file.entities).map(([id, { type, name, at, ...fields }]): [string, EntityDraft] => [
      id,
      { id, type, name, at, fields },
    ]),
  );
}

function partsOf(file: DeductionFile, fold: number): WorldParts {
  const types = Object.entries(file.types).map(([id, { says, fields }]) => {
    const plain = Object.entries(fields).map(([name, field]) => [name, splitField(field).field] as const);
    return [id, { id, says, fields: Object.fromEntries(plain) }] as const;
  });
  const actions = Object.entries(file.actions).map(([id, action]): [string, CapabilityDraft] => {
    const { says, params, requires, effects, duration } = action;
    return [id, { id, says, params, requires, effects, duration }];
  });
  return {
    clock: 0,
    map: file.map,
    types: Object.fromEntries(types),
    entities: draftsOfFold(draftsOf(file), file.folds.vary, file.folds.seed, fold),
    capabilities: Object.fromEntries(actions),
    invariants: [],
  };
}

function tellsOf(file: DeductionFile): Dynamics["actionTells"] {
  return Object.fromEntries(Object.entries(file.actions).map(([id, { tells }]) => [id, tells]));
}

function visibilityOf(file: DeductionFile): Dynamics["visibility"] {
  return Object.fromEntries(
    Object.entries(file.types).map(([id, { at, fields }]) => [
      id,
      Object.fromEntries<Visibility>([
        ["at", at],
        ...Object.entries(fields).map(([name, field]): [string, Visibility] => [name, splitField(field).visibility]),
      ]),
    ]),
  );
}

/** The sealed fields that a goal reads. One name is sealed in every type that has it. */
function sealedIn(goal: CompiledExpression, visibility: Dynamics["visibility"]): readonly string[] {
  const read = mentionsOfExpressions([goal]).fields;
  const sealed = Object.values(visibility).flatMap((fields) =>
    Object.keys(fields).filter((field) => fields[field] === "sealed" && read.has(field)),
  );
  return [...new Set(sealed)].sort(compareText);
}

/** A fault of the runtime's parts as a fault of the file, where fields stand beside `type`, and actions are capabilities. */
function placed({ path, message, hint }: WorldFault, file: DeductionFile): PathFault {
  const [head, id, key, field] = path;
  if (head === "capabilities") return faultAt(["actions", ...path.slice(1)], message, hint);
  if (head !== "entities") return faultAt(path, message, hint);
  const where = key === "fields" ? String(field) : String(key);
  const varied = `${String(id)}.${where}`;
  if (Object.hasOwn(file.folds.vary, varied)) return faultAt(["folds", "vary", varied], message, hint, "key");
  return faultAt(key === "fields" ? ["entities", String(id), where] : path, message, hint);
}

function assemble(
  file: DeductionFile,
  directory: string,
  worlds: Readonly<Record<number, World>>,
  dynamics: Dynamics,
  goal: Goal,
): DeductionCase {
  const { id, title, family, variant, version, canary, clock, intro } = file;
  const { processes, schedule, creates, character, decision, segment, ticks } = file;
  return freeze({
    track: "deduction" as const,
    id,
    title,
    family,
    variant,
    version,
    canary,
    unit: clock.unit,
    intro,
    goal: freeze(goal),
    dynamics,
    worlds: freeze(worlds),
    worldDigest: digestOf({
      id,
      unit: clock.unit,
      intro,
      goal: file.goal.says,
      worlds: FOLDS.map((fold) => digestOfWorld(worlds[fold] as World)),
      dynamics: digestOf({
        processes,
        schedule,
        visibility: dynamics.visibility,
        creates,
        character,
        decision,
        segment,
        ticks,
        tells: dynamics.actionTells,
      }),
    }),
    contractDigest: digestOf({ goal: file.goal }),
    directory,
  });
}
