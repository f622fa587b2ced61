/** The id of a run, which is the name of its folder: its key in words. */
import { tierSchema } from "../runtime/index.ts";
import { RecordError } from "./error.ts";
import type { Manifest, TimelessManifest } from "./manifest.ts";

declare const brand: unique symbol;
/** `<case>.<tier>.<agent>.<repeat>`, or `<case>.<condition>.<mode>.<fold>.<agent>.<repeat>` in deduction. */
export type RunId = string & { readonly [brand]: "RunId" };

/** The part of a manifest that makes the id. */
export type RunKey =
  | (Pick<Extract<Manifest, { track: "maintenance" }>, "track" | "case" | "tier" | "repeat"> & {
      readonly agent: { readonly name: string };
    })
  | (Pick<Extract<Manifest, { track: "deduction" }>, "track" | "case" | "condition" | "mode" | "fold" | "repeat"> & {
      readonly agent: { readonly name: string };
    });

const RUN_ID =
  /^[a-z][a-z0-9_]{0,63}\.(easy|hard|extreme|(open|naming)\.m[12]\.(0|[1-9][0-9]?))\.[a-z][a-z0-9_-]{0,63}\.[1-9][0-9]{0,8}$/;

/** Parses a folder's name; undefined where it is no run's. Such a name holds no slash and is neither `.` nor `..`. */
export function parseRunId(text: string): RunId | undefined {
  return RUN_ID.test(text) ? (text as RunId) : undefined;
}

/** The id of the run a manifest describes. Throws `bad_name` where a part could leave the set's folder. */
export function runIdOf(key: RunKey | Manifest | TimelessManifest): RunId {
  const how = key.track === "maintenance" ? key.tier : `${key.condition}.${key.mode.toLowerCase()}.${key.fold}`;
  const text = `${key.case}.${how}.${key.agent.name}.${key.repeat}`;
  return requireRunId(text);
}

/** What an id says of its run. */
export function keyOfId(id: RunId): RunKey {
  const parts = id.split(".");
  const [case_ = "", how = "", mode, fold] = parts;
  const common = { case: case_, agent: { name: agentOfRun(id) }, repeat: Number(parts.at(-1)) };
  if (parts.length === 4) return { track: "maintenance", tier: tierSchema.parse(how), ...common };
  return {
    track: "deduction",
    condition: how === "open" ? "open" : "naming",
    mode: mode === "m1" ? "M1" : "M2",
    fold: Number(fold),
    ...common,
  };
}

/** The name of the agent whose run it is. */
export function agentOfRun(id: RunId): string {
  return id.split(".").at(-2) ?? "";
}

/** The text as a run's id; throws `bad_name` where it is none. */
export function requireRunId(text: string): RunId {
  const id = parseRunId(text);
  if (id !== undefined) return id;
  throw new RecordError("bad_name", {
    where: JSON.stringify(text.slice(0, 200)),
    what: "this is no run's id",
    remedy:
      "A run is <case>.<tier>.<agent>.<repeat>, such as ark_001.easy.reference.1, or <case>.<condition>.<mode>.<fold>.<agent>.<repeat>, such as manor_base.open.m1.1.persist.1: lower-case letters, digits and _, in the agent's name also -",
    facts: { seen: text },
  });
}
