import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, vi } from "vitest";
import { runProgram } from "../../src/cli/program.ts";

/** The built command; `npm test` builds it first. */
export const COMMAND = fileURLToPath(new URL("../../dist/worldagent.js", import.meta.url));
export const FIXTURE_CASES = fileURLToPath(new URL("../fixtures/cases", import.meta.url));
export const HORN = ["--cases-dir", FIXTURE_CASES] as const;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder to work in, removed after the test. */
export function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "worldagent-cli-"));
  folders.push(folder);
  return folder;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the built command to its end. */
export async function cli(words: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const child = startCli(words, options);
  child.stdin?.end(options.input ?? "");
  return await endOf(child);
}

/** Starts the built command with pipes; its stdin stays open. */
export function startCli(words: readonly string[], { cwd, env }: CliOptions = {}): ChildProcess {
  const child = spawn(process.execPath, [COMMAND, ...words], { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
  // A child that ends before it has read its input is not the test's fault.
  child.stdin?.on("error", () => {});
  return child;
}

export function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A text with the commands in it as one types them where the program is installed, without the folder of the cases. */
export function typed(text: string): string {
  return text.replaceAll(/\bnode \S*worldagent\.js\b/g, "worldagent").replaceAll(/ --cases-dir \S+/g, "");
}

/** Runs the command in this process, where nothing of what it does depends on being one of its own. */
export async function inProcess(words: readonly string[]): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((stdout += String(text)), true)),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => ((stderr += String(text)), true)),
  ];
  try {
    const code = await runProgram(words);
    return { code, stdout, stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same in a folder and with these variables set, as the built command would be called there. */
export async function inFolder(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const before = { folder: process.cwd(), env: process.env, argv: process.argv };
  process.env = { ...before.env, ...env };
  // The command says itself how it is given again.
  process.argv = [process.execPath, COMMAND, ...words];
  process.chdir(folder);
  try {
    return await inProcess(words);
  } finally {
    process.chdir(before.folder);
    Object.assign(process, { env: before.env, argv: before.argv });
  }
}

/** Plays a set on the horn case in `cwd`; throws where that fails. */
export async function playHorn(cwd: string, out: string, tiers = "hard", agents = "reference"): Promise<void> {
  const words = ["run", "--cases", "horn", "--tier", tiers, "--agent", agents, "--out", out, ...HORN];
  const { code, stderr } = await inFolder(cwd, words);
  if (code !== 0) throw new Error(`run ended with ${String(code)}: ${stderr}`);
}
