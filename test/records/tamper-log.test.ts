import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  callIn,
  copyOfRun,
  FILES,
  findings,
  fitDigests,
  forge,
  linesOf,
  put,
  writeLines,
  type Draft,
} from "./tamper-run.ts";

it("a run that nobody touched audits clean", async () => {
  for (const agent of ["reference", "lexical"] as const) expect(await findings(await copyOfRun(agent))).toEqual([]);
});

describe("a log that was changed", () => {
  it("RC6 by one bit, in any line, is found at that line", async () => {
    const record = await copyOfRun();
    const path = join(record.path, FILES.log);
    const bytes = readFileSync(path);
    let start = 0;
    for (const [i, line] of linesOf(record, FILES.log).entries()) {
      const length = Buffer.byteLength(line) + 1;
      // A place and a bit that differ from line to line; every seventh is the newline.
      const at = start + (i % 7 === 0 ? length - 1 : (i * 7919) % length);
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ (1 << (i % 8));
      writeFileSync(path, changed);
      const [first] = await findings(record);
      expect(first, `bit ${i % 8} of byte ${at}`).toBe(`chain log.jsonl:${i + 1}`);
      start += length;
    }
  });

  const rows: readonly (readonly [string, (lines: string[]) => void, readonly string[]])[] = [
    ["a line removed", (lines) => void lines.splice(4, 1), ["chain log.jsonl:5"]],
    ["the first line removed", (lines) => void lines.splice(0, 1), ["chain log.jsonl:1"]],
    ["the seal removed", (lines) => void lines.pop(), ["chain log.jsonl", "contract judgments.jsonl"]],
    [
      "the seal and what the run came to removed",
      (lines) => void lines.splice(-3),
      ["chain log.jsonl", "contract judgments.jsonl"],
    ],
    [
      "two lines swapped",
      (lines) => void lines.splice(4, 2, lines[5] ?? "", lines[4] ?? ""),
      ["chain log.jsonl:5", "chain log.jsonl:6"],
    ],
    ["a line repeated", (lines) => void lines.splice(5, 0, lines[4] ?? ""), ["chain log.jsonl:6"]],
    ["a line of nothing inserted", (lines) => void lines.splice(5, 0, "{}"), ["chain log.jsonl:6"]],
    ["all lines removed", (lines) => void lines.splice(0), ["chain log.jsonl", "contract judgments.jsonl"]],
  ];
  it.each(rows)("RC6 by %s is found at its place", async (_, edit, expected) => {
    const record = await copyOfRun();
    const lines = [...linesOf(record, FILES.log)];
    edit(lines);
    writeLines(record, FILES.log, lines);
    expect(await findings(record)).toEqual(expected);
  });

  it("by a line after its seal is found at that line", async () => {
    const record = await copyOfRun();
    const lines = linesOf(record, FILES.log);
    writeLines(record, FILES.log, [...lines, lines[4] ?? ""]);
    expect(await findings(record)).toEqual([`chain log.jsonl:${lines.length + 1}`]);
  });

  it("or is gone is found", async () => {
    const record = await copyOfRun();
    rmSync(join(record.path, FILES.log));
    const found = await findings(record);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^chain .*log\.jsonl$/);
  });
});

/** A forgery, and what the audit must find, with LINE for the line that was forged. */
type Forgery = readonly [says: string, forge: (bodies: Draft[]) => number, found: readonly string[]];

describe("a log whose chain was computed anew, judged and scored after it was changed", () => {
  const forgeries: readonly Forgery[] = [
    ["by nothing", () => 0, []],
    [
      "in an answer",
      (bodies) => {
        const { body, line } = callIn(bodies, "commit_step", 3);
        put(body, "answer.clock", (clock: number) => clock + 1);
        return line;
      },
      ["replay log.jsonl:LINE answer clock"],
    ],
    [
      "in a write",
      (bodies) => {
        const { body, line } = callIn(bodies, "commit_step", 2);
        put(body, "record.triggers.0.writes.0.after", false);
        return line;
      },
      ["replay log.jsonl:LINE record triggers.0.writes.0.after"],
    ],
    [
      "in a write, and every digest of the world after it",
      (bodies) => {
        const { body, line } = callIn(bodies, "commit_step", 2);
        put(body, "record.triggers.0.writes.0.after", false);
        fitDigests(bodies);
        return line;
      },
      [
        "replay log.jsonl:LINE record triggers.0.writes.0.after",
        "replay log.jsonl:LINE record digest",
        "replay log.jsonl:LINE digest",
      ],
    ],
    [
      "by a requirement that was not met and a write that was made nonetheless",
      (bodies) => {
        const before = bodies.findIndex(({ tool }) => tool === "end_round");
        const { body } = callIn(bodies, "commit_step", 15);
        // The hearth is lit a second time.
        const again = structuredClone(body);
        put(again, "record.step", 16);
        put(again, "record.triggers.0.id", "t16_1");
        bodies.splice(before, 0, again);
        fitDigests(bodies);
        return before + 1;
      },
      ["replay log.jsonl:LINE answer", "replay log.jsonl:LINE record"],
    ],
    [
      "in a write and the answer that shows it",
      (bodies) => {
        const { body, line } = callIn(bodies, "commit_step", 4);
        put(body, "record.triggers.0.writes.0.after", "gate_mouth");
        put(body, "answer.changes.0.after", "gate_mouth");
        return line;
      },
      ["replay log.jsonl:LINE answer changes.0.after", "replay log.jsonl:LINE record triggers.0.writes.0.after"],
    ],
    [
      "in an interval",
      (bodies) => {
        const { body, line } = callIn(bodies, "commit_step", 6);
        put(body, "record.triggers.1.end", (end: number) => end + 1);
        return line;
      },
      ["replay log.jsonl:LINE record triggers.1.end"],
    ],
    [
      "in a digest",
      (bodies) => {
        const { body, line } = callIn(bodies, "commit_step", 5);
        put(body, "digest", "0".repeat(64));
        return line;
      },
      ["replay log.jsonl:LINE digest"],
    ],
    [
      "by taking what a call did away from it",
      (bodies) => {
        const { body, line } = callIn(bodies, "end_round");
        delete body["record"];
        return line;
      },
      ["replay log.jsonl:LINE record"],
    ],
    [
      "in the outcome",
      (bodies) => {
        const line = bodies.findIndex(({ kind }) => kind === "outcome");
        Object.assign(bodies[line] ?? {}, { outcome: "stopped", detail: "tired" });
        return line + 1;
      },
      ["replay log.jsonl:LINE outcome", "replay log.jsonl:LINE detail"],
    ],
    [
      "by claiming a run finished that was not",
      (bodies) => {
        const { line } = callIn(bodies, "end_round");
        bodies.splice(line - 1, 1);
        return bodies.findIndex(({ kind }) => kind === "outcome") + 1;
      },
      ["replay log.jsonl:LINE outcome"],
    ],
    [
      "in its budgets",
      (bodies) => {
        put(bodies, "0.manifest.budgets.runCalls", (calls: number) => calls + 1);
        return 1;
      },
      ["manifest manifest.json budgets.runCalls"],
    ],
  ];
  it.each(forgeries)("RC6 %s is found where it was changed", async (_, edit, expected) => {
    let line = 0;
    const forged = await forge(await copyOfRun(), (bodies) => {
      line = edit(bodies);
    });
    // Where calls themselves were forged, how an answer differs is no matter here.
    const found = (await findings(forged)).map((one) =>
      expected.includes("replay log.jsonl:LINE answer") ? one.replace(/(answer|record) .*/, "$1") : one,
    );
    expect([...new Set(found)]).toEqual(expected.map((one) => one.replace("LINE", String(line))));
  });

  it("in what was called is found from there on", async () => {
    let line = 0;
    const forged = await forge(await copyOfRun(), (bodies) => {
      const call = callIn(bodies, "commit_step", 1);
      put(call.body, "input.triggers.0.args.to", "ash_wood");
      line = call.line;
    });
    const found = await findings(forged);
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(one.startsWith(`replay log.jsonl:${line} `)).toBe(true);
  });

  it("RC6 by a step left out is found at the next that needed it", async () => {
    let line = 0;
    const forged = await forge(await copyOfRun(), (bodies) => {
      line = callIn(bodies, "commit_step", 2).line;
      bodies.splice(line - 1, 1);
    });
    expect((await findings(forged))[0]).toMatch(new RegExp(`^replay log\\.jsonl:${line} (?:answer|record)`));
  });

  it("by calling it another tier is found in its first call", async () => {
    const forged = await forge(await copyOfRun("lexical"), (bodies) => {
      put(bodies, "0.manifest.tier", "hard");
    });
    const found = await findings(forged);
    expect(found.filter((one) => one.startsWith("manifest manifest.json budgets."))).not.toEqual([]);
    expect(found.filter((one) => one.startsWith("replay log.jsonl:2 answer"))).not.toEqual([]);
  });
});
