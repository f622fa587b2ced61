/** Engines with a fault planted, each of a kind that makes a world depend on more than its case and its calls. */
import { sha256 } from "../../../src/runtime/digest.ts";
import type { Turn } from "../../../src/runtime/session.ts";
import { digestOfWorld } from "../../../src/runtime/world.ts";
import { ENGINE, type Engine } from "./long-log.ts";

/** An engine that mixes `seen` into every digest. */
const mixing = (seen: (turn: Turn, before: string) => string): Engine => ({
  ...ENGINE,
  digest: (turn, before) => sha256(`${digestOfWorld(turn.session.world)} ${seen(turn, before)}`),
});

/** The digest is chained over the writes in the order in which they came. */
export const PATCHES_IN_DIGEST = mixing(({ record }, before) =>
  record?.kind === "accepted"
    ? before + JSON.stringify(record.triggers.flatMap(({ writes }) => writes.map((one) => [one.path, one.kind])))
    : before,
);

/** The answer turns on how the keys of the call lay. */
export const KEYS_IN_ANSWER: Engine = {
  ...ENGINE,
  call: (session, tool, input) => {
    const turn = ENGINE.call(session, tool, input);
    const keys = typeof input === "object" && input !== null ? Object.keys(input).join() : "";
    return turn.answer.ok ? { ...turn, answer: { ...turn.answer, note: keys } } : turn;
  },
};

/** Tests look up clock and chance at the call: they may be replaced by then. */
export const CLOCK_IN_DIGEST = mixing(() => String(new Date().getFullYear()));
export const CHANCE_IN_DIGEST = mixing(() => String(Math.random()));
export const ZONE_IN_DIGEST = mixing(() => String(new Date(0).getHours()));
export const ENVIRONMENT_IN_DIGEST = mixing(() => String(process.env["LANG"]));
export const LOCALE_IN_DIGEST = mixing(() => (0.5).toLocaleString());
