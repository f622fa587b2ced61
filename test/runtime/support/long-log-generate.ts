/** Generates the long log: calls that follow from a seed and from the answers before them. */
import { canonicalJson } from "../../../src/runtime/canonical.ts";
import { digestOfWorld } from "../../../src/runtime/world.ts";
import { isOver } from "../../../src/runtime/session.ts";
import { ENGINE, hashOfAnswer, type CaseParts, type Engine, type LoggedCall, type LoggedPlay } from "./long-log.ts";
import { numbersFrom, type Numbers } from "./numbers.ts";
import { villageParts } from "./long-log-cases.ts";

export interface LongLog {
  readonly plays: readonly LoggedPlay[];
  /** How many calls of each tool were answered ok, and how many refused, by code. */
  readonly counts: Readonly<Record<string, number>>;
}

interface Call {
  readonly tool: string;
  readonly input: unknown;
}

const PEOPLE = ["ann", "bob", "cat"];
const PLACES = ["mill", "ford", "inn", "isle"];
const THINGS = ["jug", "cup", "box", "bag", "weavers", "ann", "jug_of_3", "jug_of_40"];
/** Of what a village can lose without standing still: what holds something, a person, what was made in play. */
const smashed = (n: Numbers): string => n.oneOf(["box", "ann", `thing_${n.below(60)}`, `thing_${n.below(60)}`]);

const trigger = (capability: string, args: Readonly<Record<string, unknown>>) => ({ capability, args });
const TRIGGERS: readonly ((n: Numbers) => unknown)[] = [
  (n) => trigger("go", { who: n.oneOf(PEOPLE), to: n.oneOf(PLACES) }),
  (n) => trigger("tip", { from: n.oneOf(PEOPLE), to: n.oneOf(PEOPLE), n: n.below(4) }),
  (n) => trigger("brew", { n: (n.below(7) - 3) / 10 }),
  (n) => trigger("brew", { n: (n.below(11) - 5) / 100 }),
  (n) => trigger("swap", { who: n.oneOf(PEOPLE) }),
  (n) => trigger("join", { who: n.oneOf(PEOPLE) }),
  (n) => trigger("fill", { n: n.below(40) / 8 }),
  (n) => (n.below(4) === 0 ? trigger("feast", { n: n.below(50) / 10 }) : trigger("clear", {})),
  (n) => (n.below(4) === 0 ? trigger("smash", { what: smashed(n) }) : trigger("go", { who: "cat", to: "mill" })),
  (n) => (n.below(20) === 0 ? trigger("fly", { who: 7 }) : trigger("tip", { from: "bob", to: "ann", n: 1 })),
];

const READS: readonly ((n: Numbers) => Readonly<Record<string, unknown>>)[] = [
  (n) => ({ from: "entities", limit: 1 + n.below(6), where: n.oneOf(["it.at == mill", "count(all(jug)) > 2", "it."]) }),
  (n) => ({ from: "entities", type: n.oneOf(["person", "jug", "ghost"]), fields: ["name", "at"] }),
  (n) => ({ from: "log", limit: 1 + n.below(9) }),
  (n) => ({ from: "log", id: n.oneOf(["1", "12", "r1", "t2_1", "0"]) }),
  (n) => ({ from: n.oneOf(["map", "types", "capabilities", "invariants", "constructions", "processes", "schedule"]) }),
];

const BROKEN: readonly Call[] = [
  { tool: "commit_steps", input: {} },
  { tool: "commit_step", input: { triggers: [], advanced: 1 } },
  { tool: "commit_step", input: '{"triggers": [' },
  { tool: "commit_step", input: '{"advance": 1.0}' },
  { tool: "read_data", input: { from: "entities", limit: "3" } },
  { tool: "help", input: ["steps"] },
  { tool: "construct", input: { op: "create" } },
  { tool: "end_round", input: { now: true } },
];

/** One thing to construct or to delete; in `extreme` the whole village comes about so. */
function constructions(): readonly unknown[] {
  const { types, entities, capabilities } = villageParts();
  return [
    ...Object.values(types).map((type) => ({ op: "create", type })),
    ...Object.values(entities).map(({ fields, ...entity }) => ({
      op: "create",
      entity: {
        ...entity,
        fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== "object")),
      },
    })),
    ...Object.values(capabilities).map((capability) => ({ op: "create", capability })),
  ];
}

const LATER: readonly ((n: Numbers) => unknown)[] = [
  (n) => ({ op: n.oneOf(["update", "create"]), capability: n.oneOf(Object.values(villageParts().capabilities)) }),
  (n) => ({
    op: "delete",
    level: n.oneOf(["capability", "entity", "type"]),
    id: n.oneOf([...THINGS, "brew", "crate"]),
  }),
  (n) => ({ op: "create", type: { id: `kind_${n.below(30)}`, says: "A kind", fields: { f: { kind: "bool" } } } }),
  (n) => ({ op: "update", type: { id: "crate", fields: { [`mark_${n.below(12)}`]: { kind: "int", default: 1 } } } }),
  (n) => ({ op: "create", entity: { id: `thing_${n.below(60)}`, type: "crate", at: n.oneOf(PLACES), fields: {} } }),
  (n) => ({ op: "update", entity: { id: n.oneOf(THINGS), name: `Name ${n.below(9)}` } }),
];

const percent = (n: Numbers, share: number): boolean => n.below(100) < share;

/** A call of any track: reading, or broken. */
function read(n: Numbers, cursorOf: Call | undefined): Call {
  if (cursorOf !== undefined && percent(n, 60)) return cursorOf;
  if (percent(n, 12)) return n.oneOf(BROKEN);
  if (percent(n, 20))
    return { tool: "help", input: percent(n, 30) ? {} : { topic: n.oneOf(["steps", "example", "time", "none"]) } };
  if (percent(n, 25)) return { tool: "get_context", input: percent(n, 50) ? {} : { round: 1 + n.below(9) } };
  return { tool: "read_data", input: n.oneOf(READS)(n) };
}

function step(n: Numbers): Call {
  const triggers = Array.from({ length: n.oneOf([0, 1, 1, 2, 2, 3]) }, () => n.oneOf(TRIGGERS)(n));
  const more = percent(n, 15) ? { until: "first", advance: 1 } : { advance: n.below(4) };
  return { tool: "commit_step", input: { triggers, ...more } };
}

function predict(n: Numbers, mode: "M1" | "M2"): Call {
  const path = () =>
    `${n.oneOf(["mara", "jon", "ada", "weir", "nobody"])}.${n.oneOf(["energy", "mood", "at", "level"])}`;
  const list = () =>
    Array.from({ length: n.below(3) }, () => ({ path: path(), value: n.oneOf([3, 9.5, "cross", "mill"]) }));
  if (mode === "M1") return { tool: "commit_step", input: { predict: { segment: list() }, fires: ["tiring"] } };
  const action = n.oneOf([
    { action: "wait" },
    { action: "rest" },
    { action: "go", args: { to: n.oneOf(["mill", "pond"]) } },
  ]);
  const counterfactuals = n.below(2) === 0 ? {} : { counterfactuals: { action: list(), happening: list() } };
  return {
    tool: "commit_step",
    input: { action, predict: { interval: list(), lookahead: list(), ...counterfactuals } },
  };
}

/** What to call next, beside what was prepared. */
function nextCall(n: Numbers, parts: CaseParts, cursorOf: Call | undefined): Call {
  if (parts.track === "deduction") {
    if (percent(n, 30)) return predict(n, parts.mode);
    return percent(n, 45) ? { tool: "end_round", input: {} } : read(n, cursorOf);
  }
  if (percent(n, 84)) return step(n);
  if (percent(n, 25)) return { tool: "construct", input: n.oneOf(LATER)(n) };
  return read(n, cursorOf);
}

/** Plays one case until it is over, or for `most` calls. A round of maintenance ends when its budget is spent. */
function generatePlay(
  name: string,
  parts: CaseParts,
  { most, engine, count }: { readonly most: number; readonly engine: Engine; readonly count: (what: string) => void },
): LoggedPlay {
  const n = numbersFrom(`long log, ${name}`);
  const prepared = parts.track === "maintenance" ? [...constructions()] : [];
  const calls: LoggedCall[] = [];
  let session = engine.open(parts);
  let digest = digestOfWorld(session.world);
  let cursorOf: Call | undefined;
  let isSpent = false;
  while (calls.length < most && !isOver(session)) {
    const first = prepared.shift();
    const { tool, input } = isSpent
      ? { tool: "end_round", input: {} }
      : first === undefined
        ? nextCall(n, parts, cursorOf)
        : { tool: "construct", input: first };
    const turn = engine.call(session, tool, input);
    digest = engine.digest(turn, digest);
    calls.push({ tool, input, answer: hashOfAnswer(turn), digest });
    const code = turn.answer.ok ? "ok" : turn.answer.error.code;
    count(`${tool} ${code}`);
    isSpent = code === "round_budget_spent";
    session = turn.session;
    const cursor: unknown = "cursor" in turn.answer ? turn.answer.cursor : undefined;
    cursorOf =
      typeof cursor === "string" && typeof input === "object" ? { tool, input: { ...input, cursor } } : undefined;
  }
  return { name, parts, calls };
}

/** The log of all cases, with at most `most` calls each. */
export function generateLog(
  cases: Readonly<Record<string, CaseParts>>,
  { most, engine = ENGINE }: { readonly most: number; readonly engine?: Engine },
): LongLog {
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  // As it is written and read again, so that here and elsewhere the very same data is played.
  const plain = JSON.parse(canonicalJson(cases)) as typeof cases;
  return {
    plays: Object.entries(plain).map(([name, parts]) => generatePlay(name, parts, { most, engine, count })),
    counts,
  };
}
