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
import { fitSections, levelsOf, type Section } from "./fit.ts";
import { identityEvidence } from "./identity-evidence.ts";
import type { Evidence, Question } from "./question.ts";
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

/** Tokens a prompt may have, by the estimate of estimatePromptTokens. */
export const PROMPT_TOKENS = 24_000;
/** Bytes kept for all that is no evidence: instructions, question, tags. */
const RESERVED_BYTES = 9_000;
/** Bytes of evidence there is always room for, however long the narrative. */
const LEAST_BYTES = 12_000;

/** What an answer may name: what the record has where the question looks. */
export interface Known {
  readonly triggers: ReadonlySet<string>;
  readonly constructions: ReadonlySet<number>;
  readonly entities: ReadonlySet<string>;
}

export interface Shown {
  readonly evidence: Evidence;
  readonly known: Known;
}

/** What evidence is made from. */
export type EvidenceSource = Pick<ReadRun, "trace" | "roundsPlayed">;

/** The evidence for a question, cut to fit a prompt of `tokens`. */
export function evidenceFor(
  case_: Pick<Case, "narratives">,
  run: EvidenceSource,
  question: Question,
  tokens: number = PROMPT_TOKENS,
): Shown {
  const bytes = tokens * BYTES_PER_TOKEN - RESERVED_BYTES;
  if (question.kind === "identity") {
    const narrative = cutNarrative(case_.narratives.slice(0, run.roundsPlayed), bytes / 2);
    return identityEvidence(run.trace, narrative, roomBeside(narrative, bytes));
  }
  const narrative = cutNarrative([case_.narratives[question.round - 1] ?? ""], bytes / 2);
  return itemEvidence(run.trace, question, narrative, roomBeside(narrative, bytes));
}

function roomBeside(narrative: string, bytes: number): number {
  return Math.max(LEAST_BYTES, bytes - Buffer.byteLength(narrative));
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

function itemEvidence(trace: Trace, question: ItemQuestion, narrative: string, room: number): Shown {
  const steps = trace.rounds.get(question.round) ?? [];
  const constructions = constructionsFor(trace, question);
  const sections = sectionsOf(trace, question, steps, constructions);
  return {
    evidence: { narrative, blocks: fitSections(sections, room) },
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
  return [
    ...(question.kind === "event"
      ? [
          section(
            TITLES.participants,
            question.involves.map(({ name, id }) => ({ name, id })),
            0.05,
          ),
        ]
      : []),
    section(TITLES.triggers, stepFacts(steps), 0.4, "last"),
    section(TITLES.constructions, orderedForUse(constructions, used).map(constructionFacts), 0.2),
    section(TITLES.capabilities, others.map(capabilityFacts), 0.15),
    {
      title: TITLES.states,
      levels: [
        states(ids),
        states([...touched.written, ...touched.given]),
        ...levelsOf(states(touched.written)).slice(1),
      ],
      share: 0.1,
      keep: "first",
    },
    section(TITLES.types, types.map(typeFacts), 0.05),
    section(
      TITLES.places,
      Object.entries(before.map.places).map(([place, says]) => ({ place, says })),
      0.02,
    ),
    section(
      TITLES.claims,
      [...noteClaims(steps), ...nameClaims(ids, worlds), ...capabilityClaims(used), ...typeClaims(types)],
      0.03,
    ),
  ];
}

function section(
  title: string,
  entries: readonly JsonObject[],
  share: number,
  keep: Section["keep"] = "first",
): Section {
  return { title, levels: levelsOf(entries), share, keep };
}

/** Constructions of what the round used come first, so that a cut takes the others; each group in its order. */
function orderedForUse(
  constructions: readonly TraceConstruction[],
  used: readonly { readonly id: string; readonly version: number }[],
): readonly TraceConstruction[] {
  const isUsed = ({ record: { item } }: TraceConstruction): boolean =>
    item.level === "capability" && used.some(({ id, version }) => id === item.id && version === item.now?.version);
  return [...constructions.filter(isUsed), ...constructions.filter((one) => !isUsed(one))];
}
