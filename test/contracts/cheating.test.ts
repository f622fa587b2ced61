import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadCase, solutionOf, type Call, type Case } from "../../src/cases/index.ts";
import { buildTrace } from "../../src/contracts/index.ts";
import { playCalls, type PlayedCalls } from "../../src/tracks/index.ts";

/** A play of the horn case in hard: what it constructs first, and its steps. */
interface PlayFile {
  readonly constructs: readonly Call["input"][];
  readonly steps: readonly Call["input"][];
}

function loadHorn(): Case {
  const loaded = loadCase("test/fixtures/cases/horn");
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join("\n"));
  return loaded.value;
}

const horn = loadHorn();

function play(name: string): PlayedCalls {
  const file = JSON.parse(readFileSync(`test/fixtures/plays/horn/${name}.json`, "utf8")) as PlayFile;
  const constructs = file.constructs.map((capability): Call => ({
    tool: "construct",
    input: { op: "create", capability },
  }));
  const steps = file.steps.map((input): Call => ({ tool: "commit_step", input }));
  return playCalls(horn, "hard", [[...constructs, ...steps]]);
}

function ratesOf({ score }: PlayedCalls): readonly [string, string] {
  const { completion, relation } = score;
  return [`${completion.passed}/${completion.scored}`, `${relation.passed}/${relation.scored}`];
}

const passedIn = ({ score }: PlayedCalls, kind: string): readonly string[] =>
  score.items.filter((item) => item.kind === kind && item.status === "pass").map(({ id }) => id);

describe("what the plays of the horn case earn from the exact judge", () => {
  it("CT22 gives the reference everything", () => {
    const played = playCalls(horn, "hard", solutionOf(horn, "hard"));
    expect(played.refused).toEqual([]);
    expect(ratesOf(played)).toEqual(["15/15", "9/9"]);
  });

  it.each(["honest1", "honest2", "honest3"])(
    "CT22 CT27 CT28 gives %s, whose capabilities are of a design of their own, everything",
    (name) => {
      const played = play(name);
      expect(played.refused).toEqual([]);
      expect(ratesOf(played)).toEqual(["15/15", "9/9"]);
    },
  );

  it.each([
    ["setters", "2/15", "1/9", "fields set in the right order, without a requirement"],
    ["spam", "2/15", "1/9", "everything at once, undone, backwards, and forwards with everybody as actor"],
    ["mega", "3/15", "2/9", "as few triggers as possible, with everybody as an argument"],
    ["freeze", "11/15", "9/9", "every rehearsed value demanded by every trigger"],
  ])("CT27 CT28 gives %s %s and %s: %s", (name, completion, relation) => {
    expect(ratesOf(play(name))).toEqual([completion, relation]);
  });

  it("CT7 CT8 gives setters the two events that no rule and no other person is part of, and nothing else", () => {
    const played = play("setters");
    expect(passedIn(played, "E")).toEqual(["knife_left", "hound_held"]);
    expect([...passedIn(played, "A"), ...passedIn(played, "P")]).toEqual([]);
  });

  it("CT28 gives freeze every event and probe that it deserves, and no structure", () => {
    const played = play("freeze");
    expect(passedIn(played, "E")).toHaveLength(9);
    expect(passedIn(played, "P")).toHaveLength(2);
    expect(passedIn(played, "A")).toEqual([]);
  });
});

describe("a play in memory", () => {
  it("has the trace that its records rebuild", () => {
    const { trace } = play("spam");
    const records = trace.entries.map(({ record }) => record);
    const rebuilt = buildTrace(trace.initial, [...records, ...trace.ends]);
    expect(rebuilt).toEqual({ ok: true, value: trace });
  });

  it("lists what was refused, and scores the rest", () => {
    const [reference = []] = solutionOf(horn, "easy");
    const [first, second, ...rest] = reference as readonly [Call, Call, ...Call[]];
    const { refused, score } = playCalls(horn, "easy", [[second, first, ...rest]]);
    const unmet = refused.map(({ call, error }) => [
      (call.input["triggers"] as readonly { readonly capability: string }[])[0]?.capability,
      error.code,
    ]);
    expect(unmet).toEqual([
      ["line_horn", "requirement_not_met"],
      ["take_fire", "requirement_not_met"],
      ["light_hearth", "requirement_not_met"],
    ]);
    expect(score.items.filter(({ kind, status }) => kind === "E" && status !== "pass").map(({ id }) => id)).toEqual([
      "horn_lined",
      "fire_taken",
      "hearth_lit",
    ]);
  });

  it("stripped, refuses nothing for a requirement and still knows what the requirement looked at", () => {
    const [reference = []] = solutionOf(horn, "easy");
    const steps = reference.filter(({ tool }) => tool === "commit_step");
    const { refused, trace } = playCalls(horn, "easy", [[...steps.slice(-1), ...steps.slice(0, -1)]], {
      stripped: true,
    });
    expect(refused).toEqual([]);
    const light = [...trace.triggers.values()].find(({ trigger }) => trigger.capability === "light_hearth");
    expect(light?.step.record.step).toBe(1);
    expect(light?.trigger.reads).toContain("ram_horn.fire");
  });
});
