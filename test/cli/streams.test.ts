import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { cli, COMMAND, endOf, HORN, startCli, workFolder } from "./cli.ts";

const FULL = "/dev/full";

describe.runIf(existsSync(FULL))("AG3 where a stream cannot be written", () => {
  function withFull(words: readonly string[], which: 1 | 2) {
    const fd = openSync(FULL, "w");
    const stdio: ("pipe" | number)[] = ["pipe", "pipe", "pipe"];
    stdio[which] = fd;
    const child = spawn(process.execPath, [COMMAND, ...words], { cwd: workFolder(), stdio });
    closeSync(fd);
    child.stdin?.on("error", () => {}).end('{"tool":"help"}\n');
    return endOf(child);
  }

  it.each([
    ["cases", "list", ...HORN],
    ["play", "--case", "horn", "--tier", "easy", "--out", "s", ...HORN],
    ["--version"],
  ])("%s ends with 1 and one line, without a stack", async (...words) => {
    const { code, stderr } = await withFull(words, 1);
    expect(code).toBe(1);
    const [line, ...more] = stderr.trimEnd().split("\n").reverse();
    expect(line).toMatch(/^worldagent: the result could not be written: ENOSPC: no space left on device/);
    expect(more.filter((other) => /^\s+at /.test(other))).toEqual([]);
  });

  it("a stderr that is full ends with 1 as well", async () => {
    expect(await withFull(["scoer"], 2)).toEqual({ code: 1, stdout: "", stderr: "" });
  });
});

it("a reader that goes away ends a command without a word", async () => {
  const child = startCli(["cases", "show", "horn", ...HORN]);
  child.stdout?.destroy();
  expect((await endOf(child)).stderr).toBe("");
});

describe("AG2 Ctrl-C", () => {
  const LINE = "Interrupted. To go on, give the same command again; what was written is kept.\n";

  it("ends a command that does not play at once, with 130 and a line how to go on", async () => {
    const cwd = workFolder();
    const words = ["run", "--cases", "horn", "--tier", "easy", "--agent", "idle", "--repeats", "60", "--out", "s"];
    await cli([...words, ...HORN], { cwd });
    const first = join(cwd, "s/horn.easy.idle.1");
    rmSync(join(first, "score.json"));
    const begun: readonly (readonly [readonly string[], string])[] = [
      [["score", "s"], "score.json"],
      [["judge", "s", "--as", "again"], "judgments.again.jsonl"],
      [["audit", "s"], ""],
    ];
    for (const [command, written] of begun) {
      const child = startCli([...command, ...HORN], { cwd });
      const ended = endOf(child);
      // An audit prints run by run; the others write a file for each.
      if (written === "") await new Promise((resolve) => child.stdout?.once("data", resolve));
      else await vi.waitUntil(() => existsSync(join(first, written)), { timeout: 30_000, interval: 1 });
      child.kill("SIGINT");
      const { code, stderr } = await ended;
      expect([command[0], code, stderr]).toEqual([command[0], 130, LINE]);
    }
  });

  it("ends a command that still loads what it needs in the same way", async () => {
    // Node reads the module before the program is loaded, and it interrupts as soon as somebody listens.
    const script =
      "process.on('newListener', (name) => { if (name === 'SIGINT') setImmediate(() => process.kill(process.pid, 'SIGINT')); });";
    const loader = `data:text/javascript,${encodeURIComponent(script)}`;
    const child = spawn(process.execPath, ["--import", loader, COMMAND, "cases", "list", ...HORN], {
      cwd: workFolder(),
    });
    expect(await endOf(child)).toEqual({ code: 130, stdout: "", stderr: LINE });
  });
});
