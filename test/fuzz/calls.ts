/** A grammar for each tool's input: what an agent would send that knows the protocol and wants much of it. */
import { grammarOf, type FieldShape, type Grammar, type Variable } from "./expressions.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Random } from "./random.ts";

/** Who plays: a tier of maintenance, or a mode of deduction. */
export type Player = "easy" | "hard" | "extreme" | "M1" | "M2";
export const PLAYERS: readonly Player[] = ["easy", "hard", "extreme", "M1", "M2"];

export interface ToolCall {
  readonly tool: unknown;
  /** The input as data, or as the raw text of JSON. */
  readonly input?: unknown;
  readonly text?: string;
}

type Loose = Record<string, unknown>;

/** Reads what there is to be known: how every game begins. */
export const OPENING: readonly ToolCall[] = [
  { tool: "help", input: {} },
  { tool: "get_context", input: {} },
  ...["map", "types", "entities", "capabilities"].map((from) => ({ tool: "read_data", input: { from, limit: 100 } })),
];

/** One call that is meant well. */
export function soundCall(random: Random, known: Knowledge, player: Player): ToolCall {
  const deduction = player === "M1" || player === "M2";
  const acts = deduction || player === "easy";
  const builds =
    player === "extreme" && (known.types.size < 2 || known.entities.size < 4 || known.capabilities.size < 3);
  return random.weighed<ToolCall>([
    [0.4, () => ({ tool: "help", input: random.once(2) ? {} : { topic: random.pick(TOPICS) } })],
    [1, () => ({ tool: "get_context", input: random.once(2) ? {} : { round: 1 + random.below(3) } })],
    [5, () => ({ tool: "read_data", input: readInput(random, known, deduction) })],
    [acts ? 0.3 : builds ? 30 : 6, () => ({ tool: "construct", input: constructInput(random, known, player) })],
    [12, () => ({ tool: "commit_step", input: deduction ? submission(random, known, player) : step(random, known) })],
    [deduction ? 0.6 : 0.1, () => ({ tool: "end_round", input: {} })],
  ]);
}

const TOPICS = ["example", "capabilities", "expressions", "steps", "time", "predictions", "tools", "budgets"];
const FROM = ["map", "types", "entities", "capabilities", "invariants", "log", "constructions"];
const FROM_DEDUCTION = ["map", "types", "entities", "capabilities", "processes", "schedule", "log"];

function readInput(random: Random, known: Knowledge, deduction: boolean): Loose {
  if (known.pages.length > 0 && random.once(5)) return random.pick(known.pages);
  const from = random.once(2) ? "entities" : random.pick(deduction ? FROM_DEDUCTION : FROM);
  const input: Loose = { from, limit: random.pick([1, 3, 20, 100]) };
  if (from === "entities" && random.once(2)) input["type"] = pickKey(random, known.types);
  if (from === "entities" && random.once(2)) {
    const type = input["type"];
    const it: Variable = typeof type === "string" ? { name: "it", type } : { name: "it", type: "" };
    input["where"] = grammarOf(random, vocabulary(known, false), [it], 2).bool();
  }
  if (random.once(5)) input["id"] = from === "entities" ? pickKey(random, known.entities) : anyEntry(random, known);
  if (random.once(6)) input["fields"] = ["id", "at", ...Object.keys(known.types.get(String(input["type"])) ?? {})];
  return input;
}

function pickKey(random: Random, map: ReadonlyMap<string, unknown>): string {
  return map.size === 0 ? "nothing" : random.pick([...map.keys()]);
}

function anyEntry(random: Random, known: Knowledge): string {
  return known.entries.length === 0 ? "t1_1" : random.pick(known.entries);
}

function vocabulary(known: Knowledge, inCapability: boolean) {
  return {
    types: known.types,
    entities: known.entities,
    places: known.places,
    alongside: inCapability ? [...known.capabilities.keys()].slice(0, 4) : [],
    mayReadClock: true,
  };
}

function step(random: Random, known: Knowledge): Loose {
  const many = random.weighed([
    [1, () => 0],
    [14, () => 1],
    [4, () => 2 + random.below(3)],
    [0.2, () => 64],
  ]);
  return {
    triggers: Array.from({ length: many }, () => trigger(random, known)),
    ...(random.once(8) ? { until: "first" } : {}),
    ...(many === 0 || random.once(8) ? { advance: 1 + random.below(5) } : {}),
  };
}

function trigger(random: Random, known: Knowledge): Loose {
  const [capability, params] =
    known.capabilities.size === 0 ? ["nothing", {}] : random.pick([...known.capabilities.entries()]);
  return {
    capability,
    args: Object.fromEntries(Object.entries(params).map(([name, param]) => [name, argument(random, known, param)])),
    ...(random.once(20) ? { note: "as told" } : {}),
  };
}

function argument(
  random: Random,
  known: Knowledge,
  { type, kind, values }: { readonly type?: string; readonly kind?: string; readonly values?: readonly string[] },
): unknown {
  switch (kind) {
    case "int":
      return random.pick([0, 1, 2, 7, 100]);
    case "number":
      return random.pick([0, 0.5, 1.25, 3]);
    case "bool":
      return random.once(2);
    case "text":
      return random.pick(["milk", "", `x_${random.below(1_000)}`]);
    case "enum":
      return random.pick(values ?? ["calm"]);
    case "place":
      return known.places.length === 0 ? "mill" : random.pick(known.places);
    default: {
      const fitting = [...known.entities].filter(([, one]) => type === undefined || one === type);
      return fitting.length === 0 ? "nobody" : random.pick(fitting)[0];
    }
  }
}

function constructInput(random: Random, known: Knowledge, player: Player): Loose {
  const inExtreme = player === "extreme" || random.once(12);
  return random.weighed<Loose>([
    [inExtreme ? (known.types.size < 5 ? 4 : 1) : 0, () => ({ op: "create", type: newType(random, known) })],
    [inExtreme ? 6 : 0, () => ({ op: "create", entity: newEntity(random, known) })],
    [5, () => ({ op: "create", capability: capability(random, known, `do_${random.below(10_000)}`) })],
    [1, () => ({ op: "update", capability: capability(random, known, pickKey(random, known.capabilities)) })],
    [
      inExtreme ? 0.5 : 0,
      () => ({
        op: "update",
        type: { id: pickKey(random, known.types), fields: { [`more_${random.below(20)}`]: field(random, known) } },
      }),
    ],
    [inExtreme ? 0.5 : 0, () => ({ op: "update", entity: { id: pickKey(random, known.entities), name: "Renamed" } })],
    [
      1,
      () => {
        const level = random.pick(inExtreme ? (["type", "entity", "capability"] as const) : (["capability"] as const));
        const of = { type: known.types, entity: known.entities, capability: known.capabilities }[level];
        return { op: "delete", level, id: pickKey(random, of) };
      },
    ],
  ]);
}

function newType(random: Random, known: Knowledge): Loose {
  const fields = Array.from({ length: random.below(6) }, (_, i) => [`f${i}`, field(random, known)] as const);
  return { id: `type_${random.below(1_000)}`, says: "A kind of thing", fields: Object.fromEntries(fields) };
}

function field(random: Random, known: Knowledge): Loose {
  const of = known.types.size === 0 ? "type_1" : pickKey(random, known.types);
  return random.weighed<Loose>([
    [2, () => ({ kind: "int", min: 0, max: random.pick([1, 10, 1_000]) })],
    [1, () => ({ kind: "int" })],
    [2, () => ({ kind: "number", digits: random.below(4), min: -5 })],
    [1, () => ({ kind: "bool" })],
    [1, () => ({ kind: "text", default: "plain" })],
    [1, () => ({ kind: "enum", values: ["calm", "glad", "cross"] })],
    [1, () => ({ kind: "place", default: known.places[0] ?? "mill" })],
    [2, () => ({ kind: "ref", of })],
    [3, () => ({ kind: "refs", of })],
  ]);
}

function newEntity(random: Random, known: Knowledge): Loose {
  const at = random.once(2)
    ? (known.places[0] ?? null)
    : known.entities.size > 0
      ? // the newest holds the next: chains of containment grow
        random.once(2)
        ? [...known.entities.keys()].at(-1)
        : pickKey(random, known.entities)
      : null;
  return { id: `e_${random.below(100_000)}`, type: pickKey(random, known.types), at };
}

const KINDS = ["int", "number", "text", "bool", "place"];

function capability(random: Random, known: Knowledge, id: string): Loose {
  const variables: Variable[] = [];
  const params: Loose = {};
  for (let i = random.below(4); i > 0; i -= 1) {
    const name = `p${i}`;
    const variable = random.once(4) ? { name, kind: random.pick(KINDS) } : { name, type: pickKey(random, known.types) };
    variables.push(variable);
    params[name] = variable.kind === undefined ? { type: variable.type } : { kind: variable.kind };
  }
  const grammar = grammarOf(random, vocabulary(known, true), variables, 1 + random.below(3));
  return {
    id,
    says: "Somebody does something",
    params,
    requires: Array.from({ length: random.once(3) ? 1 + random.below(2) : 0 }, () => ({ expr: grammar.bool() })),
    effects: Array.from({ length: random.below(4) }, () => effect(random, known, variables)),
    ...(random.once(5) ? { duration: random.once(2) ? 1 + random.below(9) : `1 + abs(${grammar.number()})` } : {}),
  };
}

function effect(random: Random, known: Knowledge, outer: readonly Variable[]): Loose {
  const each = random.once(4) && known.types.size > 0 ? pickKey(random, known.types) : undefined;
  const variables = each === undefined ? outer : [...outer, { name: "it", type: each }];
  const grammar = grammarOf(random, vocabulary(known, true), variables, 1 + random.below(2));
  const loop = each === undefined ? {} : { for: { each, ...(random.once(2) ? { where: grammar.bool() } : {}) } };
  const base = baseOf(random, known, each === undefined ? variables : variables.slice(-1));
  const target = (kinds: readonly string[]) => targetOf(random, known, base, kinds);
  return random.weighed<Loose>([
    [
      6,
      () => {
        const [path, shape] = target(["bool", "int", "number", "text", "enum", "place", "ref", "refs", "at"]);
        return { set: path, expr: grammar.like(shape), ...loop };
      },
    ],
    [
      4,
      () => {
        const [path] = target(["int", "number"]);
        return { add: path, by: random.once(3) ? grammar.number() : random.pick([1, -1, 0.5]), ...loop };
      },
    ],
    [
      3,
      () => {
        const [path, shape] = target(["refs"]);
        return { [random.once(3) ? "remove" : "insert"]: path, expr: grammar.entity(shape.of), ...loop };
      },
    ],
    [2, () => ({ ...creation(random, known, grammar, each), ...loop })],
    [0.4, () => ({ destroy: base.name, ...loop })],
    [0.6, () => ({ claim: target(["int", "bool", "text", "at"])[0], ...loop })],
  ]);
}

function creation(random: Random, known: Knowledge, grammar: Grammar, each: string | undefined): Loose {
  const id =
    each === undefined
      ? { expr: `"n${random.below(100)}_" + clock` }
      : { expr: `"n${random.below(100)}_" + clock + "_" + it` };
  const at = random.once(3) ? grammar.holder() : each === undefined ? null : "it";
  return { create: pickKey(random, known.types), id, at, name: "made" };
}

function baseOf(random: Random, known: Knowledge, variables: readonly Variable[]): { name: string; type: string } {
  const bound = variables.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }]));
  if (bound.length > 0 && !random.once(6)) return random.pick(bound);
  const entities = [...known.entities].map(([name, type]) => ({ name, type }));
  return entities.length === 0 ? { name: "nobody", type: "" } : random.pick(entities);
}

function targetOf(
  random: Random,
  known: Knowledge,
  base: { readonly name: string; readonly type: string },
  kinds: readonly string[],
): readonly [path: string, shape: FieldShape] {
  const fields: (readonly [string, FieldShape])[] = Object.entries(known.types.get(base.type) ?? {});
  const all = kinds.includes("at") ? [...fields, ["at", { kind: "at" }] as const] : fields;
  const fitting = all.filter(([, { kind }]) => kinds.includes(kind));
  const [name, shape] = fitting.length === 0 ? (["at", { kind: "at" }] as const) : random.pick(fitting);
  return [`${base.name}.${name}`, shape];
}

function submission(random: Random, known: Knowledge, player: Player): Loose {
  const list = () => Array.from({ length: random.below(5) }, () => prediction(random, known));
  const fires = random.once(2) ? { fires: known.entries.slice(0, random.below(4)) } : {};
  if (player === "M1") return { predict: { segment: list() }, ...fires };
  const [action, params] =
    known.capabilities.size === 0 || random.once(3) ? ["wait", {}] : random.pick([...known.capabilities.entries()]);
  const args = Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, argument(random, known, param)]),
  );
  return {
    action: { action, args },
    predict: { interval: list(), lookahead: list(), counterfactuals: { action: list(), happening: list() } },
    ...fires,
  };
}

function prediction(random: Random, known: Knowledge): Loose {
  const id = pickKey(random, known.entities);
  const fields = Object.entries(known.types.get(known.entities.get(id) ?? "") ?? {});
  if (fields.length === 0 || random.once(8)) {
    return random.once(2) ? { path: `${id}.at`, value: known.places[0] ?? null } : { path: id, value: "destroyed" };
  }
  const [name, shape] = random.pick(fields);
  const value = {
    bool: true,
    int: random.below(10),
    number: random.below(100) / 10,
    text: "milk",
    enum: random.pick(shape.values ?? ["calm"]),
    place: known.places[0] ?? "mill",
    ref: null,
    refs: [],
  }[shape.kind];
  return { path: `${id}.${name}`, value };
}
