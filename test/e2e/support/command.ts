/** The command as a process of its own, to be killed. Bundled from the sources: no build stands between them and the test. */
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { KEY } from "./secret.ts";

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where the bundle is put: a program finds its package by its own place. */
const FOLDER = fromHere("../../../node_modules/.cache/e2e-command/dist");

/** Bundles the command. Returns the file. */
export async function bundleCommand(): Promise<string> {
  const outfile = join(FOLDER, `worldagent-${process.pid}.mjs`);
  await build({
    entryPoints: [fromHere("../../../src/cli/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minify: true,
    logLevel: "error",
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
  });
  return outfile;
}

export const KEY_VARIABLE = "E2E_KEY";

export interface Command {
  readonly process: ChildProcess;
  /** Resolves when it has ended: its exit code or the signal that killed it, and all it said. */
  readonly ended: Promise<{ readonly end: number | NodeJS.Signals; readonly said: string }>;
}

/** Starts the command with the key in its environment. */
export function startCommand(bundle: string, words: readonly string[]): Command {
  const child = spawn(process.execPath, [bundle, ...words], {
    env: { ...process.env, [KEY_VARIABLE]: KEY, CI: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = new Promise<{ end: number | NodeJS.Signals; said: string }>((resolve, reject) => {
    child.on("error", reject).on("close", (code, signal) => resolve({ end: signal ?? code ?? -1, said }));
  });
  return { process: child, ended };
}
