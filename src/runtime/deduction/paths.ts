/**
 * Whether a predicted change is one that can be: its path is known, its value one the path can have. Judged by the view
 * alone, so that no refusal tells what the agent may not know.
 */
import type { FieldValue } from "../field.ts";
import { describeField, type Field } from "../field.ts";
import { DESTROYED } from "../dynamics/changes.ts";
import { fitsAnyCreated, fitsCreated } from "../dynamics/created-ids.ts";
import { splitPath } from "../dynamics/merge-naturally.ts";
import { nearestWord, refuse, succeed, suggest, toolError, type Result, type ToolError } from "../errors.ts";
import { lookUp } from "../ids.ts";
import { showText } from "../show.ts";
import { entityIds, getEntity } from "../state/index.ts";
import { checkAt, checkFieldValue, show } from "../value-check.ts";
import { compareText } from "../canonical.ts";
import type { DeductionView } from "./view.ts";

/** What a prediction is judged by. */
export type Predictable = Pick<DeductionView, "world" | "creates" | "mayHaveChanged">;

/** A predicted change as it is kept (numbers at their digits, sets sorted); an error's `path` is `path` or `value`. */
export function checkPrediction(view: Predictable, path: string, value: unknown): Result<FieldValue> {
  const { id, field } = splitPath(path);
  const entity = getEntity(view.world.entities, id);
  if (field === "" && !path.includes(".")) return checkExistence(view, id, value);
  const types = entity === undefined ? typesOfCreated(view, id) : [entity.type];
  if (types.length === 0 || field === "") return unknownPath(view, path);
  if (entity === undefined && !view.mayHaveChanged) {
    return refuse(
      "unknown_path",
      `there is no entity ${showText(id)} yet: fields of what comes into being do not count`,
      {
        path: "path",
        hint: `predict ${JSON.stringify({ path: id, value: types[0] })} alone, if it comes into being`,
      },
    );
  }
  const specs = types.flatMap((type) => {
    const spec = field === "at" ? ("at" as const) : lookUp(lookUp(view.world.types, type)?.fields ?? {}, field);
    return spec === undefined ? [] : [spec];
  });
  const [first] = specs;
  if (first === undefined) return unknownPath(view, path);
  if (field === "at" && value === id)
    return refuse("invalid_value", `${path}: nothing is inside itself`, {
      path: "value",
      hint: "a place, an entity that holds it, or null",
    });
  const checks = specs.map((spec) => (spec === "at" ? checkPlace(view, value) : checkValue(view, spec, value)));
  const checked = checks.find(({ ok }) => ok) ?? checks[0];
  if (checked === undefined || checked.ok) return checked ?? unknownPath(view, path);
  const expected = first === "at" ? "a place, an entity that holds it, or null" : describeField(first);
  const { code, message, hint } = checked.error;
  return {
    ok: false,
    error: toolError(code, `${path}: ${message}`, { path: "value", hint: hint ?? `it is ${expected}` }),
  };
}

/** A path that is an id alone: what comes into being, or is gone. */
function checkExistence(view: Predictable, id: string, value: unknown): Result<FieldValue> {
  const exists = getEntity(view.world.entities, id) !== undefined;
  const types = exists ? [] : typesOfCreated(view, id);
  if (!exists && types.length === 0) return unknownPath(view, id);
  const words = [...types, ...(exists || view.mayHaveChanged ? [DESTROYED] : [])];
  if (typeof value === "string" && words.includes(value)) return succeed(value);
  const expected = words.map((word) => JSON.stringify(word)).join(" or ");
  const why = exists ? `${id} is there: the only change of it as a whole is to be gone` : `${id} may come into being`;
  return refuse(
    typeof value === "string" ? "invalid_value" : "wrong_type",
    `${why}; expected ${expected}, received ${show(value)}`,
    {
      path: "value",
      hint: exists
        ? `for a field write its path, such as ${pathsOf(view, id)[0] ?? `${id}.at`}`
        : `write "value": ${expected}`,
    },
  );
}

/** The types that something with this id, which is not there, may come into being with. */
function typesOfCreated(view: Predictable, id: string): readonly string[] {
  const types = [...new Set(view.creates.map(({ type }) => type))].sort(compareText);
  return types.filter((type) => fitsCreated(view.creates, type, id));
}

function checkValue(view: Predictable, spec: Field, value: unknown): Result<FieldValue> {
  const { world, creates } = view;
  const mayCome = (of: string, id: unknown): boolean =>
    typeof id === "string" && getEntity(world.entities, id) === undefined && fitsCreated(creates, of, id);
  if (spec.kind === "ref" && mayCome(spec.of, value)) return succeed(value as string);
  if (spec.kind === "refs" && Array.isArray(value)) {
    const coming = (value as readonly unknown[]).filter((id) => mayCome(spec.of, id)) as readonly string[];
    const there = checkFieldValue(
      world,
      spec,
      value.filter((id) => !mayCome(spec.of, id)),
    );
    if (!there.ok) return there;
    return succeed([...new Set([...coming, ...(there.value as readonly string[])])].sort(compareText));
  }
  return checkFieldValue(world, spec, value);
}

function checkPlace({ world, creates }: Predictable, value: unknown): Result<FieldValue> {
  if (typeof value === "string" && getEntity(world.entities, value) === undefined && fitsAnyCreated(creates, value))
    return succeed(value);
  return checkAt(world, value);
}

function unknownPath(view: Predictable, path: string): { readonly ok: false; readonly error: ToolError } {
  const near = nearestPath(view, path);
  const hint = near === undefined ? shapeOfPaths(view) : `did you mean "${near}"?`;
  const why = !path.includes(".") && view.creates.length === 0 ? ", and nothing comes into being here" : "";
  return refuse("unknown_path", `there is no path ${showText(path)}${why}`, {
    path: "path",
    hint,
  });
}

/** What a path looks like, and what may come into being. */
function shapeOfPaths(view: Predictable): string {
  const [first = ""] = entityIds(view.world.entities);
  const patterns = [...new Set(view.creates.map(({ pattern }) => pattern))].sort(compareText).slice(0, 6);
  const coming = patterns.length === 0 ? "" : `; what may come into being: ${patterns.join(", ")}`;
  return `a path is entity_id.field, such as ${pathsOf(view, first)[0] ?? "ana.at"}${coming}`;
}

/** The nearest path the agent may know of: of the same entity where there is one, else of the nearest. */
function nearestPath(view: Predictable, path: string): string | undefined {
  const { id, field } = splitPath(path);
  const ids = entityIds(view.world.entities);
  const owner = getEntity(view.world.entities, id) === undefined ? nearestWord(id, ids) : id;
  if (owner === undefined) return undefined;
  if (field === "") return path.includes(".") ? pathsOf(view, owner)[0] : owner;
  const fields = pathsOf(view, owner).map((known) => splitPath(known).field);
  const near = fields.includes(field) ? field : nearestWord(field, fields);
  return near === undefined ? suggested(pathsOf(view, owner), path) : `${owner}.${near}`;
}

function suggested(paths: readonly string[], path: string): string | undefined {
  return nearestWord(path, paths) ?? paths[0];
}

/** Every path of an entity that the agent may know of, sorted. */
function pathsOf({ world }: Predictable, id: string): readonly string[] {
  const entity = getEntity(world.entities, id);
  if (entity === undefined) return [];
  const fields = Object.keys(lookUp(world.types, entity.type)?.fields ?? {});
  return ["at", ...fields].sort(compareText).map((field) => `${id}.${field}`);
}

/** A process the agent is told of, by its id. */
export function checkProcess(view: DeductionView, id: string): Result<string> {
  const ids = view.processes.map((process) => process.id);
  if (ids.includes(id)) return succeed(id);
  const isEntry = view.schedule.some((entry) => entry.id === id);
  const what = isEntry ? `${id} is an entry of the schedule, and no process` : `there is no process ${showText(id)}`;
  return refuse("unknown_process", what, {
    hint: suggest(id, ids) ?? "there are none",
  });
}
