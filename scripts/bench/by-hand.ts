/** The stack that one would put together oneself for the same steps, in two ways, and libraries that do part of it. */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { hash } from "node:crypto";
import { enablePatches, produceWithPatches } from "immer";
import { Engine } from "json-rules-engine";
import { create } from "mutative";
import { assign, createActor, setup } from "xstate";
import * as z from "zod";
import type { Json } from "../../src/runtime/index.ts";

enablePatches();

interface Person {
  at: string;
  coins: number;
  mood: string;
  awake: boolean;
}
interface Item {
  at: string;
  weight: number;
  label: string;
}
export interface HandState {
  clock: number;
  persons: Record<string, Person>;
  items: Record<string, Item>;
}

export function handState(entities: number): HandState {
  const state: HandState = { clock: 0, persons: {}, items: {} };
  for (let i = 0; i < entities; i += 2) {
    state.persons[`person_${i}`] = { at: "hall", coins: 5, mood: "calm", awake: true };
    state.items[`item_${i + 1}`] = { at: `person_${i}`, weight: 1, label: "" };
  }
  return state;
}

const triggerSchema = z.discriminatedUnion("capability", [
  z.strictObject({ capability: z.literal("go"), args: z.strictObject({ who: z.string(), to: z.string() }) }),
  z.strictObject({
    capability: z.literal("give"),
    args: z.strictObject({ giver: z.string(), thing: z.string(), taker: z.string() }),
  }),
  z.strictObject({ capability: z.literal("earn"), args: z.strictObject({ who: z.string(), n: z.int() }) }),
]);
const stepSchema = z.strictObject({ triggers: z.array(triggerSchema).max(64) });
type HandTrigger = z.infer<typeof triggerSchema>;

const LINKS: Readonly<Record<string, string>> = { hall: "yard", yard: "hall" };

function guard(state: HandState, trigger: HandTrigger): boolean {
  const { persons, items } = state;
  switch (trigger.capability) {
    case "go": {
      const who = persons[trigger.args.who];
      return who !== undefined && who.awake && LINKS[who.at] === trigger.args.to;
    }
    case "give": {
      const { giver, thing, taker } = trigger.args;
      return items[thing]?.at === giver && persons[giver] !== undefined && persons[giver].at === persons[taker]?.at;
    }
    case "earn":
      return persons[trigger.args.who] !== undefined && trigger.args.n > 0;
  }
}

function apply(state: HandState, trigger: HandTrigger): void {
  switch (trigger.capability) {
    case "go":
      (state.persons[trigger.args.who] as Person).at = trigger.args.to;
      break;
    case "give":
      (state.items[trigger.args.thing] as Item).at = trigger.args.taker;
      break;
    case "earn":
      (state.persons[trigger.args.who] as Person).coins += trigger.args.n;
  }
}

function applyAll(state: HandState, triggers: readonly HandTrigger[]): void {
  for (const trigger of triggers) apply(state, trigger);
  state.clock += 1;
}

/** Where lines go. */
export interface Lines {
  append(line: string): void;
}

export const NOWHERE: Lines = { append: () => undefined };

/** A file that lines are appended to, on disk before the next step where `sync`: as durable as a log of ours (`fdatasync`). */
export class FileLines implements Lines {
  readonly #fd: number;
  readonly #sync: boolean;

  constructor(path: string, sync: boolean) {
    this.#fd = openSync(path, "a");
    this.#sync = sync;
  }

  append(line: string): void {
    writeSync(this.#fd, `${line}\n`);
    if (this.#sync) fdatasyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export type Patcher = "immer" | "mutative";

/** Checks by Zod, guards, patches both ways, a line of JSON, SHA-256 of the JSON of the whole state. */
export class HandStack {
  state: HandState;
  readonly #patcher: Patcher;
  readonly #lines: Lines;

  constructor(state: HandState, patcher: Patcher, lines: Lines) {
    this.state = state;
    this.#patcher = patcher;
    this.#lines = lines;
  }

  step(input: Json): void {
    const { triggers } = stepSchema.parse(input);
    for (const trigger of triggers) if (!guard(this.state, trigger)) throw new Error(`refused: ${trigger.capability}`);
    const [state, patches, inverse] =
      this.#patcher === "immer"
        ? produceWithPatches(this.state, (draft) => applyAll(draft, triggers))
        : create(this.state, (draft) => applyAll(draft, triggers), { enablePatches: true, enableAutoFreeze: true });
    const digest = hash("sha256", JSON.stringify(state), "hex");
    this.#lines.append(JSON.stringify({ triggers, patches, inverse, digest }));
    this.state = state;
  }
}

const machine = setup({
  types: { context: {} as HandState, events: {} as HandTrigger & { readonly type: string } },
  guards: { allowed: ({ context, event }) => guard(context, event) },
  actions: {
    done: assign(({ context, event }) => {
      const next = structuredCloneShallow(context, event);
      apply(next, event);
      return next;
    }),
  },
}).createMachine({
  context: handState(20),
  initial: "playing",
  states: { playing: { on: { "*": { guard: "allowed", actions: "done" } } } },
});

/** As much copied as one trigger may write. */
function structuredCloneShallow(state: HandState, { args }: HandTrigger): HandState {
  const persons = { ...state.persons };
  const items = { ...state.items };
  for (const id of Object.values(args)) {
    if (typeof id !== "string") continue;
    if (persons[id] !== undefined) persons[id] = { ...persons[id] };
    if (items[id] !== undefined) items[id] = { ...items[id] };
  }
  return { clock: state.clock, persons, items };
}

/** An xstate actor that takes the triggers one by one: guard and assignment, nothing else. */
export function actorSteps(): { step(input: Json): void; state(): HandState } {
  const actor = createActor(machine).start();
  return {
    step(input) {
      for (const trigger of (input as unknown as { triggers: HandTrigger[] }).triggers)
        actor.send({ ...trigger, type: trigger.capability });
    },
    state: () => actor.getSnapshot().context,
  };
}

/** json-rules-engine asks whether a gift is allowed: one guard, no effect. */
export function ruleOfGift(): (facts: Readonly<Record<string, string>>) => Promise<boolean> {
  const engine = new Engine(
    [
      {
        conditions: {
          all: [
            { fact: "thing_at", operator: "equal", value: { fact: "giver" } },
            { fact: "giver_at", operator: "equal", value: { fact: "taker_at" } },
          ],
        },
        event: { type: "allowed" },
      },
    ],
    { allowUndefinedFacts: false },
  );
  return async (facts) => (await engine.run({ ...facts })).events.length === 1;
}
