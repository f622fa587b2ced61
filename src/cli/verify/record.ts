/** The records of admissions beside the digests of the cases: written, and compared with the cases as they are. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  listCases,
  loadAnyCase,
  type AnyCase,
  type Case,
  type CaseFolder,
  type DeductionCase,
} from "../../cases/index.ts";
import { readIfThere, replaceFile } from "../../records/index.ts";
import { escapeText } from "../../report/index.ts";
import {
  admissionRecordOf,
  deductionAdmissionOf,
  faultOfAdmission,
  faultOfDeductionAdmission,
  formatAdmission,
  formatDeductionAdmission,
  type CaseVerification,
  type DeductionVerification,
} from "../../tracks/index.ts";
import { besideCases, type BesideCases } from "../cases/beside.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { print, printJson } from "../output.ts";

/** The folder of the records, beside the folders of the cases. */
export function admissionFolder(casesDir: string | undefined): string {
  return join(besideCases(casesDir).folder, "admission");
}

/** Keeps that a case proved itself. One that did not leaves its record as it was. Returns what there is to say. */
export function writeAdmission(folder: string, case_: Case, verified: CaseVerification): readonly string[] {
  const record = admissionRecordOf(case_, verified);
  return writeRecord(folder, case_, record === undefined ? undefined : formatAdmission(record));
}

/** The same of a deduction case. */
export function writeDeductionAdmission(
  folder: string,
  case_: DeductionCase,
  verified: DeductionVerification,
): readonly string[] {
  const record = deductionAdmissionOf(case_, verified);
  return writeRecord(folder, case_, record === undefined ? undefined : formatDeductionAdmission(record));
}

function writeRecord(folder: string, { id }: AnyCase, text: string | undefined): readonly string[] {
  if (text === undefined) return [`  Nothing was written of ${id}: it does not prove itself.`];
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id}.json`);
  replaceFile(file, text);
  return [escapeText(`  Written: ${file}`)];
}

/** Says, without replaying anything, whether each case as it is has a record of its admission. */
export function checkAdmissions(
  casesDir: string | undefined,
  folders: readonly CaseFolder[],
  all: boolean,
  json: boolean,
): ExitCode {
  const records = admissionFolder(casesDir);
  const strays = all ? strayIn(records, besideCases(casesDir)) : [];
  const faults = [...folders.flatMap((folder) => faultsOf(records, folder)), ...strays];
  const ids = folders.map(({ id }) => id);
  if (json) printJson({ ok: faults.length === 0, cases: ids, problems: faults });
  else print(faults.length === 0 ? [`Admitted as they are: ${ids.join(", ")}.`] : faults.map(escapeText));
  return faults.length === 0 ? EXIT.done : EXIT.failed;
}

function faultsOf(records: string, { id, directory }: CaseFolder): readonly string[] {
  const loaded = loadAnyCase(directory);
  if (!loaded.ok) return [`the files of case ${id} have faults: worldagent cases verify ${id} lists them`];
  const case_ = loaded.value;
  const text = readIfThere(join(records, `${id}.json`));
  const fault = case_.track === "deduction" ? faultOfDeductionAdmission(case_, text) : faultOfAdmission(case_, text);
  return fault === undefined ? [] : [fault];
}

function strayIn(records: string, { roots }: BesideCases): readonly string[] {
  const known = new Set(roots.flatMap(listCases).map(({ id }) => `${id}.json`));
  return filesIn(records)
    .filter((name) => !known.has(name))
    .map((name) => `${join(records, name)} is of no case that is there: take it away`);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
