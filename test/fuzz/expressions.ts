/** A grammar of expressions that are well typed, or nearly so, over what is known of a world. */
import type { Random } from "./random.ts";

/** What expressions may speak of. Field kinds by type and field; types of entities by id. */
export interface Vocabulary {
  readonly types: ReadonlyMap<string, Readonly<Record<string, FieldShape>>>;
  readonly entities: ReadonlyMap<string, string>;
  readonly places: readonly string[];
  /** Capabilities that `alongside` may count; none outside of a capability. */
  readonly alongside: readonly string[];
  readonly mayReadClock: boolean;
}

export interface FieldShape {
  readonly kind: string;
  readonly of?: string;
  readonly values?: readonly string[];
}

/** A variable in scope: an entity of a type, or a value of a kind. */
export interface Variable {
  readonly name: string;
  readonly type?: string;
  readonly kind?: string;
}

interface Place {
  readonly words: Vocabulary;
  readonly random: Random;
  readonly variables: readonly Variable[];
  readonly depth: number;
  readonly nesting: number;
}

export interface Grammar {
  readonly bool: () => string;
  readonly number: () => string;
  readonly entity: (type?: string) => string;
  readonly holder: () => string;
  readonly text: () => string;
  /** An expression that a field of this shape may be set to. */
  readonly like: (shape: FieldShape) => string;
}

/** Expressions over `words` and `variables`, at most `depth` operations inside one another. */
export function grammarOf(random: Random, words: Vocabulary, variables: readonly Variable[], depth = 3): Grammar {
  const place: Place = { words, random, variables, depth, nesting: 0 };
  return {
    bool: () => bool(place),
    number: () => number(place),
    entity: (type) => entity(place, type).text,
    holder: () => holder(place),
    text: () => text(place),
    like: (shape) => like(place, shape),
  };
}

function deeper(place: Place, more: readonly Variable[] = []): Place {
  return {
    ...place,
    depth: place.depth - 1,
    nesting: place.nesting + (more.length > 0 ? 1 : 0),
    variables: [...place.variables, ...more],
  };
}

function bool(place: Place): string {
  const { random, depth } = place;
  const simple = () => fieldOf(place, ["bool"]) ?? random.pick(["true", "false", "1 < 2"]);
  if (depth <= 0) return random.once(3) ? simple() : comparison(place);
  const inner = deeper(place);
  return random.weighed([
    [2, simple],
    [6, () => comparison(inner)],
    [2, () => `!(${bool(inner)})`],
    [4, () => `(${bool(inner)}) ${random.pick(["&&", "||"])} (${bool(inner)})`],
    [1, () => `(${bool(inner)}) ? (${bool(inner)}) : (${bool(inner)})`],
    [2, () => `linked(${holder(inner)}, ${holder(inner)})`],
    [2, () => `inside(${entity(inner).text}, ${holder(inner)})`],
    [3, () => `${entity(inner).text} in ${list(inner).text}`],
    [2, () => `${list(inner).text} ${random.pick(["==", "!="])} ${list(inner).text}`],
    [5, () => quantified(place)],
  ]);
}

function comparison(place: Place): string {
  const { random } = place;
  return random.weighed([
    [6, () => `${number(place)} ${random.pick(["==", "!=", "<", "<=", ">", ">="])} ${number(place)}`],
    [3, () => `${entity(place).text} ${random.pick(["==", "!="])} ${random.once(3) ? "null" : entity(place).text}`],
    [3, () => `${holder(place)} ${random.pick(["==", "!="])} ${random.once(4) ? "null" : holder(place)}`],
    [2, () => `${text(place)} ${random.pick(["==", "!="])} ${text(place)}`],
  ]);
}

function quantified(place: Place): string {
  const { random, nesting } = place;
  if (nesting >= 2 && !random.once(40)) return comparison(deeper(place));
  const range = list(deeper(place));
  const variable = variableFor(place, range.of);
  return `${range.text}.${random.pick(["exists", "all", "exists_one"])}(${variable.name}, ${bool(deeper(place, [variable]))})`;
}

function variableFor({ variables }: Place, of: string | undefined): Variable {
  const name = `v${variables.length}`;
  return of === undefined ? { name, kind: "number" } : { name, type: of };
}

function number(place: Place): string {
  const { random, depth, words } = place;
  const literal = () => String(random.pick([0, 1, 2, 3, 10, 64, 0.5, 2.25, 1e6, 9007199254740991]));
  const simple = () => fieldOf(place, ["int", "number"]) ?? variableOf(place, ["int", "number"]) ?? literal();
  if (depth <= 0) return random.once(3) ? literal() : simple();
  const inner = deeper(place);
  return random.weighed([
    [3, literal],
    [8, simple],
    [4, () => `(${number(inner)} ${random.pick(["+", "-", "*", "/", "%"])} ${number(inner)})`],
    [1, () => `-${simple()}`],
    [2, () => `count(${list(inner).text})`],
    [1, () => `${random.pick(["min", "max"])}(${number(inner)}, ${number(inner)})`],
    [1, () => `${random.pick(["min", "max"])}(${numbers(inner)})`],
    [1, () => `abs(${number(inner)})`],
    [1, () => `clamp(${number(inner)}, ${number(inner)}, ${number(inner)})`],
    [1, () => `travelTicks(${holder(inner)}, ${holder(inner)})`],
    [1, () => `(${bool(inner)} ? ${number(inner)} : ${number(inner)})`],
    [1, () => (words.mayReadClock ? "clock" : literal())],
    [1, () => (words.alongside.length > 0 ? `alongside("${random.pick(words.alongside)}")` : literal())],
  ]);
}

/** A list of numbers: what every entity of a type has. */
function numbers(place: Place): string {
  const range = list(place);
  const variable = variableFor(place, range.of);
  return `${range.text}.map(${variable.name}, ${number(deeper(place, [variable]))})`;
}

interface Typed {
  readonly text: string;
  /** The type of the entity, or of the list's entities. */
  readonly of: string | undefined;
}

function entity(place: Place, wanted?: string): Typed {
  const { random, words, variables, depth } = place;
  const bound = variables.filter(({ type }) => type !== undefined && (wanted === undefined || type === wanted));
  const known = [...words.entities].filter(([, type]) => wanted === undefined || type === wanted);
  if (bound.length > 0 && (known.length === 0 || !random.once(3))) {
    const { name, type } = random.pick(bound);
    return depth > 0 && random.once(5) ? reference(place, { text: name, of: type }, wanted) : { text: name, of: type };
  }
  if (known.length === 0) return { text: random.pick(["nobody", 'entity("nobody")']), of: wanted };
  const [id, type] = random.pick(known);
  return depth > 0 && random.once(6) ? reference(place, { text: id, of: type }, wanted) : { text: id, of: type };
}

/** What a `ref` field of `from` refers to; `from` itself where it has none. */
function reference({ words, random }: Place, from: Typed, wanted: string | undefined): Typed {
  const fields = Object.entries(words.types.get(from.of ?? "") ?? {}).filter(
    ([, shape]) => shape.kind === "ref" && (wanted === undefined || shape.of === wanted),
  );
  if (fields.length === 0) return from;
  const [field, shape] = random.pick(fields);
  return { text: `${from.text}.${field}`, of: shape.of };
}

function holder(place: Place): string {
  const { random, words } = place;
  const somewhere = () => (words.places.length > 0 ? random.pick(words.places) : "nowhere");
  return random.weighed([
    [3, somewhere],
    [4, () => `${entity(place).text}.at`],
    [1, () => fieldOf(place, ["place"]) ?? variableOf(place, ["place"]) ?? somewhere()],
  ]);
}

function text(place: Place): string {
  const { random, depth } = place;
  const literal = () => JSON.stringify(random.pick(["", "milk", "x_", "calm", "é🜂", "\u202e", "a".repeat(90)]));
  return random.weighed([
    [2, literal],
    [2, () => fieldOf(place, ["text", "enum"]) ?? literal()],
    [2, () => `${entity(place).text}.name`],
    [1, () => variableOf(place, ["text"]) ?? literal()],
    [depth > 0 ? 2 : 0, () => `${text(deeper(place))} + ${random.once(2) ? number(deeper(place)) : literal()}`],
  ]);
}

function list(place: Place): Typed {
  const { random, words, depth, nesting } = place;
  const all = (): Typed => {
    const type = words.types.size > 0 ? random.pick([...words.types.keys()]) : "nothing";
    return { text: `all(${type})`, of: type };
  };
  const inner = deeper(place);
  return random.weighed([
    [5, all],
    [3, () => refs(place) ?? all()],
    [1, () => oneOf(inner)],
    [
      depth > 0 && nesting < 2 ? 2 : 0,
      () => {
        const range = list(inner);
        const variable = variableFor(place, range.of);
        return { text: `${range.text}.filter(${variable.name}, ${bool(deeper(inner, [variable]))})`, of: range.of };
      },
    ],
    [
      depth > 0 && nesting < 2 ? 1 : 0,
      () => {
        const range = list(inner);
        const variable = variableFor(place, range.of);
        const made = random.once(3)
          ? (refs(deeper(inner, [variable])) ?? entity(inner))
          : entity(deeper(inner, [variable]));
        return { text: `${range.text}.map(${variable.name}, ${made.text})`, of: made.of };
      },
    ],
  ]);
}

function oneOf(place: Place): Typed {
  const first = entity(place);
  return { text: `[${first.text}, ${entity(place, first.of).text}]`, of: first.of };
}

function refs(place: Place): Typed | undefined {
  const from = entity(place);
  const sets = Object.entries(place.words.types.get(from.of ?? "") ?? {}).filter(([, { kind }]) => kind === "refs");
  if (sets.length === 0) return undefined;
  const [field, shape] = place.random.pick(sets);
  return { text: `${from.text}.${field}`, of: shape.of };
}

/** A field of one of `kinds`, of some entity in reach. */
function fieldOf(place: Place, kinds: readonly string[]): string | undefined {
  for (let tries = 0; tries < 3; tries += 1) {
    const from = entity(place);
    const fields = Object.entries(place.words.types.get(from.of ?? "") ?? {}).filter(([, shape]) =>
      kinds.includes(shape.kind),
    );
    if (fields.length > 0) return `${from.text}.${place.random.pick(fields)[0]}`;
  }
  return undefined;
}

function variableOf({ variables, random }: Place, kinds: readonly string[]): string | undefined {
  const fitting = variables.filter(({ kind }) => kind !== undefined && kinds.includes(kind));
  return fitting.length > 0 ? random.pick(fitting).name : undefined;
}

function like(place: Place, shape: FieldShape): string {
  switch (shape.kind) {
    case "bool":
      return bool(place);
    case "int":
    case "number":
      return number(place);
    case "enum":
      return JSON.stringify(place.random.pick(shape.values ?? ["calm"]));
    case "place":
    case "at":
      return holder(place);
    case "ref":
      return entity(place, shape.of).text;
    case "refs":
      return shape.of === undefined ? list(place).text : `all(${shape.of})`;
    default:
      return text(place);
  }
}
