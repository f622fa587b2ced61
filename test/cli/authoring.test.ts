import { rmSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCase, printFault, type Case } from "../../src/cases/index.ts";
import { isScored, ITEM_KINDS, itemsOf } from "../../src/contracts/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import { inProcess } from "./cli.ts";
import { otherBlocks, snippets, tables, writeExample, wrongSnippets } from "./worked-example.ts";

const root = mkdtempSync(join(tmpdir(), "worldagent-authoring-"));
const begun = join(root, "begun/ferry");

beforeAll(async () => {
  const { code, stderr } = await inProcess(["cases", "new", "ferry", "--cases-dir", join(root, "begun")]);
  if (code !== 0) throw new Error(stderr);
  writeExample(begun, join(root, "grown/ferry"), snippets());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function load(folder: string): Case {
  const loaded = loadCase(folder);
  if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
  return loaded.value;
}

/** As the page's tables count: by tier the scored items of each kind, and their sum. */
function counted(case_: Case): Readonly<Record<string, readonly number[]>> {
  const items = itemsOf(case_.contract);
  return Object.fromEntries(
    TIERS.map((tier) => {
      const scored = items.filter((item) => isScored(item, tier));
      const byKind = ITEM_KINDS.map((kind) => scored.filter((item) => item.kind === kind).length);
      return [tier, [...byKind, scored.length]];
    }),
  );
}

describe("the worked example of docs/authoring.md", () => {
  it("is a case that verifies in every tier once all its snippets are written", async () => {
    const { code, stdout } = await inProcess(["cases", "verify", "ferry", "--cases-dir", join(root, "grown")]);
    expect(stdout.split("\n")[0]).toBe("ferry: proves itself");
    expect(code).toBe(0);
  });

  it("has the items its tables say, as begun and when it is grown", () => {
    expect(tables()).toEqual([counted(load(begun)), counted(load(join(root, "grown/ferry")))]);
  });

  it("writes every part of a round: story, events, structures, probes, relations, reference", () => {
    const keys = snippets().flatMap(({ file, text }) =>
      file === "rounds/02.yaml" ? [...text.matchAll(/^([a-z]+):/gm)].map(([, key]) => key) : [],
    );
    expect(keys).toEqual(["round", "narrative", "events", "structures", "probes", "relations", "reference"]);
  });

  it("has no snippet that this test does not look at", () => {
    expect(otherBlocks()).toEqual([]);
    expect(wrongSnippets().length).toBeGreaterThan(7);
  });

  it.each(wrongSnippets().map((wrong, i) => ({ ...wrong, number: i + 1 })))(
    "says of wrong snippet $number in $file what the program says: $message",
    async ({ number, message, ...wrong }) => {
      const cases = join(root, `wrong-${number}`);
      writeExample(join(root, "grown/ferry"), join(cases, "ferry"), [wrong]);
      const { code, stdout } = await inProcess(["cases", "verify", "ferry", "--tier", "hard", "--cases-dir", cases]);
      expect(code).toBe(1);
      expect(stdout).toContain(message);
    },
  );
});
