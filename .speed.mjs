// src/cases/deduction/load.ts
import { freeze as freeze10 } from "immer";
import { basename, resolve } from "node:path";

// src/runtime/apply-record.ts
import { freeze as freeze2 } from "immer";

// src/runtime/canonical.ts
import canonicalize from "canonicalize";
function canonicalJson(value3) {
  const text2 = canonicalize(value3);
  if (text2 === void 0) throw new TypeError("canonicalJson: undefined is not JSON");
  return text2;
}
function sameJson(a, b) {
  if (a === b) return true;
  const areContainers = typeof a === "object" && typeof b === "object" && a !== null && b !== null;
  return areContainers && canonicalJson(a) === canonicalJson(b);
}
function compareText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// src/runtime/capability.ts
import * as z3 from "zod";

// src/runtime/field.ts
import * as z2 from "zod";

// src/runtime/ids.ts
import * as z from "zod";

// src/runtime/limits.ts
var LIMITS = {
  /** Entities in a world. */
  entities: 2e4,
  /** Entity types in a world. */
  types: 500,
  /** Capabilities in a world. */
  capabilities: 1e3,
  /** Fields of one type. */
  fieldsPerType: 200,
  /** Words of one enum. */
  enumValues: 200,
  /** Parameters of one capability. */
  paramsPerCapability: 32,
  /** Triggers submitted in one step. */
  triggersPerStep: 64,
  /** Requirements of one capability. */
  requirementsPerCapability: 32,
  /** Effects of one capability. */
  effectsPerCapability: 64,
  /** Entities one `for` effect may apply to. */
  matchesPerFor: 2e4,
  /** Characters of one expression. */
  expressionCharacters: 500,
  /** AST nodes of one expression. */
  expressionNodes: 200,
  /** Elements of a list that is written out in an expression. */
  listElements: 64,
  /** List macros (`exists`, `all`, …) inside one another. */
  macroNesting: 2,
  /** Evaluation cost of one step: nodes × sizes of what they range over. */
  stepCost: 1e6,
  /** Characters of a text value, a name, a sentence or a note. */
  textCharacters: 1e3,
  /** Characters of an id. */
  idCharacters: 64,
  /** Bytes of one tool input as JSON. */
  inputBytes: 64 * 1024,
  /** Nesting of one tool input. */
  inputDepth: 20,
  /** Bytes of one answer as JSON. */
  answerBytes: 8 * 1024,
  /** Ticks that one duration or one `advance` may take. */
  ticks: 1e6,
  /** Entries of one page of `read_data`. */
  pageEntries: 100,
  /** Entries of one page of `read_data` where the caller states no limit. */
  defaultPageEntries: 20,
  /** Failing triggers named in one refusal. */
  failuresShown: 8,
  /** Decimal digits of a `number` field. */
  decimalDigits: 12,
  /** Ticks of a deduction case. */
  caseTicks: 1e4,
  /** Ticks at which one entry of a schedule happens. */
  entryTicks: 1e3,
  /** Combinations of arguments that one action is tried with when the possible ones are listed. */
  actionArguments: 2e3,
  /** Entries of one list of predicted changes, and ids of processes that are said to fire. */
  predictionEntries: 1e3,
  /** Changed paths of one closed round in the log. */
  changedPaths: 1e5
};

// src/runtime/show.ts
function shorten(text2, length) {
  if (text2.length <= length) return text2;
  const end = isHighSurrogate(text2.charCodeAt(length - 2)) ? length - 2 : length - 1;
  return `${text2.slice(0, end)}\u2026`;
}
function isHighSurrogate(unit3) {
  return unit3 >= 55296 && unit3 <= 56319;
}

// src/runtime/ids.ts
var ID_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;
var BUILT_IN_FIELDS = ["id", "type", "name", "at", "fields"];
var REFUSED_IDS = /* @__PURE__ */ new Set([
  "__proto__",
  "constructor",
  "prototype",
  ...BUILT_IN_FIELDS,
  ..."true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " "
  )
]);
var RESERVED_WORDS = /* @__PURE__ */ new Set([
  ..."clock it type map list string int uint double bool bytes dyn has matches".split(" "),
  ..."all entity count linked inside alongside min max abs clamp exists filter".split(" ")
]);
function faultOfId(id2) {
  if (REFUSED_IDS.has(id2)) return `"${id2}" is reserved`;
  if (!ID_PATTERN.test(id2)) {
    return `${JSON.stringify(shorten(id2, 41))} is no id: lower-case letters, digits and _, at most ${LIMITS.idCharacters}, beginning with a letter`;
  }
  return void 0;
}
function faultOfName(id2) {
  return faultOfId(id2) ?? (RESERVED_WORDS.has(id2) ? `"${id2}" is a word of the expression language` : void 0);
}
function idSchema(fault2) {
  return z.string().superRefine((id2, ctx) => {
    const message = fault2(id2);
    if (message !== void 0) ctx.addIssue({ code: "custom", message, params: { code: "forbidden_id" } });
  });
}
var idOf = idSchema(faultOfId);
var nameOf = idSchema(faultOfName);
function parseTriggerId(text2) {
  const match = /^t([1-9][0-9]{0,8})_([1-9][0-9]?)$/.exec(text2);
  return match ? { step: Number(match[1]), position: Number(match[2]) } : void 0;
}
function lookUp(record15, key) {
  return Object.hasOwn(record15, key) ? record15[key] : void 0;
}

// src/runtime/number.ts
import Big from "big.js";
function roundTo(value3, digits) {
  return !Number.isFinite(value3) || Number.isInteger(value3) ? value3 + 0 : new Big(value3).round(digits, Big.roundHalfUp).toNumber() + 0;
}
function sumExactly(value3, addends) {
  if (isWhole(value3, 1e15) && addends.every((addend) => isWhole(addend, 1e9)))
    return addends.reduce((total, addend) => total + addend, value3) + 0;
  return addends.reduce((sum, addend) => sum.plus(addend), new Big(value3)).toNumber() + 0;
}
function isWhole(value3, below) {
  return Number.isInteger(value3) && Math.abs(value3) < below;
}

// src/runtime/field.ts
var textOf = z2.string().max(LIMITS.textCharacters);
var literalSchema = z2.union([z2.null(), z2.boolean(), z2.number(), textOf, z2.array(z2.string()).max(1e3)]);
var says = textOf.optional().describe("One sentence: what it is");
var bound = z2.number().optional();
var fieldSchema = z2.discriminatedUnion("kind", [
  z2.strictObject({ kind: z2.literal("bool"), says, default: z2.boolean().default(false) }),
  z2.strictObject({ kind: z2.literal("int"), says, min: bound, max: bound, default: z2.number().optional() }),
  z2.strictObject({
    kind: z2.literal("number"),
    says,
    digits: z2.int().min(0).max(LIMITS.decimalDigits).describe("Decimal digits kept, required"),
    min: bound,
    max: bound,
    default: z2.number().optional()
  }),
  z2.strictObject({ kind: z2.literal("text"), says, default: textOf.default("") }),
  z2.strictObject({
    kind: z2.literal("enum"),
    says,
    values: z2.array(textOf.min(1)).min(1).max(LIMITS.enumValues).describe("The closed list of words"),
    default: z2.string().optional().describe("The first word where left out")
  }),
  z2.strictObject({ kind: z2.literal("place"), says, default: z2.string().describe("A place of the map") }),
  z2.strictObject({
    kind: z2.literal("ref"),
    says,
    of: idOf.describe("The type of the entity it refers to"),
    default: z2.null().default(null)
  }),
  z2.strictObject({
    kind: z2.literal("refs"),
    says,
    of: idOf.describe("The type of the entities it refers to"),
    default: z2.array(z2.string()).max(0).default([])
  })
]);
function defaultOf(field) {
  switch (field.kind) {
    case "int":
    case "number": {
      const value3 = field.default ?? Math.min(Math.max(0, field.min ?? 0), field.max ?? Number.MAX_SAFE_INTEGER);
      return field.kind === "int" ? value3 + 0 : roundTo(value3, field.digits);
    }
    case "enum":
      return field.default ?? field.values[0];
    default:
      return field.default;
  }
}
function describeField(field) {
  switch (field.kind) {
    case "int":
    case "number": {
      const what = field.kind === "int" ? "whole number" : `number with ${field.digits} decimal digits`;
      const from = field.min === void 0 ? "" : ` from ${field.min}`;
      return `${what}${from}${field.max === void 0 ? "" : ` to ${field.max}`}`;
    }
    case "enum":
      return `one of ${field.values.map((v) => JSON.stringify(v)).join(", ")}`;
    case "ref":
      return `an entity of type ${field.of}, or null`;
    case "refs":
      return `a list of entities of type ${field.of}`;
    case "bool":
      return "true or false";
    case "text":
      return `text of at most ${LIMITS.textCharacters} characters`;
    case "place":
      return "a place of the map";
  }
}

// src/runtime/capability.ts
var expression = z3.string().min(1).describe("An expression (CEL), at most 500 characters");
var target = z3.string().min(1).describe("parameter.field, it.field or entity_id.field; the field may be `at`");
var paramSchema = z3.strictObject({
  type: idOf.optional().describe("For an entity: its type; leave `type` and `kind` out for an entity of any type"),
  kind: z3.enum(["int", "number", "text", "bool", "enum", "place"]).optional().describe("For a value: its kind"),
  values: z3.array(textOf.min(1)).min(1).max(LIMITS.enumValues).optional().describe("For kind enum: its words"),
  says: textOf.optional()
});
var requirementSchema = z3.strictObject({
  expr: expression.describe("Must be true, or the trigger is refused"),
  says: textOf.optional().describe("The rule in words")
});
var forSchema = z3.strictObject({
  each: idOf.describe("A type: the effect applies to every entity of it, called `it`"),
  where: expression.optional().describe("Only those for which this is true")
});
var value = literalSchema.optional().describe('A literal: true, 3, "open", "mill", null');
var expr = expression.optional().describe("An expression, instead of `value`");
var effectSchema = z3.strictObject({
  set: target.optional().describe("Set this field, to `value` or `expr`"),
  add: target.optional().describe("Add `by` to this int or number"),
  insert: target.optional().describe("Put the entity `value` or `expr` into this refs field"),
  remove: target.optional().describe("Take the entity `value` or `expr` out of this refs field"),
  create: idOf.optional().describe("Create an entity of this type, with `id`, `name`, `at`, `fields`"),
  destroy: z3.string().min(1).optional().describe("Destroy this entity: a parameter, `it` or an entity id"),
  claim: target.optional().describe("No other trigger of the step may write or claim this field"),
  value,
  expr,
  by: z3.union([z3.number(), expression]).optional().describe("For add: a number, or an expression in quotes"),
  id: z3.union([nameOf, z3.strictObject({ expr: expression })]).optional().describe("For create: the new id, or { expr } for one"),
  name: textOf.optional().describe("For create: the name"),
  at: z3.union([z3.null(), expression]).optional().describe("For create: where it is, an expression for a place or an entity, or null"),
  fields: z3.record(idOf, z3.union([literalSchema, z3.strictObject({ expr: expression })])).optional().describe("For create: fields that differ from their defaults, a literal or { expr }"),
  for: forSchema.optional()
});
var EFFECT_VERBS = ["set", "add", "insert", "remove", "create", "destroy", "claim"];
var capabilitySchema = z3.strictObject({
  id: idOf,
  says: textOf.default("").describe("One sentence: who does what"),
  params: z3.record(nameOf, paramSchema).default({}),
  requires: z3.array(requirementSchema).max(LIMITS.requirementsPerCapability).default([]),
  effects: z3.array(effectSchema).max(LIMITS.effectsPerCapability).default([]),
  duration: z3.union([z3.int().min(1).max(LIMITS.ticks), expression]).default(1).describe("Ticks: a whole number of at least 1, or an expression")
});
var argSchema = z3.union([z3.boolean(), z3.number(), z3.string()]);
var triggerSchema = z3.strictObject({
  capability: z3.string().describe("The id of a capability"),
  args: z3.record(z3.string(), argSchema).default({}).describe("Its arguments: entity ids, place ids or values, by parameter name"),
  note: textOf.optional().describe("A remark, kept in the log")
});

// src/runtime/errors.ts
import { closest, distance } from "fastest-levenshtein";
import * as z4 from "zod";
var DEDUCTION_ERROR_CODES = [
  "unknown_action",
  "unknown_process",
  "unknown_path",
  "too_many_predictions",
  "not_asked",
  "engine_fault"
];
var ERROR_CODES = [
  // the call itself
  "unknown_tool",
  "malformed_input",
  "input_too_large",
  "input_too_deep",
  "unknown_key",
  "missing_key",
  "wrong_type",
  "invalid_value",
  "forbidden_id",
  "text_too_long",
  // what is named
  "unknown_capability",
  "unknown_entity",
  "unknown_type",
  "unknown_field",
  "unknown_place",
  "unknown_parameter",
  "unknown_topic",
  "unknown_round",
  "wrong_entity_type",
  // expressions
  "expression_syntax",
  "expression_forbidden",
  "expression_unknown_name",
  "expression_type",
  "expression_never_true",
  "expression_too_long",
  "expression_too_large",
  "expression_too_nested",
  "cost_exceeded",
  // steps
  "requirement_not_met",
  "effect_failed",
  "bad_duration",
  "conflict",
  "out_of_range",
  "broken_reference",
  "containment_circle",
  "invariant_broken",
  "empty_step",
  "too_many_triggers",
  "too_many_requirements",
  "too_many_effects",
  "too_many_parameters",
  "too_many_matches",
  // construction
  "not_permitted",
  "already_exists",
  "id_was_used",
  "in_use",
  "incompatible_update",
  "too_many_entities",
  "too_many_types",
  "too_many_capabilities",
  // reading
  "bad_cursor",
  // budgets and the end
  "round_budget_spent",
  "run_budget_spent",
  "case_finished",
  ...DEDUCTION_ERROR_CODES
];
var triggerFailureSchema = z4.strictObject({
  trigger: z4.int().describe("Position of the trigger in the step, from 1"),
  capability: z4.string(),
  code: z4.enum(ERROR_CODES),
  message: z4.string(),
  hint: z4.string().optional()
});
var toolErrorSchema = z4.strictObject({
  code: z4.enum(ERROR_CODES),
  message: z4.string(),
  path: z4.string().optional().describe("Where in the input"),
  hint: z4.string().optional().describe("What would be accepted"),
  failures: z4.array(triggerFailureSchema).optional().describe("Every failing trigger of a step, at most 8")
});
function succeed(value3) {
  return { ok: true, value: value3 };
}
function refuse(code, message, more = {}) {
  return { ok: false, error: toolError(code, message, more) };
}
function toolError(code, message, more = {}) {
  return {
    code,
    message,
    ...more.path !== void 0 && more.path !== "" ? { path: more.path } : {},
    ...more.hint !== void 0 ? { hint: more.hint } : {}
  };
}
function nearestWord(seen2, known) {
  if (known.length === 0 || seen2.length > 64) return void 0;
  const near = closest(seen2.toLowerCase(), [...known].sort());
  const bound2 = Math.max(2, Math.floor(Math.max(seen2.length, near.length) / 2));
  return distance(seen2.toLowerCase(), near) <= bound2 ? near : void 0;
}
function suggest(seen2, known) {
  const near = nearestWord(seen2, known);
  if (near !== void 0) return `did you mean "${near}"?`;
  if (known.length === 0) return void 0;
  const shown = [...known].sort().slice(0, 12);
  return `there are: ${shown.join(", ")}${known.length > shown.length ? ", \u2026" : ""}`;
}

// src/runtime/state.ts
import { freeze, produce } from "immer";

// src/runtime/digest.ts
import { createHash } from "node:crypto";
function sha256(text2) {
  return createHash("sha256").update(text2, "utf8").digest("hex");
}
var remembered = /* @__PURE__ */ new WeakMap();
function digestOf(value3) {
  const frozen = typeof value3 === "object" && value3 !== null && Object.isFrozen(value3) ? value3 : void 0;
  const known = frozen && remembered.get(frozen);
  if (known !== void 0) return known;
  const digest = sha256(canonicalJson(value3));
  if (frozen) remembered.set(frozen, digest);
  return digest;
}

// src/runtime/state.ts
function tableOf(entities2) {
  return changeEntities(
    { byId: {}, ids: [], byType: {} },
    [...entities2].map((entity) => ({ kind: "put", entity }))
  );
}
function getEntity(table, id2) {
  return lookUp(table.byId, id2);
}
function entityIds(table) {
  return table.ids;
}
function entityIdsOfType(table, type) {
  return lookUp(table.byType, type) ?? [];
}
function valueOf(entity, field) {
  return field === "at" ? entity.at : lookUp(entity.fields, field);
}
function changeEntities(table, changes2) {
  if (changes2.every(isSetting)) return setValues(table, changes2);
  const byId = produce(table.byId, (draft) => {
    for (const change2 of changes2) {
      switch (change2.kind) {
        case "put":
          draft[change2.entity.id] = change2.entity;
          break;
        case "delete":
          delete draft[change2.id];
          break;
        default: {
          const entity = draft[change2.id];
          if (entity === void 0) throw new Error(`changeEntities: no entity ${change2.id}`);
          if (change2.kind === "rename") entity.name = change2.name;
          else if (change2.field === "at") entity.at = change2.value;
          else entity.fields[change2.field] = change2.value;
        }
      }
    }
  });
  if (changes2.every((change2) => change2.kind === "rename" || isSetting(change2))) return freeze({ ...table, byId });
  const ids2 = Object.keys(byId).sort(compareText);
  const byType = {};
  for (const id2 of ids2) (byType[byId[id2].type] ??= []).push(id2);
  return freeze({ byId, ids: ids2, byType }, true);
}
function isSetting(change2) {
  return change2.kind === "set";
}
function setValues(table, changes2) {
  const changed = /* @__PURE__ */ new Map();
  for (const { id: id2, field, value: value3 } of changes2) {
    const from = lookUp(table.byId, id2);
    if (from === void 0) throw new Error(`changeEntities: no entity ${id2}`);
    const known = changed.get(id2);
    const before = field === "at" ? known === void 0 ? from.at : known.at : (known?.fields ?? from.fields)[field];
    if (known === void 0 && before === value3) continue;
    const now = known ?? { at: from.at, fields: void 0, from };
    if (known === void 0) changed.set(id2, now);
    if (field === "at") now.at = value3;
    else (now.fields ??= { ...from.fields })[field] = freeze(value3, true);
  }
  if (changed.size === 0) return table;
  const byId = { ...table.byId };
  for (const [id2, { at, fields, from }] of changed)
    byId[id2] = Object.freeze({ ...from, at, fields: fields === void 0 ? from.fields : Object.freeze(fields) });
  const next = Object.freeze({ ...table, byId: Object.freeze(byId) });
  const deepest = deepestOf.get(table);
  if (deepest !== void 0 && !changes2.some(({ field }) => field === "at")) deepestOf.set(next, deepest);
  return next;
}
var deepestOf = /* @__PURE__ */ new WeakMap();
function digestOfEntities(table) {
  return sha256(table.ids.map((id2) => digestOf(table.byId[id2])).join("\n"));
}

// src/runtime/expression/fault.ts
var ExpressionFault = class extends Error {
  code;
  hint;
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
};

// src/runtime/expression/node.ts
var ARITHMETIC = ["+", "-", "*", "/", "%"];
var MACROS = ["exists", "all", "exists_one", "filter", "map"];
var FUNCTIONS = [
  "all",
  "entity",
  "count",
  "linked",
  "travelTicks",
  "inside",
  "alongside",
  "min",
  "max",
  "abs",
  "clamp"
];
function walk(node, visit2) {
  visit2(node);
  for (const child of childrenOf(node)) walk(child, visit2);
}
function childrenOf(node) {
  switch (node.kind) {
    case "field":
    case "member":
      return [node.of];
    case "list":
      return node.items;
    case "not":
    case "negate":
      return [node.operand];
    case "binary":
    case "and":
    case "or":
      return [node.left, node.right];
    case "choice":
      return [node.test, node.then, node.otherwise];
    case "macro":
      return [node.range, node.body];
    case "call":
      return node.args;
    default:
      return [];
  }
}

// src/runtime/expression/static-type.ts
var BOOL = { kind: "bool" };
var NUMBER = { kind: "number" };
var TEXT = { kind: "text" };
var PLACE = { kind: "place" };
var HOLDER = { kind: "holder" };
var NULL = { kind: "null" };
function typeOfField(field) {
  switch (field.kind) {
    case "bool":
      return BOOL;
    case "int":
      return { kind: "number", min: field.min, max: field.max, whole: true };
    case "number":
      return { kind: "number", min: field.min, max: field.max };
    case "text":
      return TEXT;
    case "enum":
      return { kind: "enum", values: field.values };
    case "place":
      return PLACE;
    case "ref":
      return { kind: "entity", type: field.of, nullable: true };
    case "refs":
      return { kind: "list", of: { kind: "entity", type: field.of, nullable: false } };
  }
}
function describeType(type) {
  switch (type.kind) {
    case "bool":
      return "true or false";
    case "number":
      return "a number";
    case "text":
      return type.literal === void 0 ? "a text" : `the text ${JSON.stringify(type.literal)}`;
    case "enum":
      return `one of ${type.values.map((v) => JSON.stringify(v)).join(", ")}`;
    case "place":
      return "a place";
    case "entity":
      return type.type === void 0 ? "an entity" : `an entity of type ${type.type}`;
    case "holder":
      return "a place or an entity";
    case "null":
      return "null";
    case "list":
      return type.of === void 0 ? "an empty list" : `a list of (${describeType(type.of)})`;
    case "record":
      return `a record of ${Object.keys(type.members).sort().join(", ")}`;
  }
}
function faultOfEquality(a, b) {
  if (couldBeEqual(a, b) || couldBeEqual(b, a)) return void 0;
  if (a.kind === "number" && b.kind === "number") return `${describeRange(a)} is never ${describeRange(b)}`;
  return `${describeType(a)} is never ${describeType(b)}`;
}
function couldBeEqual(a, b) {
  switch (a.kind) {
    case "bool":
      return b.kind === "bool";
    case "number":
      return b.kind === "number" && !(lowest(a) > highest(b) || lowest(b) > highest(a)) && wholeFits(a, b) && wholeFits(b, a);
    case "text":
      if (b.kind === "enum") return a.literal === void 0 || b.values.includes(a.literal);
      return b.kind === "text" && (a.literal === void 0 || b.literal === void 0 || a.literal === b.literal);
    case "enum":
      return b.kind === "enum" && a.values.some((word) => b.values.includes(word));
    case "place":
      return b.kind === "place" || b.kind === "holder";
    case "entity":
      if (b.kind === "null") return a.nullable;
      if (b.kind === "holder") return true;
      return b.kind === "entity" && (a.type === void 0 || b.type === void 0 || a.type === b.type);
    case "holder":
      return b.kind === "holder" || b.kind === "null";
    case "null":
      return b.kind === "null";
    case "list":
      return b.kind === "list" && (a.of === void 0 || b.of === void 0 || couldBeEqual(a.of, b.of) || couldBeEqual(b.of, a.of));
    case "record":
      return false;
  }
}
function lowest(type) {
  return type.min ?? -Infinity;
}
function highest(type) {
  return type.max ?? Infinity;
}
function describeRange(type) {
  if (type.min !== void 0 && type.min === type.max) return String(type.min);
  return `${type.whole === true ? "a whole number" : "a number"}${type.min === void 0 ? "" : ` from ${type.min}`}${type.max === void 0 ? "" : ` to ${type.max}`}`;
}
function wholeFits(a, b) {
  return !(a.whole === true && b.min !== void 0 && b.min === b.max && !Number.isInteger(b.min));
}
function joinTypes(a, b) {
  if (a.kind === "null" && b.kind === "entity") return { ...b, nullable: true };
  if (b.kind === "null" && a.kind === "entity") return { ...a, nullable: true };
  const located = (t) => t.kind === "place" || t.kind === "entity" || t.kind === "holder" || t.kind === "null";
  if (a.kind === "entity" && b.kind === "entity") {
    return { kind: "entity", type: a.type === b.type ? a.type : void 0, nullable: a.nullable || b.nullable };
  }
  if (a.kind === "place" && b.kind === "place") return PLACE;
  if (located(a) && located(b)) return a.kind === "null" && b.kind === "null" ? NULL : HOLDER;
  if (a.kind === "number" && b.kind === "number") return NUMBER;
  if ((a.kind === "text" || a.kind === "enum") && (b.kind === "text" || b.kind === "enum")) {
    const words3 = (t) => t.kind === "enum" ? t.values : t.literal === void 0 ? void 0 : [t.literal];
    const [left, right] = [words3(a), words3(b)];
    return left && right ? { kind: "enum", values: [.../* @__PURE__ */ new Set([...left, ...right])] } : TEXT;
  }
  if (a.kind === "list" && b.kind === "list") {
    if (a.of === void 0 || b.of === void 0) return a.of === void 0 ? b : a;
    const of = joinTypes(a.of, b.of);
    return of && { kind: "list", of };
  }
  return a.kind === b.kind && a.kind === "bool" ? a : void 0;
}

// src/runtime/expression/check-call.ts
var isPlace = (type) => type.kind === "place" || type.kind === "holder";
var isEntity = (type) => type.kind === "entity" || type.kind === "holder";
var isNumber = (type) => type.kind === "number";
var isList = (type) => type.kind === "list";
var WHOLE = { kind: "number", min: 0, whole: true };
function checkCall(name, args2, text2, scope, check) {
  switch (name) {
    case "all":
      return checkExtent(args2, text2, scope);
    case "alongside":
      return checkAlongside(args2, text2, scope);
    case "entity":
      return checkEntity(args2, text2, scope, check);
    case "count": {
      const [list] = expectArgs(name, args2, ["a list"], [isList], text2, check);
      return { node: { kind: "call", name, args: [list.node], text: text2 }, type: WHOLE };
    }
    case "linked":
    case "travelTicks": {
      const ends = expectArgs(name, args2, ["a place", "a place"], [isPlace, isPlace], text2, check);
      return {
        node: { kind: "call", name, args: ends.map((end) => end.node), text: text2 },
        type: name === "linked" ? BOOL : WHOLE
      };
    }
    case "inside": {
      const isHolder = (type) => isPlace(type) || isEntity(type);
      const ends = expectArgs(name, args2, ["an entity", "a place or an entity"], [isEntity, isHolder], text2, check);
      return { node: { kind: "call", name, args: ends.map((end) => end.node), text: text2 }, type: BOOL };
    }
    case "abs": {
      const [of] = expectArgs(name, args2, ["a number"], [isNumber], text2, check);
      return { node: { kind: "call", name, args: [of.node], text: text2 }, type: NUMBER };
    }
    case "clamp": {
      const of = expectArgs(
        name,
        args2,
        ["a number", "a number", "a number"],
        [isNumber, isNumber, isNumber],
        text2,
        check
      );
      return { node: { kind: "call", name, args: of.map((one) => one.node), text: text2 }, type: NUMBER };
    }
    case "min":
    case "max": {
      if (args2.length === 0) throw new ExpressionFault("expression_type", `${text2}: ${name} needs at least one number`);
      const of = args2.map(check);
      const single = of.length === 1 ? of[0] : void 0;
      const isNumbers = single?.type.kind === "list" && (single.type.of === void 0 || single.type.of.kind === "number");
      if (!isNumbers) for (const one of of) expect(one, isNumber, "a number", text2);
      return { node: { kind: "call", name, args: of.map((one) => one.node), text: text2 }, type: NUMBER };
    }
    default: {
      const near = nearestWord(name, FUNCTIONS);
      const isMacro = MACROS.includes(name);
      throw new ExpressionFault(
        "expression_forbidden",
        `expressions here have no function ${name}()`,
        isMacro ? `write it behind a list: all(type).${name}(x, \u2026)` : near !== void 0 ? `did you mean ${near}()?` : `functions are ${FUNCTIONS.join(", ")}; lists have ${MACROS.join(", ")}`
      );
    }
  }
}
function checkExtent(args2, text2, scope) {
  const [type] = args2;
  if (args2.length !== 1 || type?.op !== "id")
    throw new ExpressionFault("expression_syntax", `${text2}: write all(type), with the id of a type`);
  if (lookUp(scope.world.types, type.args) === void 0) {
    throw new ExpressionFault(
      "unknown_type",
      `${text2}: there is no type "${type.args}"`,
      suggest(type.args, Object.keys(scope.world.types))
    );
  }
  return {
    node: { kind: "extent", type: type.args, text: text2 },
    type: { kind: "list", of: { kind: "entity", type: type.args, nullable: false, ranged: true } }
  };
}
function checkAlongside(args2, text2, scope) {
  if (!scope.mayReadStep)
    throw new ExpressionFault("expression_forbidden", `${text2}: alongside means something only inside a capability`);
  const [capability] = args2;
  if (args2.length !== 1 || capability?.op !== "value" || typeof capability.args !== "string" || faultOfId(capability.args) !== void 0) {
    throw new ExpressionFault(
      "expression_syntax",
      `${text2}: write alongside("capability"), with the id of a capability in quotes`
    );
  }
  return {
    node: { kind: "alongside", capability: capability.args, text: text2 },
    type: { kind: "number", min: 0, max: 63, whole: true }
  };
}
function checkEntity(args2, text2, scope, check) {
  const [of] = expectArgs(
    "entity",
    args2,
    ["the id of an entity"],
    [(type) => type.kind === "text" || type.kind === "entity"],
    text2,
    check
  );
  if (of.type.kind === "text" && of.type.literal !== void 0) {
    const entity = getEntity(scope.world.entities, of.type.literal);
    if (entity === void 0) {
      throw new ExpressionFault(
        "unknown_entity",
        `${text2}: there is no entity "${of.type.literal}"`,
        suggest(of.type.literal, scope.world.entities.ids)
      );
    }
    return {
      node: { kind: "entity", id: entity.id, text: text2 },
      type: { kind: "entity", type: entity.type, nullable: false }
    };
  }
  return { node: { kind: "call", name: "entity", args: [of.node], text: text2 }, type: { kind: "entity", nullable: false } };
}
function expectArgs(name, args2, words3, tests, text2, check) {
  if (args2.length !== words3.length) {
    throw new ExpressionFault(
      "expression_type",
      `${text2}: ${name} takes ${words3.length} argument(s): ${words3.join(", ")}`
    );
  }
  return args2.map(
    (arg, i) => expect(check(arg), tests[i], words3[i], text2)
  );
}
function expect(part, test, words3, text2) {
  if (test(part.type)) return part;
  throw new ExpressionFault(
    "expression_type",
    `${text2}: ${part.node.text} is ${describeType(part.type)}, not ${words3}`
  );
}

// src/runtime/expression/scope.ts
function typeOfEntityField(world, type, field) {
  if (field === "at") return HOLDER;
  if (field === "name") return TEXT;
  if (field === "type") return { kind: "enum", values: type === void 0 ? Object.keys(world.types).sort() : [type] };
  if (type !== void 0) {
    const found2 = lookUp(lookUp(world.types, type)?.fields ?? {}, field);
    return found2 && typeOfField(found2);
  }
  const found = Object.keys(world.types).sort().flatMap((id2) => {
    const one = lookUp(world.types[id2]?.fields ?? {}, field);
    return one ? [one] : [];
  });
  const [first] = found;
  return first && found.every((one) => one.kind === first.kind) ? mergeFields(first, found) : void 0;
}
function mergeFields(first, all) {
  if (all.length === 1) return typeOfField(first);
  const type = typeOfField(first);
  if (type.kind === "number") return { kind: "number" };
  if (type.kind === "enum") {
    return { kind: "enum", values: [...new Set(all.flatMap((field) => field.kind === "enum" ? field.values : []))] };
  }
  if (type.kind === "entity") return { kind: "entity", nullable: true };
  if (type.kind === "list") return { kind: "list", of: { kind: "entity", nullable: false } };
  return type;
}
function fieldNames(world, type) {
  const types = type === void 0 ? Object.values(world.types) : [lookUp(world.types, type)];
  return [.../* @__PURE__ */ new Set(["at", "name", "type", ...types.flatMap((one) => Object.keys(one?.fields ?? {}))])].sort();
}
function knownNames(scope) {
  return [
    ...Object.keys(scope.variables),
    ...scope.world.entities.ids,
    ...Object.keys(scope.world.map.places),
    ...scope.mayReadClock ? ["clock"] : []
  ];
}
function typeOfName(scope, name) {
  const variable = lookUp(scope.variables, name);
  if (variable) return { kind: "variable", type: variable };
  const entity = getEntity(scope.world.entities, name);
  if (entity) return { kind: "entity", type: { kind: "entity", type: entity.type, nullable: false } };
  if (lookUp(scope.world.map.places, name) !== void 0) return { kind: "place", type: { kind: "place" } };
  return void 0;
}

// src/runtime/expression/check.ts
function checkNode(ast, scope, nesting = 0) {
  const text2 = ast.input.slice(ast.range.start, ast.range.end);
  const check = (part) => checkNode(part, scope, nesting);
  switch (ast.op) {
    case "value":
      return checkLiteral(ast.args, text2);
    case "id":
      return checkName(ast.args, scope);
    case ".":
      return checkField(check(ast.args[0]), ast.args[1], text2, scope);
    case "list": {
      const items = ast.args.map(check);
      const of = items.reduce((joined, item) => {
        if (joined === void 0) return item.type;
        const next = joinTypes(joined, item.type);
        if (next === void 0) {
          throw new ExpressionFault(
            "expression_type",
            `the list ${text2} mixes ${describeType(joined)} and ${describeType(item.type)}`
          );
        }
        return next;
      }, void 0);
      return { node: { kind: "list", items: items.map((item) => item.node), text: text2 }, type: { kind: "list", of } };
    }
    case "!_":
      return { node: { kind: "not", operand: expectKind(check(ast.args), "bool", "!").node, text: text2 }, type: BOOL };
    case "-_": {
      const operand = expectKind(check(ast.args), "number", "-");
      return { node: { kind: "negate", operand: operand.node, text: text2 }, type: negated(operand.type) };
    }
    case "&&":
    case "||": {
      const left = expectKind(check(ast.args[0]), "bool", ast.op).node;
      const right = expectKind(check(ast.args[1]), "bool", ast.op).node;
      return { node: { kind: ast.op === "&&" ? "and" : "or", left, right, text: text2 }, type: BOOL };
    }
    case "?:": {
      const [test, then, otherwise] = [check(ast.args[0]), check(ast.args[1]), check(ast.args[2])];
      expectKind(test, "bool", "? :");
      const type = joinTypes(then.type, otherwise.type);
      if (type === void 0) {
        throw new ExpressionFault(
          "expression_type",
          `in ${text2} the two outcomes are ${describeType(then.type)} and ${describeType(otherwise.type)}`,
          "both must be of one kind"
        );
      }
      return { node: { kind: "choice", test: test.node, then: then.node, otherwise: otherwise.node, text: text2 }, type };
    }
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "in":
      return checkBinary(ast.op, check(ast.args[0]), check(ast.args[1]), text2);
    case "call":
      return checkCall(ast.args[0], ast.args[1], text2, scope, check);
    case "rcall":
      return checkMacro(ast.args[0], ast.args[1], ast.args[2], text2, scope, nesting);
    default:
      throw new ExpressionFault("expression_forbidden", `${text2} uses ${ast.op}, which expressions here do not have`);
  }
}
function checkLiteral(value3, text2) {
  if (typeof value3 === "boolean") return { node: { kind: "literal", value: value3, text: text2 }, type: BOOL };
  if (value3 === null) return { node: { kind: "literal", value: value3, text: text2 }, type: NULL };
  if (typeof value3 === "string")
    return { node: { kind: "literal", value: value3, text: text2 }, type: { kind: "text", literal: value3 } };
  if (typeof value3 === "bigint" || typeof value3 === "number") {
    const number12 = Number(value3);
    if (typeof value3 === "bigint" && !Number.isSafeInteger(number12)) {
      throw new ExpressionFault(
        "expression_type",
        `${text2} is larger than any whole number here`,
        `at most ${Number.MAX_SAFE_INTEGER}`
      );
    }
    return {
      node: { kind: "literal", value: number12, text: text2 },
      type: { kind: "number", min: number12, max: number12, whole: Number.isInteger(number12) }
    };
  }
  throw new ExpressionFault("expression_forbidden", `${text2} is a kind of literal that expressions here do not have`);
}
function checkName(name, scope) {
  if (name === "clock" && scope.mayReadClock)
    return { node: { kind: "clock", text: name }, type: { kind: "number", min: 0, whole: true } };
  if (name === "clock") throw new ExpressionFault("expression_forbidden", "an invariant never mentions the clock");
  const found = typeOfName(scope, name);
  if (found === void 0) {
    const known = knownNames(scope);
    throw new ExpressionFault(
      "expression_unknown_name",
      `"${name}" is no parameter, entity or place`,
      faultOfId(name) === void 0 ? suggest(name, known) ?? "words of an enum and texts stand in double quotes" : void 0
    );
  }
  const text2 = name;
  if (found.kind === "variable") return { node: { kind: "variable", name, text: text2 }, type: found.type };
  if (found.kind === "entity") return { node: { kind: "entity", id: name, text: text2 }, type: found.type };
  return { node: { kind: "literal", value: name, text: text2 }, type: found.type };
}
function checkField(of, field, text2, scope) {
  const { type } = of;
  if (type.kind === "record") {
    const member = Object.hasOwn(type.members, field) ? type.members[field] : void 0;
    if (member === void 0) {
      throw new ExpressionFault(
        "unknown_field",
        `${of.node.text} has no member "${field}"`,
        suggest(field, Object.keys(type.members))
      );
    }
    return { node: { kind: "member", of: of.node, member: field, text: text2 }, type: member };
  }
  if (type.kind !== "entity" && !(type.kind === "holder" && field === "at")) {
    const hint = type.kind === "holder" ? "only `.at` can be read of what may be a place" : void 0;
    throw new ExpressionFault(
      "expression_type",
      `${text2}: ${of.node.text} is ${describeType(type)}, which has no field "${field}"`,
      hint
    );
  }
  const entityType = type.kind === "entity" ? type.type : void 0;
  const found = typeOfEntityField(scope.world, entityType, field);
  if (found === void 0) {
    throw new ExpressionFault(
      "unknown_field",
      `${text2}: ${entityType === void 0 ? "no type" : `type ${entityType}`} has no field "${field}"`,
      suggest(field, fieldNames(scope.world, entityType))
    );
  }
  const ranged = type.kind === "entity" && type.ranged === true ? entityType : void 0;
  const setOf = found.kind === "list" ? { setOf: found.of?.kind === "entity" && found.of.type || "" } : {};
  return {
    node: { kind: "field", of: of.node, field, text: text2, ...ranged === void 0 ? {} : { ranged }, ...setOf },
    type: found
  };
}
function checkBinary(operator, left, right, text2) {
  const node = { kind: "binary", operator, left: left.node, right: right.node, text: text2 };
  switch (operator) {
    case "==":
    case "!=": {
      refuseNeverEqual(left, right, text2);
      return { node, type: BOOL };
    }
    case "in": {
      if (right.type.kind !== "list") {
        throw new ExpressionFault(
          "expression_type",
          `${text2}: ${right.node.text} is ${describeType(right.type)}, not a list`
        );
      }
      if (right.type.of !== void 0) refuseNeverEqual(left, { node: right.node, type: right.type.of }, text2);
      return { node, type: BOOL };
    }
    case "+":
      if (isWritten(left.type) && isWritten(right.type) && (left.type.kind === "text" || right.type.kind === "text"))
        return { node, type: TEXT };
      break;
    default:
  }
  for (const side of [left, right]) expectKind(side, "number", operator);
  if (ARITHMETIC.includes(operator)) return { node, type: NUMBER };
  if (left.type.kind === "number" && right.type.kind === "number" && isNeverOrdered(operator, left.type, right.type)) {
    throw new ExpressionFault(
      "expression_never_true",
      `${text2} is never true: ${left.node.text} is ${describeRange(left.type)}, ${right.node.text} is ${describeRange(right.type)}`
    );
  }
  return { node, type: BOOL };
}
function isWritten(type) {
  return type.kind === "text" || type.kind === "enum" || type.kind === "number" || type.kind === "place" || type.kind === "entity";
}
function isNeverOrdered(operator, a, b) {
  switch (operator) {
    case "<":
      return lowest(a) >= highest(b);
    case "<=":
      return lowest(a) > highest(b);
    case ">":
      return highest(a) <= lowest(b);
    case ">=":
      return highest(a) < lowest(b);
    default:
      return false;
  }
}
function negated(type) {
  if (type.kind !== "number") return NUMBER;
  return {
    kind: "number",
    ...type.max === void 0 ? {} : { min: -type.max },
    ...type.min === void 0 ? {} : { max: -type.min },
    ...type.whole === void 0 ? {} : { whole: type.whole }
  };
}
function refuseNeverEqual(left, right, text2) {
  const fault2 = faultOfEquality(left.type, right.type);
  if (fault2 === void 0) return;
  throw new ExpressionFault(
    "expression_never_true",
    `${text2} compares what is never equal: ${fault2}`,
    hintOfEquality(left, right)
  );
}
function hintOfEquality(left, right) {
  for (const [quoted, other] of [
    [left, right],
    [right, left]
  ]) {
    if (quoted.type.kind !== "text" || quoted.type.literal === void 0) continue;
    if (["entity", "place", "holder"].includes(other.type.kind))
      return `ids stand without quotes: ${quoted.type.literal}`;
    if (other.type.kind === "enum") return suggest(quoted.type.literal, other.type.values);
    if (other.type.kind === "number" && /^-?\d+(\.\d+)?$/.test(quoted.type.literal))
      return `numbers stand without quotes: ${quoted.type.literal}`;
    if (other.type.kind === "bool") return "true and false stand without quotes";
  }
  const kinds = [left.type.kind, right.type.kind];
  if (kinds.includes("place") && kinds.includes("entity"))
    return "to ask where an entity is, compare its `at`: who.at == mill";
  return void 0;
}
function expectKind(part, kind, operator) {
  if (part.type.kind === kind) return part;
  throw new ExpressionFault(
    "expression_type",
    `${operator} needs ${kind === "bool" ? "true or false" : "a number"}, but ${part.node.text} is ${describeType(part.type)}`
  );
}
function checkMacro(macro, receiver, args2, text2, scope, nesting) {
  if (!MACROS.includes(macro)) {
    throw new ExpressionFault(
      "expression_forbidden",
      `expressions here have no .${macro}()`,
      `lists have ${MACROS.join(", ")}; functions are ${FUNCTIONS.join(", ")}`
    );
  }
  if (nesting >= LIMITS.macroNesting) {
    throw new ExpressionFault(
      "expression_too_nested",
      `${text2} loops inside ${nesting} other loops`,
      `at most ${LIMITS.macroNesting} of ${MACROS.join(", ")} inside one another`
    );
  }
  const range = checkNode(receiver, scope, nesting);
  const [variable, body] = args2;
  if (range.type.kind !== "list") {
    throw new ExpressionFault(
      "expression_type",
      `${text2}: ${range.node.text} is ${describeType(range.type)}, not a list`
    );
  }
  if (args2.length !== 2 || variable?.op !== "id" || body === void 0) {
    throw new ExpressionFault("expression_syntax", `${text2}: write .${macro}(x, condition over x)`);
  }
  const name = variable.args;
  const fault2 = faultOfName(name) ?? (Object.hasOwn(scope.variables, name) ? `"${name}" is a parameter already` : void 0);
  if (fault2 !== void 0)
    throw new ExpressionFault("expression_unknown_name", `${text2}: ${fault2}`, "take another name for the variable");
  const element = range.type.of ?? NULL;
  const inner = checkNode(body, { ...scope, variables: { ...scope.variables, [name]: element } }, nesting + 1);
  if (macro !== "map") expectKind(inner, "bool", `.${macro}()`);
  const type = macro === "map" ? { kind: "list", of: inner.type } : macro === "filter" ? range.type : BOOL;
  return {
    node: {
      kind: "macro",
      macro,
      range: range.node,
      variable: name,
      body: inner.node,
      text: text2
    },
    type
  };
}

// src/runtime/travel.ts
import { alg, Graph } from "@dagrejs/graphlib";
var waysOfMap = /* @__PURE__ */ new WeakMap();
var travelOfMap = /* @__PURE__ */ new WeakMap();
function waysOf(map) {
  const known = waysOfMap.get(map);
  if (known) return known;
  const ways = {};
  const add = (from, to, ticks2) => {
    const row = ways[from] ??= {};
    row[to] = Math.min(row[to] ?? ticks2, ticks2);
  };
  for (const link of map.links) {
    add(link.from, link.to, link.ticks);
    if (link.bothWays) add(link.to, link.from, link.ticks);
  }
  waysOfMap.set(map, ways);
  return ways;
}
function isLinked(map, from, to) {
  return lookUp(lookUp(waysOf(map), from) ?? {}, to) !== void 0;
}
function travelTicks(map, from, to) {
  if (from === to) return 0;
  let travel = travelOfMap.get(map);
  if (!travel) travelOfMap.set(map, travel = /* @__PURE__ */ new Map());
  let row = travel.get(from);
  if (!row) travel.set(from, row = distancesFrom(map, from));
  return lookUp(row, to);
}
function distancesFrom(map, from) {
  const graph = new Graph({ directed: true });
  const ways = waysOf(map);
  for (const place2 of Object.keys(map.places).sort(compareText)) graph.setNode(place2);
  for (const a of Object.keys(ways).sort(compareText)) {
    for (const b of Object.keys(ways[a] ?? {}).sort(compareText)) graph.setEdge(a, b, ways[a]?.[b]);
  }
  const found = alg.dijkstra(graph, from, (edge) => graph.edge(edge));
  const row = {};
  for (const [place2, { distance: distance2 }] of Object.entries(found)) if (Number.isFinite(distance2)) row[place2] = distance2;
  return row;
}

// src/runtime/expression/evaluate.ts
var Unevaluable = class extends Error {
};
function evaluateNode(node, env) {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "entity":
      if (getEntity(env.world.entities, node.id) === void 0) throw new Unevaluable(`there is no entity ${node.id}`);
      return node.id;
    case "variable": {
      const value3 = env.variables[node.name];
      if (value3 === void 0) throw new Unevaluable(`${node.name} has no value`);
      return value3;
    }
    case "clock":
      env.reads?.add("clock");
      env.observed?.set("clock", env.world.clock);
      return env.world.clock;
    case "field":
      return evaluateField(node, env);
    case "member": {
      const record15 = evaluateNode(node.of, env);
      const value3 = record15[node.member];
      if (value3 === void 0) throw new Unevaluable(`${node.text} is not there`);
      return value3;
    }
    case "list":
      return node.items.map((item) => evaluateNode(item, env));
    case "not":
      return !evaluateNode(node.operand, env);
    case "negate":
      return 0 - evaluateNode(node.operand, env);
    case "and":
    case "or":
      return evaluateLogic(node.kind === "or", node.left, node.right, env);
    case "choice":
      return evaluateNode(evaluateNode(node.test, env) ? node.then : node.otherwise, env);
    case "binary":
      return evaluateBinary(node, env);
    case "extent":
      env.reads?.add(`${node.type}.*`);
      return entityIdsOfType(env.world.entities, node.type);
    case "macro":
      return evaluateMacro(node, env);
    case "call":
      return observe(node, evaluateCall(node, env), env);
    case "alongside":
      return observe(node, env.alongside?.[node.capability] ?? 0, env);
  }
}
function observe(node, value3, env) {
  env.observed?.set(node.text, value3);
  return value3;
}
function evaluateField(node, env) {
  const of = evaluateNode(node.of, env);
  if (typeof of !== "string") throw new Unevaluable(`${node.of.text} is null`);
  const entity = getEntity(env.world.entities, of);
  if (entity === void 0) throw new Unevaluable(`${node.of.text} is ${of}, which is no entity`);
  if (node.field === "type") return entity.type;
  if (node.field === "name") return entity.name;
  env.reads?.add(node.ranged === void 0 ? `${of}.${node.field}` : `${node.ranged}.*.${node.field}`);
  const value3 = valueOf(entity, node.field);
  if (value3 === void 0) throw new Unevaluable(`${of} has no field ${node.field}`);
  env.observed?.set(node.text, value3);
  return value3;
}
function evaluateLogic(deciding, left, right, env) {
  let fault2;
  for (const side of [left, right]) {
    try {
      if (evaluateNode(side, env) === deciding) return deciding;
    } catch (error) {
      if (!(error instanceof Unevaluable)) throw error;
      fault2 ??= error;
    }
  }
  if (fault2) throw fault2;
  return !deciding;
}
function evaluateBinary(node, env) {
  const left = evaluateNode(node.left, env);
  const right = evaluateNode(node.right, env);
  const { operator } = node;
  if (operator === "==") return isSame(left, right);
  if (operator === "!=") return !isSame(left, right);
  if (operator === "in") return right.some((item) => isSame(item, left));
  if (operator === "+" && (typeof left === "string" || typeof right === "string")) {
    if (left === null || right === null)
      throw new Unevaluable(`${node.text}: ${(left === null ? node.left : node.right).text} is null`);
    const text2 = `${left}${right}`;
    if (text2.length > LIMITS.textCharacters)
      throw new Unevaluable(`${node.text} is longer than ${LIMITS.textCharacters} characters`);
    return text2;
  }
  for (const [value3, side] of [
    [left, node.left],
    [right, node.right]
  ]) {
    if (typeof value3 !== "number")
      throw new Unevaluable(`${node.text}: ${side.text} is ${JSON.stringify(value3)}, no number`);
  }
  const [a, b] = [left, right];
  if (ARITHMETIC.includes(operator)) return arithmetic(operator, a, b, node.text);
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}
function isSame(a, b) {
  return a === b || typeof a === "object" && typeof b === "object" && sameJson(a, b);
}
function arithmetic(operator, a, b, text2) {
  if ((operator === "/" || operator === "%") && b === 0) throw new Unevaluable(`${text2} divides by 0`);
  const value3 = operator === "+" ? a + b : operator === "-" ? a - b : operator === "*" ? a * b : operator === "/" ? a / b : a % b;
  return finite(value3, text2);
}
function finite(value3, text2) {
  if (!Number.isFinite(value3)) throw new Unevaluable(`${text2} is too large`);
  return value3 === 0 ? 0 : value3;
}
function evaluateMacro(node, env) {
  const range = evaluateNode(node.range, env);
  const variables = { ...env.variables };
  const inner = { ...env, variables };
  const evaluateFor = (item) => {
    variables[node.variable] = item;
    return evaluateNode(node.body, inner);
  };
  switch (node.macro) {
    case "map":
      return range.map(evaluateFor);
    case "filter":
      return range.filter(evaluateFor);
    case "exists_one":
      return range.filter(evaluateFor).length === 1;
    case "exists":
    case "all": {
      const deciding = node.macro === "exists";
      let fault2;
      for (const item of range) {
        try {
          if (evaluateFor(item) !== deciding) continue;
          if (!deciding) env.observed?.set(node.variable, item);
          return deciding;
        } catch (error) {
          if (!(error instanceof Unevaluable)) throw error;
          fault2 ??= error;
        }
      }
      if (fault2) throw fault2;
      return !deciding;
    }
  }
}
function evaluateCall(node, env) {
  const args2 = node.args.map((arg) => evaluateNode(arg, env));
  const [a, b, c2] = args2;
  switch (node.name) {
    case "entity":
      if (typeof a !== "string" || getEntity(env.world.entities, a) === void 0) {
        throw new Unevaluable(`${node.text}: there is no entity ${JSON.stringify(a)}`);
      }
      return a;
    case "count":
      return a.length;
    case "linked":
      return isLinked(env.world.map, placeOf(a, node, env), placeOf(b, node, env));
    case "travelTicks": {
      const ticks2 = travelTicks(env.world.map, placeOf(a, node, env), placeOf(b, node, env));
      if (ticks2 === void 0)
        throw new Unevaluable(`${node.text}: no way leads from ${a} to ${b}`);
      return ticks2;
    }
    case "inside":
      return isInside(a, b, node, env);
    case "abs":
      return Math.abs(a);
    case "clamp":
      return Math.min(Math.max(a, b), c2);
    case "min":
    case "max": {
      const numbers = Array.isArray(a) ? a : args2;
      if (numbers.length === 0) throw new Unevaluable(`${node.text}: the list is empty`);
      return numbers.reduce((x, y) => node.name === "min" ? Math.min(x, y) : Math.max(x, y));
    }
  }
}
function placeOf(value3, node, env) {
  if (typeof value3 === "string" && Object.hasOwn(env.world.map.places, value3)) return value3;
  throw new Unevaluable(`${node.text}: ${value3 === null ? "null" : JSON.stringify(value3)} is no place`);
}
function isInside(x, y, node, env) {
  if (typeof x !== "string" || getEntity(env.world.entities, x) === void 0)
    throw new Unevaluable(`${node.text}: no entity stands inside`);
  if (typeof y !== "string") throw new Unevaluable(`${node.text}: there is nothing to be inside of`);
  let holders = 0;
  for (let entity = getEntity(env.world.entities, x); entity !== void 0; ) {
    if ((holders += 1) > env.world.entities.ids.length) throw new Unevaluable(`${node.text}: ${x} is inside itself`);
    env.reads?.add(`${entity.id}.at`);
    const at = valueOf(entity, "at");
    if (at === void 0) throw new Unevaluable(`${node.text}: where ${entity.id} is, is not known`);
    env.observed?.set(`${entity.id}.at`, at);
    if (at === y) return true;
    entity = typeof at === "string" ? getEntity(env.world.entities, at) : void 0;
  }
  return false;
}

// src/runtime/expression/parse.ts
import { Environment, ParseError } from "@marcbachmann/cel-js";
var environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: {
    maxAstNodes: LIMITS.expressionNodes,
    maxDepth: 50,
    maxListElements: LIMITS.listElements,
    maxMapEntries: 1,
    maxCallArguments: 16
  }
});
function parseExpression(text2) {
  if (text2.length > LIMITS.expressionCharacters) {
    return refuse("expression_too_long", `the expression has ${text2.length} characters`, {
      hint: `at most ${LIMITS.expressionCharacters}; split it into several requirements`
    });
  }
  try {
    return succeed(environment.parse(text2).ast);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    if (error.code.includes("limit") || error.summary.includes("Exceeded")) {
      return refuse("expression_too_large", `the expression is too large: ${error.summary}`, {
        hint: `at most ${LIMITS.expressionNodes} nodes, 50 deep; split it into several requirements`
      });
    }
    const at = error.range ? `, at character ${error.range.start + 1}` : "";
    const why = error.summary.replace(/\p{Surrogate}/gu, "\uFFFD");
    return refuse("expression_syntax", `${JSON.stringify(text2)} does not parse: ${why}${at}`, {
      hint: "expressions are CEL: == != < <= > >= && || ! + - * / %, a ? b : c, x in [a, b], who.at, all(type).exists(x, \u2026)"
    });
  }
}

// src/runtime/expression/index.ts
function compileExpression(text2, scope) {
  const parsed = parseExpression(text2);
  if (!parsed.ok) return parsed;
  return compileTree(parsed.value, text2, scope);
}
function compileTree(ast, text2, scope) {
  try {
    const { node, type } = checkNode(ast, scope);
    return succeed({ text: text2, root: node, type });
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    return refuse(error.code, error.message, { hint: error.hint });
  }
}
function compileBool(text2, scope) {
  const compiled = compileExpression(text2, scope);
  if (!compiled.ok || compiled.value.type.kind === BOOL.kind) return compiled;
  return refuse("expression_type", `${text2} is ${describeType(compiled.value.type)}, not true or false`);
}
function evaluate(expression4, env) {
  try {
    return { ok: true, value: evaluateNode(expression4.root, env) };
  } catch (error) {
    if (error instanceof Unevaluable) return { ok: false, reason: error.message };
    throw error;
  }
}
function isConstant({ root }) {
  let constant = true;
  walk(root, ({ kind }) => {
    if (["variable", "entity", "clock", "field", "member", "extent", "alongside"].includes(kind)) constant = false;
  });
  return constant;
}
function compileCondition(world, text2) {
  return compileBool(text2, { world, variables: {}, mayReadClock: true, mayReadStep: false });
}
function mentionsOfExpressions(expressions3) {
  const types = /* @__PURE__ */ new Set();
  const ranges = /* @__PURE__ */ new Set();
  const entities2 = /* @__PURE__ */ new Set();
  const fields = /* @__PURE__ */ new Set();
  for (const { root } of expressions3) {
    walk(root, (node) => {
      if (node.kind === "extent") ranges.add(node.type);
      if (node.kind === "extent") types.add(node.type);
      if (node.kind === "entity") entities2.add(node.id);
      if (node.kind === "field") fields.add(node.field);
      if (node.kind === "call" && node.name === "inside") fields.add("at");
    });
  }
  return { types, ranges, entities: entities2, fields };
}

// src/runtime/compile-fault.ts
var CompileFault = class extends Error {
  error;
  constructor(error, path3) {
    super(error.message);
    this.error = { ...error, path: error.path === void 0 ? path3 : `${path3}.${error.path}` };
  }
};
function orFault(result, path3) {
  if (result.ok) return result.value;
  throw new CompileFault(result.error, path3);
}
function fault(code, message, path3, hint) {
  const refused3 = refuse(code, message, { hint });
  throw new CompileFault(refused3.error, path3);
}
function expectType(compiled, expected, path3) {
  const { type } = compiled;
  const never = () => fault(
    "expression_type",
    `${compiled.text} is ${describeType(type)}, but ${describeType(expected)} is needed`,
    path3,
    type.kind === "text" && type.literal !== void 0 ? "ids stand without quotes" : void 0
  );
  if (expected.kind === "holder") {
    if (!["place", "entity", "holder", "null"].includes(type.kind)) never();
  } else if (expected.kind === "text") {
    if (type.kind !== "text" && type.kind !== "enum") never();
  } else if (expected.kind === "entity" && type.kind === "null") {
    if (!expected.nullable) never();
  } else if (expected.kind === "place" && type.kind === "null") {
    never();
  } else if (faultOfEquality(type, expected) !== void 0) {
    never();
  }
  return compiled;
}

// src/runtime/value-check.ts
function checkFieldValue(around, field, value3) {
  switch (field.kind) {
    case "bool":
      return typeof value3 === "boolean" ? succeed(value3) : wrongType(field, value3);
    case "int":
    case "number":
      return checkNumber(field, value3);
    case "text":
      if (typeof value3 !== "string") return wrongType(field, value3);
      if (value3.length > LIMITS.textCharacters) {
        return refuse("text_too_long", `a text of ${value3.length} characters`, {
          hint: `at most ${LIMITS.textCharacters}`
        });
      }
      return succeed(value3);
    case "enum":
      if (typeof value3 !== "string") return wrongType(field, value3);
      if (field.values.includes(value3)) return succeed(value3);
      return refuse("out_of_range", `${JSON.stringify(value3)} is no word of this enum`, {
        hint: suggest(value3, field.values)
      });
    case "place":
      if (typeof value3 !== "string") return wrongType(field, value3);
      return checkPlace(around, value3);
    case "ref":
      return value3 === null ? succeed(null) : checkReference(around, field.of, value3, field);
    case "refs":
      return checkReferences(around, field, value3);
  }
}
function checkNumber(field, value3) {
  if (typeof value3 !== "number") return wrongType(field, value3);
  if (!Number.isFinite(value3))
    return refuse("out_of_range", `${value3} is no finite number`, { hint: `the field is ${describeField(field)}` });
  if (field.kind === "int" && !Number.isSafeInteger(value3)) {
    return refuse("out_of_range", `${value3} is no whole number`, { hint: `the field is ${describeField(field)}` });
  }
  const rounded = field.kind === "int" ? value3 + 0 : roundTo(value3, field.digits);
  if (field.min !== void 0 && rounded < field.min || field.max !== void 0 && rounded > field.max) {
    return refuse("out_of_range", `${rounded} is out of range`, { hint: `the field is ${describeField(field)}` });
  }
  return succeed(rounded);
}
function checkPlace(around, value3) {
  if (Object.hasOwn(around.map.places, value3)) return succeed(value3);
  return refuse("unknown_place", `there is no place ${JSON.stringify(value3)}`, {
    hint: suggest(value3, Object.keys(around.map.places))
  });
}
function checkReference(around, of, value3, field) {
  if (typeof value3 !== "string") return wrongType(field, value3);
  const entity = getEntity(around.entities, value3);
  if (entity === void 0) {
    return refuse("broken_reference", `there is no entity ${JSON.stringify(value3)}`, {
      hint: suggest(value3, around.entities.ids)
    });
  }
  if (entity.type !== of) {
    return refuse("wrong_entity_type", `${value3} is of type ${entity.type}`, {
      hint: `the field is ${describeField(field)}`
    });
  }
  return succeed(value3);
}
function checkReferences(around, field, value3) {
  if (!Array.isArray(value3)) return wrongType(field, value3);
  for (const one of value3) {
    const checked = checkReference(around, field.of, one, field);
    if (!checked.ok) return checked;
  }
  return succeed([...new Set(value3)].sort(compareText));
}
function wrongType(field, value3) {
  return refuse("wrong_type", `${show(value3)} is not ${describeField(field)}`);
}
function suggestPlace({ map, entities: entities2 }, value3) {
  const places = Object.keys(map.places);
  const near = nearestWord(value3, [...places, ...entities2.ids]);
  return near === void 0 ? suggest(value3, places) : `did you mean "${near}"?`;
}
function checkAt(around, value3) {
  if (value3 === null) return succeed(null);
  if (typeof value3 !== "string") return refuse("wrong_type", `${show(value3)} is no place and no entity`);
  if (Object.hasOwn(around.map.places, value3) || getEntity(around.entities, value3) !== void 0) return succeed(value3);
  return refuse("broken_reference", `${JSON.stringify(value3)} is no place and no entity`, {
    hint: suggestPlace(around, value3)
  });
}
function circleFrom(entities2, id2, safe) {
  const way = [];
  const seen2 = /* @__PURE__ */ new Set();
  for (let at = id2; typeof at === "string" && !safe.has(at); at = getEntity(entities2, at)?.at) {
    way.push(at);
    if (seen2.has(at)) return way.slice(way.indexOf(at));
    seen2.add(at);
  }
  for (const one of way) safe.add(one);
  return void 0;
}
function show(value3) {
  const text2 = value3 === void 0 ? "nothing" : typeof value3 === "number" ? String(value3) : JSON.stringify(value3);
  return shorten(text2, 80);
}

// src/runtime/compile-effect.ts
var PARTS = {
  set: ["value", "expr"],
  add: ["by"],
  insert: ["value", "expr"],
  remove: ["value", "expr"],
  create: ["id", "name", "at", "fields"],
  destroy: [],
  claim: []
};
function compileEffect(effect, outer, path3, keep) {
  const verbs = EFFECT_VERBS.filter((verb2) => effect[verb2] !== void 0);
  const [verb] = verbs;
  if (verb === void 0 || verbs.length > 1) {
    fault(
      "invalid_value",
      `an effect has exactly one of ${EFFECT_VERBS.join(", ")}; this one has ${verbs.length === 0 ? "none" : verbs.join(" and ")}`,
      path3,
      '{ "set": "who.at", "expr": "to" }'
    );
  }
  for (const key of Object.keys(effect).sort(compareText)) {
    if (key !== verb && key !== "for" && !PARTS[verb].includes(key)) {
      fault("unknown_key", `${verb} takes no "${key}"`, path3, `${verb} takes ${[...PARTS[verb], "for"].join(", ")}`);
    }
  }
  const scope = effect.for === void 0 ? outer : scopeOfFor(effect.for.each, outer, path3);
  const where = effect.for?.where;
  const compiledFor = effect.for === void 0 ? {} : {
    for: {
      each: effect.for.each,
      ...where === void 0 ? {} : { where: keep(orFault(compileBool(where, scope), `${path3}.for.where`)) }
    }
  };
  switch (verb) {
    case "set":
    case "insert":
    case "remove": {
      const { target: target2, type } = compileTarget(effect[verb], scope, `${path3}.${verb}`);
      if (verb !== "set" && type.kind !== "list")
        fault("expression_type", `${target2.text} is ${describeType(type)}; ${verb} needs a refs field`, path3);
      const expected = verb === "set" ? type : type.of;
      return { ...compiledFor, verb, target: target2, source: compileSource(effect, expected, scope, path3, keep, target2) };
    }
    case "add": {
      const { target: target2, type } = compileTarget(effect.add, scope, `${path3}.add`);
      if (type.kind !== "number")
        fault("expression_type", `${target2.text} is ${describeType(type)}; add needs a number`, path3);
      if (effect.by === void 0) fault("missing_key", `add needs "by"`, path3, '{ "add": "jug.litres", "by": -1 }');
      const by = effect.by;
      return {
        ...compiledFor,
        verb,
        target: target2,
        by: typeof by === "number" ? { kind: "literal", value: by } : {
          kind: "expr",
          expr: keep(expectType(orFault(compileExpression(by, scope), `${path3}.by`), NUMBER, `${path3}.by`))
        }
      };
    }
    case "create":
      return { ...compiledFor, ...compileCreate(effect, scope, path3, keep) };
    case "destroy":
      return { ...compiledFor, verb, base: compileBase(effect.destroy, scope, `${path3}.destroy`).base };
    case "claim":
      return { ...compiledFor, verb, target: compileTarget(effect.claim, scope, `${path3}.claim`).target };
  }
}
function scopeOfFor(each, scope, path3) {
  if (lookUp(scope.world.types, each) === void 0) {
    fault(
      "unknown_type",
      `there is no type "${each}"`,
      `${path3}.for.each`,
      suggest(each, Object.keys(scope.world.types))
    );
  }
  return {
    ...scope,
    variables: { ...scope.variables, it: { kind: "entity", type: each, nullable: false, ranged: true } }
  };
}
function compileCreate(effect, scope, path3, keep) {
  const typeId = effect.create;
  const type = lookUp(scope.world.types, typeId);
  if (type === void 0)
    fault(
      "unknown_type",
      `there is no type "${typeId}"`,
      `${path3}.create`,
      suggest(typeId, Object.keys(scope.world.types))
    );
  if (effect.id === void 0)
    fault("missing_key", `create needs "id"`, path3, '{ "create": "crate", "id": "crate_2", "at": "who.at" }');
  const id2 = typeof effect.id === "string" ? { kind: "literal", value: effect.id } : {
    kind: "expr",
    expr: keep(
      expectType(orFault(compileExpression(effect.id.expr, scope), `${path3}.id.expr`), TEXT, `${path3}.id.expr`)
    )
  };
  const at = effect.at === void 0 || effect.at === null ? { kind: "literal", value: null } : {
    kind: "expr",
    expr: keep(expectType(orFault(compileExpression(effect.at, scope), `${path3}.at`), HOLDER, `${path3}.at`))
  };
  const fields = {};
  for (const [name, given] of Object.entries(effect.fields ?? {}).sort(([a], [b]) => compareText(a, b))) {
    const inner = `${path3}.fields.${name}`;
    const field = lookUp(type.fields, name);
    if (field === void 0)
      fault("unknown_field", `type ${typeId} has no field "${name}"`, inner, suggest(name, Object.keys(type.fields)));
    if (typeof given === "object" && given !== null && !Array.isArray(given)) {
      const expected = typeOfEntityField(scope.world, typeId, name);
      fields[name] = {
        kind: "expr",
        expr: keep(
          expectType(orFault(compileExpression(given.expr, scope), `${inner}.expr`), expected, `${inner}.expr`)
        )
      };
    } else {
      fields[name] = { kind: "literal", value: orFault(checkFieldValue(scope.world, field, given), inner) };
    }
  }
  return { verb: "create", type: typeId, id: id2, name: effect.name ?? "", at, fields };
}
function compileBase(text2, scope, path3) {
  const variable = lookUp(scope.variables, text2);
  if (variable?.kind === "entity")
    return { base: { kind: text2 === "it" ? "it" : "param", name: text2 }, type: variable.type };
  const entity = getEntity(scope.world.entities, text2);
  if (entity !== void 0) return { base: { kind: "entity", name: text2 }, type: entity.type };
  if (text2 === "it") fault("expression_unknown_name", `"it" means something only with "for"`, path3);
  if (variable !== void 0) fault("expression_type", `parameter "${text2}" is a value, not an entity`, path3);
  fault(
    "expression_unknown_name",
    `"${text2}" is no parameter and no entity`,
    path3,
    suggest(text2, [...Object.keys(scope.variables), ...scope.world.entities.ids])
  );
}
function compileTarget(text2, scope, path3) {
  const match = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/.exec(text2);
  if (match === null)
    fault("invalid_value", `"${text2}" is no target`, path3, "parameter.field, it.field or entity_id.field");
  const [, name = "", field = ""] = match;
  const { base, type } = compileBase(name, scope, path3);
  if (field === "name" || field === "type" || field === "id")
    fault("unknown_field", `no step changes ${text2}`, path3, "steps change fields and at");
  const fieldType = typeOfEntityField(scope.world, type, field);
  if (fieldType === void 0) {
    const known = type === void 0 ? Object.values(scope.world.types).flatMap((one) => Object.keys(one.fields)) : Object.keys(lookUp(scope.world.types, type)?.fields ?? {});
    fault(
      "unknown_field",
      `${type === void 0 ? "no type" : `type ${type}`} has no field "${field}"`,
      path3,
      suggest(field, ["at", ...known])
    );
  }
  return { target: { base, field, text: text2 }, type: fieldType };
}
function compileSource(effect, expected, scope, path3, keep, target2) {
  if (effect.value === void 0 === (effect.expr === void 0)) {
    fault(
      "invalid_value",
      `${target2.text} needs either "value" (a literal) or "expr" (an expression)`,
      path3,
      '{ "set": "gate.open", "value": true } or { "set": "who.at", "expr": "to" }'
    );
  }
  if (effect.expr !== void 0) {
    const compiled = orFault(compileExpression(effect.expr, scope), `${path3}.expr`);
    return { kind: "expr", expr: keep(expectType(compiled, expected, `${path3}.expr`)) };
  }
  return {
    kind: "literal",
    value: orFault(checkLiteral2(scope.world, expected, effect.value, scope, target2), `${path3}.value`)
  };
}
function checkLiteral2(world, expected, value3, scope, target2) {
  if (target2.field === "at") return literalHint(checkAt(world, value3), value3, scope);
  const base = lookUp(scope.variables, target2.base.name);
  const typeId = target2.base.kind === "entity" ? getEntity(world.entities, target2.base.name)?.type : base?.kind === "entity" ? base.type : void 0;
  const field = typeId === void 0 ? void 0 : lookUp(lookUp(world.types, typeId)?.fields ?? {}, target2.field);
  if (field !== void 0 && expected.kind === "entity" && field.kind === "refs") {
    return literalHint(checkFieldValue(world, { kind: "ref", of: field.of, default: null }, value3), value3, scope);
  }
  return field === void 0 ? succeed(value3) : literalHint(checkFieldValue(world, field, value3), value3, scope);
}
function literalHint(result, value3, scope) {
  if (result.ok || typeof value3 !== "string" || !Object.hasOwn(scope.variables, value3)) return result;
  return { ok: false, error: { ...result.error, hint: `"${value3}" is a parameter: write "expr": "${value3}"` } };
}

// src/runtime/duration.ts
function isDuration(value3) {
  return typeof value3 === "number" && Number.isInteger(value3) && value3 >= 1 && value3 <= LIMITS.ticks;
}
var DURATION_HINT = `a duration is a whole number of ticks, from 1 to ${LIMITS.ticks}`;

// src/runtime/compile-capability.ts
function compileCapability(world, capability) {
  try {
    return succeed(compile(world, capability));
  } catch (error) {
    if (error instanceof CompileFault) return { ok: false, error: error.error };
    throw error;
  }
}
var compiledOf = /* @__PURE__ */ new WeakMap();
function compiledCapability(world, capability) {
  const known = compiledOf.get(capability);
  if (known !== void 0) return succeed(known);
  const compiled = compileCapability(world, capability);
  if (compiled.ok) compiledOf.set(capability, compiled.value);
  return compiled;
}
function compile(world, capability) {
  const variables = {};
  const names = Object.keys(capability.params);
  if (names.length > LIMITS.paramsPerCapability)
    fault("too_many_parameters", `${names.length} parameters`, "params", `at most ${LIMITS.paramsPerCapability}`);
  for (const name of names.sort()) variables[name] = typeOfParam(world, name, capability.params[name]);
  const scope = { world, variables, mayReadClock: true, mayReadStep: true };
  const expressions3 = [];
  const keep = (expression4) => {
    expressions3.push(expression4);
    return expression4;
  };
  const requires = capability.requires.map((one, i) => {
    const path3 = `requires[${i}].expr`;
    return keep(refuseNeverMet(orFault(compileBool(one.expr, scope), path3), world, path3));
  });
  const effects2 = capability.effects.map((effect, i) => compileEffect(effect, scope, `effects[${i}]`, keep));
  const duration = typeof capability.duration === "number" ? { kind: "literal", value: capability.duration } : {
    kind: "expr",
    expr: keep(
      expectType(orFault(compileExpression(capability.duration, scope), "duration"), NUMBER, "duration")
    )
  };
  if (duration.kind === "expr") refuseNeverLasting(duration.expr, world);
  return { requires, effects: effects2, duration, expressions: expressions3, mentions: mentionsOf(capability, effects2, expressions3) };
}
function refuseNeverMet(expression4, world, path3) {
  if (!isConstant(expression4)) return expression4;
  const value3 = evaluate(expression4, { world, variables: {} });
  if (value3.ok && value3.value === true) return expression4;
  fault("expression_never_true", `${expression4.text} is never true${value3.ok ? "" : `: ${value3.reason}`}`, path3);
}
function refuseNeverLasting(expression4, world) {
  if (!isConstant(expression4)) return;
  const ticks2 = evaluate(expression4, { world, variables: {} });
  if (ticks2.ok && isDuration(ticks2.value)) return;
  fault(
    "bad_duration",
    `${expression4.text} is ${ticks2.ok ? show(ticks2.value) : `no number: ${ticks2.reason}`}`,
    "duration",
    DURATION_HINT
  );
}
function typeOfParam(world, name, param) {
  const path3 = `params.${name}`;
  if (getEntity(world.entities, name) !== void 0)
    fault("forbidden_id", `"${name}" is the id of an entity`, path3, "give the parameter another name");
  if (Object.hasOwn(world.map.places, name))
    fault("forbidden_id", `"${name}" is the id of a place`, path3, "give the parameter another name");
  const named = faultOfName(name);
  if (named !== void 0) fault("forbidden_id", named, path3);
  if (param.kind === void 0) {
    if (param.values !== void 0) fault("invalid_value", `"values" belong to kind: enum`, path3);
    if (param.type !== void 0 && lookUp(world.types, param.type) === void 0) {
      const places = param.type === "place" || ["int", "number", "text", "bool", "enum"].includes(param.type);
      fault(
        "unknown_type",
        `there is no type "${param.type}"`,
        `${path3}.type`,
        places ? `did you mean { "kind": "${param.type}" }?` : suggest(param.type, Object.keys(world.types))
      );
    }
    return { kind: "entity", type: param.type, nullable: false };
  }
  if (param.type !== void 0)
    fault("invalid_value", "a parameter has a type (an entity) or a kind (a value), not both", path3);
  if (param.kind === "enum" !== (param.values !== void 0))
    fault("invalid_value", `kind: enum and "values" go together`, path3);
  switch (param.kind) {
    case "bool":
      return BOOL;
    case "int":
      return { kind: "number", whole: true };
    case "number":
      return NUMBER;
    case "text":
      return TEXT;
    case "place":
      return PLACE;
    case "enum":
      return { kind: "enum", values: param.values };
  }
}
function mentionsOf(capability, effects2, expressions3) {
  const mentioned = mentionsOfExpressions(expressions3);
  const types = new Set(mentioned.types);
  const ranges = new Set(mentioned.ranges);
  const entities2 = new Set(mentioned.entities);
  const fields = new Set(mentioned.fields);
  for (const param of Object.values(capability.params)) if (param.type !== void 0) types.add(param.type);
  for (const effect of effects2) {
    if (effect.for !== void 0) {
      types.add(effect.for.each);
      ranges.add(effect.for.each);
    }
    if (effect.verb === "create") types.add(effect.type);
    const base = "target" in effect ? effect.target.base : "base" in effect ? effect.base : void 0;
    if (base?.kind === "entity") entities2.add(base.name);
    if ("target" in effect) fields.add(effect.target.field);
    const source = "source" in effect ? effect.source : void 0;
    if (source?.kind === "literal" && typeof source.value === "string") entities2.add(source.value);
  }
  return { types, ranges, entities: entities2, fields };
}

// src/runtime/tools.ts
import * as z7 from "zod";

// src/runtime/tool-answers.ts
import * as z6 from "zod";

// src/runtime/tier.ts
import * as z5 from "zod";
var TIERS = ["easy", "hard", "extreme"];
var tierSchema = z5.enum(TIERS);
var LEVELS = ["type", "entity", "capability"];
var CONSTRUCTIBLE = {
  easy: [],
  hard: ["capability"],
  extreme: ["type", "entity", "capability"]
};
function constructibleLevels(tier) {
  return CONSTRUCTIBLE[tier];
}
function mayConstruct(tier, level) {
  return CONSTRUCTIBLE[tier].includes(level);
}

// src/runtime/tool-answers.ts
var ok = z6.literal(true);
var helpAnswerSchema = z6.strictObject({
  ok,
  topic: z6.string(),
  text: z6.string(),
  topics: z6.array(z6.string()).describe("Every topic there is")
});
var instalmentSchema = z6.strictObject({
  round: z6.int().min(1),
  text: z6.string(),
  note: z6.string().optional().describe("That the text is cut, and how to read on"),
  cursor: z6.string().optional().describe("For get_context, to read on")
});
var budget = z6.strictObject({ allowed: z6.int(), used: z6.int(), left: z6.int() });
var contextAnswerSchema = z6.strictObject({
  ok,
  case: z6.string(),
  tier: tierSchema,
  round: z6.int().min(1),
  step: z6.int().min(0).describe("Accepted steps so far"),
  rejected: z6.int().min(0).describe("Refused steps so far"),
  clock: z6.int(),
  unit: z6.string().describe("What one tick of the clock is"),
  budgets: z6.strictObject({
    roundSteps: budget.describe("Steps of this round, refused ones counted"),
    roundCalls: budget.describe("Calls of this round"),
    runCalls: budget.describe("Calls of the run; each round that opens adds to it")
  }),
  earlierRounds: z6.strictObject({ first: z6.int(), last: z6.int() }).nullable().describe("Rounds whose instalments get_context gives again by `round`"),
  narrative: instalmentSchema
});
var readAnswerSchema = z6.strictObject({
  ok,
  from: z6.string(),
  entries: z6.array(z6.record(z6.string(), z6.json())),
  cursor: z6.string().optional().describe("There is more: the same query with this cursor")
});
var constructAnswerSchema = z6.strictObject({
  ok,
  construction: z6.int().min(1),
  op: z6.enum(["create", "update", "delete"]),
  level: z6.enum(LEVELS),
  id: z6.string(),
  version: z6.int().min(1).optional().describe("Of a capability: the version that triggers use from now on")
});
var shownValue = z6.union([z6.null(), z6.boolean(), z6.number(), z6.string(), z6.array(z6.string())]);
var changeSchema = z6.strictObject({
  trigger: z6.string(),
  path: z6.string(),
  before: shownValue.optional(),
  after: shownValue.optional(),
  by: z6.number().optional().describe("What this trigger added"),
  created: z6.string().optional().describe("The type of the entity that came into being"),
  destroyed: z6.string().optional().describe("The type of the entity that is gone")
});
var stepAnswerSchema = z6.strictObject({
  ok,
  step: z6.int().min(1),
  start: z6.int(),
  clock: z6.int().describe("The clock after the step"),
  triggers: z6.array(z6.strictObject({ id: z6.string(), capability: z6.string(), start: z6.int(), end: z6.int() })),
  changes: z6.array(changeSchema),
  note: z6.string().optional().describe("What is not shown here, and how to read it")
});
var endRoundAnswerSchema = z6.strictObject({
  ok,
  round: z6.int().min(1).describe("The round that is closed"),
  steps: z6.int().min(0).describe("Its accepted steps"),
  rejected: z6.int().min(0).describe("Its refused steps"),
  clock: z6.int(),
  finished: z6.boolean().describe("Whether the case is finished"),
  next: instalmentSchema.optional().describe("The next instalment")
});
var errorAnswerSchema = z6.strictObject({ ok: z6.literal(false), error: toolErrorSchema });

// src/runtime/tools.ts
var helpInputSchema = z7.strictObject({
  topic: z7.string().optional().describe(
    "A topic of the answer's list, such as capabilities, expressions, steps, example; the overview where left out"
  )
});
var contextInputSchema = z7.strictObject({
  round: z7.int().min(1).optional().describe("An earlier round, to read its instalment again; the newest where left out"),
  cursor: z7.string().optional().describe("The cursor of an answer that was cut, to read on")
});
var SOURCES = ["map", "types", "entities", "capabilities", "invariants", "log", "constructions"];
var readInputSchema = z7.strictObject({
  from: z7.enum(SOURCES).describe("What to read"),
  id: z7.string().optional().describe('One entry by its id; in the log a step ("12", "r1") or a trigger ("t12_1")'),
  type: idOf.optional().describe("Entities of this type only"),
  where: z7.string().min(1).optional().describe('Only entries for which this expression over `it` is true: "it.at == kitchen"'),
  fields: z7.array(z7.string()).min(1).max(LIMITS.fieldsPerType).optional().describe("Only these members of each entry"),
  limit: z7.int().min(1).max(LIMITS.pageEntries).default(LIMITS.defaultPageEntries).describe("Entries a page; a page may hold fewer, since it never exceeds 8 KB"),
  cursor: z7.string().optional().describe("The cursor of the page before, with the same query")
});
var typePartSchema = z7.strictObject({
  id: idOf,
  says: textOf.optional().describe("One sentence: what such a thing is"),
  fields: z7.record(idOf, fieldSchema).optional().describe("Its fields; in an update those to add")
});
var entityPartSchema = z7.strictObject({
  id: nameOf,
  type: idOf.optional().describe("Its type; needed to create"),
  name: textOf.optional().describe("What it is called; its id where left out"),
  at: z7.string().nullable().optional().describe("A place, another entity that holds it, or null"),
  fields: z7.record(idOf, literalSchema).optional().describe("Fields that differ from their defaults")
});
var constructInputSchema = z7.strictObject({
  op: z7.enum(["create", "update", "delete"]).describe("What to do with it"),
  type: typePartSchema.optional().describe("The type to create, or the fields to add to it"),
  entity: entityPartSchema.optional().describe("The entity to create, or its id and mended name"),
  capability: capabilitySchema.optional().describe("The capability to create, or its whole new version"),
  level: z7.enum(["type", "entity", "capability"]).optional().describe("Needed to delete: what `id` names"),
  id: z7.string().optional().describe("Needed to delete: what is to go")
});
var stepInputSchema = z7.strictObject({
  triggers: z7.array(triggerSchema).max(LIMITS.triggersPerStep).default([]).describe("What is done, all at once; none for a wait"),
  until: z7.literal("first").optional().describe("The clock moves to the earliest end only: longer doings go on while the next step begins"),
  advance: z7.int().min(0).max(LIMITS.ticks).default(0).describe("Ticks the clock moves on afterwards; a wait needs at least 1")
});
var endRoundInputSchema = z7.strictObject({});

// src/runtime/budget.ts
var BUDGET_FORMULA = {
  stepsFactor: 4,
  stepsExtra: 10,
  callsFactor: 12,
  callsExtra: 40,
  /** The run's calls as a multiple of its rounds' calls. It only ends a run that goes on asking when nothing is left to do. */
  runFactor: 2
};

// src/runtime/build-world.ts
import { freeze as freeze3 } from "immer";

// src/runtime/entity-check.ts
function makeEntity(world, draft) {
  const type = lookUp(world.types, draft.type);
  if (type === void 0) {
    return refuse("unknown_type", `there is no type "${draft.type}"`, {
      path: "type",
      hint: suggest(draft.type, Object.keys(world.types))
    });
  }
  if (Object.hasOwn(world.map.places, draft.id)) {
    return refuse("already_exists", `"${draft.id}" is a place`, {
      path: "id",
      hint: "an entity needs an id of its own"
    });
  }
  const unknown = Object.keys(draft.fields).sort().find((field) => !Object.hasOwn(type.fields, field));
  if (unknown !== void 0) {
    return refuse("unknown_field", `type ${type.id} has no field "${unknown}"`, {
      path: `fields.${unknown}`,
      hint: suggest(unknown, Object.keys(type.fields)) ?? `type ${type.id} has no fields`
    });
  }
  const fields = {};
  for (const id2 of Object.keys(type.fields).sort()) {
    const field = type.fields[id2];
    if (field === void 0) continue;
    const given = lookUp(draft.fields, id2);
    const checked = checkFieldValue(world, field, given === void 0 ? defaultOf(field) : given);
    if (!checked.ok) return { ok: false, error: { ...checked.error, path: `fields.${id2}` } };
    fields[id2] = checked.value;
  }
  const at = checkAt(world, draft.at);
  if (!at.ok) return { ok: false, error: { ...at.error, path: "at" } };
  return succeed({
    id: draft.id,
    type: type.id,
    name: draft.name === "" ? draft.id : draft.name,
    at: at.value,
    fields
  });
}

// src/runtime/invariant-check.ts
var compiledOf2 = /* @__PURE__ */ new WeakMap();
function compileInvariant(world, invariant) {
  const known = compiledOf2.get(invariant);
  if (known !== void 0) return succeed(known);
  const expression4 = compileBool(invariant.expr, { world, variables: {}, mayReadClock: false, mayReadStep: false });
  if (!expression4.ok) return expression4;
  const compiled = { invariant, expression: expression4.value, mentions: mentionsOfExpressions([expression4.value]) };
  compiledOf2.set(invariant, compiled);
  return succeed(compiled);
}

// src/runtime/build-world.ts
function buildWorld(parts) {
  const faults = [];
  const report = (path3, error) => faults.push({
    path: [...path3, ...splitPath(error.path)],
    message: error.message,
    ...error.hint === void 0 ? {} : { hint: error.hint }
  });
  const over = (what) => {
    const count7 = Object.keys(parts[what]).length;
    if (count7 > LIMITS[what]) report([what], { message: `${count7} ${what}; at most ${LIMITS[what]}` });
  };
  over("types");
  over("entities");
  over("capabilities");
  checkMap(parts.map, report);
  const bare = {
    clock: parts.clock,
    map: parts.map,
    types: parts.types,
    entities: tableOf([]),
    capabilities: {},
    invariants: [],
    retired: []
  };
  for (const id2 of sortedKeys(parts.types))
    checkType(bare, parts.types[id2], (path3, error) => report(["types", id2, ...path3], error));
  if (faults.length > 0) return { ok: false, error: faults };
  const populated = { ...bare, entities: populate(bare, parts.entities, report) };
  if (faults.length > 0) return { ok: false, error: faults };
  const capabilities2 = {};
  for (const id2 of sortedKeys(parts.capabilities)) {
    const draft = parts.capabilities[id2];
    const capability = { ...draft, version: 1 };
    const compiled = compiledCapability(populated, capability);
    if (compiled.ok) capabilities2[id2] = capability;
    else report(["capabilities", id2], compiled.error);
  }
  const invariants = parts.invariants.map((invariant) => ({ ...invariant }));
  invariants.forEach((invariant, i) => {
    const compiled = compileInvariant(populated, invariant);
    if (!compiled.ok) return report(["invariants", i, "expr"], compiled.error);
    const holds2 = evaluate(compiled.value.expression, { world: populated, variables: {} });
    if (holds2.ok && holds2.value === true) return void 0;
    return report(["invariants", i, "expr"], {
      message: `the invariant does not hold at the beginning: ${invariant.expr}${holds2.ok ? "" : ` (${holds2.reason})`}`
    });
  });
  if (faults.length > 0) return { ok: false, error: faults };
  return { ok: true, value: freeze3({ ...populated, capabilities: capabilities2, invariants }, true) };
}
function sortedKeys(record15) {
  return Object.keys(record15).sort(compareText);
}
function splitPath(path3) {
  if (path3 === void 0) return [];
  return [...path3.matchAll(/[^.[\]]+/g)].map(([part]) => /^[0-9]+$/.test(part) ? Number(part) : part);
}
function checkMap(map, report) {
  const places = Object.keys(map.places);
  map.links.forEach((link, i) => {
    for (const end of ["from", "to"]) {
      if (Object.hasOwn(map.places, link[end])) continue;
      report(["map", "links", i, end], {
        message: `there is no place "${link[end]}"`,
        hint: suggest(link[end], places)
      });
    }
  });
}
function checkType(world, type, report) {
  const types = [...Object.keys(world.types), type.id];
  if (Object.keys(type.fields).length > LIMITS.fieldsPerType)
    report(["fields"], { message: `more than ${LIMITS.fieldsPerType} fields` });
  for (const id2 of sortedKeys(type.fields)) {
    const field = type.fields[id2];
    const path3 = ["fields", id2];
    if (field.kind === "ref" || field.kind === "refs") {
      if (!types.includes(field.of))
        report([...path3, "of"], { message: `there is no type "${field.of}"`, hint: suggest(field.of, types) });
      continue;
    }
    if ((field.kind === "int" || field.kind === "number") && field.min !== void 0 && field.max !== void 0 && field.min > field.max) {
      report(path3, { message: `min ${field.min} is above max ${field.max}` });
      continue;
    }
    if (field.kind === "enum" && new Set(field.values).size !== field.values.length) {
      report([...path3, "values"], { message: "a word stands twice" });
    }
    const checked = checkFieldValue(world, field, defaultOf(field));
    if (!checked.ok)
      report([...path3, "default"], {
        message: `default: ${checked.error.message}`,
        hint: checked.error.hint ?? `the field is ${describeField(field)}`
      });
  }
}
function populate(world, drafts, report) {
  const ids2 = sortedKeys(drafts);
  const known = [];
  for (const id2 of ids2) {
    const draft = drafts[id2];
    if (Object.hasOwn(world.types, draft.type))
      known.push({ id: id2, type: draft.type, name: draft.name, at: null, fields: {} });
    else {
      const hint = nearestWord(draft.type, Object.keys(world.types));
      report(["entities", id2, "type"], {
        message: `there is no type "${draft.type}"`,
        hint: hint && `did you mean "${hint}"?`
      });
    }
  }
  const around = { ...world, entities: tableOf(known) };
  const made = [];
  for (const { id: id2 } of known) {
    const entity = makeEntity(around, drafts[id2]);
    if (entity.ok) made.push(entity.value);
    else report(["entities", id2], entity.error);
  }
  const table = changeEntities(
    around.entities,
    made.map((entity) => ({ kind: "put", entity }))
  );
  const safe = /* @__PURE__ */ new Set();
  for (const { id: id2 } of made) {
    const circle = circleFrom(table, id2, safe);
    if (circle !== void 0)
      report(["entities", id2, "at"], { message: `${circle.slice(0, 6).join(" in ")}: nothing is inside itself` });
  }
  return table;
}

// src/runtime/effects.ts
var EffectFault = class extends Error {
  result;
  constructor(result) {
    super(result.error.message);
    this.result = result;
  }
};
function fail(code, message, hint) {
  throw new EffectFault(refuse(code, message, { hint }));
}
function operationsOf(effects2, env) {
  try {
    return succeed(effects2.flatMap((effect) => operationsOfEffect(effect, env)));
  } catch (error) {
    if (error instanceof EffectFault) return error.result;
    throw error;
  }
}
function operationsOfEffect(effect, env) {
  if (effect.for === void 0) return [operationOf(effect, env)];
  const { each, where } = effect.for;
  env.reads?.add(`${each}.*`);
  const operations = [];
  for (const it of entityIdsOfType(env.world.entities, each)) {
    const inner = { ...env, variables: { ...env.variables, it } };
    if (where !== void 0) {
      const matches = evaluate(where, inner);
      if (!matches.ok) fail("effect_failed", `where ${where.text} cannot be evaluated for ${it}: ${matches.reason}`);
      if (matches.value !== true) continue;
    }
    if (operations.length >= LIMITS.matchesPerFor)
      fail("too_many_matches", `more than ${LIMITS.matchesPerFor} entities of type ${each} match`);
    operations.push(operationOf(effect, inner));
  }
  return operations;
}
function operationOf(effect, env) {
  switch (effect.verb) {
    case "set": {
      const { id: id2, field, spec } = locate(effect.target, env);
      return { kind: "set", id: id2, field, value: tidy(spec, valueOfSource(effect.source, env)) };
    }
    case "add": {
      const { id: id2, field, spec } = locate(effect.target, env);
      if (spec?.kind !== "int" && spec?.kind !== "number") fail("effect_failed", `${id2}.${field} is no number`);
      env.reads?.add(`${id2}.${field}`);
      const by = valueOfSource(effect.by, env);
      if (typeof by !== "number") fail("effect_failed", `${effect.target.text} cannot be raised by ${show(by)}`);
      return { kind: "add", id: id2, field, by: spec.kind === "int" ? by : roundTo(by, spec.digits) };
    }
    case "insert":
    case "remove": {
      const { id: id2, field } = locate(effect.target, env);
      const member = valueOfSource(effect.source, env);
      if (typeof member !== "string") fail("effect_failed", `${show(member)} is no member of ${id2}.${field}`);
      return { kind: effect.verb, id: id2, field, member };
    }
    case "claim": {
      const { id: id2, field } = locate(effect.target, env);
      return { kind: "claim", id: id2, field };
    }
    case "destroy":
      return { kind: "destroy", id: baseOf(effect.base, env) };
    case "create": {
      const id2 = valueOfSource(effect.id, env);
      const fault2 = typeof id2 === "string" ? faultOfName(id2) : `${show(id2)} is no id`;
      if (typeof id2 !== "string" || fault2 !== void 0) fail("forbidden_id", `the new entity: ${fault2}`);
      const at = valueOfSource(effect.at, env);
      const fields = Object.fromEntries(
        Object.entries(effect.fields).map(([name, source]) => [
          name,
          valueOfSource(source, env)
        ])
      );
      return { kind: "create", id: id2, draft: { id: id2, type: effect.type, name: effect.name, at, fields } };
    }
  }
}
function tidy(spec, value3) {
  if (spec?.kind === "refs" && Array.isArray(value3)) return asSet(value3);
  if (typeof value3 !== "number") return value3;
  return spec?.kind === "number" ? roundTo(value3, spec.digits) : value3 + 0;
}
function asSet(list) {
  const isSet = list.every((member, i) => i === 0 || compareText(list[i - 1], member) < 0);
  return isSet ? list : [...new Set(list)].sort(compareText);
}
function locate(target2, env) {
  const id2 = baseOf(target2.base, env);
  const entity = getEntity(env.world.entities, id2);
  if (entity === void 0) fail("effect_failed", `${target2.text}: there is no entity ${id2}`);
  if (target2.field === "at") return { id: id2, field: "at", spec: void 0 };
  const spec = fieldOf(env.world, entity.type, target2.field);
  if (spec === void 0)
    fail("effect_failed", `${target2.text}: ${id2} is of type ${entity.type}, which has no field "${target2.field}"`);
  return { id: id2, field: target2.field, spec };
}
function fieldOf(world, type, field) {
  return lookUp(lookUp(world.types, type)?.fields ?? {}, field);
}
function baseOf(base, env) {
  if (base.kind === "entity") return base.name;
  const id2 = env.variables[base.name];
  if (typeof id2 !== "string") fail("effect_failed", `${base.name} is no entity`);
  return id2;
}
function valueOfSource(source, env) {
  if (source.kind === "literal") return source.value;
  const evaluation = evaluate(source.expr, env);
  if (!evaluation.ok) fail("effect_failed", `${source.expr.text} cannot be evaluated: ${evaluation.reason}`);
  return evaluation.value;
}

// src/runtime/record.ts
import * as z10 from "zod";

// src/runtime/deduction/record.ts
import * as z8 from "zod";

// src/runtime/deduction/scenario.ts
var CONDITIONS = ["open", "naming"];
var MODES = ["M1", "M2"];
var LOOKAHEAD_TICKS = 48;
var DEDUCTION_BUDGET = {
  /** Submissions (`commit_step`) of a round, refused ones counted. */
  submissions: 12,
  /** Calls of a round. */
  calls: 60,
  /** Calls of the first round, in which the world is read. */
  firstCalls: 160
};

// src/runtime/deduction/record.ts
function mapOf(value3, most, what) {
  return z8.record(z8.string(), value3).refine((record15) => Object.keys(record15).length <= most, `at most ${most} ${what}`);
}
var submitted = mapOf(literalSchema, LIMITS.predictionEntries, "predicted changes").describe(
  "entity_id.field (or entity_id.at): its value; entity_id: the type it comes into being with, or destroyed"
);
var changes = mapOf(literalSchema, LIMITS.changedPaths, "changes");
var ids = z8.array(z8.string()).max(LIMITS.predictionEntries);
var actionUseSchema = z8.strictObject({
  action: z8.string().describe("wait, or the id of an action"),
  args: mapOf(argSchema, LIMITS.paramsPerCapability, "arguments")
});
var predictionsSchema = z8.strictObject({
  segment: submitted.optional().describe("M1: the changes of this segment"),
  interval: submitted.optional().describe("M2: the changes up to the next decision point"),
  lookahead: submitted.optional().describe("M2: the changes of the lookahead"),
  action: submitted.optional().describe("M2: the fields that would differ, had another action been taken"),
  happening: submitted.optional().describe("M2: the fields that would differ, had something not happened")
});
var submissionSchema = z8.strictObject({
  kind: z8.literal("submission"),
  round: z8.int().min(1),
  action: actionUseSchema.optional().describe("M2: what is done; wait where none was given"),
  predict: predictionsSchema,
  fires: ids.optional().describe("Processes said to fire in the segment or interval, sorted")
});
var answered = submitted.nullable().optional();
var truth = changes.optional();
var happeningSchema = z8.discriminatedUnion("kind", [
  z8.strictObject({ kind: z8.literal("entry"), id: z8.string() }),
  z8.strictObject({ kind: z8.literal("process"), id: z8.string(), entity: z8.string().nullable() })
]);
var spanSchema = z8.strictObject({
  kind: z8.literal("span"),
  round: z8.int().min(1),
  mode: z8.enum(MODES),
  from: z8.int().describe("The tick after which it begins"),
  to: z8.int().describe("Its last tick"),
  action: actionUseSchema.optional().describe("M2: what was done at its beginning"),
  counterfactuals: z8.strictObject({ action: actionUseSchema.optional(), happening: happeningSchema.optional() }).optional().describe("M2: the action that was asked about instead of the last one, and what had not happened"),
  submitted: z8.strictObject({
    segment: answered,
    interval: answered,
    lookahead: answered,
    action: answered,
    happening: answered
  }).describe("Null: asked and not answered"),
  truth: z8.strictObject({ segment: truth, interval: truth, lookahead: truth, action: truth, happening: truth }),
  fires: z8.strictObject({ predicted: ids.nullable(), truth: ids }),
  legal: z8.int().min(1).describe("How many actions were possible; 1 where nobody acts"),
  goal: z8.boolean().optional().describe("Whether the goal is reached; on the last span of M2"),
  digest: z8.string().describe("Of the true world at its end")
});

// src/runtime/world.ts
import * as z9 from "zod";
var linkSchema = z9.strictObject({
  from: nameOf.describe("A place"),
  to: nameOf.describe("The place the way leads to"),
  bothWays: z9.boolean().default(false).describe("Whether it also leads back"),
  ticks: z9.int().min(1).max(LIMITS.ticks).default(1).describe("Ticks of travel")
});
var mapSchema = z9.strictObject({
  places: z9.record(nameOf, textOf).describe("Every place, by id, in words"),
  links: z9.array(linkSchema).default([]).describe("The ways between places")
});
var typeSchema = z9.strictObject({
  id: idOf,
  says: textOf.default("").describe("One sentence: what such a thing is"),
  fields: z9.record(idOf, fieldSchema).default({})
});
var entityDraftSchema = z9.strictObject({
  id: nameOf,
  type: idOf,
  name: textOf.default("").describe("What it is called; its id where left out"),
  at: z9.string().nullable().default(null).describe("A place, another entity that holds it, or null"),
  fields: z9.record(idOf, literalSchema).default({})
});
var invariantSchema = z9.strictObject({
  expr: z9.string().min(1).describe("Must be true after every step"),
  says: textOf.default("").describe("The rule in words")
});
function digestOfWorld(world) {
  return digestOf({
    clock: world.clock,
    map: digestOf(world.map),
    types: digestOf(world.types),
    entities: digestOfEntities(world.entities),
    capabilities: digestOf(world.capabilities),
    invariants: digestOf(world.invariants),
    retired: digestOf(world.retired)
  });
}

// src/runtime/record.ts
var value2 = z10.union([z10.null(), z10.boolean(), z10.number(), z10.string(), z10.array(z10.string())]);
var triggerIdOf = z10.custom((id2) => typeof id2 === "string" && /^t[1-9][0-9]*_[1-9][0-9]*$/.test(id2));
var entityRecordSchema = z10.strictObject({
  ...entityDraftSchema.shape,
  name: z10.string(),
  at: z10.string().nullable(),
  fields: z10.record(z10.string(), value2)
});
var same = z10.literal(true).optional().describe("The write left the value as it was");
var path = z10.string().describe("entity_id.field");
var writeSchema = z10.discriminatedUnion("kind", [
  z10.strictObject({ kind: z10.literal("set"), path, before: value2, after: value2, same }),
  z10.strictObject({ kind: z10.literal("add"), path, before: z10.number(), after: z10.number(), by: z10.number(), same }),
  z10.strictObject({
    kind: z10.enum(["insert", "remove"]),
    path,
    before: z10.array(z10.string()),
    after: z10.array(z10.string()),
    member: z10.string(),
    same
  }),
  z10.strictObject({
    kind: z10.enum(["create", "destroy"]),
    path: z10.string().describe("entity_id"),
    entity: entityRecordSchema
  })
]);
var acceptedTriggerSchema = z10.strictObject({
  id: triggerIdOf,
  capability: z10.string(),
  version: z10.int().min(1).describe("The version of the capability it used"),
  args: z10.record(z10.string(), argSchema),
  note: z10.string().optional(),
  start: z10.int(),
  end: z10.int(),
  reads: z10.array(z10.string()).describe(
    "Every path its requirements, effects and duration looked at, sorted: entity.field, type.*, type.*.field"
  ),
  writes: z10.array(writeSchema)
});
var acceptedStepSchema = z10.strictObject({
  kind: z10.literal("accepted"),
  step: z10.int().min(1).describe("Accepted steps are numbered 1, 2, \u2026"),
  round: z10.int().min(1),
  start: z10.int().describe("The clock before"),
  clock: z10.int().describe("The clock after"),
  until: z10.literal("first").optional(),
  advance: z10.int(),
  triggers: z10.array(acceptedTriggerSchema),
  digest: z10.string().describe("Of the world after the step")
});
var rejectedStepSchema = z10.strictObject({
  kind: z10.literal("rejected"),
  step: z10.string().describe("Rejected steps are numbered r1, r2, \u2026"),
  round: z10.int().min(1),
  start: z10.int(),
  triggers: z10.array(z10.strictObject({ capability: z10.string(), args: z10.record(z10.string(), argSchema) })),
  error: toolErrorSchema
});
var versionedCapability = z10.strictObject({ ...capabilitySchema.shape, version: z10.int().min(1) });
var constructionSchema = z10.strictObject({
  kind: z10.literal("construction"),
  construction: z10.int().min(1).describe("Accepted constructions are numbered 1, 2, \u2026"),
  round: z10.int().min(1),
  afterStep: z10.int().min(0).describe("The number of accepted steps before it"),
  op: z10.enum(["create", "update", "delete"]),
  item: z10.discriminatedUnion("level", [
    z10.strictObject({ level: z10.literal("type"), id: z10.string(), now: typeSchema.nullable() }),
    z10.strictObject({ level: z10.literal("entity"), id: z10.string(), now: entityRecordSchema.nullable() }),
    z10.strictObject({ level: z10.literal("capability"), id: z10.string(), now: versionedCapability.nullable() })
  ]),
  digest: z10.string().describe("Of the world after it")
});
var roundEndSchema = z10.strictObject({
  kind: z10.literal("round_end"),
  round: z10.int().min(1),
  steps: z10.int().min(0).describe("Accepted steps of the round"),
  rejected: z10.int().min(0),
  clock: z10.int(),
  digest: z10.string().describe("Of the world at the end of the round")
});
var effectRecordSchema = z10.discriminatedUnion("kind", [
  acceptedStepSchema,
  rejectedStepSchema,
  constructionSchema,
  roundEndSchema,
  submissionSchema,
  spanSchema
]);

// src/runtime/merged-state.ts
import { freeze as freeze4 } from "immer";
function applyMerged(world, merged) {
  const faults = [];
  const report = (triggers, error) => faults.push({ triggers, error });
  const created = createAll(world, merged, report);
  let entities2 = changeEntities(world.entities, [
    ...[...created.values()].map((entity) => ({ kind: "put", entity })),
    ...merged.destroys.map(({ id: id2 }) => ({ kind: "delete", id: id2 }))
  ]);
  if (created.size + merged.destroys.length === 0) entities2 = world.entities;
  for (const { id: id2, by } of merged.destroys) {
    if (getEntity(world.entities, id2) === void 0)
      report(by, toolError("unknown_entity", `there is no entity ${id2} to destroy`));
  }
  if (faults.length > 0) return { ok: false, error: faults };
  const checkedCreates = recheckCreated(world, created, merged, entities2, report);
  const after = /* @__PURE__ */ new Map();
  const changes2 = [];
  for (const one of merged.fields) {
    const value3 = checkField2(world, entities2, one, report);
    if (value3 === void 0) continue;
    after.set(`${one.id}.${one.field}`, value3);
    changes2.push({ kind: "set", id: one.id, field: one.field, value: value3 });
  }
  if (faults.length > 0) return { ok: false, error: faults };
  changes2.push(...[...checkedCreates.values()].map((entity) => ({ kind: "put", entity })));
  entities2 = changes2.length === 0 ? entities2 : changeEntities(entities2, changes2);
  checkCircles(entities2, merged, checkedCreates, report);
  if (merged.destroys.length > 0) checkDangling(world, entities2, merged, report);
  if (faults.length > 0) return { ok: false, error: faults };
  const retired = merged.destroys.length === 0 ? world.retired : [...world.retired, ...merged.destroys.map(({ id: id2 }) => id2)].sort(compareText);
  return {
    ok: true,
    value: { world: freeze4({ ...world, entities: entities2, retired: freeze4(retired) }), after, created: checkedCreates }
  };
}
function createAll(world, merged, report) {
  const created = /* @__PURE__ */ new Map();
  const params = merged.creates.length === 0 ? /* @__PURE__ */ new Set() : paramNames(world);
  for (const { draft, by } of merged.creates) {
    if (getEntity(world.entities, draft.id) !== void 0)
      report([by], toolError("already_exists", `there is an entity ${draft.id} already`));
    else if (world.retired.includes(draft.id))
      report(
        [by],
        toolError("id_was_used", `the id ${draft.id} belonged to an entity that is gone; ids are never used again`)
      );
    else if (params.has(draft.id))
      report([by], toolError("forbidden_id", `"${draft.id}" is the name of a parameter of a capability`));
    else created.set(draft.id, { id: draft.id, type: draft.type, name: draft.name, at: draft.at, fields: {} });
  }
  if (world.entities.ids.length + created.size - merged.destroys.length > LIMITS.entities) {
    report(
      [merged.creates[0]?.by ?? 0],
      toolError("too_many_entities", `the world would hold more than ${LIMITS.entities} entities`)
    );
  }
  return created;
}
function paramNames(world) {
  return new Set(Object.values(world.capabilities).flatMap((capability) => Object.keys(capability.params)));
}
function recheckCreated(world, created, merged, entities2, report) {
  const checked = /* @__PURE__ */ new Map();
  for (const { draft, by } of merged.creates) {
    if (!created.has(draft.id)) continue;
    const made = makeEntity({ ...world, entities: entities2 }, draft);
    if (made.ok) checked.set(draft.id, made.value);
    else report([by], { ...made.error, message: `creating ${draft.id}: ${made.error.message}` });
  }
  return checked;
}
function checkField2(world, entities2, one, report) {
  const entity = getEntity(entities2, one.id);
  const around = { map: world.map, entities: entities2 };
  const spec = one.field === "at" ? void 0 : fieldOf(world, entity.type, one.field);
  const checked = spec === void 0 ? checkAt(around, one.after) : checkFieldValue(around, spec, one.after);
  if (checked.ok) return checked.value;
  report(one.by, {
    ...checked.error,
    message: `${one.id}.${one.field} would be ${show(one.after)}: ${checked.error.message}`
  });
  return void 0;
}
function checkCircles(entities2, merged, created, report) {
  const moved = [
    ...merged.fields.filter((one) => one.field === "at").map((one) => ({ id: one.id, by: one.by })),
    ...merged.creates.filter(({ draft }) => created.has(draft.id)).map(({ draft, by }) => ({ id: draft.id, by: [by] }))
  ];
  const safe = /* @__PURE__ */ new Set();
  for (const { id: id2, by } of moved) {
    const circle = circleFrom(entities2, id2, safe);
    if (circle !== void 0)
      report(by, toolError("containment_circle", `${circle.slice(0, 6).join(" in ")}: nothing is inside itself`));
  }
}
function checkDangling(world, entities2, merged, report) {
  const gone = new Map(merged.destroys.map(({ id: id2, by }) => [id2, by]));
  for (const id2 of entities2.ids) {
    for (const { field, ids: ids2 } of referencesOf(world, getEntity(entities2, id2))) {
      const target2 = ids2.find((one) => gone.has(one));
      if (target2 !== void 0) {
        report(
          gone.get(target2) ?? [],
          toolError("broken_reference", `${target2} cannot be destroyed: ${id2}.${field} refers to it`)
        );
      }
    }
  }
}
function referencesOf(world, entity) {
  const at = entity.at === null ? [] : [{ field: "at", ids: [entity.at] }];
  const others = Object.keys(entity.fields).sort(compareText).flatMap((field) => {
    const kind = fieldOf(world, entity.type, field)?.kind;
    const value3 = entity.fields[field];
    if (kind === "ref") return typeof value3 === "string" ? [{ field, ids: [value3] }] : [];
    return kind === "refs" ? [{ field, ids: value3 }] : [];
  });
  return [...at, ...others];
}

// src/runtime/page.ts
var RESERVE = 512;
var ENTRY_BYTES = LIMITS.answerBytes - RESERVE;

// src/runtime/maintenance/help-example.ts
var TOY_STORY = "Nobody heats an empty kettle. The kitchen was cold when Ana went in to heat the kettle, and it took its time; Ben swept the yard meanwhile, and when the yard was done he came in to her, before the water boiled.";
var TOY_TYPES = [
  { id: "person", says: "Somebody", fields: {} },
  {
    id: "kettle",
    says: "A kettle and what is in it",
    fields: { hot: { kind: "bool", default: false }, litres: { kind: "number", digits: 1, min: 0, default: 0 } }
  },
  { id: "floor", says: "Ground to sweep", fields: { swept: { kind: "bool", default: false } } }
];
var TOY_ENTITIES = [
  { id: "ana", type: "person", name: "Ana", at: "yard", fields: {} },
  { id: "ben", type: "person", name: "Ben", at: "yard", fields: {} },
  { id: "kettle", type: "kettle", name: "the kettle", at: "kitchen", fields: { litres: 2 } },
  { id: "yard_floor", type: "floor", name: "the floor of the yard", at: "yard", fields: {} }
];
var TOY_CAPABILITIES = [
  {
    id: "go",
    says: "Somebody goes to a place next to where they are",
    params: { who: { type: "person" }, to: { kind: "place" } },
    requires: [{ expr: "linked(who.at, to)" }],
    effects: [{ set: "who.at", expr: "to" }],
    duration: "travelTicks(who.at, to)"
  },
  {
    id: "heat",
    says: "Somebody heats a kettle beside them",
    params: { who: { type: "person" }, k: { type: "kettle" } },
    requires: [{ expr: "who.at == k.at" }, { expr: "k.litres > 0", says: "nobody heats an empty kettle" }],
    effects: [{ set: "k.hot", value: true }],
    duration: 4
  },
  {
    id: "sweep",
    says: "Somebody sweeps the ground they stand on",
    params: { who: { type: "person" }, what: { type: "floor" } },
    requires: [{ expr: "who.at == what.at" }],
    effects: [{ set: "what.swept", value: true }],
    duration: 2
  }
];
function toyConstructs(tier) {
  const items = { type: TOY_TYPES, entity: TOY_ENTITIES, capability: TOY_CAPABILITIES };
  return constructibleLevels(tier).flatMap(
    (level) => items[level].map((item) => ({
      tool: "construct",
      input: { op: "create", [level]: item }
    }))
  );
}
var go = (who, to) => ({ capability: "go", args: { who, to } });
var heat = { capability: "heat", args: { who: "ana", k: "kettle" } };
var sweep = { capability: "sweep", args: { who: "ben", what: "yard_floor" } };
var TOY_MISTAKE = {
  tool: "commit_step",
  input: { triggers: [go("ana", "kitchen"), heat] },
  answer: {
    ok: false,
    error: {
      code: "requirement_not_met",
      message: 'trigger 2 (heat): requirement not met: who.at == k.at is false; with k = "kettle", who = "ana"; who.at = "yard"; k.at = "kitchen"; nothing of this step happened',
      path: "triggers[1].requires[0]",
      hint: "requirements see the world before the step: submit this one afterwards, in a step of its own",
      failures: [
        {
          trigger: 2,
          capability: "heat",
          code: "requirement_not_met",
          message: 'requires[0]: requirement not met: who.at == k.at is false; with k = "kettle", who = "ana"; who.at = "yard"; k.at = "kitchen"',
          hint: "requirements see the world before the step: submit this one afterwards, in a step of its own"
        }
      ]
    }
  }
};
var TOY_STEPS = [
  {
    tool: "commit_step",
    input: { triggers: [go("ana", "kitchen")] },
    answer: {
      ok: true,
      step: 1,
      start: 0,
      clock: 1,
      triggers: [{ id: "t1_1", capability: "go", start: 0, end: 1 }],
      changes: [{ trigger: "t1_1", path: "ana.at", before: "yard", after: "kitchen" }]
    }
  },
  {
    tool: "commit_step",
    input: { triggers: [heat, sweep], until: "first" },
    answer: {
      ok: true,
      step: 2,
      start: 1,
      clock: 3,
      triggers: [
        { id: "t2_1", capability: "heat", start: 1, end: 5 },
        { id: "t2_2", capability: "sweep", start: 1, end: 3 }
      ],
      changes: [
        { trigger: "t2_1", path: "kettle.hot", before: false, after: true },
        { trigger: "t2_2", path: "yard_floor.swept", before: false, after: true }
      ]
    }
  },
  { tool: "commit_step", input: { triggers: [go("ben", "kitchen")] } },
  { tool: "commit_step", input: { advance: 1 } }
];

// src/runtime/maintenance/help-text.ts
var MADE = {
  easy: "The world is complete: places, types, entities, capabilities and invariants are there. **You construct nothing; you act the story out in steps**, with the capabilities that are there (`read_data` from capabilities).",
  hard: "Places, types, entities and invariants are there; capabilities are not. **You construct the capabilities, then act the story out in steps.**",
  extreme: "Only the map is there. **You construct the types, entities and capabilities that the story needs, then act it out in steps.** There are no invariants: what the world forbids is up to your capabilities."
};
var DUTY = `**A capability must refuse what the rules of the world forbid; one trigger for one doing.** A rule of the story ("nobody lights it alone", "never below four") belongs into \`requires\`, as the rule and not as the one moment you have in mind: a capability that only allows the exact values of this occasion is no rule.`;
var overview = (tier) => `## How you play

You are given a world and a story in instalments, one a round. ${MADE[tier]}

The story is not always told in the order in which things happened. Work out what happened, in which order, what at the same time, what made what possible, and which rules hold. Then make exactly that happen, through the people and things it happened to. When the instalment is acted out, call \`end_round\`: it closes the round and gives the next instalment. Later instalments build on the world as you left it.

${tier === "easy" ? "**One trigger for one doing.**" : DUTY}
- What the story tells as forbidden, or as left undone, nobody does.
- What is not told as done need not be done. A doing that is only implied (walking somewhere first) is not needed for its own sake and does no harm.
- **An argument on whose state nothing depends took no part.** Somebody takes part in a doing when it changes them or theirs, or when their state decides whether or how it happens; it does not matter whether the capability takes them as a parameter or names them by their id.
- Setting something to what it already is, is no doing.
- What happens by itself (oil burns down, a cup slips) is a doing too: of its own, or among the effects of the doing that brings it about.

## The tools

- \`get_context\`: the story, where you are, what is left of your budgets.
- \`read_data\`: the world, its log, what is constructed. Topic reading.
- \`construct\`: ${tier === "easy" ? "nothing is constructed in this tier." : `${tier === "hard" ? "capabilities" : "types, entities, capabilities"}. Topic construction.`}
- \`commit_step\`: doings that happen at once. Topics steps, time.
- \`end_round\`: closes the round for good.
- \`help\` with a \`topic\`: capabilities, expressions, steps, time, construction, reading, example, limits, errors. **Read example first**: it is a whole toy world, played, with a mistake and its mending.

An answer is \`{"ok": true, \u2026}\` or \`{"ok": false, "error": {code, message, path, hint}}\`. A refused call changes nothing; mend it as the hint says. **Calls are answered one by one, and a refused one does not stop those sent after it**: where each step builds on the one before, look at the answer first.`;
var capabilities = (tier) => `## Capabilities

A capability is something that can be done: who or what it takes (params), what must hold (requires), what it changes (effects), how long it lasts (duration).${tier === "easy" ? ' In this tier they are given: `read_data {"from": "capabilities"}` shows them in this shape.' : " `construct` takes it in this shape."}

    {"id": "hand_over", "says": "One person gives a thing they hold to another beside them",
     "params":   {"giver": {"type": "person"}, "what": {"type": "thing"}, "taker": {"type": "person"}},
     "requires": [{"expr": "what.at == giver", "says": "the giver must hold it"}, {"expr": "giver.at == taker.at"}],
     "effects":  [{"set": "what.at", "expr": "taker"}],
     "duration": 1}

- **params**: an entity (\`{"type": "person"}\`; of any type: \`{}\`) or a value (\`{"kind": "int"}\`; kinds int, number, text, bool, place, enum with \`values\`). At most ${LIMITS.paramsPerCapability}. A parameter may not bear the id of an entity or a place.
- **requires**: all must be true in the world before the step, or the trigger is refused. At most ${LIMITS.requirementsPerCapability}.
- **effects**: at most ${LIMITS.effectsPerCapability}; **none at all is allowed** (\`[]\`), but a doing without effects changes nothing. A target is \`parameter.field\`, \`it.field\` or \`entity_id.field\`; the field is one of its type's, or \`at\`.
  - \`{"set": "gate.open", "value": true}\` (a literal: true, 3, "mill", null) or \`{"set": "who.at", "expr": "to"}\` (an expression).
  - \`{"add": "jug.litres", "by": -1}\`; \`by\` is a number, or an expression in quotes.
  - \`{"insert": "crew.members", "expr": "who"}\`, \`{"remove": \u2026}\`: an entity into or out of a set (a refs field).
  - \`{"create": "crate", "id": "crate_2", "name": "a crate", "at": "who.at", "fields": {"full": true}}\`; here \`at\` is an expression, and \`id\` or a field may be \`{"expr": \u2026}\`. \`{"destroy": "crate"}\` for a parameter, \`it\` or an entity.
  - \`{"claim": "jug.litres"}\`: no other trigger of the same step may write or claim it. For what serves one only: the milk poured for one is not poured for another in the same breath.
  - \`"for": {"each": "person", "where": "it.at == gate.at"}\` applies any effect to every match, called \`it\`.
- **duration**: ticks, a whole number of at least 1 (1 where left out), or an expression such as \`"travelTicks(who.at, to)"\`.

**Holding**: \`at\` is a place, or the entity that holds it, or null. What is held stays held when its holder moves. Taking is \`{"set": "what.at", "expr": "who"}\`; **letting go** is setting \`at\` to where the holder is: \`{"set": "what.at", "expr": "who.at"}\`; nowhere, or nobody, is \`null\`: \`{"set": "lamp.keeper", "value": null}\`.

**Done together**: \`alongside("row")\` is how many *other* triggers of the same step use \`row\`: \`{"expr": "alongside(\\"row\\") >= 1", "says": "it takes two to row"}\` (\`row\` may be constructed later). Since every trigger sees the world before the step, this, \`claim\` and equal targets are the only ways in which triggers of one step notice each other. Where one doing of two people is meant, give it both as params instead.

Only effects change anything. What can never be true, an unknown field or a wrong type is refused when the capability is constructed.`;
var expressions = () => `## Expressions (CEL)

Used in requires, effects, durations, invariants and in \`where\` of read_data.

- Operators: \`== != < <= > >= && || ! + - * / %\`, \`a ? b : c\`, \`x in [a, b]\`, brackets.
- Names: parameters, entity ids, place ids, \`clock\`. Fields: \`who.at\`, \`gate.open\`; of any entity also \`name\` and \`type\`.
- **Ids and numbers stand without quotes, enum words and texts in double quotes**: \`who.at == mill\`, \`jug.litres >= 2\`, \`door.state == "ajar"\`.
- An entity where a reference is expected means its id; a place is its id. \`what.at == who\` asks whether who holds it.
- There is one kind of number: \`5 / 2\` is 2.5.
- \`null\`: \`gauge.watcher == null\` asks whether a reference is empty. A requirement that meets a null on its way (\`gauge.watcher.at\` while nobody watches) is **not met**: guard it, \`gauge.watcher != null && gauge.watcher.at == mill\`.

Functions: \`all(type)\` every entity of a type; \`entity(id)\` the entity of a computed id; \`count(list)\`; \`linked(a, b)\` next to each other on the map; \`travelTicks(a, b)\` the shortest way; \`inside(x, y)\` whether x is at y or in something that is; \`alongside("capability")\` other triggers of this step that use it (in capabilities only); \`min\`, \`max\`, \`abs\`, \`clamp(x, low, high)\`.

Lists have \`exists\`, \`all\`, \`exists_one\`, \`filter\`, \`map\`: \`all(person).exists(p, p != who && p.at == who.at)\` (somebody else is there), \`count(all(crate).filter(c, c.at == cart)) < 3\` (room for one more).

At most ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes, lists nested ${LIMITS.macroNesting} deep; no regular expressions. What could never be true (different types compared, a field that does not exist, a word the enum has not) is refused at once, with what would be right.`;
var steps = () => `## Steps

    commit_step {"triggers": [{"capability": "heat", "args": {"who": "ana", "k": "kettle"}}], "advance": 0}

A step is one or more triggers (at most ${LIMITS.triggersPerStep}), each one use of a capability with arguments: ids of entities and places, numbers, texts, true or false. A trigger may carry a \`note\` for the log: \`{"capability": "heat", "args": {\u2026}, "note": "at dusk"}\`.

- **All triggers of a step are simultaneous, and all see the world before the step.** What needs something done first goes into a later step.
- **Accepted whole or refused whole.** One requirement not met, one value out of range, a broken invariant, a reference to nothing, a circle of holding, or a conflict, and nothing happens. The answer names every failing trigger (up to ${LIMITS.failuresShown}) with the values that made it fail.
- **Conflict**: two triggers set one field differently, set what another adds to, put in what another takes out, change what another destroys. \`add\`s to one field are summed; equal \`set\`s agree.
- **One trigger for one doing.** A doing may take several triggers in several steps (three strokes of filling): it then lasts from the first to the last.
- Accepted steps are numbered 1, 2, \u2026, their triggers t1_1, t1_2, \u2026; refused steps r1, r2, \u2026 They are in the log, and both count as steps. An input that is no step at all (a misspelt key, a number in quotes) counts as a call only.
- \`changes\` of an answer shows what is different now. A trigger that changes nothing is no doing.

Topic time: what begins, ends and overlaps when.`;
var time = () => `## Time

The clock counts ticks (get_context says what a tick is). **All triggers of a step start at the clock**; each lasts its own duration: \`[start, end)\`. Afterwards the clock stands at the latest end, plus \`advance\`.

- **Begin together**: put them into one step.
- **End together**: one step, equal durations.
- **Overlap** ("while", "meanwhile"): one step; or a long doing that goes on, below. It need not lie inside the other.
- **One after the other**: two steps. The first has ended when the second begins.
- **A long doing beside two short ones**: \`"until": "first"\` lets the clock stop at the earliest end. The long doing goes on while the next step begins: heat of 4 ticks with sweep of 2 in one step until first, then the next short doing in the next step; both lie inside the heating.
  The long doing's effects count from its own step on, so what only its end makes possible goes into a step after its end: wait, or use \`advance\`.
- **Wait**: a step without triggers, \`{"advance": 5}\`. Use it where the story lets time pass, and not between things that follow at once.

\`advance\` and a duration are at most ${LIMITS.ticks} ticks. A rule about time uses \`clock\` in a requirement: \`clock >= bread.due\`. The story's hours ("by nine", "at noon") need not be met on the clock: what counts is order, what overlaps, and what follows at once. One long way or hops from place to place are the same.`;
var FIELD_KINDS = `Field kinds, each with \`says\` and a \`default\` if you like: \`{"kind": "bool"}\`, \`{"kind": "int", "min": 0, "max": 9}\`, \`{"kind": "number", "digits": 1}\` (decimal digits kept), \`{"kind": "text"}\`, \`{"kind": "enum", "values": ["shut", "open"]}\` (the first is the default), \`{"kind": "place", "default": "mill"}\`, \`{"kind": "ref", "of": "person"}\` (an entity of that type, or null, as it is at first), \`{"kind": "refs", "of": "person"}\` (a set of them, empty at first).`;
var construction = (tier) => {
  if (tier === "easy") {
    return `## Construction

In this tier nothing is constructed: types, entities and capabilities are given, and \`construct\` answers not_permitted. Read them with \`read_data\` and act with \`commit_step\`.`;
  }
  return `## Construction

In this tier you construct ${tier === "hard" ? "capabilities; types and entities are given" : "types, then entities of them, then capabilities over them"}. One item a call; constructions count as calls, not as steps, and take no time.

**Construction is for what exists, steps are for what happens.** ${mayConstruct(tier, "entity") ? "An entity's fields and place are set by construct only when it is created: create it as it is **before** anything told has happened to it. Afterwards they change by steps alone." : "Entities change by steps alone."}

${DUTY}

- Create: \`{"op": "create", "capability": {\u2026}}\` (topic capabilities).${mayConstruct(tier, "type") ? `
  \`{"op": "create", "type": {"id": "gate", "says": "A gate", "fields": {"open": {"kind": "bool"}, "keeper": {"kind": "ref", "of": "person"}}}}\`
  \`{"op": "create", "entity": {"id": "east_gate", "type": "gate", "name": "the east gate", "at": "wall", "fields": {"keeper": "tomas"}}}\`` : ""}
- Update: \`{"op": "update", "capability": {\u2026}}\` is its whole new version; steps already taken keep the version they used.${mayConstruct(tier, "type") ? ' A type\'s update only adds fields (entities that are there get the default). An entity\'s update only mends its name: `{"op": "update", "entity": {"id": "tomas", "name": "Tomas"}}`.' : ""}
- Delete: \`{"op": "delete", "level": "capability", "id": "heat"}\`. What an accepted trigger used or something refers to stays.
- **Ids** are lower-case letters, digits and _, beginning with a letter; an id is never used again.
- When a structure is needed, it must be there before it is used, and stay as it was used.
${mayConstruct(tier, "type") ? `
${FIELD_KINDS}

Give every person, thing and group of the story that does something, or to which something is done, one entity with a type whose fields hold what the story changes; do not make two of one.` : `
Types and entities: \`read_data {"from": "types"}\`, \`{"from": "entities"}\`. ${FIELD_KINDS}`}
`;
};
var reading = () => `## Reading

    read_data {"from": "entities", "type": "person", "where": "it.at == kitchen", "fields": ["name", "at"], "limit": 20}

- \`from\`: map (places, then links), types, entities, capabilities, invariants, log, constructions. In a fixed order: by id; the log and constructions as they were submitted.
- \`id\`: one entry. In the log a step ("12", "r1") or a trigger ("t12_1").
- \`type\`: entities of one type.
- \`where\`: an expression over \`it\`. Entities: \`it.litres > 0 && it.at == ana\`. Log: \`it.round == 2 && "heat" in it.capabilities\`, \`"ana" in it.arguments\`, \`!it.accepted\`. Links: \`it.kind == "link" && it.from == "yard"\` (outside of entities, ids are texts: in quotes).
- \`fields\`: only these members of each entry.
- \`limit\`: at most ${LIMITS.pageEntries} entries a page (${LIMITS.defaultPageEntries} where left out). A page never exceeds 8 KB, so it may hold fewer. Where there is a \`cursor\`, the same query with it gives the next page; steps in between neither repeat nor skip an entry of the log.
- An entry too large for a page is cut and says so; asked for by \`id\` alone it comes whole, as pieces of its JSON text.

An accepted step in the log shows for each trigger its interval, reads (what it looked at) and writes (path, before, after; \`same\` where nothing changed). Reading changes nothing but the count of calls.`;
var example = (tier) => {
  const constructs = toyConstructs(tier);
  return `## A toy world, worked

Ana and Ben are in the yard; in the kitchen stands a kettle with 2 litres in it. The story: *${TOY_STORY}*
${constructs.length === 0 ? "\nThe capabilities are there: go(who, to); heat(who, k), of duration 4, which needs who beside k and water in it; sweep(who, what), of duration 2.\n" : `
First what exists. The rule about the empty kettle is a requirement of heat.

${constructs.map(printCall).join("\n")}
`}
A first try, which is a **mistake**: Ana is still in the yard when heat looks at the world.

${printCall(TOY_MISTAKE)}
    \u2192 ${JSON.stringify(TOY_MISTAKE.answer)}

**Mended**: first she goes, then she heats. Ben sweeps at the same time; the heating goes on (\`until\`) while he comes in.

${TOY_STEPS.map((call) => `${printCall(call)}${call.answer === void 0 ? "" : `
    \u2192 ${JSON.stringify(call.answer)}`}`).join("\n")}

The heating lasts [1,5): it **begins** in step 2, and **ends** at 5 while Ben's sweeping [1,3) and his coming in [3,4) lie inside it. The wait of the last step brings the clock from 4 to 5, so that whatever needs boiling water follows. Then \`end_round {}\`.

Ben, sweeping, changes only the floor; he takes part because his place decides whether he can. Nobody filled the kettle: it is not told.`;
};
function printCall({ tool, input }) {
  return `    ${tool} ${JSON.stringify(input)}`;
}
var limits = (tier) => `## Limits and budgets

- **Steps of a round**: ${BUDGET_FORMULA.stepsFactor} \xD7 those of a worked solution + ${BUDGET_FORMULA.stepsExtra}; refused steps count. **Calls of a round**: ${BUDGET_FORMULA.callsFactor} \xD7 its calls + ${BUDGET_FORMULA.callsExtra}; every call counts, ${tier === "easy" ? "" : "constructions and "}refused ones too. \`get_context\` shows what is left.
- When either is spent, only help, get_context and end_round answer, free of charge, until you end the round.
- **Calls of the run**: each round adds ${BUDGET_FORMULA.runFactor} \xD7 its calls. Every call counts, free ones too; when they are spent the run is over.

One world: ${LIMITS.types} types, ${LIMITS.entities} entities, ${LIMITS.capabilities} capabilities. One type: ${LIMITS.fieldsPerType} fields. One capability: ${LIMITS.paramsPerCapability} parameters, ${LIMITS.requirementsPerCapability} requirements, ${LIMITS.effectsPerCapability} effects. One \`for\`: ${LIMITS.matchesPerFor} matches. One step: ${LIMITS.triggersPerStep} triggers, ${LIMITS.stepCost} operations of its expressions. One expression: ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes. One text: ${LIMITS.textCharacters} characters; one id: ${LIMITS.idCharacters}. One input: ${LIMITS.inputBytes / 1024} KB, ${LIMITS.inputDepth} deep. One answer: ${LIMITS.answerBytes / 1024} KB.`;
var errors = (tier) => `## Errors

\`{"ok": false, "error": {"code": \u2026, "message": \u2026, "path": \u2026, "hint": \u2026}}\`: what was wrong, where in your input, what would be accepted. A refused call changes nothing (it counts as a call, a refused step as a step too). Read the message: it holds the values that made it fail. For a step, \`failures\` lists each failing trigger.

- **The call**: unknown_tool, malformed_input (no JSON object), input_too_large, input_too_deep, unknown_key (keys are never ignored), missing_key, wrong_type (\`"100"\` is not 100; null is not "left out"), invalid_value, forbidden_id, text_too_long.
- **What is named**: unknown_capability, unknown_entity, unknown_type, unknown_field, unknown_place, unknown_parameter, unknown_topic, unknown_round, wrong_entity_type.
- **Expressions**: expression_syntax, expression_forbidden, expression_unknown_name, expression_type, expression_never_true, expression_too_long, expression_too_large, expression_too_nested, cost_exceeded. Of a capability also too_many_requirements, too_many_effects, too_many_parameters.
- **Steps**: requirement_not_met (perhaps something must be done in an earlier step), effect_failed, bad_duration, conflict (put them into different steps), out_of_range, broken_reference, containment_circle, invariant_broken (a law of the world: \`read_data {"from": "invariants"}\`), empty_step (a wait needs \`advance\`), too_many_triggers, too_many_matches.
- **Construction**: not_permitted${tier === "easy" ? " (always, in this tier)" : ""}, already_exists, id_was_used, in_use (the message lists what is in the way), incompatible_update, too_many_entities, too_many_types, too_many_capabilities.
- **Reading**: bad_cursor.
- **Budgets and the end**: round_budget_spent (call end_round), run_budget_spent, case_finished.`;

// src/runtime/maintenance/help.ts
var TOPICS = {
  overview,
  example,
  capabilities,
  expressions,
  steps,
  time,
  construction,
  reading,
  limits,
  errors
};
var HELP_TOPICS = Object.keys(TOPICS);

// src/runtime/query-sources.ts
var SHOWN = {
  map: ["bothWays", "from", "id", "kind", "says", "ticks", "to"],
  types: ["fields", "id", "says"],
  capabilities: ["duration", "effects", "id", "params", "requires", "says", "version"],
  invariants: ["expr", "id", "says"],
  log: "accepted advance args capability clock end error id note reads round start step triggers until version writes".split(
    " "
  ),
  constructions: ["afterStep", "id", "item", "level", "now", "op", "round"]
};

// src/runtime/step.ts
import { freeze as freeze5 } from "immer";

// src/runtime/merge.ts
function mergeOperations(world, byTrigger) {
  const cells = /* @__PURE__ */ new Map();
  const creates = /* @__PURE__ */ new Map();
  const destroys = /* @__PURE__ */ new Map();
  byTrigger.forEach((operations, trigger) => {
    for (const operation of operations) {
      if (operation.kind === "create") {
        const known = creates.get(operation.id);
        if (known) known.by.push(trigger);
        else creates.set(operation.id, { draft: operation.draft, by: [trigger] });
      } else if (operation.kind === "destroy") {
        destroys.set(operation.id, [...destroys.get(operation.id) ?? [], trigger]);
      } else {
        gather(cellOf(cells, operation.id, operation.field), operation, trigger);
      }
    }
  });
  const faults = [];
  const fields = [];
  for (const cell of sortedByKey(cells)) {
    const conflict = conflictOf(cell) ?? destroyedConflict(cell, destroys);
    if (conflict !== void 0) faults.push(conflict);
    else if (hasWrites(cell)) fields.push(mergeCell(world, cell));
  }
  for (const { draft, by } of sortedByKey(creates)) {
    if (by.length > 1) faults.push(conflictAt(by, draft.id, "it is created twice"));
  }
  for (const id2 of [...destroys.keys()].sort(compareText)) {
    const by = destroys.get(id2);
    if (creates.has(id2))
      faults.push(conflictAt([...by, ...creates.get(id2)?.by ?? []], id2, "it is created and destroyed"));
  }
  return {
    merged: {
      fields,
      creates: sortedByKey(creates).map(({ draft, by }) => ({ draft, by: by[0] })),
      destroys: [...destroys.keys()].sort(compareText).map((id2) => ({ id: id2, by: destroys.get(id2) }))
    },
    faults
  };
}
function sortedByKey(map) {
  return [...map.keys()].sort(compareText).map((key) => map.get(key));
}
function cellOf(cells, id2, field) {
  const path3 = `${id2}.${field}`;
  let cell = cells.get(path3);
  if (cell === void 0)
    cells.set(path3, cell = { id: id2, field, sets: [], adds: [], inserts: [], removes: [], claims: [] });
  return cell;
}
function gather(cell, operation, trigger) {
  switch (operation.kind) {
    case "set":
      cell.sets.push({ trigger, value: operation.value });
      break;
    case "add":
      cell.adds.push({ trigger, by: operation.by });
      break;
    case "insert":
      cell.inserts.push({ trigger, member: operation.member });
      break;
    case "remove":
      cell.removes.push({ trigger, member: operation.member });
      break;
    case "claim":
      cell.claims.push(trigger);
  }
}
function writersOf(cell) {
  const all = [...cell.sets, ...cell.adds, ...cell.inserts, ...cell.removes].map((one) => one.trigger);
  return [...new Set(all)].sort((a, b) => a - b);
}
function hasWrites(cell) {
  return cell.sets.length + cell.adds.length + cell.inserts.length + cell.removes.length > 0;
}
function conflictAt(triggers, path3, what) {
  return {
    triggers: [...new Set(triggers)].sort((a, b) => a - b),
    error: toolError("conflict", `conflict on ${path3}: ${what}`, {
      hint: "all triggers of a step happen at once: what follows something goes into a later step"
    })
  };
}
function conflictOf(cell) {
  const path3 = `${cell.id}.${cell.field}`;
  const [first] = cell.sets;
  if (first !== void 0) {
    const other = cell.sets.find((one) => !sameJson(one.value, first.value));
    if (other !== void 0) {
      const values = [...new Set(cell.sets.map((one) => show(one.value)))].sort();
      return conflictAt(
        cell.sets.map((one) => one.trigger),
        path3,
        `it is set to ${values.join(" and to ")}`
      );
    }
    if (cell.adds.length > 0) return conflictAt(writersOf(cell), path3, "it is set and added to");
    if (cell.inserts.length + cell.removes.length > 0)
      return conflictAt(writersOf(cell), path3, "it is set and its members change");
  }
  const removed = new Set(cell.removes.map((one) => one.member));
  const both = cell.inserts.find((one) => removed.has(one.member));
  if (both !== void 0) return conflictAt(writersOf(cell), path3, `${both.member} is put in and taken out`);
  const claimers = [...new Set(cell.claims)];
  const claimed = claimers.length > 0 ? [.../* @__PURE__ */ new Set([...claimers, ...writersOf(cell)])] : [];
  if (claimed.length > 1) return conflictAt(claimed, path3, "one trigger claims it and another claims or writes it");
  return void 0;
}
function destroyedConflict(cell, destroys) {
  const by = destroys.get(cell.id);
  if (by === void 0 || !hasWrites(cell) && (/* @__PURE__ */ new Set([...by, ...cell.claims])).size === 1) return void 0;
  return conflictAt([...by, ...writersOf(cell), ...cell.claims], `${cell.id}.${cell.field}`, `${cell.id} is destroyed`);
}
function mergeCell(world, cell) {
  const entity = getEntity(world.entities, cell.id);
  const before = (entity === void 0 ? null : valueOf(entity, cell.field)) ?? null;
  return { id: cell.id, field: cell.field, before, after: mergedValue(cell, before), by: writersOf(cell) };
}
function mergedValue(cell, before) {
  const [set] = cell.sets;
  if (set !== void 0) return set.value;
  if (cell.adds.length > 0)
    return sumExactly(
      before,
      cell.adds.map((one) => one.by)
    );
  const members = new Set(before);
  for (const { member } of cell.inserts) members.add(member);
  for (const { member } of cell.removes) members.delete(member);
  return [...members].sort(compareText);
}

// src/runtime/resolve.ts
function resolveTrigger(world, trigger) {
  const capability = lookUp(world.capabilities, trigger.capability);
  if (capability === void 0) {
    const known = Object.keys(world.capabilities);
    return refuse("unknown_capability", `there is no capability ${show(trigger.capability)}`, {
      path: "capability",
      hint: suggest(trigger.capability, known) ?? "there are no capabilities yet: construct one first"
    });
  }
  const names = Object.keys(capability.params).sort();
  const unknown = Object.keys(trigger.args).sort().find((name) => !Object.hasOwn(capability.params, name));
  if (unknown !== void 0) {
    return refuse("unknown_parameter", `${capability.id} has no parameter ${show(unknown)}`, {
      path: `args.${unknown}`,
      hint: suggest(unknown, names) ?? `${capability.id} takes no arguments`
    });
  }
  const args2 = {};
  for (const name of names) {
    const given = lookUp(trigger.args, name);
    const param = capability.params[name];
    if (given === void 0) {
      return refuse("missing_key", `${capability.id} needs the argument "${name}"`, {
        path: `args.${name}`,
        hint: describeParam(param)
      });
    }
    const checked = checkArg(world, param, given);
    if (!checked.ok) return { ok: false, error: { ...checked.error, path: `args.${name}` } };
    args2[name] = checked.value;
  }
  const compiled = compiledCapability(world, capability);
  if (!compiled.ok) return { ok: false, error: { ...compiled.error, path: "capability" } };
  return succeed({ trigger, capability, compiled: compiled.value, args: args2 });
}
function describeParam(param) {
  switch (param.kind) {
    case void 0:
      return param.type === void 0 ? "an entity" : `an entity of type ${param.type}`;
    case "int":
      return "a whole number";
    case "number":
      return "a number";
    case "text":
      return "a text";
    case "bool":
      return "true or false";
    case "place":
      return "a place of the map";
    case "enum":
      return `one of ${(param.values ?? []).map((value3) => JSON.stringify(value3)).join(", ")}`;
  }
}
function checkArg(world, param, given) {
  const wrong = () => refuse("wrong_type", `expected ${describeParam(param)}, received ${show(given)}`, {
    hint: hintOfArg(param, given)
  });
  switch (param.kind) {
    case void 0:
      return typeof given === "string" ? checkEntityArg(world, param, given) : wrong();
    case "int":
      return typeof given === "number" && Number.isSafeInteger(given) ? succeed(given + 0) : wrong();
    case "number":
      return typeof given === "number" && Number.isFinite(given) ? succeed(given + 0) : wrong();
    case "bool":
      return typeof given === "boolean" ? succeed(given) : wrong();
    case "text":
      if (typeof given !== "string") return wrong();
      if (given.length <= LIMITS.textCharacters) return succeed(given);
      return refuse("text_too_long", `a text of ${given.length} characters`, {
        hint: `at most ${LIMITS.textCharacters}`
      });
    case "enum":
      if (typeof given === "string" && param.values?.includes(given)) return succeed(given);
      return refuse("invalid_value", `expected ${describeParam(param)}, received ${show(given)}`, {
        hint: typeof given === "string" ? suggest(given, param.values ?? []) : void 0
      });
    case "place":
      if (typeof given !== "string") return wrong();
      if (Object.hasOwn(world.map.places, given)) return succeed(given);
      return refuse("unknown_place", `there is no place ${show(given)}`, {
        hint: suggest(given, Object.keys(world.map.places))
      });
  }
}
function checkEntityArg(world, param, given) {
  const entity = getEntity(world.entities, given);
  if (entity !== void 0 && (param.type === void 0 || entity.type === param.type)) return succeed(given);
  const fitting = param.type === void 0 ? world.entities.ids : entityIdsOfType(world.entities, param.type);
  const hint = suggest(given, fitting) ?? `there is no entity of type ${param.type ?? "any"} yet`;
  return entity === void 0 ? refuse("unknown_entity", `there is no entity ${show(given)}`, { hint }) : refuse("wrong_entity_type", `${given} is of type ${entity.type}; expected ${describeParam(param)}`, { hint });
}
function hintOfArg(param, given) {
  if ((param.kind === "int" || param.kind === "number") && typeof given === "string" && given.trim() !== "" && Number.isFinite(Number(given))) {
    return `numbers stand without quotes: ${Number(given)}`;
  }
  if (param.kind === "bool" && (given === "true" || given === "false")) return `without quotes: ${given}`;
  return void 0;
}

// src/runtime/dynamics/dynamics.ts
var WAIT_ID = "wait";
var WAIT = Object.freeze({ action: WAIT_ID, args: Object.freeze({}) });

// src/runtime/dynamics/merge-naturally.ts
import { freeze as freeze6 } from "immer";
function mergeNaturally(world, operations, by) {
  const { merged, faults } = mergeOperations(world, operations);
  if (faults.length > 0) return faultOf("conflict", world, faults, by);
  const fields = merged.fields.map((one) => saturated(world, one)).filter(({ before, after }) => before !== after && !sameJson(before, after));
  if (fields.length + merged.creates.length + merged.destroys.length === 0)
    return { ok: true, value: { world, writes: [], touched: [] } };
  const creates = merged.creates.map((one) => ({ ...one, draft: saturatedDraft(world, one.draft) }));
  const applied = applyMerged(world, { fields, creates, destroys: merged.destroys });
  if (!applied.ok) return faultOf("state", world, applied.error, by);
  return {
    ok: true,
    value: {
      world: freeze6(applied.value.world),
      writes: fields.map(({ id: id2, field, before, after, by: positions }) => ({
        path: `${id2}.${field}`,
        before,
        after,
        by: namesOf(positions, by)
      })),
      touched: [
        ...fields.map((one) => ({ path: `${one.id}.${one.field}`, by: one.by })),
        ...creates.map((one) => ({ path: one.draft.id, by: [one.by] })),
        ...merged.destroys.map((one) => ({ path: one.id, by: one.by }))
      ]
    }
  };
}
function saturated(world, one) {
  if (typeof one.after !== "number") return one;
  const type = getEntity(world.entities, one.id)?.type;
  const after = clampTo(world, type, one.field, one.after);
  return after === one.after ? one : { ...one, after };
}
function saturatedDraft(world, draft) {
  const fields = Object.fromEntries(
    Object.entries(draft.fields).map(([field, value3]) => [
      field,
      typeof value3 === "number" ? clampTo(world, draft.type, field, value3) : value3
    ])
  );
  return { ...draft, fields };
}
function clampTo(world, type, field, value3) {
  const spec = type === void 0 ? void 0 : fieldOf(world, type, field);
  if (spec?.kind !== "int" && spec?.kind !== "number") return value3;
  return Math.min(Math.max(value3, spec.min ?? -Infinity), spec.max ?? Infinity);
}
function faultOf(kind, world, faults, by) {
  const [first] = faults;
  if (first === void 0) throw new Error("faultOf: no fault");
  const rules2 = namesOf(first.triggers, by);
  const message = `at tick ${world.clock}, ${rules2.join(" and ")}: ${first.error.message}`;
  return { ok: false, error: { kind, tick: world.clock, by: rules2, message } };
}
function namesOf(positions, by) {
  return [...new Set(positions.map((position) => by[position] ?? "?"))].sort(compareText);
}
function splitPath2(path3) {
  const dot = path3.indexOf(".");
  return dot < 0 ? { id: path3, field: "" } : { id: path3.slice(0, dot), field: path3.slice(dot + 1) };
}

// src/runtime/dynamics/observe.ts
import { freeze as freeze7 } from "immer";
function visibilityOf(dynamics2, type, field) {
  return lookUp(lookUp(dynamics2.visibility, type) ?? {}, field) ?? "public";
}
function placeOf2(world, id2) {
  let at = id2;
  for (let steps2 = 0; typeof at === "string" && steps2 <= world.entities.ids.length; steps2 += 1) {
    const entity = getEntity(world.entities, at);
    if (entity === void 0) return at;
    at = entity.at;
  }
  return null;
}
function isSeen(dynamics2, world, entity, field) {
  switch (visibilityOf(dynamics2, entity.type, field)) {
    case "public":
      return true;
    case "hidden":
    case "sealed":
      return false;
    case "local": {
      if (entity.id === dynamics2.character) return true;
      const here = placeOf2(world, dynamics2.character);
      return here !== null && placeOf2(world, entity.id) === here;
    }
  }
}
function observe2(dynamics2, world) {
  return filtered(observedOf, dynamics2, world, (entity, field) => isSeen(dynamics2, world, entity, field));
}
var observedOf = /* @__PURE__ */ new WeakMap();
function filtered(known, dynamics2, world, sees) {
  const ofDynamics = known.get(dynamics2) ?? /* @__PURE__ */ new WeakMap();
  known.set(dynamics2, ofDynamics);
  const there = ofDynamics.get(world);
  if (there !== void 0) return there;
  const entities2 = entityIds(world.entities).map((id2) => {
    const entity = getEntity(world.entities, id2);
    const fields = {};
    for (const [field, value3] of Object.entries(entity.fields)) if (sees(entity, field)) fields[field] = value3;
    const { at, ...rest } = entity;
    return sees(entity, "at") ? { ...rest, at, fields } : { ...rest, fields };
  });
  const seen2 = freeze7({ ...world, types: dynamics2.types, entities: tableOf(entities2) });
  ofDynamics.set(world, seen2);
  return seen2;
}

// src/runtime/dynamics/action.ts
function checkSeen(seen2, use) {
  if (use.action === WAIT_ID) {
    const [given] = Object.keys(use.args).sort(compareText);
    if (given === void 0) return succeed({ use: WAIT, duration: 1 });
    return refuse("unknown_parameter", `${WAIT_ID} takes no arguments`, {
      path: `args.${given}`,
      hint: "leave args out"
    });
  }
  const resolved = resolveTrigger(seen2, { capability: use.action, args: use.args });
  if (!resolved.ok) return resolved;
  const { compiled, capability, args: args2 } = resolved.value;
  const env = { world: seen2, variables: args2 };
  for (const [i, expression4] of compiled.requires.entries()) {
    const met = evaluate(expression4, env);
    if (met.ok && met.value === true) continue;
    const says2 = capability.requires[i]?.says ?? "";
    const words3 = says2 === "" ? "" : ` (${says2})`;
    const why = met.ok ? "is false" : `cannot be told from what is seen: ${met.reason}`;
    return refuse("requirement_not_met", `${use.action} is not possible here: ${expression4.text} ${why}${words3}`, {
      hint: "get_context lists what is possible now"
    });
  }
  const { duration } = compiled;
  if (duration.kind === "literal")
    return succeed({ use: { action: use.action, args: args2 }, duration: duration.value });
  const ticks2 = evaluate(duration.expr, env);
  if (ticks2.ok && isDuration(ticks2.value)) return succeed({ use: { action: use.action, args: args2 }, duration: ticks2.value });
  return refuse("bad_duration", `${use.action}: how long it takes is ${ticks2.ok ? show(ticks2.value) : ticks2.reason}`);
}
function legalActions(dynamics2, world) {
  const known = legalIn.get(dynamics2)?.get(world);
  if (known !== void 0) return known;
  const seen2 = observe2(dynamics2, world);
  const others = Object.keys(seen2.capabilities).sort(compareText).flatMap(
    (action) => argumentsOf(seen2, seen2.capabilities[action]).flatMap((args2) => {
      const checked = checkSeen(seen2, { action, args: args2 });
      return checked.ok ? [checked.value] : [];
    }).sort((a, b) => compareText(canonicalJson(a.use.args), canonicalJson(b.use.args)))
  );
  const legal = [{ use: WAIT, duration: 1 }, ...others];
  const ofDynamics = legalIn.get(dynamics2) ?? /* @__PURE__ */ new WeakMap();
  legalIn.set(dynamics2, ofDynamics.set(world, legal));
  return legal;
}
var legalIn = /* @__PURE__ */ new WeakMap();
function argumentsOf(seen2, { params }) {
  let all = [{}];
  for (const name of Object.keys(params).sort(compareText)) {
    const values = valuesOf(seen2, params[name]);
    all = all.flatMap((args2) => values.map((value3) => ({ ...args2, [name]: value3 }))).slice(0, LIMITS.actionArguments);
  }
  return all;
}
function valuesOf(seen2, { type, kind, values }) {
  switch (kind) {
    case "place":
      return Object.keys(seen2.map.places).sort(compareText);
    case "enum":
      return values ?? [];
    case "bool":
      return [false, true];
    case void 0:
      return type === void 0 ? entityIds(seen2.entities) : entityIdsOfType(seen2.entities, type);
    default:
      return [];
  }
}
function applyAction(world, use) {
  if (use.action === WAIT_ID) return succeed(world);
  const fault2 = (message) => ({
    ok: false,
    error: {
      kind: "effect",
      tick: world.clock,
      by: [use.action],
      message: `at tick ${world.clock}, ${use.action}: ${message}`
    }
  });
  const resolved = resolveTrigger(world, { capability: use.action, args: use.args });
  if (!resolved.ok) return fault2(resolved.error.message);
  const operations = operationsOf(resolved.value.compiled.effects, { world, variables: resolved.value.args });
  if (!operations.ok) return fault2(operations.error.message);
  const merged = mergeNaturally(world, [operations.value], [use.action]);
  return merged.ok ? succeed(merged.value.world) : merged;
}

// src/runtime/dynamics/changes.ts
var DESTROYED = "destroyed";
function changesBetween(dynamics2, before, after) {
  const changes2 = [];
  for (const id2 of entityIds(before.entities)) {
    const was = getEntity(before.entities, id2);
    const is = getEntity(after.entities, id2);
    if (is === was) continue;
    if (is === void 0) {
      changes2.push([id2, DESTROYED]);
      continue;
    }
    if (is.at !== was.at) changes2.push([`${id2}.at`, is.at]);
    for (const [field, value3] of Object.entries(is.fields)) {
      const old = was.fields[field];
      if (value3 === old || old !== void 0 && sameJson(value3, old)) continue;
      if (visibilityOf(dynamics2, is.type, field) !== "sealed") changes2.push([`${id2}.${field}`, value3]);
    }
  }
  if (after.entities !== before.entities) {
    for (const id2 of entityIds(after.entities)) {
      if (getEntity(before.entities, id2) === void 0)
        changes2.push([id2, getEntity(after.entities, id2).type]);
    }
  }
  return Object.fromEntries(changes2.sort(([a], [b]) => compareText(a, b)));
}

// src/runtime/dynamics/happenings.ts
var SeenHappenings = class {
  #dynamics;
  #found = /* @__PURE__ */ new Map();
  constructor(dynamics2) {
    this.#dynamics = dynamics2;
  }
  get found() {
    return [...this.#found.values()];
  }
  /**
   * An entry or a process of which a change was seen. A process is told for one of the entities it was bound to where the
   * change was seen of that very entity, else as a whole.
   */
  take({ kind, id: id2, entities: entities2, paths, after }) {
    const seen2 = paths.filter((path3) => isPathSeen(this.#dynamics, after, path3)).map((path3) => splitPath2(path3).id);
    if (seen2.length === 0) return;
    if (kind === "entry") {
      this.#add(id2, { kind, id: id2 });
      return;
    }
    const shown = entities2.filter((entity) => seen2.includes(entity));
    if (shown.length === 0) this.#add(id2, { kind, id: id2, entity: null });
    for (const entity of shown) this.#add(`${id2} ${entity}`, { kind, id: id2, entity });
  }
  #add(key, happening) {
    if (!this.#found.has(key)) this.#found.set(key, happening);
  }
};
function isPathSeen(dynamics2, after, path3) {
  const { id: id2, field } = splitPath2(path3);
  if (field === "") return true;
  const entity = getEntity(after.entities, id2);
  return entity !== void 0 && isSeen(dynamics2, after, entity, field);
}

// src/runtime/dynamics/tick.ts
import { freeze as freeze8 } from "immer";
function tick(dynamics2, before, options = {}) {
  let world = freeze8({ ...before, clock: before.clock + 1 });
  const { clock: clock2 } = world;
  const due = entriesAt(dynamics2).get(clock2);
  if (due !== void 0) {
    const moment = new Moment(world, options);
    for (const entry of due) moment.enter(entry.id, entry.effects);
    const next = moment.close(null);
    if (!next.ok) return next;
    world = next.value;
  }
  let instances = 0;
  const { processes } = dynamics2;
  for (let i = 0; i < processes.length; ) {
    const { priority } = processes[i].draft;
    let moment;
    for (; i < processes.length && processes[i].draft.priority === priority; i += 1) {
      const process2 = processes[i];
      if ((clock2 - process2.draft.phase) % process2.draft.every !== 0) continue;
      moment ??= new Moment(world, options);
      instances += moment.run(process2);
    }
    if (moment === void 0) continue;
    const next = moment.close(priority);
    if (!next.ok) return next;
    world = next.value;
  }
  return { ok: true, value: { world, instances } };
}
var entriesByTick = /* @__PURE__ */ new WeakMap();
function entriesAt(dynamics2) {
  const known = entriesByTick.get(dynamics2);
  if (known !== void 0) return known;
  const byTick = /* @__PURE__ */ new Map();
  for (const entry of dynamics2.schedule) for (const at of entry.at) byTick.set(at, [...byTick.get(at) ?? [], entry]);
  entriesByTick.set(dynamics2, byTick);
  return byTick;
}
var Moment = class {
  #world;
  #options;
  #operations = [];
  #by = [];
  #fired = [];
  #fault;
  constructor(world, options) {
    this.#world = world;
    this.#options = options;
  }
  /** An entry of the schedule. */
  enter(id2, effects2) {
    const { omit, onFire } = this.#options;
    if (omit?.kind === "entry" && omit.id === id2) return;
    onFire?.("entry", id2, []);
    this.#gather("entry", id2, effects2, { world: this.#world, variables: {} }, []);
  }
  /** All instances of a process; returns how many there were. */
  run(process2) {
    const { bindings } = process2;
    const [first, second, ...rest] = bindings;
    const variables = {};
    const env = { world: this.#world, variables };
    if (first === void 0) return this.#instance(process2, env, []);
    let count7 = 0;
    const bind = (position, bound2) => {
      const binding = bindings[position];
      if (binding === void 0) {
        count7 += this.#instance(process2, env, bound2);
        return;
      }
      for (const id2 of entityIdsOfType(this.#world.entities, binding.type)) {
        variables[binding.name] = id2;
        bind(position + 1, [...bound2, id2]);
      }
    };
    if (second !== void 0 || rest.length > 0) bind(0, []);
    else {
      for (const id2 of entityIdsOfType(this.#world.entities, first.type)) {
        variables[first.name] = id2;
        count7 += this.#instance(process2, env, [id2]);
      }
    }
    return count7;
  }
  #instance(process2, env, bound2) {
    const { where, when, id: id2 } = process2;
    if (where !== void 0 && !holds(where, env)) return 1;
    if (when !== void 0 && !holds(when, env)) return 1;
    const { omit, onFire } = this.#options;
    if (omit?.kind === "process" && omit.id === id2 && (omit.entity === null || bound2.includes(omit.entity))) return 1;
    onFire?.("process", id2, bound2);
    this.#gather("process", id2, process2.effects, env, bound2);
    return 1;
  }
  #gather(kind, id2, effects2, env, entities2) {
    if (this.#fault !== void 0) return;
    const operations = operationsOf(effects2, env);
    if (!operations.ok) {
      const { clock: clock2 } = this.#world;
      const message = `at tick ${clock2}, ${id2}${sayBound(env)}: ${operations.error.message}`;
      this.#fault = { kind: "effect", tick: clock2, by: [id2], message };
      return;
    }
    this.#operations.push(operations.value);
    this.#by.push(id2);
    this.#fired.push({ kind, id: id2, entities: entities2 });
  }
  close(priority) {
    if (this.#fault !== void 0) return { ok: false, error: this.#fault };
    if (this.#operations.length === 0) return { ok: true, value: this.#world };
    const merged = mergeNaturally(this.#world, this.#operations, this.#by);
    if (!merged.ok) return merged;
    this.#tellChanges(merged.value);
    this.#options.onMerge?.({ tick: this.#world.clock, priority, writes: merged.value.writes });
    return { ok: true, value: merged.value.world };
  }
  #tellChanges({ touched, world: after }) {
    const { onChange } = this.#options;
    if (onChange === void 0) return;
    const before = this.#world;
    this.#fired.forEach((fired, position) => {
      const paths = touched.filter(({ by }) => by.includes(position)).map(({ path: path3 }) => path3);
      if (paths.length > 0) onChange({ ...fired, paths, before, after });
    });
  }
};
function holds(condition, env) {
  const met = evaluate(condition, env);
  return met.ok && met.value === true;
}
function sayBound({ variables }) {
  const bound2 = Object.entries(variables).map(([name, value3]) => `${name} = ${show(value3)}`);
  return bound2.length === 0 ? "" : ` (${bound2.join(", ")})`;
}

// src/runtime/dynamics/rollout.ts
function rollout(dynamics2, world, input) {
  const { ticks: ticks2, actions, omit, onMerge, witnessed = false } = input;
  const sealed = sealedOf(dynamics2);
  const fired = /* @__PURE__ */ new Set();
  const happenings = new SeenHappenings(dynamics2);
  const options = {
    omit,
    onMerge,
    onFire: (kind, id2) => {
      if (kind === "process" && !sealed.has(id2)) fired.add(id2);
    },
    ...witnessed && {
      onChange: (change2) => {
        if (!sealed.has(change2.id)) happenings.take(change2);
      }
    }
  };
  let [now, instances] = [world, 0];
  for (let i = 0; i < ticks2; i += 1) {
    const use = actions?.get(now.clock);
    if (use !== void 0) {
      const done = applyAction(now, use);
      if (!done.ok) return done;
      now = done.value;
    }
    const next = tick(dynamics2, now, options);
    if (!next.ok) return next;
    now = next.value.world;
    instances += next.value.instances;
  }
  return { ok: true, value: { world: now, fired, happenings: happenings.found, instances } };
}
var sealedIds = /* @__PURE__ */ new WeakMap();
function sealedOf(dynamics2) {
  const known = sealedIds.get(dynamics2);
  if (known !== void 0) return known;
  const sealed = new Set([...dynamics2.processes, ...dynamics2.schedule].filter((one) => one.sealed).map(({ id: id2 }) => id2));
  sealedIds.set(dynamics2, sealed);
  return sealed;
}

// src/runtime/dynamics/created-ids.ts
import * as z11 from "zod";
var createdPatternSchema = z11.strictObject({
  type: idOf.describe("The type of what comes into being"),
  pattern: z11.string().regex(
    /^[a-z](?:[a-z0-9_]|<n>|<id>){0,60}$/,
    "an id in which <n> stands for a whole number and <id> for the id of an entity, such as letter_<n>"
  ).refine((text2) => (text2.match(/</g) ?? []).length <= 3, "at most three placeholders"),
  says: textOf.min(1).describe("The pattern in words")
});

// src/runtime/deduction/help-example.ts
var TOY_INTRO = "Ana is in the kitchen; on the stove stands a kettle.";
var TOY_GOAL = { says: "At the end the kettle boils: its heat is 100.", expr: "kettle.heat == 100" };
var STOKE = {
  id: "stoke",
  says: "Put 3 pieces of wood into the stove (takes 1 tick); Ana must be where the stove is.",
  params: {},
  requires: [{ expr: "ana.at == stove.at", says: "Ana must be where the stove is" }],
  effects: [{ add: "stove.wood", by: 3 }],
  duration: 1
};
var TOY_WORLD = {
  clock: 0,
  map: { places: { kitchen: "the kitchen" }, links: [] },
  types: {
    person: { id: "person", says: "Somebody", fields: {} },
    stove: {
      id: "stove",
      says: "A stove, and the pieces of wood in it",
      fields: { wood: { kind: "int", min: 0, max: 9, default: 0 } }
    },
    kettle: {
      id: "kettle",
      says: "A kettle: how hot it is, and how much scale is in it",
      fields: {
        heat: { kind: "int", min: 0, max: 100, default: 0 },
        scale: { kind: "int", min: 0, max: 50, default: 0 }
      }
    }
  },
  entities: {
    ana: { id: "ana", type: "person", name: "Ana", at: "kitchen", fields: {} },
    stove: { id: "stove", type: "stove", name: "the stove", at: "kitchen", fields: { wood: 2 } },
    kettle: { id: "kettle", type: "kettle", name: "the kettle", at: "kitchen", fields: { heat: 30 } }
  },
  capabilities: { stoke: STOKE },
  invariants: []
};
var TOY_RULES = {
  character: "ana",
  processes: {
    burning: {
      id: "burning",
      name: "Burning down",
      says: "The wood in the stove burns down.",
      tells: "Every 2 ticks the stove loses 1 piece of wood, while there is any.",
      every: 2,
      phase: 0,
      for: {},
      when: "stove.wood > 0",
      effects: [{ add: "stove.wood", by: -1 }],
      priority: 0
    },
    heating: {
      id: "heating",
      name: "Heating",
      says: "While wood burns the kettle grows hotter and scale settles in it.",
      tells: "Every tick, after the burning, while there is wood: the kettle gains 20 heat and 1 scale.",
      every: 1,
      phase: 0,
      for: {},
      when: "stove.wood > 0",
      effects: [
        { add: "kettle.heat", by: 20 },
        { add: "kettle.scale", by: 1 }
      ],
      priority: 10
    }
  },
  schedule: {},
  visibility: {
    person: { at: "public" },
    stove: { at: "public", wood: "local" },
    kettle: { at: "public", heat: "public", scale: "hidden" }
  },
  creates: [],
  decision: 4,
  segment: 4,
  ticks: 8
};
var change = (path3, value3) => ({ path: path3, value: value3 });
var RANGE_ANSWER = (part) => ({
  ok: false,
  error: {
    code: "out_of_range",
    message: "kettle.heat: 110 is out of range",
    path: `predict.${part}[0].value`,
    hint: "the field is whole number from 0 to 100"
  }
});
var NOTE = "it stands until another commit_step replaces it, whole; end_round closes the round with it";
var FIRST_INTERVAL = [change("kettle.heat", 100), change("kettle.scale", 4), change("stove.wood", 3)];
var FIRST_LOOKAHEAD = [change("kettle.heat", 100), change("kettle.scale", 9), change("stove.wood", 0)];
var stoke = { action: "stoke", args: {} };
var TOY_MISTAKE2 = {
  M1: {
    tool: "commit_step",
    input: { predict: { segment: [change("kettle.heat", 110)] } },
    answer: RANGE_ANSWER("segment")
  },
  M2: {
    tool: "commit_step",
    input: {
      action: stoke,
      predict: { interval: [change("kettle.heat", 110)], lookahead: FIRST_LOOKAHEAD }
    },
    answer: RANGE_ANSWER("interval")
  }
};
var TOY_CALLS = {
  M1: [
    {
      tool: "commit_step",
      input: {
        predict: { segment: [change("kettle.heat", 90), change("kettle.scale", 3), change("stove.wood", 0)] },
        fires: ["burning", "heating"]
      },
      answer: { ok: true, round: 1, predicted: { segment: 3 }, fires: 2, missing: [], note: NOTE }
    },
    {
      tool: "end_round",
      input: {},
      answer: {
        ok: true,
        round: 1,
        clock: 4,
        finished: false,
        next: { round: 2, asked: { segment: { from: 4, to: 8 } } }
      }
    },
    {
      tool: "commit_step",
      input: { predict: { segment: [] }, fires: [] },
      answer: { ok: true, round: 2, predicted: { segment: 0 }, fires: 0, missing: [], note: NOTE }
    }
  ],
  M2: [
    {
      tool: "commit_step",
      input: {
        action: stoke,
        predict: { interval: FIRST_INTERVAL, lookahead: FIRST_LOOKAHEAD },
        fires: ["burning", "heating"]
      },
      answer: {
        ok: true,
        round: 1,
        action: stoke,
        predicted: { interval: 3, lookahead: 3 },
        fires: 2,
        missing: [],
        interval: { from: 0, to: 4 },
        note: NOTE
      }
    },
    {
      tool: "end_round",
      input: {},
      answer: {
        ok: true,
        round: 1,
        clock: 4,
        finished: false,
        next: {
          round: 2,
          asked: {
            action: true,
            interval: {
              from: 4,
              to: "the next decision point: the first multiple of 4 at or after 4 + the action's ticks, at most 8; 8 for wait"
            },
            lookahead: { from: 4, to: 52 },
            counterfactuals: {
              action: {
                instead: { action: "wait", args: {} },
                says: "had you chosen wait at tick 0 instead of stoke: every field whose value now, at tick 4, would differ, with the value it would have"
              },
              happening: {
                kind: "process",
                id: "heating",
                entity: null,
                says: 'had "Heating" (heating) not fired since tick 0: every field whose value now, at tick 4, would differ, with the value it would have'
              }
            }
          },
          legal: {
            count: 2,
            shown: [
              { action: "wait", args: {}, next: 8 },
              { action: "stoke", args: {}, next: 8 }
            ]
          },
          changed: {
            count: 2,
            shown: [
              { path: "kettle.heat", before: 30, after: 100 },
              { path: "stove.wood", before: 2, after: 3 }
            ],
            came: [],
            went: []
          }
        }
      }
    },
    {
      tool: "commit_step",
      input: {
        predict: {
          interval: [change("kettle.scale", 8), change("stove.wood", 1)],
          lookahead: [change("kettle.scale", 9), change("stove.wood", 0)],
          counterfactuals: {
            action: [change("kettle.heat", 90), change("kettle.scale", 3), change("stove.wood", 0)],
            happening: [change("kettle.heat", 30), change("kettle.scale", 0)]
          }
        },
        fires: ["burning", "heating"]
      },
      answer: {
        ok: true,
        round: 2,
        action: { action: "wait", args: {} },
        predicted: { interval: 2, lookahead: 2, counterfactuals: { action: 3, happening: 2 } },
        fires: 2,
        missing: [],
        interval: { from: 4, to: 8 },
        note: NOTE
      }
    }
  ]
};

// src/runtime/deduction/help-text.ts
var TOLD = {
  open: "**The rules are told with every number**: read_data from processes and schedule, where `says` is the rule in words and the other members are the same rule in machine-readable form.",
  naming: "**The rules are told by name and in words, without their numbers**: read_data from processes and schedule. What the numbers are is yours to infer."
};
var PLAYED = {
  M1: ({ segment }) => `You are given the state at the beginning, values that are hidden in play among it. Nobody acts: the character waits. The case is cut into segments of ${segment} ticks, one a round. In each round you say which fields change over the segment, with their values at its end. **You are told nothing of how it went**: read_data shows the initial state throughout, and each segment goes on from where your own reckoning has led.`,
  M2: ({ decision }) => `You act as one character. Each round is a decision point (every ${decision} ticks, later where an action lasts longer). You choose an action, and say how the world goes on: up to the next decision point, and ${LOOKAHEAD_TICKS} ticks ahead; from the second round on also what would be different now, had something gone otherwise. Then \`end_round\`: the true consequences come about, and you see them as far as your character does.`
};
var overview2 = (of) => `## What you do

This world goes on by itself, by rules. **You predict it.** ${PLAYED[of.mode](of)}

${TOLD[of.condition]}

What you predict is compared with the world itself, field by field. There is also a goal${of.mode === "M1" ? ", which nobody pursues here" : ": whether it is reached is reported apart and never mixed with how well you predict"}.

## How a round goes

1. \`get_context\`: what this round asks (\`asked\`)${of.mode === "M1" ? "" : ", which actions are possible (`legal`), what you saw change (`changed`)"}, what is left of your budgets.
2. \`read_data\`: the world as you may know it. Topic reading.
3. \`commit_step\`: ${of.mode === "M1" ? "your list of changes" : "an action and your lists of changes"}. It changes nothing yet and may be sent again: **the last one before end_round counts, whole**. Topic predictions.
4. \`end_round\`: closes the round for good, and gives what the next one asks.

\`construct\` is not available. **Read example first**: a whole toy world, played, with a mistake and its mending. Then predictions and time.

An answer is \`{"ok": true, \u2026}\` or \`{"ok": false, "error": {code, message, path, hint}}\`. A refused call changes nothing; mend it as the hint says. **Calls are answered one by one, and a refused one does not stop those sent after it**: look at the answer to commit_step before you send end_round.`;
var SPANS = {
  M1: () => `- **segment**: the span \`asked.segment\`. An empty list says that nothing changes.`,
  M2: () => `- **interval**: from now up to the next decision point, your action's own effects included. Where it ends turns on the action: \`next\` of each possible action in \`legal\`, \`interval\` in the answer to commit_step. No action is \`wait\`.
- **lookahead**: from now, before your action, to ${LOOKAHEAD_TICKS} ticks on, if the action you choose now is followed by waiting; past the end of the case if need be.
- **counterfactuals**, from the second round on where there is something to ask. \`action\`: had you done this other thing at the last decision point. \`happening\`: had this entry of the schedule not happened, or this process not fired (for this entity), since the last decision point, everything else going by the rules. Asked are things you saw something of. The answer to both is a list of **every field whose value now would differ, with the value it would have now**. It compares now with now, not with the last decision point. Something that is there now and would not be is its id with \`destroyed\`; something that is not there and would be is its id with its type.`
};
var FIRST_PATH = {
  M1: '{"predict": {"segment": [{"path": "kettle.heat", "value": 90}]}, "fires": ["heating"]}',
  M2: '{"action": {"action": "stoke", "args": {}}, "predict": {"interval": [{"path": "kettle.heat", "value": 100}], "lookahead": [\u2026], "counterfactuals": {"action": [\u2026], "happening": [\u2026]}}, "fires": ["heating"]}'
};
var predictions = (of) => `## Predictions

    commit_step ${FIRST_PATH[of.mode]}

${SPANS[of.mode](of)}

**A span (from, to]** compares the world at tick \`from\` with the world at tick \`to\`. A change is a field whose value at the end differs from its value at the beginning, and what counts is the value at the end. It is the net difference: what rose and fell back is no change, and what changed five times is one.

- \`entity_id.field\` or \`entity_id.at\`, with the value at the end: \`{"path": "ana.at", "value": "kitchen"}\`. Numbers are rounded to the field's digits.
- **What comes into being**: its id alone, with its type: \`{"path": "letter_7", "value": "letter"}\`.${of.mode === "M1" ? " In later segments it is an entity like any other." : ""} The fields of what comes into being do not count in the span in which it does. With which ids things of a type come into being, \`created\` of the type says (read_data from types): \`letter_<n>\` is letter_ and a whole number, \`<id>\` the id of an entity.
- **What is gone**: its id alone, with \`{"path": "letter_7", "value": "destroyed"}\`.
- **Hidden fields count**: \`hidden\` and unseen \`local\` values are part of what is true, though ${of.mode === "M1" ? "a player in the world would not see them" : "you do not see them"}.
- A path given twice: the last counts. An unknown path, or a value the field cannot have, refuses the whole call.

**How it is counted.** For each span: precision is the share of your changes that are right in path and value, recall the share of the true changes that you named, and F1 = 2 \xD7 right / (yours + true). It is two-sided: **an invented change costs as much as a missed one**. Spans in which nothing changes are *quiet*: they are counted apart, right where your list is empty.

**fires** (may be left out): ids of the processes that fire at least once in the ${of.mode === "M1" ? "segment" : "interval"}: whose condition holds, for any of their entities, at a tick at which they are due, whether anything then changes or not; one without a condition fires whenever it is due. Entries of the schedule are no processes. Reported apart.

**All that is asked is to be answered.** A submission, or an end_round, that leaves something out is refused once a round with what is missing; after that it is taken, and what is missing counts as wrong. An empty list is an answer. At most ${LIMITS.predictionEntries} entries a list.`;
var time2 = (of) => `## How the world goes on

The clock counts ticks (get_context says what a tick is). At each tick t, in this order:

1. **The schedule**: everything that is told for tick t, all at once.
2. **The processes that are due**, by ascending \`priority\`. A process is due at ticks t \u2265 1 with (t \u2212 phase) mod every = 0: \`every\` 1 is each tick, \`every\` 4 with \`phase\` 0 ticks 4, 8, 12, \u2026
   - \`for\`: one instance for each combination of entities of these types for which \`where\` holds. Each fires where \`when\` holds. A condition that meets a null on its way does not hold.
   - **All processes of one priority see the same state**, and their effects are merged: what is added to one number is summed, equal settings agree. The next priority sees what came of it.
3. **Saturation**: after each merge, a number that would leave its range stops at its \`min\` or \`max\`.

Holding: \`at\` is a place, or the entity that holds it. What is held moves with its holder, and its own \`at\` stays the same. \`clock\` in a rule is the tick that is being computed.
${of.condition === "naming" ? "\nEvery, phase, priority and all other numbers are not told here: what is told is what a process does, in words." : ""}
${of.mode === "M1" ? `Nobody acts. Segments are (0, ${of.segment}], (${of.segment}, ${2 * of.segment}], \u2026: a segment begins after the tick at which the last one ended.` : `**Actions.** At a decision point at tick t the effects of your action take place at once, before tick t + 1. It lasts some ticks, in which nothing else can be chosen: the next decision point is the first multiple of ${of.decision} at or after t + its ticks. Whether an action is possible is judged by what you see: a requirement that turns on something unseen is not met.

**What you see.** \`public\` values always. \`local\` ones of yourself, and of what is in the same place as you (what is held there, too). \`hidden\` ones never. That something exists, its type and its name are always seen. What you see now tells of what you do not: a hidden number shows itself in what it does.`}`;
var expressions2 = ({ condition }) => `## Expressions (CEL)

Used in \`where\` of read_data${condition === "open" ? ", and in the rules as they are shown" : ""}.

- Operators: \`== != < <= > >= && || ! + - * / %\`, \`a ? b : c\`, \`x in [a, b]\`, brackets.
- Names: entity ids, place ids, \`clock\`${condition === "open" ? "; in a rule also its bound entities, and `it` within an effect's `for`" : ""}. Fields: \`ana.at\`, \`kettle.heat\`; of any entity also \`name\` and \`type\`.
- **Ids and numbers stand without quotes, enum words and texts in double quotes**: \`ana.at == kitchen\`, \`door.state == "ajar"\`.
- There is one kind of number: \`5 / 2\` is 2.5; \`x - x % 1\` is x without its decimals.
- \`null\`: \`gauge.watcher == null\` asks whether a reference is empty.

Functions: \`all(type)\` every entity of a type; \`entity(id)\`; \`count(list)\`; \`linked(a, b)\` next to each other on the map; \`travelTicks(a, b)\` the shortest way; \`inside(x, y)\` whether x is at y or in something that is; \`min\`, \`max\`, \`abs\`, \`clamp(x, low, high)\`.

Lists have \`exists\`, \`all\`, \`exists_one\`, \`filter\`, \`map\`: \`all(person).exists(p, p.at == kitchen)\`, \`count(all(crate).filter(c, c.at == cart)) < 3\`.
${condition === "open" ? `
**Effects** of a rule: \`set\` a field to \`value\` or \`expr\`; \`add\` \`by\` to a number; \`insert\` or \`remove\` an entity into or out of a set; \`create\` an entity (its \`id\`, \`at\`, \`fields\`); \`destroy\` one. \`"for": {"each": "person", "where": "\u2026"}\` applies an effect to every match, called \`it\`. All effects of a rule see the state before it.
` : ""}
At most ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes, lists nested ${LIMITS.macroNesting} deep. What could never be true (different types compared, a field that does not exist) is refused, with what would be right. **A value that is not seen never matches**, neither \`==\` nor \`!=\`.`;
var reading2 = (of) => `## Reading

    read_data {"from": "entities", "type": "person", "where": "it.at == kitchen", "fields": ["name", "at"], "limit": 20}

- \`from\`: map (places, then links), types (fields with kind, range and visibility; the ids with which such things come into being), entities, capabilities (${of.mode === "M1" ? "none: nobody acts" : "the actions"}), processes, schedule, log (closed rounds). In a fixed order: by id; the log as rounds were closed.
- \`id\`: one entry. In the log the number of a round.
- \`type\`: entities of one type.
- \`where\`: an expression over \`it\`. Entities: \`it.heat > 50 && it.at == kitchen\`. ${of.mode === "M1" ? "" : 'Log: `"kettle.heat" in it.paths`, `it.action == "stoke"`. '}Links: \`it.kind == "link" && it.from == "yard"\` (outside of entities, ids are texts: in quotes).
- \`fields\`: only these members of each entry.
- \`limit\`: at most ${LIMITS.pageEntries} entries a page (${LIMITS.defaultPageEntries} where left out). A page never exceeds ${LIMITS.answerBytes / 1024} KB, so it may hold fewer. Where there is a \`cursor\`, the same query with it gives the next page.
- An entry too large for a page is cut and says so; asked for by \`id\` alone it comes whole, as pieces of its JSON text.

${of.mode === "M1" ? "Entities are shown as they are at the beginning, in every round. The log holds the spans of the closed rounds with what you predicted there (`predicted`), and nothing of what happened in them." : "Entities are shown as you see them now; what you do not see is left out of `fields` and named in `unseen`. The log holds for each closed round its span, what you did, the changes of values that you saw at both ends, and what you had predicted (`predicted`)."} Reading changes nothing but the count of calls.`;
var example2 = ({ mode, condition }) => `## A toy world, worked

${TOY_INTRO} Wood ${wordsOf("stove", "wood")}, heat ${wordsOf("kettle", "heat")}, scale ${wordsOf("kettle", "scale")}. A segment is ${TOY_RULES.segment} ticks, decision points are ${TOY_RULES.decision} ticks apart, and the case ends at ${TOY_RULES.ticks}. The goal: ${TOY_GOAL.says}

${Object.values(TOY_RULES.processes).map(
  ({ id: id2, name, tells, says: says2, priority }) => `- \`${id2}\` (${name}, priority ${priority}): ${tells}${condition === "naming" ? ` *Of this you would here be told:* ${says2}` : ""}`
).join("\n")}
${mode === "M1" ? "" : `- action \`stoke\`: ${TOY_WORLD.capabilities["stoke"]?.says ?? ""}
`}
A first try, which is a **mistake**: ${mode === "M1" ? "4 ticks at 20 make 30 into 110. But at tick 4 the burning comes first and takes the last wood, so that the heating fires three times only; and 110 is no value that heat can have." : "4 ticks at 20 make 30 into 110. But a number stops at its bound: heat ends at 100."}

${printCall2(TOY_MISTAKE2[mode])}

**Mended**. ${mode === "M1" ? "Wood burns at ticks 2 and 4; heat is 50, 70, 90 after ticks 1, 2, 3. Scale is hidden in play, and counts." : "She stokes: 5 pieces at once. Wood burns at ticks 2 and 4, which leaves 3; in all it lasts until tick 10, so that the heating fires nine times in the lookahead. Scale is hidden, and counts: it was 0 at the beginning and rises by 1 each time."}

${TOY_CALLS[mode].slice(0, 2).map(printCall2).join("\n")}

${mode === "M1" ? "The second segment is quiet: there is no wood, and nothing changes. That is said with an empty list." : "Second round: heat is at its bound and stays, so that it is no change any more. Had she waited, wood would be 0 now, heat 90, scale 3. Had the heating not fired, heat would still be 30 and scale 0, and the wood would have burnt all the same. She waits now: `action` is left out."}

${TOY_CALLS[mode].slice(2).map(printCall2).join("\n")}

Then \`end_round {}\`. Each list here is right in every entry and leaves nothing out: F1 is 1. Without scale, the first list would have recall 2 of 3 and precision 2 of 2: F1 0.8. With one invented change more, precision 3 of 4 and recall 3 of 3: F1 0.86.`;
function wordsOf(entity, field) {
  const draft = TOY_WORLD.entities[entity];
  const spec = draft && TOY_WORLD.types[draft.type]?.fields[field];
  const seen2 = draft && TOY_RULES.visibility[draft.type]?.[field];
  if (draft === void 0 || spec?.kind !== "int") throw new Error(`help: no number ${entity}.${field}`);
  return `(\`${entity}.${field}\`, ${spec.min} to ${spec.max}, ${seen2}) is ${String(draft.fields[field] ?? spec.default)}`;
}
function printCall2({ tool, input, answer }) {
  const call = `    ${tool} ${JSON.stringify(input)}`;
  return answer === void 0 ? call : `${call}
    \u2192 ${JSON.stringify(answer)}`;
}
var limits2 = () => `## Limits and budgets

- **Submissions of a round**: ${DEDUCTION_BUDGET.submissions}; refused ones count. **Calls of a round**: ${DEDUCTION_BUDGET.calls}, in the first round ${DEDUCTION_BUDGET.firstCalls}; every call counts, refused ones too. \`get_context\` shows what is left.
- When either is spent, only help, get_context and end_round answer, until you end the round.
- **Calls of the run**: the sum of its rounds' calls. Every call counts; when they are spent the run is over, and what was not answered counts as wrong.

One list of predictions: ${LIMITS.predictionEntries} entries; \`fires\`: ${LIMITS.predictionEntries} ids. One expression: ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes. One query: ${LIMITS.stepCost} operations of its \`where\`. One text: ${LIMITS.textCharacters} characters. One input: ${LIMITS.inputBytes / 1024} KB, ${LIMITS.inputDepth} deep. One answer: ${LIMITS.answerBytes / 1024} KB.`;
var errors2 = ({ mode }) => `## Errors

\`{"ok": false, "error": {"code": \u2026, "message": \u2026, "path": \u2026, "hint": \u2026}}\`: what was wrong, where in your input, what would be accepted. A refused call changes nothing (it counts as a call, a refused submission as a submission too). **A refused submission is not kept in part**: what stood before still stands.

- **The call**: unknown_tool, malformed_input (no JSON object), input_too_large, input_too_deep, unknown_key (keys are never ignored), missing_key (also: something that is asked is not answered), wrong_type (\`"100"\` is not 100), invalid_value, forbidden_id, text_too_long.
- **Predictions**: unknown_path (the hint names the nearest one), out_of_range (numbers stop at their bounds; an enum has its words alone), unknown_place, broken_reference, wrong_entity_type, unknown_process (in \`fires\`), too_many_predictions, not_asked (${mode === "M1" ? "an action, an interval, a lookahead, a counterfactual" : "a segment, a counterfactual that this round does not ask"}).
- **Actions**: ${mode === "M1" ? "nobody acts here (not_asked). Elsewhere " : ""}unknown_action, unknown_parameter, unknown_entity, requirement_not_met (not possible here, by what you see), bad_duration.
- **Reading**: unknown_type, unknown_field, unknown_round, unknown_topic, bad_cursor; of a \`where\` expression_syntax, expression_forbidden, expression_unknown_name, expression_type, expression_never_true, expression_too_long, expression_too_large, expression_too_nested, cost_exceeded.
- **Not here**: not_permitted (construct).
- **Budgets and the end**: round_budget_spent (call end_round), run_budget_spent, case_finished, engine_fault (the case's own rules met a fault: nothing you did, and the run is left out).`;

// src/runtime/deduction/help.ts
var TOPICS2 = {
  overview: overview2,
  example: example2,
  predictions,
  time: time2,
  expressions: expressions2,
  reading: reading2,
  limits: limits2,
  errors: errors2
};
var DEDUCTION_TOPICS = Object.keys(TOPICS2);

// src/runtime/deduction/tools.ts
import * as z13 from "zod";

// src/runtime/deduction/answers.ts
import * as z12 from "zod";
var ok2 = z12.literal(true);
var tick2 = z12.int();
var budget2 = z12.strictObject({ allowed: z12.int(), used: z12.int(), left: z12.int() });
var args = z12.record(z12.string(), argSchema);
var count = z12.int().min(0);
var useSchema = z12.strictObject({ action: z12.string(), args });
var spanOf = z12.strictObject({ from: tick2, to: tick2 }).describe("The ticks (from, to]");
var happeningSchema2 = z12.discriminatedUnion("kind", [
  z12.strictObject({ kind: z12.literal("entry"), id: z12.string(), says: z12.string() }),
  z12.strictObject({ kind: z12.literal("process"), id: z12.string(), entity: z12.string().nullable(), says: z12.string() })
]);
var askedSchema = z12.strictObject({
  segment: spanOf.optional().describe("M1: every field whose value at `to` differs from that at `from`"),
  action: ok2.optional().describe("M2: an action may be chosen; none is to wait"),
  interval: z12.strictObject({ from: tick2, to: z12.string() }).optional().describe("M2: the same up to the next decision point, which the chosen action decides"),
  lookahead: spanOf.optional().describe("M2: the same, if the chosen action is followed by waiting"),
  counterfactuals: z12.strictObject({
    action: z12.strictObject({ instead: useSchema, says: z12.string() }).optional().describe("Had this been done at the last decision point"),
    happening: happeningSchema2.optional().describe("Had this not happened since the last decision point")
  }).optional().describe("M2: every field whose value now would differ, with the value it would have")
});
function listOf(item) {
  return z12.strictObject({ count, shown: z12.array(item), note: z12.string().optional() });
}
var seenChangeSchema = z12.strictObject({ path: z12.string(), before: literalSchema, after: literalSchema });
var legalSchema = listOf(
  z12.strictObject({ action: z12.string(), args, next: tick2.describe("The next decision point, if this is chosen") })
);
var changedSchema = z12.strictObject({
  ...listOf(seenChangeSchema).shape,
  came: z12.array(z12.string()).describe("Entities that came into being"),
  went: z12.array(z12.string()).describe("Entities that are gone")
});
var roundParts2 = {
  asked: askedSchema,
  legal: legalSchema.optional().describe("M2: the actions that are possible now, by what you see"),
  changed: changedSchema.optional().describe("M2: what was seen to change since the last decision point")
};
var countsSchema = z12.strictObject({
  segment: count.optional(),
  interval: count.optional(),
  lookahead: count.optional(),
  counterfactuals: z12.strictObject({ action: count.optional(), happening: count.optional() }).optional()
});
var submittedParts = {
  action: useSchema.optional().describe("M2: what will be done"),
  predicted: countsSchema.describe("How many changes each list holds"),
  fires: count.nullable().describe("How many processes are said to fire; null where nothing was said"),
  missing: z12.array(z12.string()).describe("What is asked and not answered")
};
var deductionContextAnswerSchema = z12.strictObject({
  ok: ok2,
  case: z12.string(),
  condition: z12.enum(CONDITIONS),
  mode: z12.enum(MODES),
  round: z12.int().min(1),
  clock: tick2,
  unit: z12.string().describe("What one tick of the clock is"),
  ends: tick2.describe("The last tick of the case"),
  budgets: z12.strictObject({
    roundSteps: budget2.describe("Submissions (commit_step) of this round, refused ones counted"),
    roundCalls: budget2.describe("Calls of this round"),
    runCalls: budget2.describe("Calls of the run")
  }),
  intro: z12.strictObject({
    text: z12.string(),
    note: z12.string().optional().describe("That the text is cut, and how to read on"),
    cursor: z12.string().optional().describe("For get_context, to read on")
  }),
  goal: z12.string().describe("What is to be reached, in words"),
  submitted: z12.strictObject(submittedParts).nullable().describe("What stands submitted in this round"),
  ...roundParts2
});
var submissionAnswerSchema = z12.strictObject({
  ok: ok2,
  round: z12.int().min(1),
  ...submittedParts,
  interval: spanOf.optional().describe("M2: the interval, now that the action is chosen"),
  note: z12.string()
});
var deductionEndAnswerSchema = z12.strictObject({
  ok: ok2,
  round: z12.int().min(1).describe("The round that is closed"),
  clock: tick2,
  finished: z12.boolean().describe("Whether the case is finished"),
  next: z12.strictObject({ round: z12.int().min(1), ...roundParts2 }).optional().describe("What the next round asks")
});

// src/runtime/deduction/tools.ts
var deductionHelpInputSchema = z13.strictObject({
  topic: z13.string().optional().describe("A topic of the answer's list, such as example, predictions, time; the overview where left out")
});
var deductionContextInputSchema = z13.strictObject({
  cursor: z13.string().optional().describe("The cursor of an intro that was cut, to read on")
});
var DEDUCTION_SOURCES = ["map", "types", "entities", "capabilities", "processes", "schedule", "log"];
var deductionReadInputSchema = z13.strictObject({
  ...readInputSchema.shape,
  from: z13.enum(DEDUCTION_SOURCES).describe("What to read; capabilities are the actions"),
  id: z13.string().optional().describe("One entry by its id; in the log a closed round"),
  type: idOf.optional().describe("Entities of this type only")
});
var predictionSchema = z13.strictObject({
  path: z13.string().min(1).max(200).describe("entity_id.field (or entity_id.at); entity_id alone for what comes into being or is gone"),
  value: literalSchema.describe(
    "The value at the end; for what comes into being its type, for what is gone the word destroyed"
  )
});
var listOf2 = (what) => z13.array(predictionSchema).max(LIMITS.predictionEntries).optional().describe(what);
var submissionInputSchema = z13.strictObject({
  action: z13.strictObject({
    action: z13.string().describe("wait, or the id of an action"),
    args: z13.record(z13.string(), argSchema).default({}).describe("Its arguments by parameter name")
  }).optional().describe("M2: what to do now; to wait where left out"),
  predict: z13.strictObject({
    segment: listOf2("M1: every change of this segment"),
    interval: listOf2("M2: every change up to the next decision point, the action's own included"),
    lookahead: listOf2("M2: every change over the lookahead, if the action is followed by waiting"),
    counterfactuals: z13.strictObject({
      action: listOf2("Every field whose value now would differ, had the other action been taken"),
      happening: listOf2("Every field whose value now would differ, had this not happened")
    }).optional().describe("M2: answers to the questions that get_context asks")
  }).default({}).describe("Lists of changes; an empty list says that nothing changes"),
  fires: z13.array(z13.string()).max(LIMITS.predictionEntries).optional().describe("Ids of the processes that fire at least once in the segment or interval")
});

// src/runtime/dynamics/compile-dynamics.ts
import { freeze as freeze9 } from "immer";
function compileDynamics(world, parts) {
  const faults = [];
  const report = (path3, error) => faults.push({
    path: [...path3, ...pathOf(error.path)],
    message: error.message,
    ...error.hint === void 0 ? {} : { hint: error.hint }
  });
  const sealed = sealedFields(parts.visibility, report);
  checkCharacter(world, parts.character, report);
  checkActions(world, sealed, report);
  parts.creates.forEach(({ type }, i) => {
    if (lookUp(world.types, type) === void 0)
      report(["creates", i, "type"], {
        message: `there is no type "${type}"`,
        hint: suggest(type, Object.keys(world.types))
      });
  });
  const processes = Object.values(parts.processes).flatMap((draft) => {
    const compiled = compileProcess(world, draft, sealed, (error) => report(["processes", draft.id], error));
    return compiled === void 0 ? [] : [compiled];
  });
  const schedule = Object.values(parts.schedule).flatMap((draft) => {
    const compiled = compileEntry(world, draft, sealed, (error) => report(["schedule", draft.id], error));
    return compiled === void 0 ? [] : [compiled];
  });
  if (faults.length > 0) return { ok: false, error: faults };
  const { character, visibility, creates, actionTells = {}, decision, segment, ticks: ticks2 } = parts;
  return {
    ok: true,
    value: freeze9({
      character,
      processes: processes.sort((a, b) => a.draft.priority - b.draft.priority || compareText(a.id, b.id)),
      schedule: schedule.sort((a, b) => compareText(a.id, b.id)),
      visibility: freeze9(visibility, true),
      types: typesWithout(world.types, sealed),
      creates: freeze9(creates, true),
      actionTells: freeze9({ ...actionTells }),
      decision,
      segment,
      ticks: ticks2
    })
  };
}
function pathOf(path3) {
  if (path3 === void 0) return [];
  return [...path3.matchAll(/[^.[\]]+/g)].map(([part]) => /^[0-9]+$/.test(part) ? Number(part) : part);
}
function sealedFields(visibility, report) {
  const all = Object.entries(visibility).flatMap(
    ([type, fields]) => Object.entries(fields).map(([field, seen2]) => ({ type, field, sealed: seen2 === "sealed" }))
  );
  const sealed = new Set(all.filter((one) => one.sealed).map(({ field }) => field));
  for (const { type, field, sealed: isSealed } of all) {
    if (isSealed || !sealed.has(field)) continue;
    report(["types", type, "fields", field], {
      message: `"${field}" is a sealed field of another type`,
      hint: "give one of the two another name"
    });
  }
  return sealed;
}
function checkCharacter(world, character, report) {
  if (getEntity(world.entities, character) !== void 0) return;
  report(["character"], {
    message: `there is no entity "${character}"`,
    hint: suggest(character, world.entities.ids)
  });
}
function checkActions(world, sealed, report) {
  for (const capability of Object.values(world.capabilities)) {
    const { id: id2, params } = capability;
    if (id2 === WAIT_ID) report(["actions", id2], { message: `"${WAIT_ID}" is always there and does nothing` });
    for (const [name, { kind }] of Object.entries(params)) {
      if (kind !== "int" && kind !== "number" && kind !== "text") continue;
      report(["actions", id2, "params", name], {
        message: `an action takes no ${kind}: what is possible could not be counted`,
        hint: "an entity of a type, or kind place, enum or bool"
      });
    }
    const parts = partsOfRule(world, capability.effects, paramTypes(capability.params));
    if (!parts.ok) continue;
    const requires = capability.requires.flatMap(({ expr: expr2 }) => compiledIn(expr2, parts.scope));
    faultOfSeal(
      { ...parts, expressions: [...parts.expressions, ...requires] },
      sealed,
      (error) => report(["actions", id2], error)
    );
  }
}
function paramTypes(params) {
  return Object.fromEntries(
    Object.entries(params).map(([name, { type, kind, values }]) => {
      if (kind === "place") return [name, { kind: "place" }];
      if (kind === "bool") return [name, { kind: "bool" }];
      if (kind === "enum") return [name, { kind: "enum", values: values ?? [] }];
      return [name, { kind: "entity", type, nullable: false }];
    })
  );
}
function compiledIn(text2, scope) {
  const compiled = compileBool(text2, scope);
  return compiled.ok ? [compiled.value] : [];
}
function partsOfRule(world, effects2, variables) {
  const scope = { world, variables, mayReadClock: true, mayReadStep: false };
  const expressions3 = [];
  const keep = (expression4) => {
    expressions3.push(expression4);
    return expression4;
  };
  try {
    const compiled = effects2.map((effect, i) => compileEffect(effect, scope, `effects[${i}]`, keep));
    return { ok: true, effects: compiled, expressions: expressions3, scope };
  } catch (error) {
    if (error instanceof CompileFault) return { ok: false, error: error.error };
    throw error;
  }
}
function compileProcess(world, draft, sealed, report) {
  const names = Object.keys(draft.for).sort(compareText);
  const bindings = names.map((name) => ({ name, type: draft.for[name] }));
  const wrong = bindings.flatMap(({ name, type }) => faultOfBinding(world, name, type));
  wrong.forEach(report);
  if (wrong.length > 0) return void 0;
  const variables = Object.fromEntries(
    bindings.map(({ name, type }) => [name, { kind: "entity", type, nullable: false }])
  );
  const parts = partsOfRule(world, draft.effects, variables);
  if (!parts.ok) {
    report(parts.error);
    return void 0;
  }
  const conditions = {};
  for (const key of ["where", "when"]) {
    const text2 = draft[key];
    if (text2 === void 0) continue;
    try {
      conditions[key] = orFault(compileBool(text2, parts.scope), key);
    } catch (error) {
      if (!(error instanceof CompileFault)) throw error;
      report(error.error);
      return void 0;
    }
  }
  const rule = { ...parts, expressions: [...parts.expressions, ...Object.values(conditions)] };
  return {
    id: draft.id,
    draft: freeze9(draft, true),
    bindings,
    where: conditions.where,
    when: conditions.when,
    effects: parts.effects,
    sealed: faultOfSeal(rule, sealed, report)
  };
}
function faultOfBinding(world, name, type) {
  const named = faultOfName(name);
  if (named !== void 0) return [{ message: named, path: `for.${name}` }];
  if (getEntity(world.entities, name) !== void 0 || Object.hasOwn(world.map.places, name))
    return [
      { message: `"${name}" is the id of an entity or a place`, path: `for.${name}`, hint: "give it another name" }
    ];
  if (lookUp(world.types, type) !== void 0) return [];
  return [
    { message: `there is no type "${type}"`, path: `for.${name}`, hint: suggest(type, Object.keys(world.types)) }
  ];
}
function compileEntry(world, draft, sealed, report) {
  const parts = partsOfRule(world, draft.effects, {});
  if (!parts.ok) {
    report(parts.error);
    return void 0;
  }
  const { effects: effects2 } = parts;
  return {
    id: draft.id,
    draft: freeze9(draft, true),
    at: new Set(draft.at),
    effects: effects2,
    sealed: faultOfSeal(parts, sealed, report)
  };
}
function faultOfSeal(rule, sealed, report) {
  if (sealed.size === 0) return false;
  const writes = rule.effects.flatMap((effect) => {
    if (effect.verb === "create" || effect.verb === "destroy") return ["id"];
    return effect.verb === "claim" ? [] : [effect.target.field];
  });
  if (writes.length > 0 && writes.every((field) => sealed.has(field))) return true;
  const read = [...mentionsOfExpressions(rule.expressions).fields].filter((field) => sealed.has(field)).sort(compareText);
  if (read.length > 0)
    report({
      message: `it reads the sealed ${read.join(", ")} and writes what is not sealed`,
      hint: "what is sealed may have no effect on anything else"
    });
  return false;
}
function typesWithout(types, sealed) {
  return freeze9(
    Object.fromEntries(
      Object.entries(types).map(([id2, type]) => [
        id2,
        { ...type, fields: Object.fromEntries(Object.entries(type.fields).filter(([field]) => !sealed.has(field))) }
      ])
    ),
    true
  );
}

// src/runtime/dynamics/process.ts
import * as z14 from "zod";
var expression2 = z14.string().min(1);
var effects = z14.array(effectSchema).min(1).max(LIMITS.effectsPerCapability);
var words = {
  name: textOf.min(1).describe("What it is called"),
  says: textOf.min(1).describe("What it does, in words without its numbers: all that is told where rules are only named"),
  tells: textOf.min(1).describe("What it does with every number: told where rules are open")
};
var processSchema = z14.strictObject({
  id: idOf,
  ...words,
  every: z14.int().min(1).max(LIMITS.ticks).default(1).describe("Ticks from one time to the next"),
  phase: z14.int().min(0).max(LIMITS.ticks).default(0).describe("Fires at ticks t with (t \u2212 phase) mod every = 0"),
  for: z14.record(nameOf, idOf).default({}).describe("Bound entities: a name and the type it ranges over"),
  where: expression2.optional().describe("Which combinations there are"),
  when: expression2.optional().describe("Whether it fires; one that cannot be evaluated does not hold"),
  effects,
  priority: z14.int().min(-1e3).max(1e3).default(0).describe("Lower ones come first within a tick")
});
var entrySchema = z14.strictObject({
  id: idOf,
  ...words,
  at: z14.array(z14.int().min(1).max(LIMITS.ticks)).min(1).max(LIMITS.entryTicks).describe("The ticks at which it happens"),
  effects
});

// src/runtime/dynamics/visibility.ts
import * as z15 from "zod";
var VISIBILITIES = ["public", "local", "hidden", "sealed"];
var visibilitySchema = z15.enum(VISIBILITIES);
var placeVisibilitySchema = z15.enum(["public", "local", "hidden"]);

// src/cases/fault.ts
function faultAt(path3, message, hint, at = "value") {
  return { path: path3, at, message, ...hint === void 0 ? {} : { hint } };
}
function printFault(fault2) {
  const said = [fault2.message, ...fault2.hint === void 0 ? [] : [capitalised(fault2.hint)]];
  return `${fault2.file}:${fault2.line}:${fault2.column} ${said.map(closed).join(" ")}`;
}
function sortFaults(faults) {
  const order = (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column;
  const seen2 = /* @__PURE__ */ new Set();
  return [...faults].sort(order).filter((fault2) => {
    const line = printFault(fault2);
    return !seen2.has(line) && seen2.add(line);
  });
}
function quote(value3) {
  const text2 = JSON.stringify(value3) ?? "nothing";
  return text2.length > 60 ? `${text2.slice(0, 59)}\u2026` : text2;
}
function closed(sentence) {
  return /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
}
function capitalised(sentence) {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

// src/cases/check-changelog.ts
function faultsOfChangelog({
  version: version2,
  changelog: changelog2 = []
}) {
  const tooNew = changelog2.flatMap(
    (line, i) => line.version > version2 ? [faultAt(["changelog", i, "version"], `is ${line.version}, and the case is version ${version2}`)] : []
  );
  const unordered = changelog2.flatMap((line, i) => {
    const before = changelog2[i - 1]?.version ?? 0;
    return line.version < before ? [faultAt(["changelog", i, "version"], `is ${line.version} after ${before}`, "the newest version stands last")] : [];
  });
  const missing = version2 === 1 || changelog2.some((line) => line.version === version2) ? [] : [faultAt(["version"], `is ${version2}, and the changelog has no line for it`, "say in changelog what changed")];
  return [...tooNew, ...unordered, ...missing];
}

// src/cases/files.ts
import { readFileSync, statSync } from "node:fs";

// src/cases/source.ts
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";

// src/cases/scan.ts
import { CST, Lexer, Parser } from "yaml";
var MAX_DEPTH = 64;
var REFUSED = {
  anchor: ["an anchor (&)", "write the value out where it is needed"],
  alias: ["an alias (*)", "write the value out; a text that begins with * or & needs quotes"],
  tag: ["a tag (!)", "leave the tag away; a text that begins with ! needs quotes"],
  "directive-line": ["a directive (%)", "leave the line away"]
};
function scanYaml(text2, what = "case file") {
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.exec(text2);
  if (control) {
    const code = text2.charCodeAt(control.index).toString(16).toUpperCase().padStart(4, "0");
    return [
      {
        offset: control.index,
        message: `a control character (U+${code}): this is no text`,
        hint: `${what}s are YAML in UTF-8`
      }
    ];
  }
  const faults = [];
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text2)) {
    const refused3 = REFUSED[CST.tokenType(lexeme) ?? ""];
    if (refused3)
      faults.push({ offset: parser.offset, message: `${refused3[0]} has no place in a ${what}`, hint: refused3[1] });
    for (const _token of parser.next(lexeme)) void _token;
    if (parser.stack.length > MAX_DEPTH) {
      return [
        ...faults,
        { offset: parser.offset, message: "the file nests too deep", hint: `a ${what} needs about eight levels` }
      ];
    }
  }
  return faults;
}

// src/cases/subject.ts
var RECORDS = {
  types: "type",
  entities: "entity",
  capabilities: "capability",
  processes: "process",
  schedule: "schedule entry",
  actions: "action"
};
var LISTS = {
  invariants: "invariant",
  events: "event",
  structures: "structure",
  probes: "probe",
  relations: "relation",
  reference: "reference step"
};
function describePath(file, path3) {
  const [head, second, ...rest] = path3;
  if (head === void 0) return "";
  if (second === void 0) return String(head);
  const kind = String(head);
  if (Object.hasOwn(RECORDS, kind))
    return [`${RECORDS[kind]} ${JSON.stringify(String(second))}`, ...told(rest)].join(" ");
  if (Object.hasOwn(LISTS, kind) && typeof second === "number") {
    const id2 = idOfItem(file, kind, second);
    return [`${LISTS[kind]} ${id2 === void 0 ? second + 1 : JSON.stringify(id2)}`, ...told(rest)].join(" ");
  }
  return told(path3).join(" ");
}
function told(path3) {
  return path3.map((segment) => typeof segment === "number" ? String(segment + 1) : segment);
}
function idOfItem(file, list, position) {
  const items = file?.[list];
  const item = Array.isArray(items) ? items[position] : void 0;
  const id2 = typeof item === "object" && item !== null && "id" in item ? item.id : void 0;
  return typeof id2 === "string" ? id2 : void 0;
}

// src/cases/source.ts
var MAX_FILE_BYTES = 1024 * 1024;
var MAX_FAULTS = 100;
function readSource(file, text2, what = "case file") {
  const fail2 = (faults) => ({
    ok: false,
    error: sortFaults(faults).slice(0, MAX_FAULTS)
  });
  const bytes = Buffer.byteLength(text2);
  if (bytes > MAX_FILE_BYTES) {
    return fail2([{ file, line: 1, column: 1, message: `the file has ${bytes} bytes, more than ${MAX_FILE_BYTES}` }]);
  }
  const source = text2.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const lines = new LineCounter();
  const place2 = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const scanned = scanYaml(source, what);
  if (scanned.length > 0) {
    markLines(lines, source);
    return fail2(scanned.map(({ offset, message, hint }) => ({ file, ...place2(offset), message, hint })));
  }
  const document = parseDocument(source, {
    lineCounter: lines,
    uniqueKeys: false,
    stringKeys: true,
    merge: false,
    prettyErrors: false,
    schema: "core"
  });
  if (document.errors.length > 0) {
    const tabs = document.errors.filter(({ code }) => code === "TAB_AS_INDENT");
    const first = /* @__PURE__ */ new Map();
    for (const { code, message, pos } of tabs.length > 0 ? tabs : document.errors) {
      const at = place2(pos[0]);
      if (!first.has(at.line)) first.set(at.line, { file, ...at, ...explainSyntax(code, message) });
    }
    return fail2([...first.values()]);
  }
  if (document.contents === null) return fail2([{ file, line: 1, column: 1, message: "the file is empty" }]);
  if (!isMap(document.contents)) {
    const kind = isSeq(document.contents) ? "a list" : "a text or a number";
    return fail2([
      {
        file,
        ...place2(document.contents.range[0]),
        message: `the file is ${kind}, not a map of keys`,
        ...what === "case file" ? { hint: 'begin with "id: \u2026" or "round: \u2026"' } : {}
      }
    ]);
  }
  const keys = faultsOfKeys(document, place2, what).map((fault2) => ({ file, ...fault2 }));
  if (keys.length > 0) return fail2(keys);
  const value3 = document.toJS({ maxAliasCount: 0 });
  const root = document.contents;
  return succeed({ file, value: value3, locate: (path3, at = "value") => place2(offsetOf(root, path3, at)) });
}
function placeFaults(source, faults) {
  return faults.slice(0, MAX_FAULTS).map(({ path: path3, at, message, hint }) => {
    const subject = describePath(source.value, at === "key" ? path3.slice(0, -1) : path3);
    return {
      file: source.file,
      ...source.locate(path3, at),
      message: subject === "" ? message : `${subject}: ${message}`,
      ...hint === void 0 ? {} : { hint }
    };
  });
}
function offsetOf(root, path3, at) {
  let node = root;
  let key = root;
  for (const segment of path3) {
    let next;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === String(segment));
      if (pair) {
        key = pair.key;
        next = pair.value ?? pair.key;
      }
    } else if (isSeq(node) && typeof segment === "number") {
      next = node.items[segment];
      if (next) key = next;
    }
    if (next === void 0) return node.range[0];
    node = next;
  }
  return (at === "key" ? key : node).range[0];
}
function faultsOfKeys(document, place2, what) {
  const faults = [];
  visit(document, {
    Map(_key, map) {
      const seen2 = /* @__PURE__ */ new Map();
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range) continue;
        const at = place2(key.range[0]);
        const first = seen2.get(key.value);
        if (key.value === "__proto__") faults.push({ ...at, message: 'the key "__proto__" is not allowed' });
        else if (key.value === "<<")
          faults.push({ ...at, message: `a merge key (<<) has no place in a ${what}`, hint: "write the keys out" });
        else if (first === void 0) seen2.set(key.value, at.line);
        else {
          const shown = JSON.stringify(key.value);
          faults.push({
            ...at,
            message: `the key ${shown} stands twice in one map, first in line ${first}`,
            hint: "keep one of the two"
          });
        }
      }
    }
  });
  return faults;
}
function explainSyntax(code, message) {
  switch (code) {
    case "TAB_AS_INDENT":
      return { message: "a tab stands in the indentation", hint: "indent with spaces" };
    case "MULTIPLE_DOCS":
      return { message: "a second YAML document begins here", hint: "keep one document in a file" };
    case "NON_STRING_KEY":
      return { message: "a list or a map cannot be a key", hint: "write a plain word before the colon" };
    default:
      return { message: `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
  }
}
function markLines(lines, text2) {
  lines.addNewLine(0);
  for (let i = text2.indexOf("\n"); i >= 0; i = text2.indexOf("\n", i + 1)) lines.addNewLine(i + 1);
}

// src/cases/files.ts
function readText(file) {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return { ok: false, error: "is not a file" };
    if (stat.size > MAX_FILE_BYTES) return { ok: false, error: `has ${stat.size} bytes, more than ${MAX_FILE_BYTES}` };
    return succeed(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : void 0;
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: false, error: "is missing" };
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return { ok: false, error: "is not UTF-8 text" };
    if (code === "EACCES") return { ok: false, error: "may not be read" };
    throw error;
  }
}

// src/cases/schema.ts
import * as z26 from "zod";

// src/contracts/contract.ts
import * as z16 from "zod";
var itemId = idOf.describe("Unique in the case").transform((id2) => id2);
var eventId = idOf.describe("The id of an event").transform((id2) => id2);
var path2 = z16.string().regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, "a path is entity.field").describe("entity.field");
var expression3 = z16.string().min(1);
var told2 = textOf.min(1).describe("Words of the narrative that carry it; ... stands for words left out");
var acceptSchema = z16.strictObject({
  defining: z16.record(path2, literalSchema).describe("Paths and the values they reach"),
  given: expression3.optional().describe("A circumstance of this way, true before its first step")
});
var eventSchema = z16.strictObject({
  id: idOf.describe("Unique in the case").transform((id2) => id2),
  says: textOf.min(1).describe("Who does what, in one plain sentence: no order, no rule, no id"),
  involves: z16.array(nameOf).min(1).describe("The entities that took part"),
  defining: z16.array(path2).min(1).max(2).describe("The one or two paths that make it this event"),
  given: expression3.optional().describe("Must be true in the state before the binding's first step"),
  accepts: z16.array(acceptSchema).default([]).describe("Further ways in which it may come about")
});
var perturbationSchema = z16.looseObject({
  since: eventId.optional().describe("Hold the difference up from this event on"),
  args: z16.record(nameOf, z16.union([z16.boolean(), z16.number(), z16.string()])).optional().describe("Arguments of the reference trigger, given otherwise"),
  clock: z16.int().min(0).optional().describe("What the clock shows"),
  told: told2.optional()
});
var structureSchema = z16.strictObject({
  id: itemId,
  level: z16.enum(["type", "entity", "capability"]).describe("What is constructed"),
  says: textOf.min(1).describe("What it is a way to do, and what it refuses, in one sentence"),
  usedBy: eventId.describe("The event whose triggers use it"),
  availableBefore: eventId.optional().describe("The event before which it must stand; before its use where left out"),
  reference: z16.string().describe("The id of the reference's own structure"),
  refusedWhen: z16.array(perturbationSchema).default([]).describe("Differences under which it must be refused: a rule that the narrative states, each with told"),
  allowedWhen: z16.array(perturbationSchema).default([]).describe("Harmless differences, best in what the rule looks at, under which it must still go through")
});
var forbiddenValue = z16.union([
  literalSchema,
  z16.strictObject({ not: literalSchema.describe("Any value but this one") }),
  z16.strictObject({ any: z16.literal(true).describe("Any value at all") })
]);
var probeSchema = z16.strictObject({
  id: itemId,
  says: textOf.min(1).describe("What nobody does, in one plain sentence"),
  after: eventId.describe("The event with which its window opens"),
  until: eventId.optional().describe("The event before which it closes; the end of the round where left out"),
  while: expression3.optional().describe("Narrows the window to when this is true"),
  forbids: z16.union([
    z16.strictObject({
      changes: z16.record(
        z16.string().regex(/^(\*|[a-z][a-z0-9_]*(\.\*)?)\.[a-z][a-z0-9_]*$/, "entity.field, *.field or type.*.field"),
        forbiddenValue
      ).describe("Writes that are forbidden: a path and the value it may not become")
    }),
    z16.strictObject({ holds: expression3.describe("A state that may not be") })
  ]).describe("Either changes or holds"),
  told: told2.optional()
});
var CONCURRENCY_MODES = ["start_together", "overlap", "end_together"];
var relationSchema = z16.strictObject({
  causal: z16.strictObject({
    causes: z16.array(eventId).min(1).describe("Events without which the effect could not have been"),
    effect: eventId.describe("It begins when every cause has ended")
  }).optional().describe("CA: what made what possible"),
  precedes: z16.strictObject({
    before: eventId.describe("It has ended when the other begins"),
    after: eventId.describe("It begins when the other has ended"),
    immediate: z16.boolean().default(false).describe("Nothing between: no other event, no wait")
  }).optional().describe("TM: what came before what"),
  chain: z16.array(eventId).min(2).optional().describe("TM: each before the next; two events make one item, three two"),
  concurrent: z16.strictObject({
    events: z16.tuple([eventId, eventId]).describe("The two events"),
    mode: z16.enum(CONCURRENCY_MODES).describe("How their times meet")
  }).optional().describe("CC: what was done at once"),
  told: told2
});
var ITEM_KINDS = ["E", "A", "P", "CA", "TM", "CC"];

// src/contracts/deduction/question.ts
var QUESTION_KINDS = ["segment", "interval", "lookahead", "action", "happening"];

// src/contracts/deduction/baselines/baseline.ts
var BASELINE_NAMES = ["persist", "everything", "last-change", "rules"];

// src/contracts/deduction/mean.ts
import * as z17 from "zod";
var unit = z17.number().min(0).max(1);
var meanSchema = z17.strictObject({ mean: unit.nullable(), n: z17.int().min(0) }).refine(({ mean, n }) => mean === null === (n === 0), "a mean is null exactly where it is over nothing");
var quietSchema = z17.strictObject({ rate: unit.nullable(), n: z17.int().min(0) }).refine(({ rate, n }) => rate === null === (n === 0), "a rate is null exactly where it is over nothing");

// src/contracts/deduction/reading.ts
import * as z18 from "zod";
var count2 = z18.int().min(0);
var unit2 = z18.number().min(0).max(1);
var byVisibilitySchema = z18.strictObject({
  matched: count2,
  predicted: count2.describe("Over all spans, quiet ones too"),
  truth: count2,
  f1: meanSchema.describe("Over the spans in which such a field changed")
});
var spanSchema2 = z18.strictObject({
  kind: z18.enum(QUESTION_KINDS),
  round: z18.int().min(1),
  from: count2,
  to: count2,
  answered: z18.boolean(),
  matched: count2,
  predicted: count2,
  changed: count2.describe("Fields that changed in truth"),
  f1: unit2.nullable().describe("null where the span is quiet")
});
var readingSchema = z18.strictObject({
  planned: count2.describe("Questions there were"),
  answered: count2,
  unanswered: count2.describe("Each counts F1 0, or quiet 0"),
  f1: meanSchema.describe("Over the spans in which something changed"),
  precision: meanSchema.describe("Over those of them for which something was predicted"),
  recall: meanSchema.describe("Over the spans in which something changed"),
  quiet: quietSchema.describe("Over the spans in which nothing changed: the share for which nothing was predicted"),
  bySize: z18.strictObject({ "1-2": meanSchema, "3-6": meanSchema, "7-12": meanSchema, more: meanSchema }),
  byVisibility: z18.strictObject({ public: byVisibilitySchema, local: byVisibilitySchema, hidden: byVisibilitySchema }),
  bySpan: z18.array(spanSchema2)
});
var meansSchema = readingSchema.pick({ f1: true, precision: true, recall: true, quiet: true });

// src/contracts/deduction/score.ts
import * as z20 from "zod";

// src/contracts/deduction/fires.ts
import * as z19 from "zod";
var count3 = z19.int().min(0);
var firesSchema = z19.strictObject({
  planned: count3.describe("Spans there were"),
  answered: count3,
  unanswered: count3.describe("Each counts recall 0 where something fired"),
  precision: meanSchema.describe("Over the spans in which something fired and something was predicted"),
  recall: meanSchema.describe("Over the spans in which something fired"),
  silent: count3.describe("Spans in which something fired and nothing was predicted: left out of precision"),
  quiet: count3.describe("Spans in which nothing fired: left out of both")
});

// src/contracts/deduction/score.ts
var READING_KINDS = [
  "segment",
  "interval",
  "lookahead",
  "counterfactual",
  "counterfactual_action",
  "counterfactual_happening"
];
var count4 = z20.int().min(0);
var kindSchema = z20.enum(READING_KINDS);
var ofRun = {
  v: z20.literal(1),
  track: z20.literal("deduction"),
  case: z20.string(),
  family: z20.string(),
  condition: z20.enum(CONDITIONS),
  mode: z20.enum(MODES),
  fold: count4,
  agent: z20.string(),
  outcome: z20.string().describe("Why the run ended")
};
var baselineSchema = z20.strictObject({
  readings: z20.partialRecord(kindSchema, meansSchema),
  fires: firesSchema.pick({ precision: true, recall: true })
});
var scoredSchema = z20.strictObject({
  ...ofRun,
  excluded: z20.literal(false),
  spans: z20.strictObject({
    planned: count4,
    played: count4.describe("Closed by the agent; the others count as unanswered"),
    unanswered: count4.describe("Spans in which a required answer is missing, those that were not played among them")
  }),
  readings: z20.partialRecord(kindSchema, readingSchema).describe("segment in M1, the others in M2"),
  fires: firesSchema,
  goal: z20.boolean().nullable().describe("Whether the goal holds at the last tick; null in M1, where nobody acts"),
  waits: z20.strictObject({ waits: count4, decisions: count4.describe("Decision points that were played") }),
  baselines: z20.record(z20.enum(BASELINE_NAMES), baselineSchema).describe("What they would have answered along this very trajectory")
});
var excludedSchema = z20.strictObject({
  ...ofRun,
  excluded: z20.literal(true),
  reason: z20.string().describe("Why it has no figures")
});
var deductionScoreSchema = z20.discriminatedUnion("excluded", [scoredSchema, excludedSchema]);

// src/contracts/judgment.ts
import * as z21 from "zod";
var triggerId2 = z21.string().regex(/^t[1-9][0-9]*_[1-9][0-9]*$/).transform((id2) => id2);
var noAnswer = z21.literal(true).optional().describe("Of an undecided one: the judge's endpoint never brought an answer, readable or not");
var judgmentSchema = z21.strictObject({
  v: z21.literal(1),
  item: z21.string().transform((id2) => id2),
  kind: z21.enum(["E", "A", "P"]),
  round: z21.int().min(1),
  vote: z21.int().min(1).default(1),
  verdict: z21.enum(["pass", "fail", "undecided"]),
  triggers: z21.array(triggerId2).describe("An event's binding, a structure's uses, a probe's violations"),
  constructions: z21.array(z21.int().min(1)).describe("A structure's or a violation's constructions, by number"),
  reason: z21.string().describe("One sentence"),
  by: z21.enum(["exact", "model"]).optional().describe("Who said it, in a set to which several judges add"),
  surplus: z21.array(z21.array(triggerId2)).optional().describe("Earlier realisations of the same marks"),
  noAnswer
});
var identitySchema = z21.strictObject({
  v: z21.literal(1),
  kind: z21.literal("identity"),
  entity: nameOf.describe("As the contract names it"),
  vote: z21.int().min(1).default(1),
  verdict: z21.enum(["found", "absent", "undecided"]),
  is: z21.string().nullable().describe("Its id in the agent's world"),
  reason: z21.string().describe("One sentence"),
  noAnswer
});

// src/contracts/rate.ts
import * as z22 from "zod";
var rateSchema = z22.strictObject({ passed: z22.int().min(0), scored: z22.int().min(0), rate: z22.number().min(0).max(1).nullable() }).refine(({ passed, scored }) => passed <= scored, "more passed than scored").refine(({ passed, scored, rate }) => rate === divide(passed, scored), "rate is not passed / scored");
function divide(passed, scored) {
  return scored === 0 ? null : passed / scored;
}

// src/contracts/score.ts
import * as z25 from "zod";

// src/contracts/standing.ts
import * as z23 from "zod";
var STANDINGS = ["confirmed", "word", "refused"];
var count5 = z23.int().min(0);
var counts = {
  confirmed: count5.describe("Passes that the exact judge gives as well"),
  word: count5.describe("Passes on the judge's word alone"),
  refused: count5.describe("Passes of the judge that the audit turned; the items say why")
};
var standingCountsSchema = z23.strictObject({
  ...counts,
  byKind: z23.strictObject({
    E: z23.strictObject(counts),
    A: z23.strictObject(counts),
    P: z23.strictObject(counts)
  })
});

// src/contracts/witness.ts
import * as z24 from "zod";
var eventIdSchema = z24.string().min(1).transform((id2) => id2);
var triggerIdSchema = z24.string().refine((id2) => parseTriggerId(id2) !== void 0, "a trigger id is t<step>_<position>").transform((id2) => id2);
var tick3 = z24.int();
var step = z24.int().min(1);
var spanSchema3 = z24.strictObject({ event: eventIdSchema, start: tick3, end: tick3 });
function inequality(sign) {
  return z24.strictObject({ left: tick3, sign: z24.literal(sign), right: tick3 });
}
var intruderSchema = z24.discriminatedUnion("kind", [
  z24.strictObject({ kind: z24.literal("trigger"), trigger: triggerIdSchema, event: eventIdSchema }),
  z24.strictObject({ kind: z24.literal("wait"), ticks: z24.int().min(0) }),
  z24.strictObject({ kind: z24.literal("advance"), ticks: z24.int().min(1) })
]);
var witnessSchema = z24.discriminatedUnion("kind", [
  /** CA, TM, CC: the event does not hold. */
  z24.strictObject({ kind: z24.literal("absent"), event: eventIdSchema }),
  /** CA, TM: a.end > b.start. */
  z24.strictObject({ kind: z24.literal("order"), a: spanSchema3, b: spanSchema3, inequality: inequality(">") }),
  /** CC start_together: a.start ≠ b.start. */
  z24.strictObject({ kind: z24.literal("start"), a: spanSchema3, b: spanSchema3, inequality: inequality("\u2260") }),
  /** CC overlap: the later start ≥ the earlier end. */
  z24.strictObject({ kind: z24.literal("overlap"), a: spanSchema3, b: spanSchema3, inequality: inequality("\u2265") }),
  /** CC end_together: a.end ≠ b.end. */
  z24.strictObject({ kind: z24.literal("end"), a: spanSchema3, b: spanSchema3, inequality: inequality("\u2260") }),
  /** TM immediate: step `step` lies between the last step of `before` and the first of `after`, and holds `what`. */
  z24.strictObject({
    kind: z24.literal("between"),
    before: z24.strictObject({ event: eventIdSchema, lastStep: step }),
    after: z24.strictObject({ event: eventIdSchema, firstStep: step }),
    step,
    what: intruderSchema
  })
]);

// src/contracts/score.ts
var count6 = z25.int().min(0);
var round = z25.int().min(1);
var scoredItemSchema = z25.strictObject({
  id: z25.string().transform((id2) => id2),
  kind: z25.enum(ITEM_KINDS),
  round,
  level: z25.enum(LEVELS).optional().describe("Of a structure"),
  scored: z25.boolean().describe("Whether it counts in this tier"),
  status: z25.enum(["pass", "fail", "undecided"]),
  reason: z25.string().describe("One sentence"),
  triggers: z25.array(triggerIdSchema).optional().describe("The evidence that was kept, where there is any"),
  constructions: z25.array(z25.int().min(1)).optional().describe("The evidence that was kept, where there is any"),
  witness: witnessSchema.optional().describe("Of a relation that does not hold"),
  noAnswer: z25.literal(true).optional().describe("Undecided, as the judge's endpoint never brought an answer"),
  by: z25.enum(["exact", "model"]).optional().describe("Who judged it, where two judges share a set"),
  standing: z25.enum(STANDINGS).optional().describe("What a pass rests on, where a model judged")
});
var rates = {
  completion: rateSchema.describe("passed / scored over E, A and P"),
  relation: rateSchema.describe("passed / all over CA, TM and CC"),
  components: z25.strictObject({
    E: rateSchema,
    A: rateSchema,
    P: rateSchema,
    CA: rateSchema,
    TM: rateSchema,
    CC: rateSchema
  })
};
var judgedBySchema = z25.strictObject({
  model: z25.string().nullable().describe("As it was asked for"),
  settings: z25.string().describe("Digest of everything the set's header says of its judge")
});
var flipsSchema = z25.strictObject({ E: count6, A: count6 });
var scoreSchema = z25.strictObject({
  v: z25.literal(1),
  case: z25.string(),
  tier: tierSchema,
  agent: z25.string().optional(),
  outcome: z25.string().describe("Why the run ended"),
  judge: z25.string(),
  ...rates,
  mix: z25.number().min(0).max(1).nullable().describe("(completion + relation) / 2, or null where one of them is null"),
  undecided: count6.describe("Scored items without a verdict; each is among those not passed"),
  judgedBy: judgedBySchema.optional().describe("Only where a model judged, as the three that follow"),
  judgeFaults: count6.optional().describe("Of the undecided, those to which the judge's endpoint brought no answer"),
  standing: standingCountsSchema.optional().describe("What the passes over E, A and P rest on"),
  flips: flipsSchema.optional().describe("What the exact judge failed and a model, looking again, passed"),
  rounds: z25.array(z25.strictObject({ round, played: z25.boolean().describe("Whether it was begun"), ...rates })),
  items: z25.array(scoredItemSchema)
});

// src/cases/schema.ts
var STRATA = ["small", "medium", "large"];
var positive = z26.int().min(1);
var budget3 = z26.strictObject({
  stepsPerRound: positive.optional().describe("Steps of each round"),
  callsPerRound: positive.optional().describe("Calls of each round")
}).describe("Instead of what the formula gives");
var budgetsSchema = z26.strictObject({
  easy: budget3.optional(),
  hard: budget3.optional(),
  extreme: budget3.optional()
});
var caseEntitySchema = z26.object({
  type: entityDraftSchema.shape.type.describe("One of the types of this file"),
  name: entityDraftSchema.shape.name,
  at: entityDraftSchema.shape.at
}).catchall(literalSchema).describe("An entity; its fields stand beside type, name and at");
var record13 = (key, value3) => z26.record(key, value3);
var caseFileSchema = z26.strictObject({
  id: idOf.describe("The name of the folder"),
  title: textOf.min(1).describe("As people call it; players never see it"),
  family: idOf.describe("ark, myth or li"),
  stratum: z26.enum(STRATA).describe("By scored items over the three tiers: 450\u2013700, 1,000\u20131,350, more"),
  version: positive.describe("A change of content is a new version, with a line in the changelog"),
  canary: z26.string().regex(/^worldagent-canary-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "a canary is worldagent-canary- and a UUID").describe("worldagent-canary- and a UUID of this case's own: a text to find it by in training data"),
  licence: textOf.min(1).optional().describe("Such as CC-BY-4.0"),
  changelog: z26.array(
    z26.strictObject({
      version: positive.describe("The version"),
      says: textOf.min(1).describe("What it changed, in one sentence")
    })
  ).optional().describe("One line a version"),
  clock: z26.strictObject({
    unit: textOf.min(1).describe("What one tick is: minute, hour, day"),
    start: z26.int().min(0).default(0).describe("Where the clock stands at first")
  }).describe("The time of the world, in ticks"),
  map: mapSchema.describe("Places and the ways between them: all that is given in extreme"),
  types: record13(idOf, typeSchema.omit({ id: true })).describe("Kinds of things, by id; given in easy and hard"),
  entities: record13(nameOf, caseEntitySchema).describe("Who and what there is at the beginning, by id"),
  invariants: z26.array(invariantSchema).default([]).describe("What no step may ever break; given in easy and hard"),
  capabilities: record13(idOf, capabilitySchema.omit({ id: true })).describe(
    "What can be done, by id; given in easy, and the reference's own in every tier"
  ),
  unused: z26.record(z26.string(), textOf.min(1)).default({}).describe("Types, entities, capabilities, places and type.field that nothing uses, each with why it is there"),
  budgets: budgetsSchema.optional().describe("Only where the published formula does not fit")
});
var referenceTriggerSchema = z26.strictObject({
  ...triggerSchema.shape,
  realises: z26.array(eventSchema.shape.id).default([]).describe("The events of this round that it brings about")
});
var referenceStepSchema = z26.strictObject({
  triggers: z26.array(referenceTriggerSchema).max(LIMITS.triggersPerStep).default([]).describe("Doings that begin at once; none at all is a wait"),
  until: z26.literal("first").optional().describe("first: the clock stops where the first of them ends, the others go on"),
  advance: z26.int().min(0).max(LIMITS.ticks).optional().describe("Ticks that pass when the step is over")
});
var roundFileSchema = z26.strictObject({
  round: positive.describe("Its number, which the file's name says as well"),
  narrative: z26.string().min(1).describe("The instalment of the story: all that a player sees of this file"),
  events: z26.array(eventSchema).describe("E: what somebody does, and what follows"),
  structures: z26.array(structureSchema).default([]).describe("A: what a player must build well, judged by what it refuses"),
  probes: z26.array(probeSchema).default([]).describe("P: what is forbidden, or left undone"),
  relations: z26.array(relationSchema).default([]).describe("CA, TM, CC: each one of causal, precedes, chain or concurrent, with the words that carry it"),
  reference: z26.array(referenceStepSchema).describe("One way to act the round out, step by step")
});
function withIds(items) {
  return Object.fromEntries(Object.entries(items).map(([id2, item]) => [id2, { id: id2, ...item }]));
}

// src/cases/zod-faults.ts
import * as z27 from "zod";
function parseWith(schema, value3) {
  const known = /* @__PURE__ */ new Map();
  const parsed = schema.safeParse(value3, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys" && issue.inst instanceof z27.ZodObject) {
        for (const key of issue.keys) known.set(key, [...known.get(key) ?? [], ...Object.keys(issue.inst.shape)]);
      }
      return void 0;
    }
  });
  if (parsed.success) return succeed(parsed.data);
  return { ok: false, error: parsed.error.issues.flatMap((issue) => explain(issue, [], value3, known)) };
}
function explain(issue, base, root, known) {
  const path3 = [...base, ...issue.path];
  const seen2 = valueAt2(root, path3);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map(
        (key) => faultAt([...path3, key], `unknown key ${quote(key)}`, suggest(key, [...new Set(known.get(key))]), "key")
      );
    case "invalid_key": {
      const [first] = issue.issues;
      return [faultAt(path3, first?.message ?? "not a possible key", void 0, "key")];
    }
    case "invalid_type":
      if (seen2 === void 0)
        return [faultAt(path3.slice(0, -1), `${quote(path3.at(-1))} is missing`, `it is ${kindName(issue.expected)}`)];
      return [faultAt(path3, `expected ${kindName(issue.expected)}, seen ${kindOf(seen2)}`)];
    case "invalid_value":
      if (seen2 === void 0)
        return [faultAt(path3.slice(0, -1), `${quote(path3.at(-1))} is missing`, oneOf(issue.values))];
      return [faultAt(path3, `${quote(seen2)} is not possible here`, suggestValue(seen2, issue.values))];
    case "too_small":
    case "too_big":
      return [faultAt(path3, sizeMessage(issue, seen2))];
    case "invalid_union":
      return explainUnion(issue, path3, root, known);
    default:
      return [faultAt(path3, issue.message)];
  }
}
function explainUnion(issue, path3, root, known) {
  const seen2 = valueAt2(root, path3);
  if (issue.errors.length === 0) {
    const options = "options" in issue ? issue.options : void 0;
    const words3 = Array.isArray(options) ? options.map(String) : [];
    if (seen2 === void 0) return [faultAt(path3.slice(0, -1), `${quote(path3.at(-1))} is missing`, oneOf(words3))];
    return [faultAt(path3, `${quote(seen2)} is not possible here`, suggestValue(seen2, words3))];
  }
  const ways = issue.errors.map((issues) => ({
    issues,
    far: issues.some(refusesWhole),
    unknown: issues.filter((one) => one.code === "unrecognized_keys").length
  }));
  const near = ways.filter((way) => !way.far).sort((a, b) => a.unknown - b.unknown || a.issues.length - b.issues.length);
  const [best, next] = near;
  const bestIsUnsure = best !== void 0 && next !== void 0 && best.unknown > 0 && next.unknown === best.unknown;
  if (best !== void 0 && bestIsUnsure)
    return best.issues.filter((one) => one.code === "unrecognized_keys").flatMap((one) => explain(one, path3, root, known));
  if (best !== void 0) return best.issues.flatMap((one) => explain(one, path3, root, known));
  const kinds = issue.errors.flat().flatMap((one) => one.code === "invalid_type" && one.path.length === 0 ? [kindName(one.expected)] : []);
  return [faultAt(path3, `expected ${orList([...new Set(kinds)])}, seen ${kindOf(seen2)}`)];
}
function refusesWhole(issue) {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}
function sizeMessage(issue, seen2) {
  const least = issue.code === "too_small";
  const bound2 = least ? issue.minimum : issue.maximum;
  const allowed = `${least ? "at least" : "at most"} ${bound2}`;
  if (seen2 === "") return "is empty";
  if (typeof seen2 === "string") return `has ${seen2.length} characters, allowed are ${allowed}`;
  if (Array.isArray(seen2))
    return `has ${seen2.length} ${seen2.length === 1 ? "entry" : "entries"}, allowed are ${allowed}`;
  return `is ${quote(seen2)}, allowed is ${allowed}`;
}
function valueAt2(root, path3) {
  let value3 = root;
  for (const segment of path3) {
    if (typeof value3 !== "object" || value3 === null || !Object.hasOwn(value3, segment)) return void 0;
    value3 = value3[segment];
  }
  return value3;
}
var KIND_NAMES = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
  object: "a map",
  record: "a map",
  array: "a list",
  tuple: "a list of two"
};
function kindName(expected) {
  return KIND_NAMES[expected] ?? expected;
}
function kindOf(seen2) {
  if (seen2 === null) return "nothing (null)";
  if (Array.isArray(seen2)) return `a list ${quote(seen2)}`;
  switch (typeof seen2) {
    case "string":
      return `the text ${quote(seen2)}`;
    case "number":
      return `the number ${String(seen2)}`;
    case "boolean":
      return String(seen2);
    default:
      return `a map ${quote(seen2)}`;
  }
}
function suggestValue(seen2, values) {
  const words3 = values.map(String);
  return typeof seen2 === "string" && words3.length > 1 ? suggest(seen2, words3) : oneOf(values);
}
function oneOf(values) {
  return `it is ${orList(values.map(quote))}`;
}
function orList(words3) {
  return words3.length < 2 ? words3.join("") : `${words3.slice(0, -1).join(", ")} or ${words3.at(-1)}`;
}

// src/cases/deduction/case.ts
var FOLDS = [1, 2, 3, 4, 5];

// src/cases/deduction/folds.ts
var MOST_VALUES = 1e3;
function draftsOfFold(drafts, vary, seed, fold) {
  const changed = { ...drafts };
  for (const path3 of Object.keys(vary).sort(compareText)) {
    const { entity, field } = split(path3);
    const draft = changed[entity];
    const values = valuesOf2(vary[path3]);
    if (draft === void 0 || values.length === 0) continue;
    const value3 = values[draw(`${seed}|${fold}|${path3}`, values.length)];
    changed[entity] = field === "at" ? { ...draft, at: value3 } : { ...draft, fields: { ...draft.fields, [field]: value3 } };
  }
  return changed;
}
function checkVary(drafts, vary) {
  return Object.entries(vary).flatMap(([path3, choice]) => {
    const at = ["folds", "vary", path3];
    const { entity } = split(path3);
    if (!Object.hasOwn(drafts, entity))
      return [faultAt(at, `there is no entity "${entity}"`, suggest(entity, Object.keys(drafts)), "key")];
    const many = valuesOf2(choice).length;
    if (many >= 2 && many <= MOST_VALUES) return [];
    return [
      faultAt(at, `${many > MOST_VALUES ? `more than ${MOST_VALUES}` : many} values to draw from`, "two or more")
    ];
  });
}
function split(path3) {
  const dot = path3.indexOf(".");
  return dot < 0 ? { entity: path3, field: "" } : { entity: path3.slice(0, dot), field: path3.slice(dot + 1) };
}
function valuesOf2(choice) {
  if ("among" in choice) return choice.among;
  const { from, to, step: step2 } = choice;
  const many = Math.floor((to - from) / step2 + 1e-9) + 1;
  if (!Number.isFinite(many) || many < 1) return [];
  return Array.from({ length: Math.min(many, MOST_VALUES + 1) }, (_, i) => Number((from + i * step2).toFixed(12)));
}
function draw(text2, size) {
  return Number.parseInt(sha256(text2).slice(0, 12), 16) % size;
}

// src/cases/deduction/schema.ts
import * as z28 from "zod";
var { id, title, version, canary, licence, changelog, clock, entities } = caseFileSchema.shape;
var seen = { visibility: visibilitySchema.describe("Who sees its value: public, local, hidden, sealed") };
var [bool, int23, number11, text, words2, place, ref, refs] = fieldSchema.options;
var seenFieldSchema = z28.discriminatedUnion("kind", [
  bool.extend(seen),
  int23.extend(seen),
  number11.extend(seen),
  text.extend(seen),
  words2.extend(seen),
  place.extend(seen),
  ref.extend(seen),
  refs.extend(seen)
]);
var seenTypeSchema = z28.strictObject({
  says: textOf.default("").describe("One sentence: what such a thing is"),
  at: placeVisibilitySchema.default("public").describe("Who sees where such an entity is"),
  fields: z28.record(idOf, seenFieldSchema).default({})
});
var actionSchema = capabilitySchema.omit({ id: true }).extend({
  says: textOf.min(1).describe("What it does, in words without its numbers"),
  tells: textOf.min(1).describe("What it does with every number")
});
var scalar = z28.union([z28.boolean(), z28.number(), z28.string(), z28.null()]);
var choiceSchema = z28.union([
  z28.strictObject({
    from: z28.number(),
    to: z28.number(),
    step: z28.number().refine((step2) => step2 > 0, "must be more than 0").default(1)
  }),
  z28.strictObject({ among: z28.array(scalar).min(2).max(100) })
]);
var ticks = z28.int().min(1).max(LIMITS.caseTicks);
var deductionFileSchema = z28.strictObject({
  id,
  track: z28.literal("deduction"),
  title,
  family: idOf.describe("ashspring, orbit or manor"),
  variant: z28.enum(["base", "alternate"]),
  version,
  canary,
  licence,
  changelog,
  clock,
  ticks: ticks.describe("The length of the case; a multiple of segment and decision"),
  segment: ticks.describe("Ticks of a segment (M1)"),
  decision: ticks.describe("Ticks from one decision point to the next (M2)"),
  character: nameOf.describe("The entity that the agent acts as"),
  intro: z28.string().min(1).max(2e4).describe("Told in both conditions"),
  goal: z28.strictObject({
    says: textOf.min(1).describe("In words"),
    expr: z28.string().min(1).describe("Over the true world at the last tick")
  }),
  map: mapSchema,
  types: z28.record(idOf, seenTypeSchema),
  entities,
  processes: z28.record(idOf, processSchema.omit({ id: true })),
  schedule: z28.record(idOf, entrySchema.omit({ id: true })).default({}),
  actions: z28.record(idOf, actionSchema).default({}),
  creates: z28.array(createdPatternSchema).max(20).default([]),
  folds: z28.strictObject({
    seed: textOf.min(1).describe("With fold and path it decides which value is drawn"),
    vary: z28.record(z28.string(), choiceSchema).describe("By path: entity.field, entity.at")
  })
});
function splitField(field) {
  const { visibility, ...rest } = field;
  return { field: rest, visibility };
}

// src/cases/deduction/load.ts
function loadDeductionCase(directory) {
  const file = `${directory}/case.yaml`;
  const text2 = readText(file);
  if (!text2.ok) return { ok: false, error: [{ file, line: 1, column: 1, message: `the file ${text2.error}` }] };
  const source = readSource(file, text2.value);
  return source.ok ? readDeductionCase(source.value, directory) : source;
}
function readDeductionCase(source, directory) {
  const refuse2 = (faults2) => ({
    ok: false,
    error: sortFaults(placeFaults(source, faults2))
  });
  const parsed = parseWith(deductionFileSchema, source.value);
  if (!parsed.ok) return refuse2(parsed.error);
  const file = parsed.value;
  const faults = [...checkShape(file, directory), ...checkVary(draftsOf(file), file.folds.vary)];
  if (faults.length > 0) return refuse2(faults);
  const worlds2 = {};
  for (const fold of FOLDS) {
    const built = buildWorld(partsOf(file, fold));
    if (!built.ok) return refuse2(built.error.map((fault2) => placed(fault2, file)));
    worlds2[fold] = built.value;
  }
  const world = worlds2[1];
  const compiled = compileDynamics(world, {
    character: file.character,
    processes: withIds(file.processes),
    schedule: withIds(file.schedule),
    visibility: visibilityOf2(file),
    creates: file.creates,
    actionTells: tellsOf(file),
    decision: file.decision,
    segment: file.segment,
    ticks: file.ticks
  });
  if (!compiled.ok) return refuse2(compiled.error.map((fault2) => placed(fault2, file)));
  const goal = compileCondition(world, file.goal.expr);
  if (!goal.ok) return refuse2([faultAt(["goal", "expr"], goal.error.message, goal.error.hint)]);
  const assembled = { ...file.goal, holds: goal.value };
  return succeed(assemble(file, directory, worlds2, compiled.value, assembled));
}
function checkShape(file, directory) {
  const named = basename(resolve(directory));
  const { ticks: ticks2, clock: clock2 } = file;
  return [
    ...file.id === named ? [] : [faultAt(["id"], `is "${file.id}", and the folder is "${named}"`, "give both one name")],
    ...["segment", "decision"].flatMap(
      (key) => ticks2 % file[key] === 0 ? [] : [faultAt([key], `${file[key]} does not go into ${ticks2} ticks`)]
    ),
    ...clock2.start === 0 ? [] : [faultAt(["clock", "start"], "a deduction case begins at tick 0")],
    ...faultsOfChangelog(file)
  ];
}
function draftsOf(file) {
  return Object.fromEntries(
    Object.entries(file.entities).map(([id2, { type, name, at, ...fields }]) => [
      id2,
      { id: id2, type, name, at, fields }
    ])
  );
}
function partsOf(file, fold) {
  const types = Object.entries(file.types).map(([id2, { says: says2, fields }]) => {
    const plain = Object.entries(fields).map(([name, field]) => [name, splitField(field).field]);
    return [id2, { id: id2, says: says2, fields: Object.fromEntries(plain) }];
  });
  const actions = Object.entries(file.actions).map(([id2, action]) => {
    const { says: says2, params, requires, effects: effects2, duration } = action;
    return [id2, { id: id2, says: says2, params, requires, effects: effects2, duration }];
  });
  return {
    clock: 0,
    map: file.map,
    types: Object.fromEntries(types),
    entities: draftsOfFold(draftsOf(file), file.folds.vary, file.folds.seed, fold),
    capabilities: Object.fromEntries(actions),
    invariants: []
  };
}
function tellsOf(file) {
  return Object.fromEntries(Object.entries(file.actions).map(([id2, { tells }]) => [id2, tells]));
}
function visibilityOf2(file) {
  return Object.fromEntries(
    Object.entries(file.types).map(([id2, { at, fields }]) => [
      id2,
      Object.fromEntries([
        ["at", at],
        ...Object.entries(fields).map(([name, field]) => [name, splitField(field).visibility])
      ])
    ])
  );
}
function placed({ path: path3, message, hint }, file) {
  const [head, id2, key, field] = path3;
  if (head === "capabilities") return faultAt(["actions", ...path3.slice(1)], message, hint);
  if (head !== "entities") return faultAt(path3, message, hint);
  const where = key === "fields" ? String(field) : String(key);
  const varied = `${String(id2)}.${where}`;
  if (Object.hasOwn(file.folds.vary, varied)) return faultAt(["folds", "vary", varied], message, hint, "key");
  return faultAt(key === "fields" ? ["entities", String(id2), where] : path3, message, hint);
}
function assemble(file, directory, worlds2, dynamics2, goal) {
  const { id: id2, title: title2, family, variant, version: version2, canary: canary2, clock: clock2, intro } = file;
  const { processes, schedule, creates, character, decision, segment, ticks: ticks2 } = file;
  return freeze10({
    track: "deduction",
    id: id2,
    title: title2,
    family,
    variant,
    version: version2,
    canary: canary2,
    unit: clock2.unit,
    intro,
    goal: freeze10(goal),
    dynamics: dynamics2,
    actionTells: dynamics2.actionTells,
    worlds: freeze10(worlds2),
    worldDigest: digestOf({
      id: id2,
      unit: clock2.unit,
      intro,
      goal: file.goal.says,
      worlds: FOLDS.map((fold) => digestOfWorld(worlds2[fold])),
      dynamics: digestOf({
        processes,
        schedule,
        visibility: dynamics2.visibility,
        creates,
        character,
        decision,
        segment,
        ticks: ticks2,
        tells: dynamics2.actionTells
      })
    }),
    contractDigest: digestOf({ goal: file.goal }),
    directory
  });
}

// ../../tmp/h5/speed.mts
var dir = process.argv[2] ?? "/tmp/h5/toy_case";
var c = loadDeductionCase(dir);
if (!c.ok) {
  console.log(c.error);
  process.exit(1);
}
var { dynamics, worlds } = c.value;
var r = rollout(dynamics, worlds[1], { ticks: dynamics.ticks });
if (!r.ok) {
  console.log(r.error);
  process.exit(1);
}
console.log([...r.value.fired], r.value.instances, Object.keys(changesBetween(dynamics, worlds[1], r.value.world)).length, legalActions(dynamics, worlds[1]).length);
for (let k = 0; k < 3; k++) {
  const t0 = performance.now();
  let n = 0;
  let reps = 0;
  while (performance.now() - t0 < 1500) {
    const x = rollout(dynamics, worlds[1], { ticks: dynamics.ticks });
    if (!x.ok) throw 1;
    n += x.value.instances;
    reps++;
  }
  const ms = performance.now() - t0;
  console.log(Math.round(n / ms * 1e3), "instances/s", (ms / reps).toFixed(2), "ms a rollout", (ms / reps / dynamics.ticks * 1e3).toFixed(0), "us/tick");
}
