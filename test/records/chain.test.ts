import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FIRST_PREV,
  logBodySchema,
  RecordError,
  sealLine,
  verifyLine,
  withoutTime,
  type LogBody,
} from "../../src/records/index.ts";
import { canonicalJson, type Json } from "../../src/runtime/index.ts";
import { DIGEST_A, manifest, sampleBodies, thrown } from "./fixtures.ts";

const note: LogBody = { kind: "note", text: "hm" };
const rehash = (fields: Readonly<Record<string, Json>>): string =>
  canonicalJson({ ...fields, hash: createHash("sha256").update(canonicalJson(fields)).digest("hex") });

describe("a sealed line", () => {
  it("RC2 is the canonical JSON of its body, seq, prev and the hash of the three", () => {
    const { text, hash } = sealLine(note, 3, DIGEST_A);
    const fields = { kind: "note", text: "hm", seq: 3, prev: DIGEST_A };
    expect(hash).toBe(
      createHash("sha256").update(`{"kind":"note","prev":"${DIGEST_A}","seq":3,"text":"hm"}`).digest("hex"),
    );
    expect(text).toBe(canonicalJson({ ...fields, hash }));
  });

  it("reads back as the entry that was written, for every kind", () => {
    for (const body of sampleBodies(6)) {
      const sealed = sealLine(body, 1, DIGEST_A);
      expect(verifyLine(sealed.text, 1, DIGEST_A)).toEqual({ ok: true, value: sealed.entry });
      expect(canonicalJson(sealed.entry)).toBe(sealed.text);
    }
  });

  it("reads back whatever JSON an agent sent, keys such as __proto__ included", () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2,"10":3,"9":4}') as Json;
    fc.assert(
      fc.property(fc.oneof(json, fc.constant(odd)), (input) => {
        const { text } = sealLine({ kind: "call", tool: "help", input, answer: input, digest: DIGEST_A }, 1, DIGEST_A);
        const read = verifyLine(text, 1, DIGEST_A);
        if (!read.ok || read.value.kind !== "call") throw new Error("it did not read back");
        expect(canonicalJson(read.value.input)).toBe(canonicalJson(input));
      }),
    );
  });

  it("RC2 is equal for equal manifests begun at different times", () => {
    const later = { ...manifest, start: "2031-01-01T00:00:00Z" };
    const [a, b] = [manifest, later].map((m) =>
      sealLine({ kind: "manifest", manifest: withoutTime(m) }, 0, FIRST_PREV),
    );
    expect(a?.hash).toBe(b?.hash);
    expect(a?.text).not.toContain("2025");
  });
});

describe("what a line cannot hold", () => {
  class Odd {
    readonly x = 1;
  }
  const bad: readonly (readonly [string, unknown, string])[] = [
    ["NaN", { a: [1, NaN] }, "answer.a[1] is NaN"],
    ["Infinity", Infinity, "answer is Infinity"],
    ["minus Infinity", [-Infinity], "answer[0] is -Infinity"],
    ["undefined in a list", [undefined], "answer[0] is undefined"],
    ["a big integer", { n: 1n }, "answer.n is a bigint"],
    ["a function", { f: () => 1 }, "answer.f is a function"],
    ["a date", new Date(0), "answer is an instance of Date"],
    ["an instance of a class", new Odd(), "answer is an instance of Odd"],
    ["half a surrogate pair", { s: "\ud800" }, "answer.s is a text with half a surrogate pair"],
    ["a key with half a surrogate pair", { "\udc00": 1 }, "a key with half a surrogate pair"],
  ];
  it.each(bad)("%s is refused with its path", async (_, answer, says) => {
    const body = { kind: "call", tool: "help", input: {}, answer, digest: DIGEST_A } as unknown as LogBody;
    const error = await thrown("not_json", () => sealLine(body, 1, DIGEST_A));
    expect(error.message).toContain(says);
    expect(error.message).toMatch(/^log line 2 \(call\): /);
  });

  it("nesting that would overflow a reader's stack is refused, written or read", async () => {
    let deep: Json = 1;
    for (let i = 0; i < 20_000; i++) deep = [deep];
    const body: LogBody = { kind: "call", tool: "help", input: {}, answer: deep, digest: DIGEST_A };
    expect((await thrown("not_json", () => sealLine(body, 1, DIGEST_A))).message).toContain("nesting above 200");
    const text = `{"body":${"[".repeat(20_000)}${"]".repeat(20_000)},"hash":"${DIGEST_A}","kind":"note","prev":"${DIGEST_A}","seq":1}`;
    expect(verifyLine(text, 1, DIGEST_A)).toMatchObject({ ok: false, error: { kind: "not_canonical" } });
  });

  it("a body that no reader would take is refused before it is written", () => {
    const wrong: readonly (readonly [unknown, number])[] = [
      [{ kind: "note" }, 1],
      [{ kind: "note", text: "a", more: 1 }, 1],
      [{ kind: "gossip" }, 1],
      [{ kind: "outcome", outcome: "won" }, 1],
      [{ kind: "call", tool: "help", answer: 1, digest: DIGEST_A }, 1],
      [
        {
          kind: "call",
          tool: "help",
          input: {},
          refused: { code: "wrong_type", message: "" },
          answer: 1,
          digest: DIGEST_A,
        },
        1,
      ],
      [{ kind: "call", tool: "help", input: {}, answer: 1, digest: "short" }, 1],
      [{ kind: "manifest", manifest: withoutTime(manifest) }, 1],
      [{ kind: "note", text: "first" }, 0],
      [{ kind: "seal", lines: 3 }, 2],
    ];
    for (const [body, seq] of wrong) {
      expect(() => sealLine(body as LogBody, seq, DIGEST_A)).toThrow(RecordError);
      expect(() => sealLine(body as LogBody, seq, DIGEST_A)).toThrow(expect.objectContaining({ code: "bad_entry" }));
    }
    expect(
      logBodySchema.safeParse({ kind: "call", tool: "help", input: {}, answer: 1, digest: DIGEST_A }).success,
    ).toBe(true);
  });
});

describe("each fault of a line has its own name", () => {
  const sealed = sealLine(note, 3, DIGEST_A);
  const fields = { kind: "note", prev: DIGEST_A, seq: 3, text: "hm" };
  const faults: readonly (readonly [string, string, number, string])[] = [
    ["not_json", sealed.text.slice(0, -1), 3, DIGEST_A],
    ["not_json", "", 3, DIGEST_A],
    ["unknown_shape", "[]", 3, DIGEST_A],
    ["unknown_shape", "null", 3, DIGEST_A],
    ["unknown_shape", '{"kind":"note","text":"hm"}', 3, DIGEST_A],
    ["unknown_shape", rehash({ ...fields, kind: "gossip" }), 3, DIGEST_A],
    ["unknown_shape", rehash({ ...fields, extra: 1 }), 3, DIGEST_A],
    ["wrong_hash", sealed.text.replace("hm", "hn"), 3, DIGEST_A],
    ["wrong_hash", sealed.text.replace('"seq":3', '"seq":4'), 3, DIGEST_A],
    ["not_canonical", sealed.text.replace(":", ": "), 3, DIGEST_A],
    ["not_canonical", `${sealed.text} `, 3, DIGEST_A],
    ["not_canonical", sealed.text.replace("hm", "\\u0068m"), 3, DIGEST_A],
    ["not_canonical", `{"text":"x",${sealed.text.slice(1)}`, 3, DIGEST_A],
    ["wrong_seq", sealed.text, 2, DIGEST_A],
    ["wrong_seq", sealed.text, 4, DIGEST_A],
    ["wrong_prev", sealed.text, 3, FIRST_PREV],
    ["misplaced", rehash({ kind: "seal", lines: 2, prev: DIGEST_A, seq: 3 }), 3, DIGEST_A],
    ["misplaced", rehash({ ...fields, seq: 0, prev: FIRST_PREV }), 0, FIRST_PREV],
  ];
  it.each(faults)("RC2 %s: %s", (kind, text, seq, prev) => {
    const read = verifyLine(text, seq, prev);
    expect(read.ok ? "no fault" : read.error.kind).toBe(kind);
  });

  it("a fault says what was expected and what was seen", () => {
    expect(verifyLine(sealed.text, 2, DIGEST_A)).toEqual({
      ok: false,
      error: { kind: "wrong_seq", expected: "seq 2", seen: "seq 3 (1 missing before it)" },
    });
    expect(verifyLine(sealed.text.replace("hm", "hn"), 3, DIGEST_A)).toMatchObject({
      error: { seen: `hash ${sealed.hash}` },
    });
  });
});
