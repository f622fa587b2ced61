import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";

export const ROOT = path.resolve(import.meta.dirname, "../..");

const reportSchema = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string(), message: z.string() })),
});

/** What the linter said of one file: the rule, as `plugin(rule)`, and the message. */
export interface Finding {
  readonly code: string;
  readonly message: string;
}

/**
 * Runs this project's own lint configuration over `files` (path → text) in a temporary project, once.
 * Returns the findings of each file, in order; a file nothing was found in has an empty list.
 */
export function lintFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly Finding[]> {
  const project = mkdtempSync(path.join(tmpdir(), "house-"));
  try {
    for (const shared of [".oxlintrc.json", "scripts/lint", "package.json", "tsconfig.json"])
      cpSync(path.join(ROOT, shared), path.join(project, shared), { recursive: true });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(project, "node_modules"));
    for (const [name, text] of files) {
      mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
      writeFileSync(path.join(project, name), text);
    }
    return findingsIn(project, [...files.keys()]);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function findingsIn(project: string, names: readonly string[]): ReadonlyMap<string, readonly Finding[]> {
  const linter = path.join(ROOT, "node_modules/oxlint/bin/oxlint");
  const run = spawnSync(process.execPath, [linter, "--format=json", "src"], {
    cwd: project,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!run.stdout.trimStart().startsWith("{")) throw new Error(`oxlint gave no report: ${run.stdout}${run.stderr}`);
  const { diagnostics } = reportSchema.parse(JSON.parse(run.stdout));
  const findings = new Map<string, Finding[]>(names.map((name) => [name, []]));
  for (const { filename, code, message } of diagnostics) {
    const ofFile = findings.get(path.normalize(filename));
    if (ofFile === undefined) throw new Error(`oxlint speaks of a file nobody wrote: ${filename}: ${message}`);
    ofFile.push({ code, message });
  }
  return findings;
}
