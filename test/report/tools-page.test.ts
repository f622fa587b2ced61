import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toolsPage } from "../../src/report/tools-page.ts";

it("RT35 docs/tools.md is what the schemas of the tools say (npm run docs)", () => {
  expect(readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8")).toBe(toolsPage());
});
