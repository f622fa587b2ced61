// Prints "N passed, N failed" of a report of vitest's JSON reporter: node scripts/count-tests.mjs FILE
// A test file that could not be loaded counts as one failed test: its tests were never counted.
// Ends with 1 where anything failed and where no test was run at all, which is not the same as all is well.

import { readFileSync } from "node:fs";

/** @returns {{ passed: number, failed: number }} */
function count(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (fault) {
    console.log(`No report of the tests: ${fault.message}`);
    return { testResults: [], numPassedTests: 0, numFailedTests: 0 };
  }
}

const { passed, failed } = count(readReport(process.argv[2] ?? ""));
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
