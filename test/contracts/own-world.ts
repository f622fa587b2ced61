/** The horn case played in a world whose ids are the agent's own: the reference in extreme, some of its entities called otherwise. */
import { solutionOf, type Call, type Case } from "../../src/cases/index.ts";
import { identitySchema, judgeExactly, type Identity, type Judgment } from "../../src/contracts/index.ts";
import { marksOf } from "../../src/records/index.ts";
import type { Json } from "../../src/runtime/index.ts";
import type { PlayedCalls } from "../../src/tracks/index.ts";
import { played } from "./horn-plays.ts";

/** What the agent calls the entities of the horn case. */
export const OWN_NAMES: Readonly<Record<string, string>> = {
  ilka: "girl",
  teo: "storyteller",
  grandmother: "old_shade",
  iron_knife: "blade",
  ram_horn: "firehorn",
  milk_jug: "pitcher",
  village_hearth: "home_fire",
  king_fire: "deep_fire",
  bone_gate: "the_gate",
  hound: "white_dog",
};

/** The calls of the reference in extreme with these names in place of the case's. */
export function ownCalls(
  case_: Case,
  names: Readonly<Record<string, string>> = OWN_NAMES,
): readonly (readonly Call[])[] {
  const text = Object.entries(names).reduce(
    (all, [name, own]) => all.replaceAll(new RegExp(String.raw`\b${name}\b`, "g"), own),
    JSON.stringify(solutionOf(case_, "extreme")),
  );
  return JSON.parse(text) as readonly (readonly Call[])[];
}

export function playOwn(case_: Case, calls: readonly (readonly Call[])[] = ownCalls(case_)): PlayedCalls {
  return played(case_, "extreme", calls);
}

/** What the exact judge says of the reference: true of the same play under other names as well. */
export function truthOf(case_: Case): readonly Judgment[] {
  const { trace } = played(case_, "extreme", solutionOf(case_, "extreme"));
  return judgeExactly(case_.contract, marksOf(case_), case_.world, trace, case_.contract.rounds.length);
}

/** A judgment on who an entity is; without an id it is one that finds nobody. */
export function identity(entity: string, is: string | null, more: object = {}): Identity {
  const verdict = is === null ? "absent" : "found";
  return identitySchema.parse({ v: 1, kind: "identity", entity, verdict, is, reason: "so it is", ...more });
}

/** True judgments on who everybody is. */
export function identities(names: Readonly<Record<string, string>> = OWN_NAMES): readonly Identity[] {
  return Object.entries(names).map(([entity, is]) => identity(entity, is));
}

export const construct = (input: object): Call => ({
  tool: "construct",
  input: input as Readonly<Record<string, Json>>,
});
