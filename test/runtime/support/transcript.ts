/** A play in the village of which everything that is answered becomes one text, to be compared. */
import { applyStepRecord } from "../../../src/runtime/apply-record.ts";
import { buildWorld, type WorldParts } from "../../../src/runtime/build-world.ts";
import { canonicalJson } from "../../../src/runtime/canonical.ts";
import { triggerSchema } from "../../../src/runtime/capability.ts";
import { commitStep } from "../../../src/runtime/step.ts";
import { sha256 } from "../../../src/runtime/digest.ts";
import { acceptedStepSchema } from "../../../src/runtime/record.ts";
import { digestOfWorld, type World } from "../../../src/runtime/world.ts";
import { partsWith, type LooseTrigger } from "./village.ts";

/** A village in which much can go right and wrong. */
export const playedParts = (): WorldParts =>
  partsWith({
    capabilities: {
      go: {
        params: { who: { type: "person" }, to: { kind: "place" } },
        requires: [{ expr: "linked(who.at, to)" }],
        effects: [{ set: "who.at", expr: "to" }],
        duration: "travelTicks(who.at, to)",
      },
      feast: {
        params: { n: { kind: "number" } },
        effects: [
          { add: "it.coins", by: 1, for: { each: "person", where: "it.at == mill" } },
          { add: "weavers.pot", by: "n" },
          {
            create: "jug",
            id: { expr: '"jug_of_" + clock' },
            at: "ann",
            fields: { owner: { expr: "bob" }, litres: { expr: "n / 3" }, label: "new" },
          },
        ],
      },
      tip: {
        params: { from: { type: "person" }, to: { type: "person" }, n: { kind: "int" } },
        requires: [{ expr: "from.coins >= n" }],
        effects: [
          { add: "from.coins", by: "0 - n" },
          { add: "to.coins", by: "n" },
        ],
      },
      brew: { params: { n: { kind: "number" } }, effects: [{ add: "jug.litres", by: "n" }] },
      swap: {
        params: { who: { type: "person" } },
        effects: [
          { set: "who.friend", expr: "who.at == mill ? bob : who" },
          { remove: "weavers.members", expr: "who" },
          { set: "bag.at", expr: "who.at" },
        ],
      },
      smash: { params: { what: {} }, effects: [{ destroy: "what" }] },
    },
    invariants: [{ expr: "all(person).all(p, p.coins <= 12)" }, { expr: "count(all(jug)) >= 2" }],
  });

const on = (capability: string, args: LooseTrigger["args"] = {}): LooseTrigger => ({ capability, args });
const PLAY: readonly (readonly LooseTrigger[])[] = [
  [on("go", { who: "ann", to: "ford" }), on("feast", { n: 2.5 })],
  [on("feast", { n: 0.1 }), on("feast", { n: 0.2 })],
  [on("feast", { n: 0.1 }), on("smash", { what: "bag" })],
  [on("go", { who: "bob", to: "isle" }), on("fly"), on("go", { who: "ann", to: "mill" })],
  [on("smash", { what: "bob" })],
  [],
  [on("smash", { what: "cup" }), on("go", { who: "cat", to: "inn" })],
  [on("feast", { n: 1 })],
  [on("feast", { n: 1 })],
  [on("feast", { n: 1 })],
];

/** Everything a play answers, refusals too, as one text. */
export function transcriptOfPlay(parts: WorldParts = playedParts()): string {
  const built = buildWorld(parts);
  if (!built.ok) return canonicalJson(built.error);
  let world: World = built.value;
  const answers: unknown[] = [digestOfWorld(world)];
  PLAY.forEach((triggers, i) => {
    const outcome = commitStep(
      world,
      { triggers: triggers.map((one) => triggerSchema.parse(one)), advance: i % 3 },
      { step: i + 1, round: 1 },
    );
    answers.push(outcome.ok ? outcome.value.record : outcome.error);
    if (outcome.ok) world = outcome.value.world;
  });
  return canonicalJson(answers);
}

const CHOICES: readonly ((n: number) => LooseTrigger)[] = [
  (n) =>
    on("go", { who: ["ann", "bob", "cat"][n % 3] as string, to: ["mill", "ford", "inn", "isle"][n % 4] as string }),
  (n) => on("go", { who: ["cat", "ann", "bob"][n % 3] as string, to: ["ford", "mill"][n % 2] as string }),
  (n) => on("tip", { from: ["ann", "bob"][n % 2] as string, to: ["cat", "ann", "bob"][n % 3] as string, n: n % 4 }),
  (n) => on("brew", { n: (n % 7) / 10 - 0.3 }),
  (n) => on("brew", { n: (n % 11) / 100 - 0.05 }),
  (n) => on("swap", { who: ["ann", "bob", "cat"][n % 3] as string }),
];

/**
 * Plays `steps` steps that follow from nothing but their number, and rebuilds the world from the records as it goes.
 * `chain` is a hash over every answer.
 */
export function longPlay(
  parts: WorldParts,
  steps: number,
): {
  readonly chain: string;
  readonly digest: string;
  readonly accepted: number;
  readonly refused: number;
  readonly replayedAlike: boolean;
} {
  const built = buildWorld(parts);
  if (!built.ok) throw new Error(canonicalJson(built.error));
  let world = built.value;
  let replayed = built.value;
  let [chain, accepted, refused, seed, replayedAlike] = ["", 0, 0, 1, true];
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  for (let i = 0; i < steps; i += 1) {
    const triggers = Array.from({ length: next() % 3 }, () =>
      (CHOICES[next() % CHOICES.length] as (typeof CHOICES)[number])(next()),
    );
    const outcome = commitStep(
      world,
      { triggers: triggers.map((one) => triggerSchema.parse(one)), advance: next() % 2 },
      { step: accepted + 1, round: 1 },
    );
    chain = sha256(chain + canonicalJson(outcome.ok ? outcome.value.record : outcome.error));
    if (!outcome.ok) {
      refused += 1;
      continue;
    }
    accepted += 1;
    world = outcome.value.world;
    replayed = applyStepRecord(replayed, acceptedStepSchema.parse(JSON.parse(canonicalJson(outcome.value.record))));
    if (digestOfWorld(replayed) !== outcome.value.record.digest) replayedAlike = false;
  }
  return { chain, digest: digestOfWorld(world), accepted, refused, replayedAlike };
}
