import type { LooseTrigger } from "./village.ts";

/** What people of the village can do in the tests of steps. */
export const CAPABILITIES = {
  go: {
    params: { who: { type: "person" }, to: { kind: "place" } },
    requires: [{ expr: "who.awake", says: "who sleeps does not walk" }, { expr: "linked(who.at, to)" }],
    effects: [{ set: "who.at", expr: "to" }],
    duration: "travelTicks(who.at, to)",
  },
  pay: {
    params: { from: { type: "person" }, to: { type: "person" }, n: { kind: "int" } },
    requires: [
      { expr: "from.at == to.at" },
      { expr: "n > 0 && from.coins >= n", says: "nobody gives what they have not" },
    ],
    effects: [
      { add: "from.coins", by: "0 - n" },
      { add: "to.coins", by: "n" },
    ],
  },
  sleep: { params: { who: { type: "person" } }, effects: [{ set: "who.awake", value: false }], duration: 8 },
  earn: { params: { who: { type: "person" }, n: { kind: "int" } }, effects: [{ add: "who.coins", by: "n" }] },
  lift: {
    params: { who: { type: "person" } },
    requires: [{ expr: 'alongside("lift") == 1', says: "two lift together" }],
    effects: [{ add: "box.weight", by: 1 }],
  },
  befriend: { params: { who: { type: "person" } }, requires: [{ expr: "who.friend.awake" }] },
};
export const on = (capability: string, args: LooseTrigger["args"] = {}): LooseTrigger => ({ capability, args });
export const go = (who: string, to: string) => on("go", { who, to });
