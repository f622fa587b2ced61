/**
 * The seal: while it is closed, whatever tells one moment, machine or run from another throws. Each breach is also
 * counted, since the engine answers what is thrown inside it with `internal_error` instead of passing it on.
 *
 * Functions are replaced once, and pass on to the real ones while the seal is open. So what captured them as it was
 * imported is sealed, too, and opening and closing cost nothing.
 */
import nodeCrypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import timers from "node:timers";

let closed = false;
let breaches: string[] = [];
const replacements: (() => void)[] = [];

/** Vitest puts the real timers back for its own messages; whatever it left is replaced again. */
export function closeSeal(): void {
  for (const replace of replacements) replace();
  closed = true;
}

export function openSeal(): void {
  closed = false;
}

/** Does what is none of the engine's, such as to load a case from its files, with the seal open. */
export function withoutSeal<T>(act: () => T): T {
  const was = closed;
  closed = false;
  try {
    return act();
  } finally {
    closed = was;
  }
}

/** What was called while the seal was closed, since this was last asked. */
export function takeBreaches(): readonly string[] {
  const taken = breaches;
  breaches = [];
  return taken;
}

/** The message of what the seal throws. */
export const breachMessage = (name: string): string => `the engine called ${name}`;

function guard(name: string): void {
  if (!closed) return;
  breaches.push(name);
  throw new Error(breachMessage(name));
}

type Callable = (...args: unknown[]) => unknown;

/** A function that is `real` but for the seal: `new` and static members go through it, `instanceof` holds. */
function sealed<T extends object>(name: string, real: T, statics: readonly string[] = []): T {
  return new Proxy(real, {
    apply: (target, self, args: unknown[]) => {
      guard(name);
      return Reflect.apply(target as unknown as Callable, self, args);
    },
    construct: (target, args: unknown[], made) => {
      guard(`new ${name}`);
      return Reflect.construct(target as unknown as new () => object, args, made) as object;
    },
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      return typeof key === "string" && statics.includes(key) ? sealed(`${name}.${key}`, value as object) : value;
    },
  });
}

function sealMembers(owner: object, called: string, names: readonly string[]): void {
  for (const name of names) {
    const real: unknown = Reflect.get(owner, name);
    if (typeof real !== "function") continue;
    const value = sealed(called === "" ? name : `${called}.${name}`, real);
    const replace = () => void Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    replace();
    if (owner === globalThis || owner === process) replacements.push(replace);
  }
}

/** Every access to `owner[name]`, as of `process.env`, where to read already tells something. */
function sealObject<T extends object>(called: string, real: T): T {
  const pass =
    <A extends readonly unknown[], R>(act: (...args: A) => R) =>
    (...args: A): R => {
      guard(typeof args[1] === "string" ? `${called}.${args[1]}` : called);
      return act(...args);
    };
  return new Proxy(real, {
    get: pass((target: T, key: PropertyKey): unknown => Reflect.get(target, key)),
    has: pass((target: T, key: PropertyKey) => Reflect.has(target, key)),
    ownKeys: pass((target: T) => Reflect.ownKeys(target)),
  });
}

const TIMERS = ["setTimeout", "setInterval", "setImmediate"];
const RANDOM = ["randomUUID", "getRandomValues"];
const LOCAL: readonly (readonly [string, object, readonly string[]])[] = [
  ["String", String.prototype, ["localeCompare", "toLocaleUpperCase", "toLocaleLowerCase"]],
  ["Number", Number.prototype, ["toLocaleString"]],
  ["BigInt", BigInt.prototype, ["toLocaleString"]],
  ["Array", Array.prototype, ["toLocaleString"]],
  ["Date", Date.prototype, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString", "getTimezoneOffset"]],
];

/** Puts the seal in place, open. To be called once a process, before the engine is imported. */
export function installSeal(): void {
  globalThis.Date = sealed("Date", Date, ["now"]);
  sealMembers(Math, "Math", ["random"]);
  sealMembers(performance, "performance", ["now", "mark", "measure", "toJSON"]);
  sealMembers(globalThis, "", [...TIMERS, "queueMicrotask", "fetch"]);
  sealMembers(timers, "timers", TIMERS);
  sealMembers(globalThis.crypto, "crypto", RANDOM);
  // `getRandomValues` of node:crypto is that of the global one, and cannot be replaced.
  sealMembers(nodeCrypto, "node:crypto", ["randomUUID", "randomBytes", "randomInt", "randomFillSync", "randomFill"]);
  sealMembers(process, "process", ["hrtime", "nextTick", "uptime", "cwd", "memoryUsage", "cpuUsage"]);
  sealMembers(process.hrtime, "process.hrtime", ["bigint"]);
  Object.defineProperty(process, "env", { value: sealObject("process.env", process.env), configurable: true });
  sealMembers(os, "os", Object.keys(os));
  sealMembers(
    Intl,
    "Intl",
    Object.getOwnPropertyNames(Intl).filter((name) => name !== "getCanonicalLocales"),
  );
  for (const [called, owner, names] of LOCAL) sealMembers(owner, called, names);
  syncBuiltinESMExports();
}
