import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/runtime/limits.ts";
import { bytesOf } from "../../src/runtime/page.ts";
import { TOOL_NAMES, toolJsonSchemas, TOOLS } from "../../src/runtime/tools.ts";
import { toolsOf } from "../../src/runtime/tools-of.ts";
import { ask, emptyAnswer, passRound, pond } from "./toy-dynamics.ts";

describe("the tools of deduction", () => {
  const tools = toolsOf("deduction");

  it("DD65 bear the same six names as those of maintenance, which stay as they are", () => {
    expect(Object.keys(tools)).toEqual([...TOOL_NAMES]);
    expect(toolsOf("maintenance")).toBe(TOOLS);
    expect(TOOL_NAMES.filter((name) => tools[name].name !== name)).toEqual([]);
  });

  it("DD65 are shown as objects at the root, described in under 2 KB, with examples that are valid", () => {
    for (const { name, description, inputSchema } of toolJsonSchemas(tools)) {
      expect(inputSchema["type"]).toBe("object");
      expect(inputSchema["additionalProperties"]).toBe(false);
      expect(description.length).toBeLessThan(2_048);
      for (const example of tools[name].examples) expect(tools[name].input.safeParse(example).error).toBe(undefined);
    }
  });

  it("DD65 quote in a hint what would be right here, not in the other track", () => {
    const { answer } = ask(pond(), "commit_step", { predict: { interval: 3 } });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "wrong_type", hint: 'for example "interval": [{"path":"ana.at","value":"kitchen"}]' },
    });
  });
});

describe("answers of a crowded world", () => {
  const crowd = pond({ crowd: 300, intro: "A long “word” 🐎 ".repeat(800) });

  it("DD62 stay under 8 KB, count what is left out, and say how to read it", () => {
    const first = ask(crowd, "get_context").answer;
    expect(bytesOf(first)).toBeLessThanOrEqual(LIMITS.answerBytes);
    expect(first).toMatchObject({ legal: { count: 304, note: expect.stringContaining("more are possible") } });
    const ended = passRound(crowd);
    expect(bytesOf(ended.answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
    expect(ended.answer).toMatchObject({
      next: {
        legal: { shown: expect.arrayContaining([{ action: "wait", args: {}, next: 8 }]) },
        changed: { note: 'not all is shown: read_data {"from": "log", "id": "1"}' },
      },
    });
    const context = ask(ended.session, "get_context").answer;
    expect(bytesOf(context)).toBeLessThanOrEqual(LIMITS.answerBytes);
    expect(context).toMatchObject({ changed: { count: expect.any(Number), went: ["old_letter"] } });
  });

  it("DD62 give a log entry that is too large for a page in pieces that join to the whole", () => {
    const { session } = passRound(crowd);
    const page = ask(session, "read_data", { from: "log" }).answer;
    expect(bytesOf(page)).toBeLessThanOrEqual(LIMITS.answerBytes);
    expect(page).toMatchObject({ entries: [{ id: "1", cut: expect.stringContaining('"id":"1"') }] });
    let json = "";
    let cursor: string | undefined;
    do {
      const { answer } = ask(session, "read_data", { from: "log", id: "1", ...(cursor !== undefined && { cursor }) });
      if (!answer.ok || !("entries" in answer)) throw new Error(JSON.stringify(answer));
      for (const entry of answer.entries) json += entry["json"] as string;
      cursor = answer.cursor;
    } while (cursor !== undefined);
    const { changes } = JSON.parse(json) as { readonly changes: readonly unknown[] };
    expect(changes.length).toBeGreaterThan(300);
  });

  it("DD62 hold for a refusal and a submission of as much as is taken", () => {
    const entries = Array.from({ length: 300 }, (_, i) => ({ path: `somebody_in_the_crowd_${i}.energy`, value: 6 }));
    const predict = { ...emptyAnswer(crowd).predict, interval: entries };
    const sent = ask(crowd, "commit_step", { predict });
    expect(sent.answer).toMatchObject({ ok: true, predicted: { interval: 300 } });
    expect(bytesOf(ask(sent.session, "get_context").answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
    const refused = ask(crowd, "commit_step", { predict: { interval: [{ path: "🐎".repeat(50), value: 1 }] } }).answer;
    expect(refused).toMatchObject({ ok: false, error: { code: "unknown_path" } });
  });
});
