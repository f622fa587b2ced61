/** What must hold after every call, whatever was sent. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { isDeduction, type Session, type Turn } from "../../src/runtime/session.ts";
import { errorAnswerSchema } from "../../src/runtime/tool-answers.ts";
import { toolsOf } from "../../src/runtime/tools-of.ts";
import { isToolName } from "../../src/runtime/tools.ts";
import { digestOfWorld } from "../../src/runtime/world.ts";
import type { Player } from "./calls.ts";
import { villageHolds } from "./world-check.ts";

/** Objects that no call may touch. */
const BUILT_INS: readonly object[] = [
  Object,
  Object.prototype,
  Function.prototype,
  Array,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Boolean.prototype,
  Symbol.prototype,
  BigInt.prototype,
  RegExp.prototype,
  Date.prototype,
  Error.prototype,
  Map.prototype,
  Set.prototype,
  WeakMap.prototype,
  Promise.prototype,
  JSON,
  Math,
  Reflect,
];

/** How many own keys the most likely of them have: what is added or taken away shows at once. */
function countKeys(): number {
  let keys = 0;
  for (const one of [Object.prototype, Array.prototype]) keys += Object.getOwnPropertyNames(one).length;
  return keys;
}

function describeBuiltIns(): readonly ReadonlyMap<PropertyKey, PropertyDescriptor>[] {
  return BUILT_INS.map((one) => new Map(Reflect.ownKeys(one).map((key) => [key, descriptor(one, key)])));
}

function descriptor(of: object, key: PropertyKey): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(of, key) as PropertyDescriptor;
}

/** Watches the built-in objects from now on; `whole` compares every property, not only their number. */
export function builtInsWatch(): (whole: boolean) => string | undefined {
  const keys = countKeys();
  const before = describeBuiltIns();
  return (whole) => {
    if (!whole && countKeys() === keys) return undefined;
    for (const [i, one] of BUILT_INS.entries()) {
      const known = before[i] as ReadonlyMap<PropertyKey, PropertyDescriptor>;
      for (const key of new Set([...known.keys(), ...Reflect.ownKeys(one)])) {
        const [was, is] = [known.get(key), descriptor(one, key)];
        const isSame =
          was !== undefined && is !== undefined && was.value === is.value && was.get === is.get && was.set === is.set;
        if (!isSame) return `a built-in object was touched: ${String(key)} of ${describe(one)}`;
      }
    }
    return undefined;
  };
}

function describe(builtIn: object): string {
  const owner: unknown = Object.hasOwn(builtIn, "constructor") ? descriptor(builtIn, "constructor").value : builtIn;
  return typeof owner === "function" ? owner.name : Object.prototype.toString.call(builtIn);
}

/** What is wrong with an answer: its shape, its code, its size. */
export function faultOfAnswer(session: Session, tool: unknown, turn: Turn): string | undefined {
  const { answer } = turn;
  if (turn.internal !== undefined || (!answer.ok && answer.error.code === "internal_error"))
    return `an exception inside: ${turn.internal?.cause instanceof Error ? turn.internal.cause.stack : String(turn.internal?.cause)}`;
  let text: string;
  try {
    text = canonicalJson(answer);
  } catch (error) {
    return `the answer is no JSON: ${String(error)}`;
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > LIMITS.answerBytes) return `an answer of ${bytes} bytes`;
  if (answer.ok && (typeof tool !== "string" || !isToolName(tool))) return "an unknown tool was answered";
  const schema = answer.ok
    ? toolsOf(session.scenario.track)[tool as keyof ReturnType<typeof toolsOf>].answer
    : errorAnswerSchema;
  const parsed = schema.safeParse(answer);
  return parsed.success ? undefined : `the answer is not of its schema: ${parsed.error.message.slice(0, 400)}`;
}

/** What a refused call, or one that only reads, changed and should not have. */
export function faultOfChange(before: Session, tool: unknown, turn: Turn): string | undefined {
  const changes = turn.answer.ok && (tool === "construct" || tool === "commit_step" || tool === "end_round");
  if (changes || turn.session.world === before.world) return undefined;
  if (digestOfWorld(turn.session.world) === digestOfWorld(before.world)) return undefined;
  return turn.answer.ok ? "a call that reads changed the world" : "a refused call changed the world";
}

/** What the rules of the played world say beyond its types. */
export function faultOfRules(player: Player, session: Session): string | undefined {
  if ((player !== "easy" && player !== "hard") || isDeduction(session)) return undefined;
  return villageHolds(session.world) ? undefined : "an invariant does not hold";
}

/** Calls between two looks at the CPU's clock, which costs as much as a small call. */
const CALLS_A_LOOK = 50;

/**
 * How long calls take: as the wall has it, which costs nothing to ask. One that took long by the wall, as everything
 * does on a machine that is busy with something else, counts with the CPU time it took.
 */
export function callWatch(): { readonly begin: () => void; readonly end: (longMs: number) => number } {
  let [calls, wall, started, cpu] = [0, 0, 0, process.cpuUsage()];
  return {
    begin: () => {
      if ((calls += 1) % CALLS_A_LOOK === 0) [wall, cpu] = [0, process.cpuUsage()];
      started = performance.now();
    },
    end: (longMs) => {
      const ms = performance.now() - started;
      const before = wall;
      wall += ms;
      if (ms < longMs) return ms;
      const { user, system } = process.cpuUsage(cpu);
      return Math.min(ms, (user + system) / 1_000 - before);
    },
  };
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** MiB of the heap in use; garbage is counted only up to the bound. */
export function heapInUse(boundMiB: number): number {
  const used = () => getHeapStatistics().used_heap_size / 2 ** 20;
  if (used() <= boundMiB) return used();
  collect();
  return used();
}
