import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { compareText, faultOfId, suggest, succeed, type Result } from "../runtime/index.ts";

/** A case by its folder; whether it is without fault only loading it tells. */
export interface CaseFolder {
  readonly id: string;
  readonly directory: string;
}

/** The folders directly under `root` that hold a case.yaml, sorted by id. None where there is no such root. */
export function listCases(root: string): readonly CaseFolder[] {
  return namesIn(root)
    .filter((id) => faultOfId(id) === undefined && isCaseFolder(root, id))
    .sort(compareText)
    .map((id) => ({ id, directory: join(root, id) }));
}

/** The folder of a case. The error names the id and the nearest that there is. An id never leads out of `root`. */
export function findCase(
  root: string,
  id: string,
): Result<CaseFolder, { readonly message: string; readonly hint?: string }> {
  const fault = faultOfId(id);
  if (fault !== undefined) return { ok: false, error: { message: `no case id: ${fault}` } };
  if (isCaseFolder(root, id)) return succeed({ id, directory: join(root, id) });
  const hint =
    suggest(
      id,
      listCases(root).map((found) => found.id),
    ) ?? `there are no cases in ${root}`;
  return { ok: false, error: { message: `there is no case "${id}"`, hint } };
}

/** A folder of that very name (a link may not lead elsewhere) with a case.yaml in it. */
function isCaseFolder(root: string, id: string): boolean {
  try {
    return (
      relative(realpathSync(root), realpathSync(join(root, id))) === id &&
      statSync(join(root, id, "case.yaml")).isFile()
    );
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ELOOP")
  );
}
