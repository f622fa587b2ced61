import { describe, expect, it } from "vitest";
import { buildWorld } from "../../src/runtime/build-world.ts";
import { deductionHelp, DEDUCTION_TOPICS } from "../../src/runtime/deduction/help.ts";
import {
  TOY_CALLS,
  TOY_CASE_ID,
  TOY_GOAL,
  TOY_INTRO,
  TOY_MISTAKE,
  TOY_RULES,
  TOY_WORLD,
} from "../../src/runtime/deduction/help-example.ts";
import {
  CONDITIONS,
  deductionBudgets,
  MODES,
  plannedRounds,
  type Condition,
  type Mode,
} from "../../src/runtime/deduction/scenario.ts";
import type { DeductionSession } from "../../src/runtime/deduction/session.ts";
import { compileDynamics } from "../../src/runtime/dynamics/compile-dynamics.ts";
import { DEDUCTION_ERROR_CODES, ERROR_CODES } from "../../src/runtime/errors.ts";
import { compileCondition } from "../../src/runtime/expression/index.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { bytesOf } from "../../src/runtime/page.ts";
import { openSession, outcomeOf } from "../../src/runtime/session.ts";
import { ask, pond } from "./toy-dynamics.ts";
import { errorOf } from "./toy-world.ts";

const BOTH = CONDITIONS.flatMap((condition) => MODES.map((mode) => [condition, mode] as const));

function textOf(condition: Condition, mode: Mode, topic: string): string {
  const answer = deductionHelp({ ...pond({ condition, mode }).scenario }, topic);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.text;
}

function kettle(condition: Condition, mode: Mode): DeductionSession {
  const world = buildWorld(TOY_WORLD);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  const dynamics = compileDynamics(world.value, TOY_RULES);
  const holds = compileCondition(world.value, TOY_GOAL.expr);
  if (!dynamics.ok || !holds.ok) throw new Error(JSON.stringify([dynamics, holds]));
  return openSession({
    track: "deduction",
    caseId: TOY_CASE_ID,
    condition,
    mode,
    unit: "minute",
    intro: TOY_INTRO,
    goal: { says: TOY_GOAL.says, holds: holds.value },
    world: world.value,
    dynamics: dynamics.value,
    budgets: deductionBudgets(plannedRounds(dynamics.value, mode)),
  });
}

describe("help in deduction", () => {
  it.each(BOTH)("DD64 answers every topic in %s %s with a page under 8 KB that lists all topics", (condition, mode) => {
    for (const topic of DEDUCTION_TOPICS) {
      const { answer } = ask(pond({ condition, mode }), "help", { topic });
      expect(answer).toEqual({ ok: true, topic, text: textOf(condition, mode, topic), topics: [...DEDUCTION_TOPICS] });
      expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
      expect(textOf(condition, mode, topic)).not.toMatch(/undefined|NaN|\[object/);
    }
    expect(ask(pond({ condition, mode }), "help").answer).toMatchObject({ topic: "overview" });
  });

  it("DD64 names the nearest topic where it does not know one", () => {
    expect(errorOf(ask(pond(), "help", { topic: "prediction" }).answer)).toEqual({
      code: "unknown_topic",
      message: 'there is no topic "prediction"',
      path: "topic",
      hint: 'did you mean "predictions"?',
    });
    expect(errorOf(ask(pond(), "help", { topic: "construction" }).answer).code).toBe("unknown_topic");
  });

  it.each(BOTH)(
    "DD64 holds a toy world whose calls, as printed in %s %s, get the answers that it prints",
    (condition, mode) => {
      const text = textOf(condition, mode, "example");
      let session = kettle(condition, mode);
      for (const { tool, input, answer } of [TOY_MISTAKE[mode], ...TOY_CALLS[mode]]) {
        expect(text).toContain(`    ${tool} ${JSON.stringify(input)}\n    → ${JSON.stringify(answer)}\n`);
        const turn = ask(session, tool, input);
        expect(turn.answer).toEqual(answer);
        session = turn.session;
      }
      const last = ask(session, "end_round");
      expect(outcomeOf(last.session)).toEqual({ kind: "finished" });
    },
  );

  it.each(MODES)(
    "DD64 claims of its toy world only what is true of it in %s: every list is right and whole",
    (mode) => {
      let session = kettle("open", mode);
      const spans = [...TOY_CALLS[mode], { tool: "end_round", input: {} }].flatMap(({ tool, input }) => {
        const { record, session: next } = ask(session, tool, input);
        session = next;
        return record?.kind === "span" ? [record] : [];
      });
      expect(spans).toHaveLength(2);
      expect(spans.map(({ submitted, fires }) => [submitted, fires.predicted])).toEqual(
        spans.map(({ truth, fires }) => [truth, fires.truth]),
      );
    },
  );

  it.each(BOTH)("DD64 names in %s %s every error code that deduction answers with", (condition, mode) => {
    const text = textOf(condition, mode, "errors");
    const elsewhere: ReadonlySet<string> = new Set(
      [
        "unknown_capability effect_failed conflict containment_circle invariant_broken empty_step too_many_triggers",
        "too_many_requirements too_many_effects too_many_parameters too_many_matches already_exists id_was_used in_use",
        "incompatible_update too_many_entities too_many_types too_many_capabilities",
      ]
        .join(" ")
        .split(" "),
    );
    expect(ERROR_CODES.filter((code) => !elsewhere.has(code) && !text.includes(code))).toEqual([]);
    expect(DEDUCTION_ERROR_CODES.filter((code) => elsewhere.has(code))).toEqual([]);
  });

  it("DD64 says what each condition and mode tells and asks", () => {
    expect(textOf("open", "M1", "overview")).toContain("The rules are told with every number");
    expect(textOf("naming", "M2", "overview")).toContain("without their numbers");
    expect(textOf("open", "M1", "overview")).toContain("segments of 8 ticks");
    expect(textOf("open", "M2", "overview")).toContain("every 4 ticks");
    expect(textOf("open", "M2", "predictions")).toContain("48 ticks on");
    expect(textOf("open", "M1", "predictions")).not.toContain("lookahead");
    expect(textOf("open", "M2", "limits")).toContain("**Submissions of a round**: 12");
    expect(textOf("open", "M2", "limits")).toContain("60, in the first round 160");
    expect(textOf("naming", "M1", "expressions")).not.toContain("Effects");
  });
});
