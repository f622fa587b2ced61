import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadCase, printFault } from "../../src/cases/index.ts";
import { readSource, type Source } from "../../src/cases/source.ts";
import { HORN, withCase } from "./broken-case.ts";

function sourceOf(text: string): Source {
  const source = readSource("x.yaml", text);
  if (!source.ok) throw new Error(source.error.map(printFault).join("\n"));
  return source.value;
}

/** Every path to something that is neither a map nor a list. */
function leavesOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): readonly (readonly [readonly (string | number)[], unknown])[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => leavesOf(item, [...path, i]));
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

describe("where things stand in a file", () => {
  const text = "one: 1\ntwo:\n  - { a: x, b: [y, z] }\n  - a: w\nthree:\n";
  const source = sourceOf(text);

  it("a value is at its beginning, a key at its own", () => {
    expect(source.locate(["two", 0, "b", 1])).toEqual({ line: 3, column: 20 });
    expect(source.locate(["two", 0, "b"], "key")).toEqual({ line: 3, column: 13 });
    expect(source.locate(["two", 1, "a"], "key")).toEqual({ line: 4, column: 5 });
  });

  it("what is not there is at its nearest ancestor that is", () => {
    expect(source.locate(["two", 1, "c", "d"])).toEqual({ line: 4, column: 5 });
    expect(source.locate(["four"])).toEqual({ line: 1, column: 1 });
    expect(source.locate(["two", 7])).toEqual({ line: 3, column: 3 });
  });

  it("CS1 every value of the fixture stands where its path leads", () => {
    for (const file of ["case.yaml", "rounds/01.yaml"]) {
      const text = readFileSync(`${HORN}/${file}`, "utf8");
      const lines = text.split("\n");
      const source = sourceOf(text);
      const leaves = leavesOf(source.value);
      expect(leaves.length).toBeGreaterThan(180);
      for (const [path, value] of leaves) {
        const { line, column } = source.locate(path);
        const there = (lines[line - 1] ?? "").slice(column - 1);
        const isThere = there.startsWith("|")
          ? path[0] === "narrative"
          : there.replace(/^"/, "").startsWith(String(value));
        expect(isThere, `${file}:${line}:${column} ${path.join(".")} is ${String(value)}, there is ${there}`).toBe(
          true,
        );
      }
    }
  });

  it("line ends of another system move nothing and change no value", () => {
    const other = sourceOf(text.replaceAll("\n", "\r\n"));
    expect(other.value).toEqual(source.value);
    expect(other.locate(["two", 1, "a"])).toEqual(source.locate(["two", 1, "a"]));
  });

  it("a byte order mark is no part of the file", () => {
    expect(sourceOf(`\uFEFF${text}`).value).toEqual(source.value);
  });
});

describe("whatever a file holds", () => {
  it("CS1 reading it gives a map or faults with positions, never an exception", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab:-[]{}\n\t\"' &*!%?|>#,0~\r\u0000é<".split("")), maxLength: 60 }),
        (text) => {
          const source = readSource("x.yaml", text);
          const isSound = source.ok
            ? typeof source.value.value === "object"
            : source.error.length > 0 &&
              source.error.every(({ line, column, message }) => line >= 1 && column >= 1 && message.length > 0);
          expect(isSound).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("CS1 loading a case with one line of it changed, doubled or lost gives a case or faults, never an exception", () => {
    const files = ["case.yaml", "rounds/01.yaml"] as const;
    const texts = files.map((file) => readFileSync(`${HORN}/${file}`, "utf8").split("\n"));
    const change = fc.record({
      which: fc.nat(1),
      line: fc.nat(200),
      at: fc.nat(120),
      put: fc.constantFrom("", "x", ": ", "[", "}", "null", "-1", "{ a: b }", "__proto__: "),
    });
    withCase([], (directory) => {
      fc.assert(
        fc.property(change, fc.constantFrom("put", "double", "drop", "cut"), ({ which, line, at, put }, how) => {
          const lines = texts[which] as readonly string[];
          const i = line % lines.length;
          const old = lines[i] ?? "";
          const next = {
            put: [old.slice(0, at) + put + old.slice(at)],
            double: [old, old],
            drop: [],
            cut: [old.slice(0, at)],
          }[how];
          return withCase(
            [{ file: files[which] as string, text: [...lines.slice(0, i), ...next, ...lines.slice(i + 1)].join("\n") }],
            (changed) => {
              const loaded = loadCase(changed);
              if (loaded.ok) return;
              expect(loaded.error.length).toBeGreaterThan(0);
              for (const fault of loaded.error)
                expect(printFault(fault)).toMatch(/\/horn\/(case|rounds\/\d\d)\.yaml:[1-9]\d*:[1-9]\d* .+[.?!…]$/);
            },
          );
        }),
        { numRuns: 60 },
      );
      expect(loadCase(directory).ok).toBe(true);
    });
  }, 60_000);
});
