/** Which fields of which types a process reads and writes, as far as its text alone tells. */
import {
  getEntity,
  lookUp,
  walkExpression,
  type CompiledExpression,
  type CompiledProcess,
  type ExpressionNode,
  type World,
} from "../../../runtime/index.ts";

export interface TypedField {
  readonly type: string;
  readonly field: string;
}

type Effect = CompiledProcess["effects"][number];
/** Types of the names that stand for an entity. */
type Names = ReadonlyMap<string, string>;

/** All it reads: in `where`, `when` and what its effects compute. Of an entity whose type is open every type that has the field. */
export function readsOf(world: World, process: CompiledProcess): readonly TypedField[] {
  const names = namesOf(process);
  const conditions = [process.where, process.when].filter((one) => one !== undefined);
  return [
    ...conditions.flatMap((expression) => fieldsIn(world, expression, names)),
    ...process.effects.flatMap((effect) => {
      const inner = withIt(names, effect);
      const added =
        effect.verb === "add"
          ? fieldsOf(world, typesOfBase(world, effect.target.base, inner), effect.target.field)
          : [];
      return [...added, ...expressionsOf(effect).flatMap((expression) => fieldsIn(world, expression, inner))];
    }),
  ];
}

export function writesOf(world: World, process: CompiledProcess): readonly TypedField[] {
  const names = namesOf(process);
  return process.effects.flatMap((effect): readonly TypedField[] => {
    switch (effect.verb) {
      case "set":
      case "add":
      case "insert":
      case "remove":
        return fieldsOf(world, typesOfBase(world, effect.target.base, withIt(names, effect)), effect.target.field);
      case "create":
        return [{ type: effect.type, field: "at" }];
      case "destroy":
        return fieldsOf(world, typesOfBase(world, effect.base, withIt(names, effect)), "at");
      case "claim":
        return [];
    }
  });
}

function namesOf({ bindings }: CompiledProcess): Names {
  return new Map(bindings.map(({ name, type }) => [name, type]));
}

function withIt(names: Names, effect: Effect): Names {
  return effect.for === undefined ? names : new Map([...names, ["it", effect.for.each]]);
}

function expressionsOf(effect: Effect): readonly CompiledExpression[] {
  const sources =
    effect.verb === "add"
      ? [effect.by]
      : effect.verb === "create"
        ? [effect.id, effect.at, ...Object.values(effect.fields)]
        : "source" in effect
          ? [effect.source]
          : [];
  const computed = sources.flatMap((source) => (source.kind === "expr" ? [source.expr] : []));
  return effect.for?.where === undefined ? computed : [effect.for.where, ...computed];
}

function fieldsIn(world: World, { root }: CompiledExpression, names: Names): readonly TypedField[] {
  const types = withMacros(world, root, names);
  const found: TypedField[] = [];
  walkExpression(root, (node) => {
    if (node.kind === "field") found.push(...fieldsOf(world, typesOfNode(world, node.of, types), node.field));
    if (node.kind !== "call" || node.name !== "inside") return;
    const [what] = node.args;
    if (what !== undefined) found.push(...fieldsOf(world, typesOfNode(world, what, types), "at"));
  });
  return found;
}

/** The variables of list macros; one name has one meaning in an expression, or else the last. */
function withMacros(world: World, root: ExpressionNode, names: Names): Names {
  const types = new Map(names);
  walkExpression(root, (node) => {
    if (node.kind !== "macro") return;
    const [type, ...more] = typesOfNode(world, node.range, types) ?? [];
    if (type !== undefined && more.length === 0) types.set(node.variable, type);
  });
  return types;
}

/** The types of the entity (or of those in the list) that a node stands for; undefined where it may be any. */
function typesOfNode(world: World, node: ExpressionNode, names: Names): readonly string[] | undefined {
  switch (node.kind) {
    case "entity": {
      const type = getEntity(world.entities, node.id)?.type;
      return type === undefined ? undefined : [type];
    }
    case "variable": {
      const type = names.get(node.name);
      return type === undefined ? undefined : [type];
    }
    case "extent":
      return [node.type];
    case "macro":
      return node.macro === "filter" ? typesOfNode(world, node.range, names) : undefined;
    case "list":
      return node.items[0] === undefined ? undefined : typesOfNode(world, node.items[0], names);
    case "field": {
      const types = typesOfNode(world, node.of, names) ?? Object.keys(world.types);
      const targets = types.flatMap((type) => {
        const field = lookUp(world.types[type]?.fields ?? {}, node.field);
        return field?.kind === "ref" || field?.kind === "refs" ? [field.of] : [];
      });
      return targets.length === 0 ? undefined : [...new Set(targets)];
    }
    default:
      return undefined;
  }
}

function typesOfBase(
  world: World,
  { kind, name }: { readonly kind: "param" | "it" | "entity"; readonly name: string },
  names: Names,
): readonly string[] | undefined {
  const type = kind === "entity" ? getEntity(world.entities, name)?.type : names.get(name);
  return type === undefined ? undefined : [type];
}

/** The field in each type that has it, of the given ones or of all. */
function fieldsOf(world: World, types: readonly string[] | undefined, field: string): readonly TypedField[] {
  return (types ?? Object.keys(world.types))
    .filter((type) => field === "at" || lookUp(world.types[type]?.fields ?? {}, field) !== undefined)
    .map((type) => ({ type, field }));
}
