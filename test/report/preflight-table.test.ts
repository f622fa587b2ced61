import { expect, it } from "vitest";
import type { Preflight } from "../../src/endpoint/index.ts";
import { adviceLines, preflightLines } from "../../src/report/index.ts";

const FOUND: Preflight = {
  v: 1,
  ok: false,
  probes: [
    { name: "models", status: "warn", seen: "2 models, x not among them", advice: "Mend --model." },
    { name: "answer", status: "ok", seen: "an answer" },
    { name: "tool_call", status: "fail", seen: 'words: "\u001b[31mno\u202e"', advice: "Choose \u0007another." },
    { name: "tool_answer", status: "skipped", seen: "not made" },
  ],
  found: { contextTokens: 8192, adapted: [], usage: true, parallelCalls: false },
  tokens: 1,
};

it("a preflight is a table, then what to do about it, what failed first, with nothing in it that a terminal acts on", () => {
  expect(preflightLines(FOUND)).toEqual([
    "probe        result   what was seen",
    "models       warn     2 models, x not among them",
    "answer       ok       an answer",
    'tool_call    fail     words: "\\x1b[31mno\\u{202e}"',
    "tool_answer  skipped  not made",
    "",
    "tool_call: Choose \\x07another.",
    "models: Mend --model.",
    "1 probe failed. The probes cost 1 token, window 8192 tokens.",
  ]);
  expect(adviceLines(FOUND)).toEqual(["tool_call: Choose \\x07another.", "models: Mend --model."]);
});

it("a preflight without a fault says whether anything is to be known", () => {
  const probes = FOUND.probes.filter(({ status }) => status !== "fail");
  const last = (found: Preflight) => preflightLines(found).at(-1);
  expect(last({ ...FOUND, ok: true, probes, tokens: 24_000 })).toBe(
    "It will do, with 1 warning. The probes cost 24000 tokens, window 8192 tokens.",
  );
  const { contextTokens: _, ...found } = FOUND.found;
  expect(last({ ...FOUND, ok: true, probes: [], found })).toBe("All well. The probes cost 1 token.");
});
