import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANSWER_FORMATS, answerJsonSchema, responseFormatFor } from "../../src/judges/answer-schema.ts";
import type { Known } from "../../src/judges/evidence.ts";
import { findJsonObject, MAX_ANSWER_CHARACTERS } from "../../src/judges/find-json.ts";
import { parseAnswer, REASON_CHARACTERS } from "../../src/judges/parse.ts";
import type { Question } from "../../src/judges/question.ts";
import { identityAnswer, itemAnswer } from "./judge-fixture.ts";

const event: Question = { kind: "event", item: "gate_shut", round: 1, says: "The gate is shut", involves: [] };
const structure: Question = {
  kind: "structure",
  item: "shuts",
  round: 1,
  says: "A way to shut it",
  level: "capability",
  usedBy: "The gate is shut",
};
const probe: Question = { kind: "probe", item: "stays", round: 1, says: "It stays shut", after: "The gate is shut" };
const who: Question = { kind: "identity", entity: "odile", name: "Odile", says: "Somebody" };
const known: Known = {
  triggers: new Set(["t1_1", "t2_1"]),
  constructions: new Set([4]),
  entities: new Set(["woman", "gate"]),
};

const read = (raw: string, question: Question = event) => parseAnswer(raw, question, known);
const faultOf = (raw: string, question: Question = event): string => {
  const parsed = read(raw, question);
  return parsed.ok ? "none" : parsed.fault;
};

describe("Finding the answer in what a model wrote", () => {
  const answer = itemAnswer({ verdict: "pass", triggers: ["t1_1"] });
  const right = { ok: true, reading: expect.objectContaining({ verdict: "pass", triggers: ["t1_1"] }) };

  it.each([
    ["alone", answer],
    ["in a code fence", `\`\`\`json\n${answer}\n\`\`\``],
    ["after thinking that holds another answer", `<think>${itemAnswer({ verdict: "fail" })}</think>\n${answer}`],
    ["after thinking whose beginning the server ate", `it could fail {"verdict"} but</think>${answer}`],
    ["between sentences with braces and quotes", `Look at {t1_1}, the "gate. So:\n${answer}\nThat is "all".`],
    ["after a brace that never closes", `The set { of "things\n${answer}`],
    ["twice, the same", `${answer}\n${answer}`],
  ])("takes an answer %s", (_, text) => {
    expect(read(text)).toEqual(right);
  });

  it("takes none of several different answers", () => {
    expect(faultOf(`${itemAnswer({ verdict: "fail" })} or ${answer}`)).toBe(
      "the answer holds 2 different JSON objects; answer with exactly one JSON object and nothing else",
    );
  });

  it.each([
    ['{"a": 1, "b": {"c": [], "d": "\\"a\\": "}, "a": 2}', '"a"'],
    ['{"b": [{"x": 1}, {"x": 1, "x": 1}]}', '"x"'],
    ['{"verdict": 1, "\\u0076erdict" : 1}', '"\\u0076erdict"'],
  ])("takes no object that gives a key twice, at any depth and however it is spelled: %s", (text, key) => {
    expect(findJsonObject(`So: ${text}`)).toEqual({ ok: false, fault: `the key ${key} twice in one JSON object` });
  });

  it("takes the same key in objects beside and inside one another, and in texts", () => {
    const text = '{"a": {"a": [{"b": 1}, {"b": 2}]}, "b": "\\"a\\": {\\"a\\":"}';
    expect(findJsonObject(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });

  it("says so to a judge whose answer has two verdicts", () => {
    const two = answer.replace(/}$/, ',"verdict":"fail"}');
    expect(faultOf(two)).toBe(
      'the answer holds the key "verdict" twice in one JSON object; answer with exactly one JSON object and nothing else',
    );
  });

  it.each([
    ["", "no text"],
    ["   \n", "no text"],
    ["pass", "no JSON object that can be read"],
    ['{"verdict": "pass"', "no JSON object that can be read"],
    ["[1, 2]", "no JSON object that can be read"],
  ])("finds nothing in %j", (text, fault) => {
    expect(findJsonObject(text)).toEqual({ ok: false, fault });
  });

  it("never throws, and reads what it finds as JSON does", () => {
    const pieces = fc
      .array(fc.constantFrom("{", "}", '"', "\\", "\n{", "`", "a", '{"a":1}'))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), pieces), (text) => {
        const found = findJsonObject(text);
        if (!found.ok) return found.fault !== "";
        return text.includes("{") && JSON.stringify(found.value).startsWith("{");
      }),
    );
    fc.assert(
      fc.property(fc.object(), fc.stringMatching(/^[^{}]*$/), (value, prose) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        expect(findJsonObject(`${prose}${JSON.stringify(plain)}`)).toEqual({ ok: true, value: plain });
      }),
    );
  });

  it("reads as many objects as a text of the allowed length can hold", () => {
    const text = "{}".repeat(MAX_ANSWER_CHARACTERS / 2 - 1);
    expect(findJsonObject(text)).toEqual({ ok: true, value: {} });
    expect(findJsonObject("{".repeat(MAX_ANSWER_CHARACTERS - 1)).ok).toBe(false);
  });

  it("does not read a text that was cut where it is kept", () => {
    expect(faultOf(" ".repeat(MAX_ANSWER_CHARACTERS))).toContain(`${MAX_ANSWER_CHARACTERS} characters or more`);
  });
});

describe("AG54 Reading an answer", () => {
  it("keeps verdict, triggers once each, and one line of reason", () => {
    const long = `because\n\t${"x".repeat(1000)}`;
    const parsed = read(itemAnswer({ verdict: "pass", triggers: ["t1_1", "t2_1", "t1_1"], reason: long }));
    expect(parsed).toEqual({
      ok: true,
      reading: {
        kind: "item",
        verdict: "pass",
        triggers: ["t1_1", "t2_1"],
        constructions: [],
        reason: `because ${"x".repeat(REASON_CHARACTERS - 9)}…`,
      },
    });
  });

  it("makes a reason with half a character storable", () => {
    const parsed = read(itemAnswer({ verdict: "fail", reason: "so \ud83d it is" }));
    expect(parsed).toMatchObject({ reading: { reason: "so \u{fffd} it is" } });
  });

  it.each<[string, Question, string, string]>([
    ["a pass without triggers", event, itemAnswer({ verdict: "pass" }), 'a "pass" must name in "triggers"'],
    ["a use without triggers", structure, itemAnswer({ verdict: "pass" }), "the triggers that used the structure"],
    ["a violation that cites nothing", probe, itemAnswer({ verdict: "fail" }), "what did the forbidden thing"],
    [
      "a trigger that is not there",
      event,
      itemAnswer({ verdict: "pass", triggers: ["t9_1"] }),
      '"t9_1" is no accepted trigger of this round: ids look like t1_1, t2_1',
    ],
    [
      "a construction that is not there",
      structure,
      itemAnswer({ verdict: "pass", triggers: ["t1_1"], constructions: [9] }),
      "there is no construction 9 in the record shown",
    ],
    ["an entity that is not there", who, identityAnswer("man"), '"is" names "man", and the record has no such thing'],
    [
      "somebody absent with an id",
      who,
      '{"citations":[],"reason":"r","is":"woman","verdict":"absent"}',
      'so "is" must be null',
    ],
    [
      "somebody found without one",
      who,
      '{"citations":[],"reason":"r","is":null,"verdict":"found"}',
      'so "is" must be the id of a thing in the record',
    ],
    ["an item's answer to who is who", who, itemAnswer({ verdict: "fail" }), "has the unknown key"],
    ["a verdict of its own", event, itemAnswer({ verdict: "PASS" as "pass" }), '"verdict" must be one of pass, fail'],
    [
      "a key too many",
      event,
      '{"citations":[],"triggers":[],"constructions":[],"reason":"r","verdict":"fail","score":1}',
      'has the unknown key "score"',
    ],
    [
      "a key too few",
      event,
      '{"citations":[],"constructions":[],"reason":"r","verdict":"fail"}',
      '"triggers" must be there and be of type array',
    ],
    [
      "half a construction",
      structure,
      '{"citations":[],"triggers":[],"constructions":[1.5],"reason":"r","verdict":"fail"}',
      '"constructions.0" must be there and be of type integer',
    ],
  ])("does not take %s, and says what would be right", (_, question, raw, fault) => {
    expect(faultOf(raw, question)).toContain(fault);
  });

  it("takes no endless lists", () => {
    const many = itemAnswer({ verdict: "pass", triggers: Array.from({ length: 65 }, () => "t1_1") });
    expect(faultOf(many)).toBe('"triggers" has more than 64 entries');
  });

  it("leaves out what a passed probe names, since it says that nothing did it", () => {
    const parsed = read(itemAnswer({ verdict: "pass", triggers: ["t1_1"] }), probe);
    expect(parsed).toMatchObject({ ok: true, reading: { verdict: "pass", triggers: [], constructions: [] } });
  });

  it("settles who is who", () => {
    expect(read(identityAnswer("woman"), who)).toMatchObject({ reading: { verdict: "found", is: "woman" } });
    expect(read(identityAnswer(null), who)).toMatchObject({ reading: { verdict: "absent", is: null } });
  });
});

describe("The schema that is sent", () => {
  it("is strict as structured output wants it: every key required, none beside, no bounds", () => {
    for (const kind of ["event", "identity"] as const) {
      const text = JSON.stringify(answerJsonSchema(kind));
      expect(text).not.toMatch(/minimum|maximum|pattern|minLength|\$schema|default/);
      const objects = [...text.matchAll(/"type":"object"/g)].length;
      expect([...text.matchAll(/"additionalProperties":false/g)]).toHaveLength(objects);
    }
    expect(answerJsonSchema("probe")).toMatchObject({
      required: ["citations", "triggers", "constructions", "reason", "verdict"],
    });
  });

  it("is sent where the format is json_schema, and nowhere else", () => {
    const sent = ANSWER_FORMATS.map((format) => responseFormatFor("event", format));
    expect(sent).toEqual([
      { type: "json_schema", json_schema: { name: "item_judgment", strict: true, schema: answerJsonSchema("event") } },
      { type: "json_object" },
      undefined,
    ]);
  });
});
