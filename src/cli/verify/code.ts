/** The code that verifies, as far as what it finds may turn on it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOf, sha256 } from "../../runtime/index.ts";

/** The worker's file of a built package, in or above the folder of this code; undefined where the sources run. */
export function workerFile(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  return [here, dirname(here)].map((folder) => join(folder, "verify-worker.js")).find((file) => existsSync(file));
}

/**
 * The digest of every file of the running code, and of the Node that runs it. Of a package whose files cannot be read
 * nothing can be kept: undefined.
 */
export function codeDigest(): string | undefined {
  const worker = workerFile();
  const here = dirname(fileURLToPath(import.meta.url));
  const [folder, ending] = worker === undefined ? [dirname(dirname(here)), ".ts"] : [dirname(worker), ".js"];
  try {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(ending));
    const digests = files.sort().map((file) => [file, sha256(readFileSync(join(folder, file), "utf8"))]);
    return digestOf({ node: process.versions.node, files: digests });
  } catch {
    return undefined;
  }
}
