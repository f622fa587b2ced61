import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readKey } from "../../src/endpoint/index.ts";
import { CUT, makeRedactor } from "../../src/endpoint/redact.ts";

const settings = { baseUrl: "http://127.0.0.1:8000/v1", apiKeyEnv: "MY_KEY" };

describe("reading the key", () => {
  it("comes from the variable that is named, without blanks around it", () => {
    expect(readKey(settings, { MY_KEY: "sk-1\n", OPENAI_API_KEY: "sk-2" })).toEqual({ ok: true, value: "sk-1" });
  });

  it("is none where the server wants none", () => {
    expect(readKey({ ...settings, apiKeyEnv: null }, { OPENAI_API_KEY: "sk-2" })).toEqual({
      ok: true,
      value: undefined,
    });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "not set",
      {},
      "no key for http://127.0.0.1:8000/v1: the environment variable MY_KEY is not set. Set it, name another variable, or say that the server wants no key (apiKeyEnv: null)",
    ],
    [
      "empty",
      { MY_KEY: "  " },
      "no key for http://127.0.0.1:8000/v1: the environment variable MY_KEY is empty. Set it, name another variable, or say that the server wants no key (apiKeyEnv: null)",
    ],
    [
      "in two lines",
      { MY_KEY: "sk-secret\nX-Other: 1" },
      "the key in MY_KEY holds a line break, a blank or another character that no header can carry. Set the variable to the key alone",
    ],
    [
      "beyond ASCII",
      { MY_KEY: "sk-sécret" },
      "the key in MY_KEY holds a line break, a blank or another character that no header can carry. Set the variable to the key alone",
    ],
    [
      "a whole file",
      { MY_KEY: "x".repeat(20_000) },
      "the key in MY_KEY has 20000 characters, allowed are 16384: is it a file's content?",
    ],
  ])("%s: one line that names the variable and holds nothing of the key", (_, env, error) => {
    expect(readKey(settings, env)).toEqual({ ok: false, error });
  });
});

describe("cutting the key out", () => {
  const key = 'sk-ab/c+d=e"f&g';

  it("finds it in texts, members and names, in every way it may be written", () => {
    const { value } = makeRedactor(key);
    const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), Buffer.from(key).toString("base64")];
    expect(value({ [key]: forms.map((form) => `<${form}>`), n: 1, no: null })).toEqual({
      [CUT]: forms.map(() => `<${CUT}>`),
      n: 1,
      no: null,
    });
  });

  it("leaves no key of a real length anywhere, whatever it is made of", () => {
    const keys = fc.string({
      minLength: 8,
      maxLength: 40,
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (secret, before, behind) => {
        const { text, value } = makeRedactor(secret);
        const said = `${before} ${secret} ${behind} ${encodeURIComponent(secret)}`;
        // the mark itself may be what a key is made of
        fc.pre(!CUT.includes(secret));
        expect(text(said)).not.toContain(secret);
        expect(JSON.stringify(value({ said }))).not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
    );
  });

  it("finds the beginning of a key at the end of a text that was shortened", () => {
    const { text } = makeRedactor(key);
    for (const end of ["", '"', "…"]) expect(text(`you sent ${key.slice(0, 6)}${end}`)).toBe(`you sent ${CUT}${end}`);
    expect(text(`you sent ${encodeURIComponent(key).slice(0, 9)}`)).toBe(`you sent ${CUT}`);
    expect(text("you sent sk-")).toBe("you sent sk-");
  });

  it("a short stand-in is cut from errors as a word, and from answers only where it is called a key", () => {
    const { text, value } = makeRedactor("none");
    expect(text("wrong key none, nonetheless")).toBe(`wrong key ${CUT}, nonetheless`);
    expect(value({ content: "There are none. Bearer none; api key: none" })).toEqual({
      content: `There are none. Bearer ${CUT}; api key: ${CUT}`,
    });
  });

  it("without a key everything stays", () => {
    expect(makeRedactor(undefined).value({ a: ["b"] })).toEqual({ a: ["b"] });
  });

  it("half a surrogate pair becomes a character that can be written", () => {
    expect(makeRedactor(undefined).value(["a\uD800b", "𝄞"])).toEqual(["a\uFFFDb", "𝄞"]);
  });

  it("what is nested too deeply is no value", () => {
    const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(makeRedactor(key).value(deep(190))).toEqual(deep(190));
    expect(makeRedactor(key).value(deep(191))).toBeUndefined();
    expect(makeRedactor(key).value(deep(100_000))).toBeUndefined();
  });

  it("a member called __proto__ stays one", () => {
    const cut = makeRedactor(key).value(JSON.parse('{"__proto__": {"a": 1}}'));
    expect(JSON.stringify(cut)).toBe('{"__proto__":{"a":1}}');
  });
});
