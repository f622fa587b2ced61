/** What the agent is told of a step: small, and honest about what it leaves out. */
import { LIMITS } from "../limits.ts";
import { bytesOf, takeFitting } from "../page.ts";
import type { AcceptedStep, AcceptedTrigger, Write } from "../record.ts";
import { shorten } from "../show.ts";
import type { Change, StepAnswer } from "../tool-answers.ts";

/** Bytes kept for the parts of an answer that are no list. */
const RESERVE = 700;
const TEXT_SHOWN = 200;
const MEMBERS_SHOWN = 12;

/** The answer to an accepted step: triggers first, then as many of their changes as fit. */
export function acceptedAnswer(record: AcceptedStep): StepAnswer {
  const { step, start, clock } = record;
  const room = LIMITS.answerBytes - RESERVE;
  const triggers = takeFitting(
    record.triggers.map(({ id, capability, start: begins, end }) => ({ id, capability, start: begins, end })),
    record.triggers.length === 0 ? 0 : room * 0.6,
  );
  const changes = record.triggers.flatMap(changesOf);
  const shown = takeFitting(changes, room - bytesOf(triggers));
  const isCut = shown.some(({ before, after }) => endsCut(before) || endsCut(after));
  const more = [
    ...(triggers.length < record.triggers.length ? [`${record.triggers.length - triggers.length} more triggers`] : []),
    ...(shown.length < changes.length ? [`${changes.length - shown.length} more changes`] : []),
  ];
  const left =
    more.length > 0 ? `${more.join(" and ")} not shown` : isCut ? "values that end with … are cut" : undefined;
  const note = left && `${left}: read_data {"from": "log", "id": "${step}"}`;
  const still = note === undefined ? unchangedNote(record) : undefined;
  return { ok: true, step, start, clock, triggers: [...triggers], changes: [...shown], ...noteOf(note ?? still) };
}

function noteOf(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

/** Says which triggers left everything as it was: nothing wrong, but seldom what was meant. */
function unchangedNote(record: AcceptedStep): string | undefined {
  const idle = record.triggers.filter(({ writes }) => writes.length > 0 && writes.every(isSame)).map(({ id }) => id);
  if (idle.length === 0) return undefined;
  return `${idle.slice(0, 8).join(", ")} wrote what was there already: nothing changed by ${idle.length === 1 ? "it" : "them"}`;
}

function changesOf({ id, writes }: AcceptedTrigger): readonly Change[] {
  return writes.filter((write) => !isSame(write)).map((write) => changeOf(id, write));
}

function isSame(write: Write): boolean {
  return "same" in write && write.same === true;
}

function changeOf(trigger: string, write: Write): Change {
  const { path } = write;
  switch (write.kind) {
    case "create":
      return { trigger, path, created: write.entity.type };
    case "destroy":
      return { trigger, path, destroyed: write.entity.type };
    case "add":
      return { trigger, path, before: write.before, after: write.after, by: write.by };
    default:
      return { trigger, path, before: shownValue(write.before), after: shownValue(write.after) };
  }
}

function endsCut(value: Change["before"]): boolean {
  return Array.isArray(value)
    ? value.length > MEMBERS_SHOWN
    : typeof value === "string" && value.length === TEXT_SHOWN && value.endsWith("…");
}

type Shown = Exclude<Change["before"], undefined>;

function shownValue(value: Shown): Shown {
  if (typeof value === "string") return shorten(value, TEXT_SHOWN);
  if (!Array.isArray(value) || value.length <= MEMBERS_SHOWN) return value;
  return [...value.slice(0, MEMBERS_SHOWN), `… (${value.length - MEMBERS_SHOWN} more)`];
}
