import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadCase, printFault, starterFiles, type Case, type StarterWishes } from "../../src/cases/index.ts";
import { itemsOf } from "../../src/contracts/index.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const WISHES: StarterWishes = {
  id: "bridge",
  uuid: "8f14e45f-ceea-467f-9f0e-3c6ab0a5d1b2",
  schemas: { case: "../../../schemas/case.schema.json", round: "../../../../schemas/round.schema.json" },
};

function filesOf(wishes: Partial<StarterWishes> = {}): readonly { readonly path: string; readonly text: string }[] {
  const files = starterFiles({ ...WISHES, ...wishes });
  if (!files.ok) throw new Error(files.error);
  return files.value;
}

function loaded(wishes: Partial<StarterWishes> = {}): Case {
  const root = mkdtempSync(join(tmpdir(), "worldagent-starter-"));
  folders.push(root);
  const folder = join(root, wishes.id ?? WISHES.id);
  for (const { path, text } of filesOf(wishes)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const result = loadCase(folder);
  if (!result.ok) throw new Error(result.error.map(printFault).join("\n"));
  return result.value;
}

describe("a begun case", () => {
  it("loads, bears what was wished, and has every kind of item", () => {
    const title = 'The "Bridge": a story # of one';
    const case_ = loaded({ id: "weir", title, family: "li", stratum: "large" });
    expect(case_).toMatchObject({
      id: "weir",
      title,
      family: "li",
      stratum: "large",
      version: 1,
      canary: `worldagent-canary-${WISHES.uuid}`,
    });
    const kinds = itemsOf(case_.contract).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["E", "A", "P", "CA", "TM", "CC"]));
  });

  it("names the schema of each of its files in its first line, as editors read it", () => {
    const firsts = filesOf().map(({ path, text }) => [path, text.split("\n")[0]]);
    expect(firsts).toEqual([
      ["case.yaml", "# yaml-language-server: $schema=../../../schemas/case.schema.json"],
      ["rounds/01.yaml", "# yaml-language-server: $schema=../../../../schemas/round.schema.json"],
    ]);
  });

  it("explains every part of its round where it stands", () => {
    const text = filesOf()[1]?.text ?? "";
    const lines = text.split("\n");
    for (const part of ["narrative", "events", "structures", "probes", "relations", "reference"]) {
      const at = lines.findIndex((line) => line.startsWith(`${part}:`));
      expect([part, lines[at - 1]?.startsWith("# ")]).toEqual([part, true]);
    }
  });

  it.each([
    [{ id: "Big Case" }, 'the id "Big Case" is no id'],
    [{ id: "../up" }, 'the id "../up" is no id'],
    [{ id: "__proto__" }, 'the id "__proto__" is reserved'],
    [{ title: " " }, "the title is empty"],
    [{ title: "a\u0007b" }, "the title holds a character that is no text"],
    [{ title: "a".repeat(1001) }, "the title has 1001 characters, allowed are at most 1000"],
    [{ family: "Old Tales" }, 'the family "Old Tales" is no id'],
    [{ stratum: "smal" }, 'there is no stratum "smal": did you mean "small"?'],
  ])("is refused where a wish cannot be, with the reason: %j", (wish, reason) => {
    const files = starterFiles({ ...WISHES, ...wish });
    expect(files.ok ? "made" : files.error).toContain(reason);
  });
});
