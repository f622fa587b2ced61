import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cli, FIXTURE_CASES, HORN, inProcess, playHorn, workFolder } from "./cli.ts";

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")));
const RUN = ["run", "--cases", "horn", "--tier", "hard", "--agent", "idle", "--out", "runs/a", ...HORN];

/** RUN with the value of an option changed. */
function runWith(option: string, value: string): readonly string[] {
  const at = RUN.indexOf(option);
  return at === -1 ? [...RUN, option, value] : RUN.with(at + 1, value);
}

describe("AG3 a mistake is one line that says what was wrong and what is near, and ends with 2", () => {
  const mistakes: readonly (readonly [string, readonly string[], string])[] = [
    ["no command", [], "name a command; worldagent --help lists the commands"],
    ["a command that is none", ["rnu"], 'there is no command "rnu": did you mean "run"?'],
    [
      "a command near to nothing",
      ["xxxxxxxxxx"],
      'there is no command "xxxxxxxxxx": there are: run, doctor, judge, calibrate, score, audit, replay, play, cases, agents',
    ],
    [
      "a group without its command",
      ["agents"],
      "name one of: list, show; usage: worldagent agents <command> (--help says more)",
    ],
    ["a command that is none in a group", ["cases", "shw"], 'there is no command "cases shw": did you mean "show"?'],
    ["an option that is none", [...RUN, "--resmue"], 'there is no option --resmue: did you mean "--resume"?'],
    [
      "an option that is none where the one that was meant is required",
      ["run", "--teir", "hard"],
      'there is no option --teir: did you mean "--tier"?',
    ],
    ["a short option that is none", ["score", "-z", "runs/a"], 'there is no option -z: did you mean "--as"?'],
    [
      "an option that is none before any command",
      ["--vresion"],
      'there is no option --vresion: did you mean "--version"?',
    ],
    [
      "options that are missing",
      ["run", "--out", "x"],
      "--cases, --tier, --agent must be given; usage: worldagent run (--help says more)",
    ],
    ["an option without its value", ["run", "--out"], "--out needs a value; usage: worldagent run (--help says more)"],
    ["an option that is given twice", [...RUN, "--out", "b"], "--out is given twice"],
    [
      "an argument too many",
      ["score", "runs/a", "b"],
      '"b" is one argument too many; usage: worldagent score <set> (--help says more)',
    ],
    [
      "an argument that is missing",
      ["score"],
      "<set> must be given (the folder of a set of runs, or of one run); usage: worldagent score <set> (--help says more)",
    ],
    [
      "an argument that is missing beside its options",
      ["audit", "--tree"],
      "<set> must be given (the folder of a set of runs, or of one run); usage: worldagent audit <set> (--help says more)",
    ],
    [
      "an argument that is missing below a group",
      ["cases", "show", "--round", "1"],
      "<id> must be given (the id of a case); usage: worldagent cases show <id> (--help says more)",
    ],
    ["a tier that is none", runWith("--tier", "easy,hrad"), 'there is no tier "hrad": did you mean "hard"?'],
    ["a case that is none", runWith("--cases", "hron"), 'there is no case "hron": did you mean "horn"?'],
    [
      "a case that leads out of the folder",
      runWith("--cases", "../horn"),
      'no case id: "../horn" is no id: lower-case letters, digits and _, at most 64, beginning with a letter',
    ],
    [
      "a pattern that no case matches",
      runWith("--cases", "z*"),
      'no case of the track maintenance matches "z*": there are: horn',
    ],
    [
      "an agent that is none",
      runWith("--agent", "refrence"),
      'there is no agent "refrence": did you mean "reference"?',
    ],
    ["an empty word in a list", runWith("--tier", "easy,"), "--tier names nothing, or has a comma too many"],
    ["a count of nothing", runWith("--repeats", "0"), "--repeats takes a whole number from 1 to 10000"],
    ["a count that is no number", runWith("--repeats", "many"), "--repeats takes a whole number from 1 to 10000"],
    ["a count below nothing", runWith("--concurrency", "-1"), "--concurrency takes a whole number from 1 to 256"],
    ["a broken count", runWith("--repeats", "1.5"), "--repeats takes a whole number from 1 to 10000"],
    [
      "a repeat that is no number",
      ["play", "--case", "horn", "--tier", "hard", "--out", "o", "--repeat", "x", ...HORN],
      "--repeat takes a whole number from 1 to 100000000",
    ],
    [
      "a round that is no number",
      ["cases", "show", "horn", "--round", "x", ...HORN],
      "--round takes a whole number: horn has rounds 1 to 1",
    ],
    [
      "a track that is none",
      runWith("--track", "deduktion"),
      'there is no track "deduktion": there are: maintenance, deduction',
    ],
    ["a judge that is none", runWith("--judge", "exakt"), 'there is no judge "exakt": there are: exact, none'],
    [
      "a folder of cases that is none",
      runWith("--cases-dir", "/xxxxxxxxxx"),
      "there is no folder /xxxxxxxxxx: name the folder of the cases with --cases-dir DIR",
    ],
    [
      "a folder of cases that is near to one",
      ["cases", "list", "--cases-dir", "test/fixtures/casses"],
      'there is no folder test/fixtures/casses: did you mean "test/fixtures/cases"?',
    ],
    [
      "a folder of cases without any",
      ["cases", "list", "--cases-dir", "test/fixtures"],
      "there are no cases in test/fixtures: a case is a folder with a case.yaml in it",
    ],
    [
      "a case where the folder of the cases is wanted",
      runWith("--cases-dir", join(FIXTURE_CASES, "horn")),
      `there are no cases in ${join(FIXTURE_CASES, "horn")}: it is itself a case; give the folder it lies in`,
    ],
    [
      "a set that is none",
      ["score", "xxxxxxxxxx/none"],
      "there is no folder xxxxxxxxxx/none: give the folder of a set (runs/NAME) or of a run in it",
    ],
    [
      "a set with a letter missing",
      ["judge", "test/fixturs"],
      'there is no folder test/fixturs: did you mean "test/fixtures"?',
    ],
    [
      "a run with letters missing in two of its names",
      ["replay", "tets/fixtures/casse"],
      'there is no folder tets/fixtures/casse: did you mean "test/fixtures/cases"?',
    ],
    [
      "a file in place of a set",
      ["audit", "package.json"],
      "package.json is a file, and a folder is wanted: give the folder of a set (runs/NAME) or of a run in it",
    ],
    ["a set in a file", ["audit", "package.json/runs"], "there is no folder package.json/runs: package.json is a file"],
    ["an empty path", ["audit", ""], 'there is no folder "": give the folder of a set (runs/NAME) or of a run in it'],
    [
      "a folder without runs",
      ["audit", "."],
      ". holds no runs: give the folder of a set (runs/NAME) or of a run in it",
    ],
    ["a set where a run is wanted", ["replay", "."], ". is no run's folder: give one run: runs/NAME/RUN"],
    ["an agent shown that is none", ["agents", "show", "idel"], 'there is no agent "idel": did you mean "idle"?'],
    [
      "a round that a case has not",
      ["cases", "show", "horn", "--round", "2", ...HORN],
      "horn has no round 2: it has rounds 1 to 1",
    ],
    [
      "a folder that cannot be made",
      runWith("--out", "/proc/none/set"),
      "/proc/none: the folder could not be made: it does not exist. Check the path.",
    ],
    [
      "a name that no record takes",
      ["play", "--case", "horn", "--tier", "hard", "--out", "o", "--agent-name", "A.b", ...HORN],
      '--agent-name "A.b" is no name: lower-case letters, digits, _ and -, at most 64, beginning with a letter',
    ],
    [
      "the name of a built-in agent",
      ["play", "--case", "horn", "--tier", "hard", "--out", "o", "--agent-name", "reference", ...HORN],
      "--agent-name reference is the name of a built-in agent: take another",
    ],
  ];

  // In this process: a process for each would take minutes on a slow machine.
  it.each(mistakes)("%s", async (_, words, says) => {
    expect(await inProcess(words)).toEqual({ code: 2, stdout: "", stderr: `worldagent: ${says}\n` });
  });

  it("in the built command as well", async () => {
    const words = runWith("--tier", "hrad");
    const stderr = 'worldagent: there is no tier "hrad": did you mean "hard"?\n';
    expect(await cli(words, { cwd: workFolder() })).toEqual({ code: 2, stdout: "", stderr });
  });

  it("and in a set that was never made nothing is made", async () => {
    const cwd = workFolder();
    await cli(runWith("--agent", "refrence"), { cwd });
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe("help and version", () => {
  it("prints the version of the package and nothing else", async () => {
    expect(await cli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("lists every command but the hidden one, and runs none", async () => {
    const { code, stdout, stderr } = await cli(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect([...stdout.matchAll(/^ {2}worldagent (\w+)/gm)].map(([, name]) => name)).toEqual([
      "run",
      "doctor",
      "judge",
      "calibrate",
      "score",
      "audit",
      "replay",
      "play",
      "cases",
      "agents",
    ]);
  });

  it("prints the options of a command in spite of what is missing", async () => {
    const { code, stdout, stderr } = await cli(["run", "--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/--cases .*--tier .*--agent .*--out /s);
  });
});

it("AG2 an agent that plays none of the tiers asked for is wrong use; where it plays one, the others are left out", async () => {
  const cwd = workFolder();
  const none = await cli(
    ["run", "--cases", "horn", "--tier", "hard,extreme", "--agent", "lexical,idle", "--out", "a", ...HORN],
    { cwd },
  );
  expect([none.code, none.stdout, none.stderr.split("\n").length]).toEqual([2, "", 2]);
  expect(none.stderr).toMatch(/^worldagent: lexical does not play hard, extreme: /);
  const some = await cli(
    ["run", "--cases", "horn", "--tier", "easy,hard", "--agent", "lexical", "--out", "a", "--json", ...HORN],
    { cwd },
  );
  expect(some.code).toBe(0);
  expect(some.stderr).toMatch(/^lexical does not play hard: .*; left out\n\[1\/1\] horn\.easy\.lexical\.1 finished\n$/);
});

it("a case with faults is wrong use: each fault is a line with its place", async () => {
  const cwd = workFolder();
  cpSync(join(FIXTURE_CASES, "horn"), join(cwd, "cases", "horn"), { recursive: true });
  const file = join(cwd, "cases", "horn", "case.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("family: myth", "famly: myth"));
  const ended = await cli(
    ["run", "--cases", "horn", "--tier", "hard", "--agent", "idle", "--out", "a", "--cases-dir", "cases"],
    { cwd },
  );
  expect([ended.code, ended.stdout]).toEqual([2, ""]);
  const [head, ...faults] = ended.stderr.trimEnd().split("\n");
  expect(head).toBe("worldagent: case horn has faults");
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(/^cases\/horn\/case\.yaml:\d+:\d+ .+[.?]$/);
});

it("RC4 RC18 a run that was begun on another version of its case is refused, and so is every other run on it in that set", async () => {
  const cwd = workFolder();
  cpSync(FIXTURE_CASES, join(cwd, "cases"), { recursive: true });
  const words = ["run", "--cases", "horn", "--tier", "easy", "--out", "s", "--cases-dir", "cases", "--judge", "none"];
  await cli(
    ["play", "--case", "horn", "--tier", "easy", "--out", "s", "--agent-name", "waits", "--cases-dir", "cases"],
    { cwd },
  );
  await playHorn(cwd, "s", "easy", "idle");
  const file = join(cwd, "cases", "horn", "rounds", "01.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("I was nine", "I was ten"));
  const begun = await cli(
    ["play", "--case", "horn", "--tier", "easy", "--out", "s", "--agent-name", "waits", "--cases-dir", "cases"],
    { cwd },
  );
  expect([begun.code, begun.stdout]).toEqual([2, ""]);
  expect(begun.stderr).toMatch(
    /^worldagent: s\/horn\.easy\.waits\.1\/manifest\.json: the run was begun on horn with world digest \w{64}, and that case has \w{64} now\. Give the case it was begun with \(--cases-dir DIR\)[^\n]*\n$/,
  );
  const other = await cli([...words, "--agent", "reference"], { cwd });
  expect([other.code, other.stdout]).toEqual([2, ""]);
  expect(other.stderr).toMatch(
    /s\/horn\.easy\.idle\.1\/manifest\.json: the run was begun on horn with world digest \w{64}, and that case has \w{64} now\. Give the case it was begun with \(--cases-dir DIR\)[^\n]*\n$/,
  );
  const score = await cli(["score", "s", "--cases-dir", "cases"], { cwd });
  expect(score.code).toBe(1);
  expect(score.stderr).toContain(
    "horn.easy.idle.1 is not scored: s/horn.easy.idle.1: it was run on horn with world digest",
  );
});
