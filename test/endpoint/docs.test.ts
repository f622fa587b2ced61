import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parsePrices } from "../../src/endpoint/index.ts";
import { FAULT_KINDS, QUIRKS } from "../../src/records/index.ts";

const page = readFileSync(new URL("../../docs/endpoints.md", import.meta.url), "utf8");
const rows = page.split("\n").flatMap((line) => /^\| `(\w+)` \|/.exec(line)?.[1] ?? []);

describe("docs/endpoints.md", () => {
  it("has one line for each kind of fault and each quirk, and for nothing else", () => {
    expect(rows.sort()).toEqual([...FAULT_KINDS, ...QUIRKS].sort());
  });

  it("shows a price file that is one", () => {
    const shown = /```yaml\n([^`]*)```/.exec(page)?.[1] ?? "";
    expect(parsePrices(shown, "docs/endpoints.md").ok).toBe(true);
  });
});
