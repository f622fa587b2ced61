/** Writes the pages of docs/ that are made from the code, or the part of a page that is, and schemas/: `npm run docs`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chatMethod } from "../src/agents/index.ts";
import { CASE_SCHEMAS, caseJsonSchema } from "../src/cases/index.ts";
import { withMethod } from "../src/cli/method-text.ts";
import { withCases } from "../src/report/cases-page.ts";
import { withDeductionCases } from "../src/report/deduction/cases-page.ts";
import { toolsPage } from "../src/report/tools-page.ts";
import {
  readAdmission,
  readDeductionAdmission,
  type AdmissionRecord,
  type DeductionAdmission,
} from "../src/tracks/index.ts";

const docs = new URL("../docs/", import.meta.url);
const schemas = new URL("../schemas/", import.meta.url);
const chatLoop = new URL("chat-loop.md", docs);

writeFileSync(new URL("tools.md", docs), toolsPage());
writeFileSync(chatLoop, withMethod(readFileSync(chatLoop, "utf8"), chatMethod()));
mkdirSync(schemas, { recursive: true });
for (const name of CASE_SCHEMAS)
  writeFileSync(new URL(`${name}.schema.json`, schemas), `${JSON.stringify(caseJsonSchema(name), null, 2)}\n`);

const admission = new URL("../cases/admission/", import.meta.url);
const cases = new URL("cases.md", docs);
const deductionCases = new URL("deduction-cases.md", docs);
const records: AdmissionRecord[] = [];
const deductionRecords: DeductionAdmission[] = [];
for (const file of readdirSync(admission).filter((name) => name.endsWith(".json"))) {
  const text = readFileSync(new URL(file, admission), "utf8");
  const deduction = readDeductionAdmission(text);
  if (typeof deduction !== "string") {
    deductionRecords.push(deduction);
    continue;
  }
  const record = readAdmission(text);
  if (typeof record === "string") throw new Error(`${file}: ${record}`);
  records.push(record);
}
writeFileSync(cases, withCases(readFileSync(cases, "utf8"), records));
writeFileSync(deductionCases, withDeductionCases(readFileSync(deductionCases, "utf8"), deductionRecords));
