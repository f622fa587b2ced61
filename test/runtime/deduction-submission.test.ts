import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/runtime/limits.ts";
import { afterRounds, ask, emptyAnswer, passRound, pond } from "./toy-dynamics.ts";
import { errorOf } from "./toy-world.ts";

type Entry = { readonly path: unknown; readonly value: unknown };

/** The refusal of one prediction, sent after one that is right. */
function refusalOf(entry: Entry, session = pond({ mode: "M1" })): ReturnType<typeof errorOf> {
  const right = { path: "mara.energy", value: 3 };
  const part = session.scenario.mode === "M1" ? "segment" : "interval";
  const turn = ask(session, "commit_step", {
    ...emptyAnswer(session),
    predict: { ...emptyAnswer(session).predict, [part]: [right, entry] },
  });
  expect(turn.record).toBe(undefined);
  expect(turn.session.submission).toBe(null);
  return errorOf(turn.answer);
}

function isTaken(entry: Entry, session = pond({ mode: "M1" })): boolean {
  const part = session.scenario.mode === "M1" ? "segment" : "interval";
  return ask(session, "commit_step", { predict: { ...emptyAnswer(session).predict, [part]: [entry] } }).answer.ok;
}

describe("a predicted path", () => {
  it.each([
    ["a misspelt field", "mara.enrgy", 'did you mean "mara.energy"?'],
    ["a misspelt entity", "marra.energy", 'did you mean "mara.energy"?'],
    ["a field of another type", "mara.level", 'did you mean "mara.loyal"?'],
    ["an entity without its field", "mara.", 'did you mean "mara.at"?'],
    ["a misspelt entity alone", "weirr", 'did you mean "weir"?'],
    ["the name of an entity", "mara.name", 'did you mean "mara.at"?'],
    ["a path with two dots", "mara.energy.value", 'did you mean "mara.energy"?'],
    ["the prototype", "mara.__proto__", 'did you mean "mara.mood"?'],
    [
      "the prototype as an entity",
      "__proto__.energy",
      "a path is entity_id.field, such as ada.at; what may come into being: letter_<n>",
    ],
    [
      "an id of the wrong pattern",
      "letter_x",
      "a path is entity_id.field, such as ada.at; what may come into being: letter_<n>",
    ],
  ])("DD46 is refused where it is %s, with the nearest the agent may know of", (_, path, hint) => {
    const error = refusalOf({ path, value: 1 });
    expect(error).toMatchObject({
      code: "unknown_path",
      message: `there is no path "${path}"`,
      path: "predict.segment[1].path",
    });
    expect(error.hint).toBe(hint);
  });

  it("DD46 is unknown where its field is sealed, and known where it is hidden", () => {
    for (const mode of ["M1", "M2"] as const) {
      const sealed = refusalOf({ path: "mara.seal", value: 2 }, pond({ mode }));
      expect(sealed.code).toBe("unknown_path");
      expect(sealed.hint).not.toContain("seal");
      expect(isTaken({ path: "mara.loyal", value: false }, pond({ mode }))).toBe(true);
      expect(isTaken({ path: "weir.murk", value: 9 }, pond({ mode }))).toBe(true);
      expect(isTaken({ path: "ada.energy", value: 9 }, pond({ mode }))).toBe(true);
    }
  });
});

describe("a predicted value", () => {
  it.each([
    ["a text for a number", "mara.energy", "3", "wrong_type", 'mara.energy: "3" is not whole number from 0 to 20'],
    ["null for a number", "mara.energy", null, "wrong_type", "mara.energy: null is not whole number from 0 to 20"],
    ["a number out of range", "mara.energy", 21, "out_of_range", "mara.energy: 21 is out of range"],
    ["a decimal for a whole number", "mara.energy", 2.5, "out_of_range", "mara.energy: 2.5 is no whole number"],
    ["no word of the enum", "mara.mood", "crss", "out_of_range", 'mara.mood: "crss" is no word of this enum'],
    ["a number for a bool", "mara.loyal", 1, "wrong_type", "mara.loyal: 1 is not true or false"],
    ["no entity", "mara.friend", "john", "broken_reference", 'mara.friend: there is no entity "john"'],
    ["an entity of another type", "mara.friend", "weir", "wrong_entity_type", "mara.friend: weir is of type weir"],
    ["no place", "mara.at", "mil", "broken_reference", 'mara.at: "mil" is no place and no entity'],
    ["a list for a place", "mara.at", ["mill"], "wrong_type", 'mara.at: ["mill"] is no place and no entity'],
    [
      "one entity for several",
      "mara.mail",
      "old_letter",
      "wrong_type",
      'mara.mail: "old_letter" is not a list of entities of type letter',
    ],
    [
      "a set with one of another type",
      "mara.mail",
      ["old_letter", "jon"],
      "wrong_entity_type",
      "mara.mail: jon is of type person",
    ],
  ])("DD46 is refused where it is %s", (_, path, value, code, message) => {
    expect(refusalOf({ path, value })).toMatchObject({ code, message, path: "predict.segment[1].value" });
  });

  it("DD46 says what would be right", () => {
    expect(refusalOf({ path: "mara.mood", value: "crss" }).hint).toBe('did you mean "cross"?');
    expect(refusalOf({ path: "mara.at", value: "mil" }).hint).toBe('did you mean "mill"?');
    expect(refusalOf({ path: "mara.energy", value: 99 }).hint).toBe("the field is whole number from 0 to 20");
    expect(refusalOf({ path: "mara.energy", value: true }).hint).toBe("it is whole number from 0 to 20");
  });

  it.each([
    ["null for a reference", "mara.friend", null],
    ["null for a place", "mara.at", null],
    ["a holder", "old_letter.at", "mara"],
    ["what may come into being as a member", "mara.mail", ["letter_6"]],
    ["what may come into being as a holder", "old_letter.at", "letter_12"],
    ["an empty set", "mara.mail", []],
    ["a decimal of more digits than are kept", "weir.level", 1.25],
  ])("DD46 may be %s", (_, path, value) => {
    expect(isTaken({ path, value })).toBe(true);
  });
});

describe("what comes into being, or is gone", () => {
  it("DD47 is predicted by its id alone, where the id fits a pattern of the type, or by the word destroyed", () => {
    for (const mode of ["M1", "M2"] as const) {
      expect(isTaken({ path: "letter_6", value: "letter" }, pond({ mode }))).toBe(true);
      expect(isTaken({ path: "old_letter", value: "destroyed" }, pond({ mode }))).toBe(true);
      expect(isTaken({ path: "mara", value: "destroyed" }, pond({ mode }))).toBe(true);
    }
  });

  it.each([
    [
      "the wrong type",
      "letter_6",
      "person",
      "invalid_value",
      'letter_6 may come into being; expected "letter", received "person"',
    ],
    ["no text", "letter_6", true, "wrong_type", 'letter_6 may come into being; expected "letter", received true'],
    [
      "destroyed before it is there",
      "letter_6",
      "destroyed",
      "invalid_value",
      'letter_6 may come into being; expected "letter", received "destroyed"',
    ],
    [
      "its type where it is there",
      "old_letter",
      "letter",
      "invalid_value",
      'old_letter is there: the only change of it as a whole is to be gone; expected "destroyed", received "letter"',
    ],
  ])("DD47 is refused as %s", (_, path, value, code, message) => {
    expect(refusalOf({ path, value })).toMatchObject({ code, message, path: "predict.segment[1].value" });
  });

  it("DD47 has no fields that count in the span in which it comes", () => {
    for (const mode of ["M1", "M2"] as const) {
      expect(refusalOf({ path: "letter_6.read", value: true }, pond({ mode }))).toMatchObject({
        code: "unknown_path",
        message: 'there is no entity "letter_6" yet: fields of what comes into being do not count',
        hint: 'predict {"path":"letter_6","value":"letter"} alone, if it comes into being',
      });
    }
  });

  it("DD47 is an entity like any other in later segments of M1, whether it came or not: nobody is told", () => {
    const second = afterRounds(pond({ mode: "M1" }), 1);
    for (const id of ["letter_6", "letter_7"]) {
      expect(isTaken({ path: `${id}.read`, value: true }, second)).toBe(true);
      expect(isTaken({ path: `${id}.at`, value: "mill" }, second)).toBe(true);
      expect(isTaken({ path: id, value: "destroyed" }, second)).toBe(true);
      expect(isTaken({ path: id, value: "letter" }, second)).toBe(true);
      expect(refusalOf({ path: `${id}.red`, value: true }, second)).toMatchObject({ code: "unknown_path" });
      expect(refusalOf({ path: `${id}.read`, value: 1 }, second)).toMatchObject({ code: "wrong_type" });
    }
    // gone since, which the agent could not see either
    expect(isTaken({ path: "old_letter.read", value: true }, second)).toBe(true);
  });

  it("DD47 is in M2 what the agent sees to be there", () => {
    const second = afterRounds(pond(), 2);
    expect(isTaken({ path: "letter_6.read", value: true }, second)).toBe(true);
    expect(refusalOf({ path: "old_letter.read", value: true }, second)).toMatchObject({ code: "unknown_path" });
    expect(refusalOf({ path: "letter_7.read", value: true }, second)).toMatchObject({ code: "unknown_path" });
  });
});

describe("the list of processes that fire", () => {
  it("DD66 holds ids of processes the agent is told of alone", () => {
    const refusal = (fires: readonly string[]) =>
      errorOf(ask(pond(), "commit_step", { ...emptyAnswer(pond()), fires }).answer);
    expect(refusal(["tiring", "tireing"])).toEqual({
      code: "unknown_process",
      message: 'there is no process "tireing"',
      path: "fires[1]",
      hint: 'did you mean "tiring"?',
    });
    expect(refusal(["storm"]).code).toBe("unknown_process");
    expect(refusal(["sealing"])).toMatchObject({ code: "unknown_process" });
    expect(refusal(["sealing"]).hint).not.toContain('"sealing"');
  });
});

describe("an action", () => {
  const refusal = (action: unknown, condition: "open" | "naming" = "open") =>
    errorOf(ask(pond({ condition }), "commit_step", { ...emptyAnswer(pond()), action }).answer);

  it("DD48 is refused where there is none of its id, with the nearest", () => {
    expect(refusal({ action: "goo" })).toEqual({
      code: "unknown_action",
      message: 'there is no action "goo"',
      path: "action.action",
      hint: 'did you mean "go"?',
    });
    expect(refusal({ action: "toString" }).code).toBe("unknown_action");
  });

  it.each([
    ["a missing argument", { action: "go" }, "missing_key", "action.args.to"],
    [
      "an unknown argument",
      { action: "go", args: { to: "pond", fast: true } },
      "unknown_parameter",
      "action.args.fast",
    ],
    ["no place", { action: "go", args: { to: "pnd" } }, "unknown_place", "action.args.to"],
    ["an entity of another type", { action: "nudge", args: { who: "weir" } }, "wrong_entity_type", "action.args.who"],
    ["no entity", { action: "nudge", args: { who: "john" } }, "unknown_entity", "action.args.who"],
    ["an argument of wait", { action: "wait", args: { long: true } }, "unknown_parameter", "action.args.long"],
    ["a number for an entity", { action: "nudge", args: { who: 3 } }, "wrong_type", "action.args.who"],
  ])("DD48 is refused for %s", (_, action, code, path) => {
    expect(refusal(action)).toMatchObject({ code, path });
  });

  it("DD48 is refused where it is not possible here, with the requirement, judged by what is seen", () => {
    expect(refusal({ action: "go", args: { to: "tower" } })).toEqual({
      code: "requirement_not_met",
      message: "go is not possible here: linked(mara.at, to) is false (there must be a way)",
      path: "action",
      hint: "get_context lists what is possible now",
    });
    // Ada's energy is 10, but she is elsewhere
    expect(refusal({ action: "nudge", args: { who: "ada" } }).message).toMatch(
      /^nudge is not possible here: who\.energy > 3 cannot be told from what is seen: .*only those who are rested can be nudged/,
    );
  });

  it("DD48 is refused in naming without the numbers of its requirement", () => {
    expect(refusal({ action: "nudge", args: { who: "ada" } }, "naming").message).toBe(
      "nudge is not possible here: only those who are rested can be nudged",
    );
    expect(refusal({ action: "nudge", args: { who: "mara" } }, "naming").message).toBe("nudge is not possible here");
  });

  it("DD48 may be to wait, said or left out", () => {
    for (const action of [undefined, { action: "wait" }, { action: "wait", args: {} }]) {
      const { record } = ask(pond(), "commit_step", { ...emptyAnswer(pond()), ...(action && { action }) });
      expect(record).toMatchObject({ action: { action: "wait", args: {} } });
    }
  });
});

describe("what is not asked", () => {
  it.each([
    ["an action in M1", "M1", { action: { action: "wait" } }, "action"],
    ["an interval in M1", "M1", { predict: { interval: [] } }, "predict.interval"],
    ["a lookahead in M1", "M1", { predict: { segment: [], lookahead: [] } }, "predict.lookahead"],
    [
      "a counterfactual in M1",
      "M1",
      { predict: { counterfactuals: { action: [] } } },
      "predict.counterfactuals.action",
    ],
    ["a segment in M2", "M2", { predict: { segment: [] } }, "predict.segment"],
    [
      "a counterfactual in the first round",
      "M2",
      { predict: { interval: [], lookahead: [], counterfactuals: { happening: [] } } },
      "predict.counterfactuals.happening",
    ],
  ] as const)("DD49 is refused: %s", (_, mode, input, path) => {
    const { answer } = ask(pond({ mode }), "commit_step", input);
    expect(errorOf(answer)).toMatchObject({ code: "not_asked", path });
  });

  it("DD49 says what is asked", () => {
    expect(errorOf(ask(pond(), "commit_step", { predict: { segment: [] } }).answer).hint).toBe(
      "asked: interval, lookahead",
    );
    const second = passRound(pond()).session;
    expect(errorOf(ask(second, "commit_step", { predict: { segment: [] } }).answer).hint).toBe(
      "asked: interval, lookahead, counterfactuals.action, counterfactuals.happening",
    );
  });
});

describe("the form of a submission", () => {
  it.each([
    [
      "a misspelt key",
      { predict: { interval: [{ pth: "mara.at", value: 1 }] } },
      "unknown_key",
      'did you mean "path"?',
    ],
    ["a changed list", { predict: { interval: { "mara.at": "mill" } } }, "wrong_type", undefined],
    ["a prediction without value", { predict: { interval: [{ path: "mara.at" }] } }, "missing_key", undefined],
    ["a path that is no text", { predict: { interval: [{ path: 3, value: 1 }] } }, "wrong_type", undefined],
    ["a long path", { predict: { interval: [{ path: "x".repeat(201), value: 1 }] } }, "text_too_long", undefined],
    [
      "an object as a value",
      { predict: { interval: [{ path: "mara.at", value: { a: 1 } }] } },
      "wrong_type",
      undefined,
    ],
    ["fires that are no list", { fires: "tiring" }, "wrong_type", undefined],
    ["an action as a text", { action: "wait" }, "wrong_type", undefined],
    ["triggers", { triggers: [] }, "unknown_key", undefined],
  ])("DD46 is refused whole: %s", (_, input, code, hint) => {
    const error = errorOf(ask(pond(), "commit_step", input).answer);
    expect(error).toMatchObject({ code, ...(hint !== undefined && { hint }) });
  });

  it("DD46 takes 1,000 entries a list and no more, and 10,000 are too large an input", () => {
    const list = (count: number) => Array.from({ length: count }, () => ({ path: "mara.energy", value: 3 }));
    const m1 = pond({ mode: "M1" });
    expect(ask(m1, "commit_step", { predict: { segment: list(LIMITS.predictionEntries) } }).answer.ok).toBe(true);
    const more = ask(m1, "commit_step", { predict: { segment: list(LIMITS.predictionEntries + 1) } }).answer;
    expect(errorOf(more)).toMatchObject({ code: "too_many_predictions", path: "predict.segment" });
    const huge = ask(m1, "commit_step", { predict: { segment: list(10_000) } }).answer;
    expect(errorOf(huge).code).toBe("input_too_large");
    const fires = (count: number) => Array.from({ length: count }, () => "tiring");
    const firing = (count: number) => ask(m1, "commit_step", { predict: { segment: [] }, fires: fires(count) }).answer;
    expect(firing(LIMITS.predictionEntries).ok).toBe(true);
    expect(errorOf(firing(LIMITS.predictionEntries + 1))).toMatchObject({
      code: "too_many_predictions",
      path: "fires",
    });
  });
});
