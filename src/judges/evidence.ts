/**
 * What the record shows for one question. Pure, and blind: only the frozen trace and the narrative go in. No relation,
 * no other item, no verdict, no name of an agent, nothing of its chat and none of its refused steps can get here.
 */
import type { Case } from "../cases/index.ts";
import type { Trace, TraceStep } from "../contracts/index.ts";
import type { JsonObject } from "../endpoint/index.ts";
import type { ReadRun } from "../records/index.ts";
import { capabilityClaims, nameClaims, noteClaims, typeClaims } from "./claims.ts";
import { BYTES_PER_TOKEN } from "./data-block.ts";
import { fitSections, wordLevels, type Room, type Section } from "./fit.ts";
import { identityEvidence } from "./identity-evidence.ts";
import type { Evidence, Participant, Question } from "./question.ts";
import type { ItemQuestion } from "./questions.ts";
import { TITLES } from "./titles.ts";
import {
  capabilitiesUsed,
  capabilityFacts,
  constructionFacts,
  stateFacts,
  stepFacts,
  touchedBy,
  typeFacts,
  typesInPlay,
  worldsAround,
  type TraceConstruction,
} from "./record-facts.ts";

/** Tokens of a prompt, by the estimate of estimatePromptTokens. */
export interface PromptRoom {
  /** What it is cut to as far as it may be cut. */
  readonly size: number;
  /** What it may have where the facts are so many. */
  readonly most: number;
}
export const PROMPT_ROOM: PromptRoom = { size: 24_000, most: 60_000 };
/** Bytes kept for all that is no evidence: instructions, question, titles, tags. */
const RESERVED_BYTES = 9_000;

/** What an answer may name: what the record has where the question looks. */
export interface Known {
  readonly triggers: ReadonlySet<string>;
  readonly constructions: ReadonlySet<number>;
  readonly entities: ReadonlySet<string>;
}

export interface Shown {
  /** Undefined where the facts do not fit a prompt: then nobody is asked. */
  readonly evidence: Evidence | undefined;
  readonly known: Known;
}

/** What evidence is made from. */
export type EvidenceSource = Pick<ReadRun, "trace" | "roundsPlayed">;

/** The evidence for a question, fitted to a prompt. */
export function evidenceFor(
  case_: Pick<Case, "narratives">,
  run: EvidenceSource,
  question: Question,
  prompt: PromptRoom = PROMPT_ROOM,
): Shown {
  const aim = bytesFor(prompt.size);
  if (question.kind === "identity") {
    const narrative = cutNarrative(case_.narratives.slice(0, run.roundsPlayed), aim / 2);
    return identityEvidence(run.trace, narrative, roomBeside(narrative, prompt));
  }
  const narrative = cutNarrative([case_.narratives[question.round - 1] ?? ""], aim / 2);
  return itemEvidence(run.trace, question, narrative, roomBeside(narrative, prompt));
}

function bytesFor(tokens: number): number {
  return Math.max(0, tokens * BYTES_PER_TOKEN - RESERVED_BYTES);
}

function roomBeside(narrative: string, { size, most }: PromptRoom): Room {
  const [aim, limit] = [size, most].map((tokens) => bytesFor(tokens) - Buffer.byteLength(narrative));
  return { aim: aim as number, most: limit as number };
}

/** Instalments as one text; where they are too long, earlier ones are left out, and a single one is cut at its end. */
export function cutNarrative(instalments: readonly string[], bytes: number): string {
  const kept: string[] = [];
  let left = bytes;
  for (const text of [...instalments].reverse()) {
    left -= Buffer.byteLength(text);
    if (left < 0 && kept.length > 0)
      return [`[${instalments.length - kept.length} earlier instalments left out]`, ...kept].join("\n\n");
    if (left < 0) return `${text.slice(0, Math.floor(bytes / 3))} [cut]`;
    kept.unshift(text.trim());
  }
  return kept.join("\n\n");
}

function itemEvidence(trace: Trace, question: ItemQuestion, narrative: string, room: Room): Shown {
  const steps = trace.rounds.get(question.round) ?? [];
  const constructions = constructionsFor(trace, question);
  const blocks = fitSections(sectionsOf(trace, question, steps, constructions), room);
  return {
    evidence: blocks && { narrative, blocks },
    known: {
      triggers: new Set(steps.flatMap(({ record }) => record.triggers.map(({ id }) => id))),
      constructions: new Set(constructions.map(({ record }) => record.construction)),
      entities: new Set(),
    },
  };
}

/** For a structure all constructions of the run up to the end of its round, for a probe those of the round; none for an event. */
function constructionsFor(trace: Trace, { kind, round }: ItemQuestion): readonly TraceConstruction[] {
  if (kind === "event") return [];
  const all = [...trace.constructions.values()];
  return all.filter(({ record }) => (kind === "probe" ? record.round === round : record.round <= round));
}

function sectionsOf(
  trace: Trace,
  question: ItemQuestion,
  steps: readonly TraceStep[],
  constructions: readonly TraceConstruction[],
): readonly Section[] {
  const { who = [], ownIds = false } = question;
  const { before, after } = worldsAround(trace, steps);
  const worlds = [before, after];
  const touched = touchedBy(steps);
  const ids = [...touched.written, ...touched.given, ...touched.read];
  const used = capabilitiesUsed(steps);
  const types = typesInPlay(ids, used, worlds);
  const shownAbove = new Set(
    constructions.flatMap(({ record: { item } }) =>
      item.level === "capability" && item.now !== null ? [`${item.id} ${item.now.version}`] : [],
    ),
  );
  const others = used.filter(({ id, version }) => !shownAbove.has(`${id} ${version}`));
  const states = (which: readonly string[]): readonly JsonObject[] => stateFacts(which, before, after);
  const named = new Set(who.map(({ id }) => id));
  const isNamed = (id: string): boolean => named.has(id);
  const written = new Set(touched.written);
  return [
    ...(question.kind === "event" ? [facts(TITLES.participants, question.involves.map(participantFacts))] : []),
    ...(ownIds ? [facts(TITLES.who, who.map(whoFacts))] : []),
    facts(TITLES.triggers, stepFacts(steps)),
    facts(TITLES.constructions, constructions.map(constructionFacts)),
    facts(TITLES.capabilities, others.map(capabilityFacts)),
    {
      title: TITLES.states,
      // The last level is of what the contract names: nothing that an agent does moves one of those out.
      levels: [
        states(ids),
        states([...touched.written, ...touched.given]),
        states(ids.filter((id) => written.has(id) || isNamed(id))),
        states(ids.filter(isNamed)),
      ],
    },
    facts(TITLES.types, types.map(typeFacts)),
    facts(
      TITLES.places,
      Object.entries(before.map.places).map(([place, says]) => ({ place, says })),
    ),
    {
      title: TITLES.claims,
      levels: wordLevels(
        [...noteClaims(steps), ...capabilityClaims(used), ...typeClaims(types)],
        nameClaims(ids, worlds),
      ),
      mayGo: true,
    },
  ];
}

/** A part that is shown whole or not at all. */
function facts(title: string, entries: readonly JsonObject[]): Section {
  return { title, levels: [entries] };
}

function participantFacts({ name, id }: Participant): JsonObject {
  return { name, id: id ?? null };
}

function whoFacts({ name, id }: Participant): JsonObject {
  return { name, id: id === null ? "absent" : (id ?? "not settled") };
}
