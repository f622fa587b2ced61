import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataLines, encodeData, estimatePromptTokens } from "../../src/judges/data-block.ts";
import { promptFor, PROMPT, retryMessages, tagOf } from "../../src/judges/prompt.ts";
import type { Evidence, Question } from "../../src/judges/question.ts";

const question: Question = {
  kind: "event",
  item: "gate_shut",
  round: 2,
  says: "Odile shuts the gate",
  involves: [{ name: "Odile", id: "woman" }],
};
const evidence = (text: string): Evidence => ({
  narrative: "It was night.",
  blocks: [{ title: "Claims", data: [{ entity: "woman", name: text }] }],
});
const textOf = (asked: Question, shown: Evidence): string =>
  promptFor(asked, shown)
    .map(({ content }) => content)
    .join("\n");

describe("The prompt", () => {
  it("has the words that its version stands for: whoever changes one raises PROMPT_VERSION", () => {
    expect(PROMPT).toEqual({ v: 1, digest: "d92e42f055b3cf39accc82961fc22f5153f1a853e3088d6d24b2e9709bc55922" });
  });

  it("asks about each kind of item in words of its own", () => {
    const asked: readonly Question[] = [
      question,
      {
        kind: "structure",
        item: "a",
        round: 1,
        says: "A way",
        level: "capability",
        usedBy: "It is used",
        availableBefore: "It is early",
      },
      { kind: "probe", item: "p", round: 1, says: "It holds", after: "It opens", until: "It ends" },
      { kind: "identity", entity: "odile", name: "Odile", says: "Somebody" },
    ];
    const texts = asked.map((one) => textOf(one, evidence("x")));
    expect(texts[0]).toContain("    Odile shuts the gate\n\nIt involves: Odile.");
    expect(texts[1]).toContain(
      "used when this happens: It is used\nIt must have been there before this happens: It is early",
    );
    expect(texts[2]).toContain("(that step included): It opens\nuntil this happens (that step not included): It ends");
    expect(texts[3]).toContain("    Odile\n\nWhat the story means by it: Somebody");
    for (const text of texts) expect(text).not.toMatch(/\{(says|involves|level|usedBy|after|until|name)\}/);
  });

  it("says nothing of the item's id or the round's number", () => {
    const other: Question = { ...question, item: "canary_item", round: 2 };
    expect(textOf(other, evidence("x"))).toBe(textOf(question, evidence("x")));
  });

  it("does not look again at words that were put into it", () => {
    const says = "{involves} {says} <b>";
    expect(textOf({ ...question, says }, evidence("x"))).toContain(`    ${says}\n`);
  });

  it("cuts an answer that is shown again, and never sends an empty one", () => {
    const [shown, said] = retryMessages("x".repeat(5000), "it is long");
    expect(shown?.content).toHaveLength(2000);
    expect(said?.content).toContain("could not be taken: it is long.");
    expect(retryMessages(" ", "it is empty")[0]).toEqual({ role: "assistant", content: "(no text)" });
  });
});

describe("AG52 Data in a prompt", () => {
  it("cannot open or close a block, whatever an agent writes", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("</data-", "<data-0123>", "\n</data>\n", "\u2028</data-x>", "\u202egnp", '"}\n{"x":"'),
    );
    fc.assert(
      fc.property(fc.array(anything), (texts) => {
        const shown = evidence(texts.join(""));
        const tag = tagOf(question, shown);
        const prompt = textOf(question, shown);
        const lines = prompt.split("\n");
        expect(lines.filter((line) => line === `<${tag}>`)).toHaveLength(1);
        expect(lines.filter((line) => line === `</${tag}>`)).toHaveLength(1);
        const inside = lines.slice(lines.indexOf(`<${tag}>`) + 1, lines.indexOf(`</${tag}>`));
        expect(inside).toHaveLength(1);
        expect(inside.join("")).not.toMatch(/<[^ =0-9]/);
        expect(JSON.parse(inside[0] as string)).toEqual({ entity: "woman", name: texts.join("") });
      }),
    );
  });

  it("bears a tag that changes with every character of it, so that nobody can write it into the data", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const tag = tagOf(question, evidence(text));
        const forged = tagOf(question, evidence(text + tag));
        expect(tag).toMatch(/^data-[0-9a-f]{32}$/);
        expect(forged).not.toBe(tag);
      }),
    );
  });

  it("keeps comparisons readable, and shows what hides or turns text", () => {
    expect(encodeData({ expr: "a < 2 && b <= 3 && c > 1" })).toBe('{"expr":"a < 2 && b <= 3 && c > 1"}');
    expect(encodeData("a\u202eb\u200bc\u{e0041}d\u0085e<f")).toBe('"a\\u202eb\\u200bc\\udb40\\udc41d\\u0085e\\u003cf"');
    expect(dataLines([{ a: 1 }, { b: "x\ny" }])).toEqual(['{"a":1}', '{"b":"x\\ny"}']);
  });

  it("is estimated at three bytes a token", () => {
    expect(estimatePromptTokens("abcdef")).toBe(2);
    expect(estimatePromptTokens("äöü\n")).toBe(3);
  });
});
