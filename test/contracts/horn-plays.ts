/** The horn case played almost as its reference plays it: a step put in, taken out, or done by a capability of another design. */
import { solutionOf, type Call, type Case } from "../../src/cases/index.ts";
import type { Capability, Json, Tier } from "../../src/runtime/index.ts";
import { playCalls, type PlayedCalls } from "../../src/tracks/index.ts";
import { caseAfter, type Edit } from "../cases/broken-case.ts";

export const horn: Case = caseAfter();

/** An edit of the round, or of the case file, of the horn case. */
export const ofRound = (from: string, to: string): Edit => ({ file: "rounds/01.yaml", from, to });
export const ofWorld = (from: string, to: string): Edit => ({ file: "case.yaml", from, to });

export interface Doing {
  readonly capability: string;
  readonly args: Readonly<Record<string, Json>>;
}

export const does = (capability: string, args: Doing["args"] = {}): Doing => ({ capability, args });

/** One step of these triggers. */
export const step = (...triggers: readonly Doing[]): Call => ({
  tool: "commit_step",
  input: { triggers: triggers as unknown as Json },
});

/** What the story does, each as one step, by its number in the reference. */
export const lineHorn = does("line_horn", { who: "ilka", horn: "ram_horn" });
export const layKnife = does("lay_down", { who: "ilka", what: "iron_knife" });
export const holdHound = does("hold_beast", { who: "ilka", beast: "hound" });
export const drawBolt = does("draw_bolt", { who: "teo", gate: "bone_gate" });
export const passGate = (who: string) => does("pass_gate", { who, gate: "bone_gate", to: "black_hall" });
export const tellWord = does("tell_word", { shade: "grandmother", hearer: "ilka" });
export const takeFire = does("take_fire", { who: "ilka", horn: "ram_horn", fire: "king_fire" });
export const lightHearth = does("light_hearth", { who: "ilka", horn: "ram_horn", hearth: "village_hearth" });

/** The steps of the reference; those of round 1 where a case has more. */
export function stepsOf(case_: Case = horn): readonly Call[] {
  return (solutionOf(case_, "easy")[0] ?? []).filter(({ tool }) => tool === "commit_step");
}

/** The steps of the reference with some of them, by number from 1, done otherwise: by none, one or several calls. */
export function stepsWith(
  others: Readonly<Record<number, readonly Call[]>>,
  steps: readonly Call[] = stepsOf(),
): readonly Call[] {
  return steps.flatMap((one, i) => others[i + 1] ?? [one]);
}

/** The same steps with calls put in after some of them, by number from 1. */
export function stepsAnd(
  after: Readonly<Record<number, readonly Call[]>>,
  steps: readonly Call[] = stepsOf(),
): readonly Call[] {
  return steps.flatMap((one, i) => [one, ...(after[i + 1] ?? [])]);
}

export const construct = (capability: object): Call => ({
  tool: "construct",
  input: { op: "create", capability: capability as Json },
});

/** A design of a capability: what it has otherwise than the case's own, or all of it where the case has none of that id. */
export type Design = Partial<Omit<Capability, "version">>;

/** The case's own design of a capability, to be built under another name. */
export function copyOf(id: string): Design {
  const { version: _, id: __, ...own } = horn.world.capabilities[id] as Capability;
  return own;
}

/** The constructions of hard, all before the first step, with some capabilities of another design. */
export function constructionsOf(designs: Readonly<Record<string, Design>> = {}, case_: Case = horn): readonly Call[] {
  const ids = [...new Set([...Object.keys(case_.world.capabilities), ...Object.keys(designs)])];
  return ids.map((id) => {
    const { version: _, ...own } = case_.world.capabilities[id] ?? { version: 1, id };
    return construct({ ...own, ...designs[id] });
  });
}

/** Taking up what lies where one is: the case has no way to. */
export const TAKE_UP: Design = {
  says: "",
  params: { who: { type: "person" }, what: { type: "thing" } },
  requires: [{ expr: "what.at == who.at" }],
  effects: [{ set: "what.at", expr: "who" }],
  duration: 1,
};

export interface HardPlay {
  readonly case?: Case;
  readonly designs?: Readonly<Record<string, Design>>;
  readonly steps?: readonly Call[];
}

/** Plays one round in hard. Every call must be accepted: a refused one would prove nothing. */
export function playHard({ case: case_ = horn, designs = {}, steps = stepsOf(case_) }: HardPlay): PlayedCalls {
  return played(case_, "hard", [[...constructionsOf(designs, case_), ...steps]]);
}

/** Plays rounds in easy, each call accepted. */
export function playEasy(case_: Case, ...rounds: readonly (readonly Call[])[]): PlayedCalls {
  return played(case_, "easy", rounds);
}

export function played(case_: Case, tier: Tier, rounds: readonly (readonly Call[])[]): PlayedCalls {
  const outcome = playCalls(case_, tier, rounds);
  const [first] = outcome.refused;
  if (first !== undefined) throw new Error(`refused: ${JSON.stringify(first.call.input)}: ${first.error.message}`);
  return outcome;
}

/** What an item came to: its status and why. */
export function foundOf({ score }: PlayedCalls, id: string): readonly [status: string, reason: string] {
  const item = score.items.find((one) => one.id === id);
  if (item === undefined) throw new Error(`there is no item ${id}`);
  return [item.status, item.reason];
}
