/** Runs in processes of their own, to be killed or raced. */
import { spawn, type ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { HORN } from "./run-fixture.ts";

/** Bundles the child once: node starts a bundle in a fraction of the time that tsx takes. Returns the file. */
export async function bundleChild(folder: string): Promise<string> {
  const outfile = join(folder, "run-child.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./run-child.ts", import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    // Bundled CommonJS asks for its built-in modules by require.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}

/** A child under way. */
export interface Child {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves when the child has printed `line`, or has ended without. */
  readonly said: (line: string) => Promise<void>;
  /** Resolves when the child has ended and all it printed was read: its exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Plays one run; `how` is a tier, or a condition, a mode and a fold of a case of deduction. */
export function startChild(bundle: string, set: string, agent: string, how: string, ms: number, case_ = HORN): Child {
  const child = spawn(process.execPath, [bundle, resolve(case_), set, agent, how, String(ms)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach((look) => look());
  let isOver = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  const ended = new Promise<number | NodeJS.Signals>((settle) => {
    child.on("close", (code, signal) => {
      isOver = true;
      settle(signal ?? code ?? -1);
      wake();
    });
  });
  const said = async (line: string): Promise<void> =>
    await new Promise((settle) => {
      const look = (): void => {
        if (!isOver && !lines.includes(line)) return;
        waiting.delete(look);
        settle();
      };
      waiting.add(look);
      look();
    });
  return { process: child, lines, said, ended };
}
