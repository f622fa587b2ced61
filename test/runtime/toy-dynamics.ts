/** A small world that goes on by itself, for the deduction session: a mill, a pond, two people, letters that come and go. */
import { admitCall } from "../../src/runtime/admit.ts";
import type { Budgets } from "../../src/runtime/budget.ts";
import { buildWorld, type WorldParts } from "../../src/runtime/build-world.ts";
import type { CapabilityDraft } from "../../src/runtime/capability.ts";
import {
  deductionBudgets,
  plannedRounds,
  type Condition,
  type DeductionScenario,
  type Mode,
} from "../../src/runtime/deduction/scenario.ts";
import type { DeductionSession } from "../../src/runtime/deduction/session.ts";
import { compileDynamics, type DynamicsParts } from "../../src/runtime/dynamics/compile-dynamics.ts";
import { entrySchema, processSchema, type ProcessDraft } from "../../src/runtime/dynamics/process.ts";
import { compileCondition } from "../../src/runtime/expression/index.ts";
import { callTool, openSession, type Turn } from "../../src/runtime/session.ts";

/** Stands in hidden texts: no answer of M2 may hold it. */
export const CANARY = "canary-of-hidden-texts";

export interface PondOptions {
  readonly mode?: Mode;
  readonly condition?: Condition;
  /** What sealed fields hold at the beginning. */
  readonly seal?: number;
  /** Processes over sealed fields alone, beside the others. */
  readonly sealing?: readonly Partial<ProcessDraft>[];
  readonly more?: readonly Partial<ProcessDraft>[];
  readonly intro?: string;
  readonly budgets?: Budgets;
  readonly ticks?: number;
  /** Who is not loyal, which nobody sees. */
  readonly disloyal?: string;
  /** How many more people stand at the mill. */
  readonly crowd?: number;
}

const capability = (draft: Partial<CapabilityDraft> & Pick<CapabilityDraft, "id" | "effects">): CapabilityDraft => ({
  says: `To ${draft.id}`,
  params: {},
  requires: [],
  duration: 1,
  ...draft,
});

function partsOf({ seal = 1, disloyal, crowd = 0 }: PondOptions): WorldParts {
  const loyal = (id: string) => (id === disloyal ? { loyal: false } : {});
  return {
    clock: 0,
    map: {
      places: { mill: "the mill", pond: "the pond", tower: "the tower" },
      links: [
        { from: "mill", to: "pond", bothWays: true, ticks: 2 },
        { from: "pond", to: "tower", bothWays: true, ticks: 1 },
      ],
    },
    types: {
      person: {
        id: "person",
        says: "Somebody",
        fields: {
          energy: { kind: "int", min: 0, max: 20, default: 10 },
          mood: { kind: "enum", values: ["calm", "cross"] },
          loyal: { kind: "bool", default: true },
          secret: { kind: "text", default: CANARY },
          friend: { kind: "ref", of: "person", default: null },
          mail: { kind: "refs", of: "letter", default: [] },
          seal: { kind: "int", default: seal },
        },
      },
      weir: {
        id: "weir",
        says: "A weir and the water behind it",
        fields: {
          level: { kind: "number", digits: 1, min: 0, max: 10, default: 4 },
          murk: { kind: "int", min: 0, max: 9, default: 0 },
        },
      },
      letter: { id: "letter", says: "A letter", fields: { read: { kind: "bool", default: false } } },
    },
    entities: {
      mara: { id: "mara", type: "person", name: "Mara", at: "mill", fields: loyal("mara") },
      jon: {
        id: "jon",
        type: "person",
        name: "Jon",
        at: "mill",
        fields: { energy: 7, friend: "mara", ...loyal("jon") },
      },
      ada: {
        id: "ada",
        type: "person",
        name: "Ada",
        at: "tower",
        fields: { secret: `${CANARY} of ada`, ...loyal("ada") },
      },
      weir: { id: "weir", type: "weir", name: "the weir", at: "pond", fields: {} },
      ...Object.fromEntries(
        Array.from({ length: crowd }, (_, i) => `somebody_in_the_crowd_${i}`).map((id) => [
          id,
          { id, type: "person", name: `Somebody ${id}`, at: "mill", fields: {} },
        ]),
      ),
      old_letter: { id: "old_letter", type: "letter", name: "an old letter", at: "tower", fields: {} },
    },
    capabilities: {
      go: capability({
        id: "go",
        params: { to: { kind: "place" } },
        requires: [{ expr: "linked(mara.at, to)", says: "there must be a way" }],
        effects: [{ set: "mara.at", expr: "to" }],
        duration: "travelTicks(mara.at, to)",
      }),
      nudge: capability({
        id: "nudge",
        params: { who: { type: "person" } },
        requires: [
          { expr: "who != mara" },
          { expr: "who.energy > 3", says: "only those who are rested can be nudged" },
        ],
        effects: [{ add: "who.energy", by: -3 }],
      }),
      rest: capability({ id: "rest", effects: [{ add: "mara.energy", by: 6 }], duration: 10 }),
    },
    invariants: [],
  };
}

const named = (id: string) => ({
  id,
  name: `The ${id}`,
  says: `What ${id} does, in words`,
  tells: `What ${id} does, with 7 numbers`,
});

const PROCESSES: readonly Partial<ProcessDraft>[] = [
  {
    id: "tiring",
    every: 2,
    for: { p: "person" },
    when: "p.energy > 0",
    effects: [{ add: "p.energy", by: "p.at == mill ? -2 : -1" }],
  },
  { id: "filling", effects: [{ add: "weir.level", by: 0.3 }], when: "weir.level < 9" },
  { id: "murking", when: "weir.level > 5", effects: [{ add: "weir.murk", by: 1 }], priority: 10 },
  {
    id: "crossing",
    for: { p: "person" },
    when: "p.energy < 5",
    effects: [{ set: "p.mood", value: "cross" }],
    priority: 20,
  },
  {
    id: "writing",
    every: 6,
    effects: [{ create: "letter", id: { expr: '"letter_" + clock' }, name: "a letter", at: "jon.at" }],
    priority: 30,
  },
  { id: "fading", every: 8, phase: 2, for: { l: "letter" }, effects: [{ destroy: "l" }], priority: 30 },
  { id: "roaming", every: 3, effects: [{ set: "jon.at", expr: "jon.at == mill ? pond : mill" }], priority: 40 },
];

/** Writes what is sealed alone. */
export const SEALING: readonly Partial<ProcessDraft>[] = [
  { id: "sealing", for: { p: "person" }, effects: [{ add: "p.seal", by: 1 }] },
];
/** Reads what is sealed too, and fires at other times. */
export const OTHER_SEALING: readonly Partial<ProcessDraft>[] = [
  { id: "aaa_sealing", every: 3, for: { p: "person" }, when: "p.seal > 3", effects: [{ add: "p.seal", by: -2 }] },
  {
    id: "zzz_sealing",
    for: { p: "person" },
    when: "p.energy > 3",
    effects: [{ set: "p.seal", expr: "p.energy" }],
    priority: 9,
  },
];

function rulesOf(options: PondOptions): DynamicsParts {
  const drafts = [...PROCESSES, ...(options.sealing ?? SEALING), ...(options.more ?? [])].map((draft) =>
    processSchema.parse({ ...named(String(draft.id)), ...draft }),
  );
  const storm = entrySchema.parse({
    ...named("storm"),
    name: "The storm",
    at: [3, 10],
    effects: [{ set: "weir.level", value: 9.5 }],
  });
  return {
    character: "mara",
    processes: Object.fromEntries(drafts.map((draft) => [draft.id, draft])),
    schedule: { storm },
    visibility: {
      person: {
        at: "public",
        energy: "local",
        mood: "public",
        loyal: "hidden",
        secret: "hidden",
        friend: "public",
        mail: "public",
        seal: "sealed",
      },
      weir: { at: "public", level: "public", murk: "hidden" },
      letter: { at: "local", read: "public" },
    },
    creates: [
      { type: "letter", pattern: "letter_<n>", says: "a letter is called letter_ and the hour it was written" },
    ],
    decision: 4,
    segment: 8,
    ticks: options.ticks ?? 24,
  };
}

export function pondScenario(options: PondOptions = {}): DeductionScenario {
  const { mode = "M2", condition = "open" } = options;
  const world = buildWorld(partsOf(options));
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  const dynamics = compileDynamics(world.value, rulesOf(options));
  if (!dynamics.ok) throw new Error(JSON.stringify(dynamics.error));
  const holds = compileCondition(world.value, "weir.level > 9");
  if (!holds.ok) throw new Error(holds.error.message);
  return {
    track: "deduction",
    caseId: "pond_base",
    condition,
    mode,
    unit: "hour",
    intro: options.intro ?? "Mara keeps the mill; Jon comes and goes.",
    goal: { says: "At the end the pond is nearly full.", holds: holds.value },
    world: world.value,
    dynamics: dynamics.value,
    budgets: options.budgets ?? deductionBudgets(plannedRounds(dynamics.value, mode)),
  };
}

export function pond(options: PondOptions = {}): DeductionSession {
  return openSession(pondScenario(options));
}

export function ask(session: DeductionSession, tool: string, input: unknown = {}): Turn<DeductionSession> {
  return callTool(session, admitCall(tool, input));
}

/** All that a round asks, answered with nothing. */
export function emptyAnswer({ scenario, questions }: DeductionSession): {
  readonly predict: Readonly<Record<string, unknown>>;
} {
  if (scenario.mode === "M1") return { predict: { segment: [] } };
  const counterfactuals = {
    ...(questions.action && { action: [] }),
    ...(questions.happening && { happening: [] }),
  };
  return { predict: { interval: [], lookahead: [], counterfactuals } };
}

/** Ends the round, all answered with nothing where nothing was submitted; throws where it is refused. */
export function passRound(session: DeductionSession, input: unknown = emptyAnswer(session)): Turn<DeductionSession> {
  const sent = ask(session, "commit_step", input);
  if (!sent.answer.ok) throw new Error(JSON.stringify(sent.answer));
  const ended = ask(sent.session, "end_round");
  if (!ended.answer.ok) throw new Error(JSON.stringify(ended.answer));
  return ended;
}

/** The session after so many rounds in which nothing is predicted. */
export function afterRounds(session: DeductionSession, rounds: number): DeductionSession {
  return Array.from({ length: rounds }).reduce<DeductionSession>((now) => passRound(now).session, session);
}
