/** The check that a call which breaks inside leaves nothing of itself. Import it after `putPoints`. */
import { admitCall, type AdmittedCall } from "../../../src/runtime/admit.ts";
import { canonicalJson } from "../../../src/runtime/canonical.ts";
import type { MaintenanceSession } from "../../../src/runtime/maintenance/session.ts";
import type { Session, Turn } from "../../../src/runtime/session.ts";
import { digestOfWorld, plainWorld } from "../../../src/runtime/world.ts";
import { breakAt, Injected, Points } from "./breaking-engine.ts";

/** What is held to it: the engine, or one with a planted fault. */
export type Engine = (session: Session, call: AdmittedCall) => Turn;

interface Checked {
  /** How many points the call has. */
  readonly points: number;
  /** What is wrong, and at which point it broke; undefined where nothing is. */
  readonly reason?: string;
}

/** What stands around the catching of exceptions: a break there is one of these tests, not of the engine. */
const AROUND = /^after (session|maintenance\/session|deduction\/session|turn)\.ts (isDeduction|call\w+|takeCall)$/;

const ANSWER = {
  ok: false,
  error: {
    code: "internal_error",
    message: "the program failed on this call; it is no fault of yours, and nothing of the call happened",
  },
};

/**
 * Lets the call break at each of its points in turn. All or nothing: what broke is refused in one set text, the world
 * is the one from before, the log holds one refused step more (where it was a step), and the same call made again does
 * what it does where nothing breaks. `before` gives the session of each point.
 */
export function checkAllOrNothing(
  engine: Engine,
  before: () => Session,
  call: AdmittedCall,
  only: (name: string) => boolean = () => true,
): Checked {
  const points = new Points((name) => only(name) && !AROUND.test(name));
  const told = toldOf(before());
  const clean = engine(before(), call);
  const picture = pictureOf(clean);
  const like = engine(before(), refusedLike(clean, call));
  for (let at = 0; ; at += 1) {
    const from = before();
    const say = (name: string, reason: string): Checked => ({ points: at, reason: `point ${at}, ${name}: ${reason}` });
    let broken: ReturnType<typeof breakAt<Turn>>;
    try {
      broken = breakAt(at, points, () => engine(from, call));
    } catch (error) {
      return say(error instanceof Injected ? error.message : "?", "an exception leaves the call");
    }
    const { name = "none", value: turn } = broken;
    if (toldOf(from) !== told) return say(name, "the session from before is another");
    if (broken.name === undefined)
      return pictureOf(turn) === picture ? { points: at } : say(name, "a call that does not break does otherwise now");
    const reason = reasonAgainst(turn, like, from, name) ?? againstAgain(engine, turn, from, call, picture);
    if (reason !== undefined) return say(name, reason);
  }
}

/** A call that is refused as the broken one is: a step with its record, all else without. */
function refusedLike({ record }: Turn, { tool }: AdmittedCall): AdmittedCall {
  const isStep = record?.kind === "accepted" || record?.kind === "rejected";
  return admitCall(tool, isStep ? {} : { nonsense: 1 });
}

function reasonAgainst(turn: Turn, like: Turn, before: Session, name: string): string | undefined {
  const { cause } = turn.internal ?? {};
  if (!(cause instanceof Injected) || cause.message !== name) return "what was thrown is lost";
  if (canonicalJson(turn.answer) !== canonicalJson(ANSWER)) return `it answers ${canonicalJson(turn.answer)}`;
  if (turn.session.world !== before.world) return "the world is another";
  if (countsOf(turn.session) !== countsOf(like.session)) return "it counts otherwise than a refused call";
  if (turn.record?.kind !== like.record?.kind) return "its record is not that of a refused call";
  if (turn.record?.kind !== "rejected") return undefined;
  const { steps } = turn.session as MaintenanceSession;
  const last = steps.shared[steps.length - 1];
  return last === turn.record && canonicalJson(turn.record.error) === canonicalJson(ANSWER.error)
    ? undefined
    : "the log does not end with its refusal";
}

/** A broken call counts; but for that the session after it is as good as the one before. */
function againstAgain(
  engine: Engine,
  { session }: Turn,
  before: Session,
  call: AdmittedCall,
  clean: string,
): string | undefined {
  const forgiven = { ...session, ...countersOf(before) } as Session;
  return pictureOf(engine(forgiven, call)) === clean ? undefined : "the call made again does otherwise";
}

function countersOf(session: Session): Partial<MaintenanceSession> {
  if (!("rejected" in session)) return { used: session.used };
  const { used, rejected, rejectedInRound } = session;
  return { used, rejected, rejectedInRound };
}

/** Answer, record, world and counts of a turn as one text. */
function pictureOf({ answer, record, session }: Turn): string {
  return canonicalJson({
    answer,
    record: record ?? null,
    digest: digestOfWorld(session.world),
    outcome: session.outcome,
    used: session.used,
  });
}

/** A session as it reads: its counts, its world, and the digest that is remembered of that. */
function toldOf(session: Session): string {
  return `${countsOf(session)} ${digestOfWorld(session.world)} ${JSON.stringify(plainWorld(session.world))}`;
}

/** What a session holds but scenario and world: of its logs the length. */
function countsOf(session: Session): string {
  const parts = Object.entries({ ...session, scenario: null, world: null }).map(([key, value]: [string, unknown]) => [
    key,
    isLog(value) ? value.length : value,
  ]);
  return canonicalJson(Object.fromEntries(parts));
}

function isLog(value: unknown): value is { readonly length: number } {
  return typeof value === "object" && value !== null && "shared" in value;
}
