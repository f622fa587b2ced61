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

  /** Every way in which one character may be written. */
  function writingsOf(character: string): readonly string[] {
    const code = character.charCodeAt(0);
    const hex = code.toString(16).padStart(2, "0");
    const named: Readonly<Record<string, string>> = {
      "&": "&amp;",
      "<": "&lt;",
      ">": "&gt;",
      '"': "&quot;",
      "'": "&apos;",
    };
    return [
      character,
      `\\u00${hex}`,
      `\\u00${hex.toUpperCase()}`,
      `\\\\\\u00${hex}`,
      `\\x${hex}`,
      `\\u{${hex}}`,
      `\\${character}`,
      `\\\\\\${character}`,
      `%${hex}`,
      `%${hex.toUpperCase()}`,
      `%25${hex}`,
      `&#${code};`,
      `&#x${hex};`,
      `&#0${code};`,
      `&amp;#${code};`,
      named[character] ?? character,
      character.toUpperCase(),
    ];
  }

  // letters behind a backslash would be escapes of their own, and digits behind a code of one without an end
  const printable = fc
    .integer({ min: 0x21, max: 0x7e })
    .map((code) => String.fromCharCode(code))
    .filter((character) => !/[\\%&]/.test(character));

  it("each character may be written in a way of its own, and what was around it stays", () => {
    const written = fc.array(fc.tuple(printable, fc.nat(16)), { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(written, (characters) => {
        const secret = characters.map(([character]) => character).join("");
        fc.pre(!"<the key is >".includes(secret));
        const seen = characters
          .map(([character, way]) => {
            const writing = writingsOf(character)[way] ?? "";
            // \\u is the beginning of a code; so is \\x
            return writing === `\\${character}` && /[ux]/i.test(character) ? character : writing;
          })
          .join("");
        const { text, word } = makeRedactor(secret);
        for (const cut of [text(`<the key is ${seen} >`), word(`<the key is ${seen} >`)]) {
          expect(cut.startsWith("<the key is ")).toBe(true);
          expect(cut.endsWith(" >")).toBe(true);
          expect(cut.replaceAll(CUT, "").length).toBeLessThanOrEqual("<the key is  >".length + 11);
        }
      }),
    );
  });

  it("arguments that decode to the key are clean before they are decoded, however often they are encoded", () => {
    const { word: cutWord } = makeRedactor(key);
    const escaped = Array.from(key, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("");
    let raw = `{"a":"x\\n${escaped}","${escaped}":1,"path":"\\\\${escaped}\\\\"}`;
    for (let times = 0; times < 4; times += 1) {
      let decoded: unknown = cutWord(raw);
      for (let turn = 0; turn <= times; turn += 1) decoded = JSON.parse(String(decoded));
      expect(decoded).toEqual({ a: `x\n${CUT}`, [CUT]: 1, path: `${CUT}\\` });
      raw = JSON.stringify(raw);
    }
  });

  it.each([0, 1, 2, 3, 4, 5])("base64 behind %d other bytes, and hex in any case", (before) => {
    const secret = "sk-abcdefghijklmnopqrstuvwxyz?~0123456789";
    const { text, word } = makeRedactor(secret);
    const bytes = Buffer.from(`${"x".repeat(before)}${secret}${"y".repeat(before)}`);
    for (const seen of [
      bytes.toString("base64"),
      bytes.toString("base64url"),
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
    ]) {
      for (const cut of [text(seen), word(seen)]) {
        expect(cut).toContain(CUT);
        // what stands around the key, and of the key's own first and last character what they share
        expect(cut.length - CUT.length).toBeLessThanOrEqual(Math.ceil((before * 2 * 8) / 4) + 4);
      }
    }
  });

  it("letters of another case are the key as well", () => {
    const { text, value } = makeRedactor("sk-Brk1-SECRETKEY-abcdef");
    expect(text("got SK-BRK1-secretkey-ABCDEF.")).toBe(`got ${CUT}.`);
    expect(value(["sk-brk1-secretkey-abcdef"])).toEqual([CUT]);
  });

  it("a shortened key is cut from errors from 8 characters on, and from answers from 12 on where it is long", () => {
    const secret = "sk-brk1-SECRETKEY-abcdef0123456789";
    const { text, value } = makeRedactor(secret);
    expect(text(`key ${secret.slice(0, -3)}…`)).toBe(`key ${CUT}…`);
    expect(text(`key ${secret.slice(0, 12)}***6789 is wrong`)).toBe(`key ${CUT}***6789 is wrong`);
    expect(text("key sk-brk1*** is wrong")).toBe("key sk-brk1*** is wrong");
    expect(value([{ text: secret.slice(0, 17) }, { text: secret.slice(17) }])).toEqual([{ text: CUT }, { text: CUT }]);
    expect(value([secret.slice(0, 11)])).toEqual([secret.slice(0, 11)]);
    expect(makeRedactor("whatever_word").value(["whatever_wor"])).toEqual(["whatever_wor"]);
  });

  it("what the request says stays in answers, whole or in part, and is cut from errors", () => {
    const said = (): string => JSON.stringify({ messages: [{ content: 'use chalk_wind and "go"' }] });
    const word = makeRedactor("chalk_wind");
    expect(word.value({ capability: "chalk_wind" }, said)).toEqual({ capability: "chalk_wind" });
    expect(word.value({ capability: "chalk_wind" }, () => "{}")).toEqual({ capability: CUT });
    expect(word.text("wrong key chalk_wind")).toBe(`wrong key ${CUT}`);
    const longer = makeRedactor("the_chalk_wind_of_the_north");
    const part = (): string => "the_chalk_wind";
    expect(longer.value(["the_chalk_wind", "the_chalk_wind_of_the_north"], part)).toEqual(["the_chalk_wind", CUT]);
  });

  it("what every answer is made of is no secret either", () => {
    for (const secret of ["assistant", "tool_calls", "arguments"])
      expect(makeRedactor(secret).value({ role: "assistant", tool_calls: [{ function: { arguments: "" } }] })).toEqual({
        role: "assistant",
        tool_calls: [{ function: { arguments: "" } }],
      });
  });

  it("a key of digits is cut where it comes as a number", () => {
    expect(makeRedactor("1234567890123").value({ a: 1234567890123, b: 12 })).toEqual({ a: CUT, b: 12 });
  });

  it("a run of many escapes is read once", () => {
    const { text, value } = makeRedactor(key);
    for (const seen of [
      "\\".repeat(1_000_000),
      "%5C%".repeat(300_000),
      "&#0".repeat(300_000),
      "sk-ab".repeat(200_000),
    ]) {
      expect(value(seen)).toBe(seen);
      expect(text(`${seen} ${key}.`)).toBe(`${seen} ${CUT}.`);
    }
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
