/** The records of admissions beside the digests of the cases: written, and compared with the cases as they are. */
import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { loadCase, type Case, type CaseFolder } from "../cases/index.ts";
import { readIfThere, replaceFile } from "../records/index.ts";
import { escapeText } from "../report/index.ts";
import { admissionRecordOf, faultOfAdmission, formatAdmission, type CaseVerification } from "../tracks/index.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { print, printJson } from "./output.ts";

/** The folder of the records, beside the folder of the cases. */
export function admissionFolder(root: string): string {
  return join(dirname(resolve(root)), "admission");
}

/** Keeps that a case proved itself. One that did not leaves its record as it was. Returns what there is to say. */
export function writeAdmission(root: string, case_: Case, verified: CaseVerification): readonly string[] {
  const record = admissionRecordOf(case_, verified);
  if (record === undefined) return [`  Nothing was written of ${case_.id}: it does not prove itself.`];
  const folder = admissionFolder(root);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${case_.id}.json`);
  replaceFile(file, formatAdmission(record));
  return [escapeText(`  Written: ${file}`)];
}

/** Says, without replaying anything, whether each case as it is has a record of its admission. */
export function checkAdmissions(root: string, folders: readonly CaseFolder[], all: boolean, json: boolean): ExitCode {
  const faults = [...folders.flatMap((folder) => faultsOf(root, folder)), ...(all ? strayIn(root, folders) : [])];
  const ids = folders.map(({ id }) => id);
  if (json) printJson({ ok: faults.length === 0, cases: ids, problems: faults });
  else print(faults.length === 0 ? [`Admitted as they are: ${ids.join(", ")}.`] : faults.map(escapeText));
  return faults.length === 0 ? EXIT.done : EXIT.failed;
}

function faultsOf(root: string, { id, directory }: CaseFolder): readonly string[] {
  const loaded = loadCase(directory);
  if (!loaded.ok) return [`the files of case ${id} have faults: worldagent cases verify ${id} lists them`];
  const fault = faultOfAdmission(loaded.value, readIfThere(join(admissionFolder(root), `${id}.json`)));
  return fault === undefined ? [] : [fault];
}

function strayIn(root: string, folders: readonly CaseFolder[]): readonly string[] {
  const known = new Set(folders.map(({ id }) => `${id}.json`));
  const folder = admissionFolder(root);
  return filesIn(folder)
    .filter((name) => !known.has(name))
    .map((name) => `${join(folder, name)} is of no case that is there: take it away`);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
