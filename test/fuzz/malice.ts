/** What a hostile agent sends: sound calls that were spoiled, and things that are made to break a program. */
import type { ToolCall } from "./calls.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Random } from "./random.ts";

const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "then",
  "toJSON",
  "",
  "id",
];
const NUMBERS = [
  -0,
  -1,
  0.1,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  2 ** 53 - 1,
  2 ** 31,
  1_000_000,
  1_000_001,
  Number.NaN,
  Infinity,
  -Infinity,
];
const TEXTS = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\udc00\ud800",
  "\u202eevil\u202c",
  "é".normalize("NFD"),
  "🜂".repeat(40),
  "NaN",
  "-0",
  "1e999",
  "null",
  "[object Object]",
  "${clock}",
  "(a+)+$",
  "../../etc",
  "a".repeat(64),
  "a".repeat(65),
  "Ann",
  ...KEYS,
];
/** Expressions that cost, nest, loop or are none. */
const BOMBS = [
  "it.at == it.at && ".repeat(24) + "true",
  "(".repeat(200) + "1" + ")".repeat(200),
  "!".repeat(400) + "true",
  "-".repeat(400) + "1",
  `1${" + 1".repeat(120)}`,
  "[".repeat(60) + "]".repeat(60),
  "it.name.matches('(a+)+$')",
  "it.constructor.constructor('return 1')()",
  "__proto__",
  "it.__proto__",
  '{"a": 1}.a',
  "it[0]",
  "has(it.at)",
  "dyn(1)",
  'entity("__proto__")',
  'entity("no" + "one")',
  "1 / 0",
  "1e308 * 1e308",
  "0x7fffffffffffffff",
  "it ? it : it",
  "'\\ud800'",
  "a.".repeat(249),
  "/*".repeat(200),
];

/** Bombs that range over what is known. */
function ranging(random: Random, known: Knowledge): string {
  const type = known.types.size === 0 ? "person" : random.pick([...known.types.keys()]);
  const all = `all(${type})`;
  return random.pick([
    `${all}.exists(a, ${all}.exists(b, ${all}.exists(c, true)))`,
    `${all}.exists(a, ${all}.all(b, a == b || inside(a, b)))`,
    `count(${all}.map(a, ${all}.map(b, a))) > 1`,
    `${all}.map(a, ${all}) == ${all}.map(b, ${all})`,
    `${all}.filter(a, inside(a, a.at)).all(a, a.name + a.name + a.name != "")`,
    `max(${all}.map(a, count(${all}))) < 0`,
  ]);
}

/** A call that is made to harm, whoever plays. */
export function malicious(random: Random, known: Knowledge, sound: ToolCall): ToolCall {
  return random.weighed<ToolCall>([
    [30, () => ({ tool: sound.tool, input: mutated(random, known, sound.input) })],
    [1, () => ({ tool: random.pick([...KEYS, "commit", 7, null, undefined, {}, "\ud800"]), input: sound.input })],
    [2, () => ({ tool: sound.tool, input: random.pick([null, [], 7, "text", true, () => 1, new Map(), Symbol("x")]) })],
    [3, () => ({ tool: sound.tool, text: spoiledText(random, sound.input) })],
    [
      2,
      () => ({
        tool: "read_data",
        input: { from: "entities", where: random.once(2) ? random.pick(BOMBS) : ranging(random, known) },
      }),
    ],
    [2, () => ({ tool: "read_data", input: forgedCursor(random, known) })],
    [0.2, () => ({ tool: sound.tool, input: giant(random) })],
    [1, () => ({ tool: "commit_step", input: crowded(random, known) })],
    [2, () => ({ tool: "construct", input: monster(random, known) })],
  ]);
}

/** The same data with a few places of it spoiled. */
function mutated(random: Random, known: Knowledge, input: unknown): unknown {
  let spoiled = input;
  for (let times = 1 + random.below(2); times > 0; times -= 1) spoiled = spoil(random, known, spoiled);
  return spoiled;
}

function spoil(random: Random, known: Knowledge, value: unknown): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = [...value];
    if (list.length === 0 || random.once(6)) return [...list, junk(random, known)];
    const i = random.below(list.length);
    if (random.once(10)) return [...list, ...list, ...list];
    list[i] = spoil(random, known, list[i]);
    return list;
  }
  if (typeof value === "object" && value !== null && !random.once(12)) {
    const entries = Object.entries(value);
    if (entries.length === 0 || random.once(8))
      return withKey(value, random.pick([...KEYS, "limit", "where", "args"]), junk(random, known));
    const [key, inner] = random.pick(entries);
    if (random.once(14)) return Object.fromEntries(entries.filter(([one]) => one !== key));
    if (random.once(14)) return Object.fromEntries(entries.map(([one, of]) => [one === key ? `${one}x` : one, of]));
    return { ...value, [key]: spoil(random, known, inner) };
  }
  if (typeof value === "string" && value.length > 0 && random.once(3)) {
    const i = random.below(value.length);
    return (
      value.slice(0, i) +
      random.pick(["", " ", "\\", '"', ")", "(", "&&", "\ud83d", "9", "_", ".at"]) +
      value.slice(i + 1)
    );
  }
  return junk(random, known);
}

/** An own property of any name, `__proto__` too. */
function withKey(object: object, key: string, value: unknown): object {
  return Object.defineProperty({ ...object }, key, { value, enumerable: true, writable: true, configurable: true });
}

function junk(random: Random, known: Knowledge): unknown {
  return random.weighed<unknown>([
    [4, () => random.pick(NUMBERS)],
    [5, () => random.pick(TEXTS)],
    [4, () => random.pick(BOMBS)],
    [2, () => ranging(random, known)],
    [3, () => (known.entities.size === 0 ? "ann" : random.pick([...known.entities.keys()]))],
    [2, () => (known.types.size === 0 ? "person" : random.pick([...known.types.keys()]))],
    [2, () => random.pick<unknown>([null, true, false, [], {}, undefined, [[]], { expr: "1" }])],
    [1, () => withKey({}, random.pick(KEYS), 1)],
    [0.2, () => "x".repeat(random.pick([1_000, 1_001, 65_536]))],
    [0.3, () => nested(random.pick([19, 20, 21, 200]))],
  ]);
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** JSON with keys that stand twice, cut, or with what JSON has not. */
function spoiledText(random: Random, input: unknown): string {
  const text = JSON.stringify(input) ?? "";
  const at = random.below(text.length + 1);
  return random.pick([
    text,
    ` ${text}\n`,
    text.slice(0, at),
    text.slice(0, at) + random.pick(["\u0000", "NaN", "1e400", ",", "}", '"__proto__":1,', "\ud800"]) + text.slice(at),
    text.replace(/^\{/, '{"from":"log","op":"delete","__proto__":{"from":"log"},'),
    text.replace(/^\{/, `{${text.slice(1, -1)}${text.length > 2 ? "," : ""}`),
    "[".repeat(random.once(8) ? 30_000 : 30),
    `{"a":${'{"a":'.repeat(500)}1${"}".repeat(500)}}`,
  ]);
}

function forgedCursor(random: Random, known: Knowledge): unknown {
  const page = known.pages.length > 0 ? random.pick(known.pages) : { from: "entities", cursor: "0".repeat(20) };
  const cursor = String(page["cursor"]);
  const flipped = cursor.slice(0, -1) + (cursor.endsWith("A") ? "B" : "A");
  return {
    ...page,
    cursor: random.pick([
      flipped,
      cursor.slice(0, 16),
      cursor + "=",
      "",
      "__proto__",
      "\u0000",
      cursor.slice(16),
      cursor + cursor,
    ]),
    ...(random.once(3) ? { from: "log" } : {}),
  };
}

/** As much as an input may hold, and more. */
function giant(random: Random): unknown {
  const size = random.pick([60_000, 65_600]);
  return random.pick<() => unknown>([
    () => ({ from: "entities", where: "a".repeat(size) }),
    () => ({ from: "entities", fields: Array.from({ length: size / 4 }, () => "a") }),
    () => ({ triggers: Array.from({ length: size / 60 }, () => ({ capability: "go", args: {} })) }),
    () => ({ predict: { segment: Array.from({ length: 1_200 }, () => ({ path: "a.b", value: 1 })) } }),
    () => Object.fromEntries(Array.from({ length: size / 12 }, (_, i) => [`k${i}`, 1])),
    () => ({
      op: "create",
      entity: { id: "x", type: "y", fields: { a: Array.from({ length: 999 }, (_, i) => `e_${i}`) } },
    }),
  ])();
}

/** As many triggers as a step may have, all of them wrong in the same costly way. */
function crowded(random: Random, known: Knowledge): unknown {
  const capability = known.capabilities.size === 0 ? "go" : random.pick([...known.capabilities.keys()]);
  const names = Object.keys(known.capabilities.get(capability) ?? {});
  const value = random.pick<unknown>(["z".repeat(64), "nobody", 1e308, "__proto__", true]);
  const args = Object.fromEntries(names.map((name) => [name, value]));
  return { triggers: Array.from({ length: random.pick([8, 64, 65]) }, () => ({ capability, args })), advance: 1e6 };
}

/** A capability, type or entity beyond what there may be. */
function monster(random: Random, known: Knowledge): unknown {
  const id = random.pick(["m_1", "a".repeat(64), "a".repeat(65), ...TEXTS]);
  const type = known.types.size === 0 ? "person" : random.pick([...known.types.keys()]);
  const expr = random.once(2) ? random.pick(BOMBS) : ranging(random, known);
  return random.pick<() => unknown>([
    () => ({
      op: "create",
      capability: { id, requires: Array.from({ length: random.pick([32, 33]) }, () => ({ expr })) },
    }),
    () => ({
      op: "create",
      capability: {
        id,
        effects: Array.from({ length: random.pick([64, 65]) }, (_, i) => ({
          create: type,
          id: { expr: `"m_${i}_" + it` },
          at: "it",
          for: { each: type },
        })),
      },
    }),
    () => ({ op: "create", capability: { id, duration: expr, effects: [{ set: `${id}.at`, expr }] } }),
    () => ({
      op: "create",
      type: { id, fields: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, { kind: "bool" }])) },
    }),
    () => ({
      op: "create",
      type: {
        id,
        fields: { [random.pick(KEYS)]: { kind: "enum", values: Array.from({ length: 200 }, (_, i) => `${i}`) } },
      },
    }),
    () => ({
      op: "create",
      entity: { id, type, at: random.pick(TEXTS), fields: { [random.pick(KEYS)]: random.pick(NUMBERS) } },
    }),
    () => ({ op: "delete", level: random.pick(["type", "entity", "capability"]), id }),
  ])();
}
