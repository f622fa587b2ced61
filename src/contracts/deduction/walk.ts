/** A trajectory walked again from the initial world: what truly happened, what was asked, what each baseline says. */
import {
  askCounterfactuals,
  canonicalJson,
  observe,
  questionKey,
  rollout,
  unsealed,
  WAIT,
  type ActionUse,
  type Dynamics,
  type LastSpan,
  type Mode,
  type Questions,
  type World,
} from "../../runtime/index.ts";
import { BASELINE_NAMES, BASELINES, type BaselineName } from "./baselines/baseline.ts";
import {
  NO_MEMORY,
  type AskedQuestions,
  type Knowledge,
  type Past,
  type Prediction,
  type Predictor,
} from "./baselines/knowledge.ts";

/** The way a run took, whoever it was that took it. */
export interface Way {
  readonly case: string;
  readonly mode: Mode;
  readonly dynamics: Dynamics;
  /** The true initial world. */
  readonly world: World;
  /** Every span that was planned, in order. */
  readonly spans: readonly {
    readonly round: number;
    readonly from: number;
    readonly to: number;
    readonly action?: ActionUse | undefined;
  }[];
}

export interface WalkedSpan extends LastSpan {
  /** What its round asked, with the truth; none in the first round and in M1. */
  readonly questions: Questions;
}

export interface Walk {
  readonly spans: readonly WalkedSpan[];
  /** Span by span. */
  readonly said: Readonly<Record<BaselineName, readonly Prediction[]>>;
}

/** Ways of one world that are remembered: all who wait go the same. */
const REMEMBERED = 4;
const walks = new WeakMap<Dynamics, WeakMap<World, Map<string, Walk>>>();

/** Walks a way again. Throws where its spans are of another world, or the rules contradict themselves on it. */
export function walk(way: Way): Walk {
  const known = walksOf(way);
  const key = canonicalJson([way.case, way.mode, way.spans.map(({ from, to, action = null }) => [from, to, action])]);
  const there = known.get(key);
  if (there !== undefined) return there;
  const spans = walkSpans(way);
  const knowledge = knowledgeAlong(way, spans);
  const said = BASELINE_NAMES.map((name) => [name, sayAll(BASELINES[name], knowledge)]);
  const walked: Walk = { spans, said: Object.fromEntries(said) as Walk["said"] };
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size >= REMEMBERED) known.delete(oldest);
  known.set(key, walked);
  return walked;
}

function walksOf({ dynamics, world }: Way): Map<string, Walk> {
  const ofDynamics = walks.get(dynamics) ?? new WeakMap<World, Map<string, Walk>>();
  const known = ofDynamics.get(world) ?? new Map<string, Walk>();
  walks.set(dynamics, ofDynamics.set(world, known));
  return known;
}

/** What truly happened, and by the choice that the session makes what was asked after it. */
function walkSpans({ case: case_, mode, dynamics, world, spans }: Way): readonly WalkedSpan[] {
  const walked: WalkedSpan[] = [];
  for (const { round, from, to, action = WAIT } of spans) {
    const last = walked.at(-1);
    const before = last?.after ?? world;
    if (before.clock !== from) throw new Error(`walk: a span begins at ${from}, where the clock is ${before.clock}`);
    const asked =
      last === undefined || mode === "M1"
        ? ({ ok: true, value: {} } as const)
        : askCounterfactuals(dynamics, last, questionKey(case_, round));
    const future = rollout(dynamics, before, { ticks: to - from, actions: new Map([[from, action]]) });
    if (!asked.ok) throw new Error(`walk: ${asked.error.message}`);
    if (!future.ok) throw new Error(`walk: ${future.error.message}`);
    const { world: after } = future.value;
    walked.push({ before, action, after, questions: asked.value });
  }
  return walked;
}

/** What whoever stood there knew at the beginning of each span. */
function knowledgeAlong({ mode, dynamics, world, spans }: Way, walked: readonly WalkedSpan[]): readonly Knowledge[] {
  const see = (now: World) => (mode === "M1" ? unsealed(dynamics, world) : observe(dynamics, now));
  const history: Past[] = [];
  return walked.map(({ before, action, after, questions }, i): Knowledge => {
    const { round, from, to } = spans[i] as Way["spans"][number];
    const observed = see(before);
    const asked = askedIn(mode, questions);
    const knowledge = { mode, dynamics, types: world.types, round, from, to, observed, asked, action };
    const known = { ...knowledge, history: [...history] };
    if (mode === "M2") history.push({ from, to, action, before: observed, after: see(after) });
    return known;
  });
}

function askedIn(mode: Mode, { action, happening }: Questions): AskedQuestions {
  if (mode === "M1") return { segment: true };
  return {
    interval: true,
    lookahead: true,
    ...(action && { action: action.instead }),
    ...(happening && { happening: happening.without }),
  };
}

function sayAll(predict: Predictor, known: readonly Knowledge[]): readonly Prediction[] {
  let memory = NO_MEMORY;
  return known.map((knowledge) => {
    const said = predict(knowledge, memory);
    memory = said.memory;
    return said;
  });
}
