import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withCases } from "../../src/report/cases-page.ts";
import { withDeductionCases } from "../../src/report/deduction/cases-page.ts";
import {
  readAdmission,
  readDeductionAdmission,
  type AdmissionRecord,
  type DeductionAdmission,
} from "../../src/tracks/index.ts";

const TEXTS = readdirSync("cases/admission").map((file) => readFileSync(`cases/admission/${file}`, "utf8"));

function shipped(): readonly AdmissionRecord[] {
  return TEXTS.flatMap((text) => {
    const record = readAdmission(text);
    return typeof record === "string" ? [] : [record];
  });
}

function shippedDeduction(): readonly DeductionAdmission[] {
  return TEXTS.flatMap((text) => {
    const record = readDeductionAdmission(text);
    return typeof record === "string" ? [] : [record];
  });
}

const PAGE = "# Cases\n\n<!-- begin: cases/admission -->\nold\n<!-- end -->\n\nPlayed by hand.\n";

it("CS15 docs/cases.md is what the records of the admissions make it", () => {
  const page = readFileSync("docs/cases.md", "utf8");
  expect(page).toBe(withCases(page, shipped()));
});

it("DD111 docs/deduction-cases.md is what the records of the admissions make it, and every record is of one track", () => {
  const page = readFileSync("docs/deduction-cases.md", "utf8");
  expect(page).toBe(withDeductionCases(page, shippedDeduction()));
  expect(shippedDeduction()).toHaveLength(6);
  expect(shipped().length + 6).toBe(TEXTS.length);
});

it("only what stands between the marks is made anew, cases in the order of their ids, and no title breaks a table", () => {
  const [one] = shipped();
  if (one === undefined) throw new Error("no case was admitted");
  const page = withCases(PAGE, [
    { ...one, case: "b_case", title: "Left | right" },
    { ...one, case: "a_case" },
  ]);
  expect(page.startsWith("# Cases\n\n<!-- begin: cases/admission -->\n\n| case | title |")).toBe(true);
  expect(page.endsWith("|\n\n<!-- end -->\n\nPlayed by hand.\n")).toBe(true);
  expect(page).not.toContain("old");
  expect(page).toContain(String.raw`| \`b_case\` | Left \| right |`.replaceAll("\\`", "`"));
  expect(page.indexOf("`a_case`")).toBeLessThan(page.indexOf("`b_case`"));
  expect(withCases(page, [one])).toBe(withCases(PAGE, [one]));
});

it("a page without the marks is refused", () => {
  expect(() => withCases("# Cases\n", [])).toThrow("the page lacks");
});
