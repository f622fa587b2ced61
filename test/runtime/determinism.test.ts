import nodeCrypto, { randomBytes, randomUUID } from "node:crypto";
import os from "node:os";
import { performance as nodePerformance } from "node:perf_hooks";
import { setTimeout as nodeSetTimeout } from "node:timers";
import { describe, expect, it } from "vitest";
import { buildWorld, type WorldParts } from "../../src/runtime/build-world.ts";
import { longLogCases } from "./support/long-log-cases.ts";
import { generateLog } from "./support/long-log-generate.ts";
import { ENGINE, type Engine } from "./support/long-log.ts";
import { replayLog, type ReplayOptions } from "./support/long-log-replay.ts";
import {
  CHANCE_IN_DIGEST,
  CLOCK_IN_DIGEST,
  ENVIRONMENT_IN_DIGEST,
  KEYS_IN_ANSWER,
  LOCALE_IN_DIGEST,
  PATCHES_IN_DIGEST,
  ZONE_IN_DIGEST,
} from "./support/planted-engines.ts";
import { reversed } from "./support/reversed.ts";
import { breachMessage, closeSeal, openSeal, takeBreaches } from "./support/sealed-engine.ts";
import { UNSEALED } from "./support/unsealed.ts";
import { partsWith } from "./support/village.ts";

const { easy, extreme } = longLogCases();
const CASES = { easy, extreme } as Parameters<typeof generateLog>[0];

/** Whether an engine with a fault is found out by a log of its own, played again under other conditions. */
function differenceOf(engine: Engine, options: ReplayOptions, between: () => void = () => undefined): string | null {
  const { plays } = generateLog(CASES, { most: 120, engine });
  between();
  return replayLog(plays, { ...options, engine }).difference;
}

describe("the seal", () => {
  it.each<readonly [name: string, breach: () => unknown]>([
    ["new Date", () => new Date()],
    ["Date", () => Date()],
    ["Date.now", () => Date.now()],
    ["Date.toLocaleString", () => Date.prototype.toLocaleString.call(0 as never)],
    ["performance.now", () => performance.now()],
    ["performance.now", () => nodePerformance.now()],
    ["process.hrtime", () => process.hrtime()],
    ["process.hrtime.bigint", () => process.hrtime.bigint()],
    ["Math.random", () => Math.random()],
    ["crypto.randomUUID", () => crypto.randomUUID()],
    ["crypto.getRandomValues", () => crypto.getRandomValues(new Uint8Array(1))],
    ["crypto.getRandomValues", () => nodeCrypto.getRandomValues(new Uint8Array(1))],
    ["node:crypto.randomUUID", () => randomUUID()],
    ["node:crypto.randomBytes", () => randomBytes(1)],
    ["node:crypto.randomInt", () => nodeCrypto.randomInt(2)],
    ["setTimeout", () => setTimeout(() => undefined)],
    ["timers.setTimeout", () => nodeSetTimeout(() => undefined)],
    ["setInterval", () => setInterval(() => undefined)],
    ["setImmediate", () => setImmediate(() => undefined)],
    ["queueMicrotask", () => queueMicrotask(() => undefined)],
    ["process.nextTick", () => process.nextTick(() => undefined)],
    ["fetch", () => fetch("http://localhost")],
    ["process.env.TZ", () => process.env["TZ"]],
    ["process.env", () => Object.keys(process.env)],
    ["os.hostname", () => os.hostname()],
    ["String.localeCompare", () => "a".localeCompare("b")],
    ["Number.toLocaleString", () => (1.5).toLocaleString()],
    ["new Intl.Collator", () => new Intl.Collator()],
    ["Intl.NumberFormat", () => Intl.NumberFormat()],
  ])("RT61 makes %s throw, and keeps that it was called", (name, breach) => {
    expect(breach).toThrow(breachMessage(name));
    expect(takeBreaches()).toEqual([name]);
  });

  it("RT61 is closed for the whole of the engine's suite but for what starts processes", () => {
    expect(UNSEALED).toEqual({ "test/runtime/determinism-processes.test.ts": "starts processes, and waits for them" });
  });

  it.each([
    ["the clock", CLOCK_IN_DIGEST, "new Date"],
    ["chance", CHANCE_IN_DIGEST, "Math.random"],
    ["the time zone", ZONE_IN_DIGEST, "new Date"],
    ["the environment", ENVIRONMENT_IN_DIGEST, "process.env.LANG"],
    ["the locale", LOCALE_IN_DIGEST, "Number.toLocaleString"],
  ])("RT62 finds an engine that lets in %s", (_, engine, name) => {
    expect(() => generateLog(CASES, { most: 1, engine })).toThrow(breachMessage(name));
    expect(takeBreaches()).toEqual([name]);
  });

  it("RT62 finds an engine that lets in chance and catches what is thrown", () => {
    const engine: Engine = {
      ...ENGINE,
      digest: (turn, before) => {
        try {
          return CHANCE_IN_DIGEST.digest(turn, before);
        } catch {
          return ENGINE.digest(turn, before);
        }
      },
    };
    generateLog({ easy } as typeof CASES, { most: 3, engine });
    expect(takeBreaches()).toEqual(["Math.random", "Math.random", "Math.random"]);
  });
});

describe("the comparison of a log with its replay", () => {
  it.each<readonly [string, ReplayOptions]>([
    ["as it was", { fromRecords: true }],
    ["in other orders of keys", { shuffle: "other" }],
    ["in other orders of triggers", { reverseTriggers: true }],
  ])("RT62 finds nothing in the engine %s", (_, options) => {
    expect(differenceOf(ENGINE, options)).toBeNull();
  });

  it("RT62 finds a digest into which the order of patches goes", () => {
    expect(differenceOf(PATCHES_IN_DIGEST, {})).toBeNull();
    expect(differenceOf(PATCHES_IN_DIGEST, { reverseTriggers: true })).toMatch(/has another digest$/);
  });

  it("RT62 finds an answer into which the order of keys goes", () => {
    expect(differenceOf(KEYS_IN_ANSWER, {})).toBeNull();
    expect(differenceOf(KEYS_IN_ANSWER, { shuffle: "other" })).toMatch(/has another answer/);
  });

  it("RT62 finds an engine that lets in chance", () => {
    openSeal();
    try {
      expect(differenceOf(CHANCE_IN_DIGEST, {})).toMatch(/^easy: call 1, .* has another digest$/);
    } finally {
      closeSeal();
    }
  });
});

describe("a world with faults", () => {
  it("RT47 lists them in one order, whatever the order of its parts", () => {
    const broken = partsWith({
      entities: {
        x: { type: "person", at: "nowhere" },
        b: { type: "person", fields: { coins: 200 } },
        a: { type: "jug", fields: { litres: -1, label: 3, home: "nowhere" } },
      },
      capabilities: {},
    });
    const faulty = partsWith({
      capabilities: {
        b: { effects: [{ create: "crate", id: "x", fields: { weight: -1, wait: 3, height: 4 } }] },
        a: { params: { zed: { type: "nobody" }, ann: { kind: "int" }, mill: { kind: "int" } } },
      },
    });
    const faultsOf = (parts: WorldParts): unknown => {
      const built = buildWorld(parts);
      return built.ok ? [] : built.error;
    };
    for (const parts of [broken, faulty]) {
      expect(faultsOf(parts)).not.toEqual([]);
      expect(faultsOf(reversed(parts))).toEqual(faultsOf(parts));
    }
  });
});
