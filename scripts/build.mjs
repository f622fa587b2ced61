// Builds dist/: the command (dist/worldagent.js, dependencies bundled, cut into chunks so that a command loads
// only what it uses), the library (dist/index.js, dependencies left outside) and its types (dist/types).
// Plain Node 20 runs no TypeScript, so `npm ci` calls this through `prepare`.

import { spawn } from "node:child_process";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const DIST = path.join(ROOT, "dist");
/** Built aside and moved into place whole, so that a command that starts meanwhile never sees half a build. */
const ASIDE = path.join(ROOT, "node_modules", ".cache", `dist-${process.pid}`);

const esbuild = await loadEsbuild();
try {
  await Promise.all([buildCommand(), buildLibrary(), emitTypes()]);
  await makeExecutable(path.join(ASIDE, "worldagent.js"));
  await moveIntoPlace();
} catch (fault) {
  console.error(`dist/ is not built: ${fault.message}`);
  process.exitCode = 1;
} finally {
  await rm(ASIDE, { recursive: true, force: true });
}

async function loadEsbuild() {
  try {
    return await import("esbuild");
  } catch (fault) {
    if (fault.code !== "ERR_MODULE_NOT_FOUND") throw fault;
    console.error("dist/ is not built: the development dependencies are left out. For a build: npm ci --include=dev");
    process.exit(process.env.npm_lifecycle_event === "prepare" ? 0 : 1);
  }
}

function bundle(options) {
  return esbuild.build({
    absWorkingDir: ROOT,
    outdir: ASIDE,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    charset: "utf8",
    logLevel: "warning",
    ...options,
  });
}

function buildCommand() {
  // Dependencies that are CommonJS call `require`, which an ES module lacks.
  const js =
    'import { createRequire as makeRequireForBundledCommonJs } from "node:module"; const require = makeRequireForBundledCommonJs(import.meta.url);';
  return bundle({
    // The worker is a file of its own, as threads are started by file.
    entryPoints: { worldagent: "src/cli/main.ts", "verify-worker": "src/cli/verify/worker.ts" },
    banner: { js },
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "linked",
  });
}

function buildLibrary() {
  return bundle({ entryPoints: { index: "src/index.ts" }, packages: "external" });
}

/** Types are emitted, not checked: `npm run typecheck` does that, and an install should not wait for it. */
function emitTypes() {
  const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", path.join(ASIDE, "types")];
  return new Promise((resolve, reject) => {
    spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" })
      .on("error", reject)
      .on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`tsc ended with code ${code}`))));
  });
}

async function makeExecutable(file) {
  const text = await readFile(file, "utf8");
  if (!text.startsWith("#!")) await writeFile(file, `#!/usr/bin/env node\n${text}`);
  await chmod(file, 0o755);
}

async function moveIntoPlace() {
  const old = `${ASIDE}-old`;
  await rename(DIST, old).catch((fault) => {
    if (fault.code !== "ENOENT") throw fault;
  });
  await rename(ASIDE, DIST);
  await rm(old, { recursive: true, force: true });
}
