/** Every command with its options, in the order in which help lists them. */
import { command, type Command } from "./command.ts";
import { ENDPOINT_OPTIONS, REQUEST_OPTIONS, TOOL_OPTIONS } from "./model-options.ts";

const list = { type: "string", array: true, requiresArg: true } as const;
const as = {
  type: "string",
  requiresArg: true,
  describe: "The name of the set of judgments (default: the unnamed one)",
} as const;
const set = { type: "string", demandOption: true, describe: "The folder of a set of runs, or of one run" } as const;

export const COMMANDS: readonly Command[] = [
  command({
    usage: "run",
    says: "Play cases by agents; runs that were begun go on",
    options: {
      track: { type: "string", requiresArg: true, describe: "maintenance or deduction (default: maintenance)" },
      cases: { ...list, describe: "Case ids and patterns: ark_001,myth_*" },
      tier: { ...list, describe: "Of maintenance: easy, hard, extreme" },
      condition: { ...list, describe: "Of deduction: open, naming" },
      mode: { ...list, describe: "Of deduction: m1, m2" },
      folds: { ...list, describe: "Of deduction: initial states, 1-5 or a list (default: all)" },
      agent: { ...list, describe: "model, one of worldagent agents list, or one of the config file" },
      model: { ...list, describe: "With --agent model: the model's name at the endpoint" },
      name: { type: "string", requiresArg: true, describe: "The name the model's runs are kept under" },
      repeats: { type: "number", requiresArg: true, describe: "Runs of each kind (default: 1)" },
      concurrency: {
        type: "number",
        requiresArg: true,
        describe: "Runs under way at once, at each endpoint (default: 4; agents that ask nobody: 1)",
      },
      out: { type: "string", requiresArg: true, describe: "The folder of the set: runs/NAME" },
      judge: {
        type: "string",
        requiresArg: true,
        describe: "exact: judge and score when done, where it applies; none (default: exact)",
      },
      config: {
        type: "string",
        requiresArg: true,
        describe: "A file with all this; flags override it (default: worldagent.config.yaml, where there is one)",
      },
      ...ENDPOINT_OPTIONS,
      ...REQUEST_OPTIONS,
      ...TOOL_OPTIONS,
      "budget-tokens": { type: "number", requiresArg: true, describe: "Most tokens of the whole set" },
      "budget-cost": {
        type: "number",
        requiresArg: true,
        describe: "Most US dollars of the whole set; needs --prices",
      },
      "budget-minutes": { type: "number", requiresArg: true, describe: "Most minutes of this command" },
      prices: { type: "string", requiresArg: true, describe: "A file with the prices of models" },
      "no-preflight": { type: "boolean", default: false, describe: "Do not probe an endpoint before its first run" },
      forget: {
        type: "string",
        requiresArg: true,
        describe: "First take an agent out of the set that never answered, such as a mistyped model",
      },
      resume: { type: "boolean", default: false, describe: "Go on with a set that was begun (done without it, too)" },
    },
    run: async (args) => (await import("./commands/run.ts")).run(args),
  }),
  command({
    usage: "doctor",
    says: "Probe an endpoint: does it answer, call tools, read long prompts; ends with 1 where a probe fails",
    options: {
      model: { type: "string", requiresArg: true, demandOption: true, describe: "The model's name at the endpoint" },
      ...ENDPOINT_OPTIONS,
      ...REQUEST_OPTIONS,
      ...TOOL_OPTIONS,
    },
    run: async (args) => (await import("./commands/doctor.ts")).doctor(args),
  }),
  command({
    usage: "judge <set>",
    says: "Judge the finished runs of a set; those of deduction need no judge",
    positionals: { set },
    options: {
      judge: { type: "string", requiresArg: true, default: "exact", describe: "exact, model, or exact+model" },
      as: { ...as, describe: "The name of the set of judgments (default: unnamed; of a model: model, exact-model)" },
      model: { type: "string", requiresArg: true, describe: "With a model: its name at the endpoint" },
      ...ENDPOINT_OPTIONS,
      ...REQUEST_OPTIONS,
      concurrency: { type: "number", requiresArg: true, describe: "Questions under way at once (default: 4)" },
      votes: { type: "number", requiresArg: true, describe: "Times each question is asked (default: 1)" },
      prices: { type: "string", requiresArg: true, describe: "A file with the prices of models" },
      "budget-tokens": { type: "number", requiresArg: true, describe: "Most tokens of this judge on the whole set" },
      "budget-cost": { type: "number", requiresArg: true, describe: "Most US dollars of it; needs --prices" },
      "budget-minutes": { type: "number", requiresArg: true, describe: "Most minutes of this command" },
      "no-cache": { type: "boolean", default: false, describe: "Ask even what was asked before" },
      "dry-run": {
        type: "boolean",
        default: false,
        describe: "Say what would be asked and what it costs; send nothing",
      },
      reparse: {
        type: "boolean",
        default: false,
        describe: "Read the answers again by the present parser; ask nobody",
      },
    },
    run: async (args) => (await import("./commands/judge.ts")).judge(args),
  }),
  command({
    usage: "calibrate [set]",
    says: "Measure a model as a judge: against the exact judge, and on edits of which the truth is known",
    positionals: { set: { type: "string", describe: "A set that a model judged; asks nobody" } },
    options: {
      as: { ...as, describe: "The name of the model's set of judgments (default: model)" },
      edits: { ...list, describe: "Cases whose references are edited, and a model asked about" },
      tier: { type: "string", requiresArg: true, default: "hard", describe: "Of the edits" },
      "per-kind": { type: "number", requiresArg: true, describe: "Items of each kind (default: all)" },
      votes: { type: "number", requiresArg: true, describe: "Times each question is asked (default: 1)" },
      out: { type: "string", requiresArg: true, describe: "With --edits: the folder in which answers are kept" },
      model: { type: "string", requiresArg: true, describe: "With --edits: the model's name at the endpoint" },
      ...ENDPOINT_OPTIONS,
      ...REQUEST_OPTIONS,
      concurrency: { type: "number", requiresArg: true, describe: "Questions under way at once (default: 4)" },
      "budget-tokens": { type: "number", requiresArg: true, describe: "Most tokens of this command" },
      all: { type: "boolean", default: false, describe: "List every disagreement, not only the first 20" },
    },
    run: async (args) => (await import("./commands/calibrate.ts")).calibrate(args),
  }),
  command({
    usage: "score <set>",
    says: "Score the runs of a set, those of maintenance once they are judged, and print the table",
    positionals: { set },
    options: { as },
    run: async (args) => (await import("./commands/score.ts")).score(args),
  }),
  command({
    usage: "audit <set>",
    says: "Check everything that a set or a run holds; ends with 1 where anything differs",
    positionals: { set },
    options: {
      tree: {
        type: "boolean",
        default: false,
        describe: "Print the evidence: item, verdict, binding, triggers, changes; with --json, its lines",
      },
    },
    run: async (args) => (await import("./commands/audit.ts")).audit(args),
  }),
  command({
    usage: "replay <run>",
    says: "Answer every call of a run again and compare",
    positionals: { run: { type: "string", demandOption: true, describe: "The folder of a run: runs/NAME/RUN" } },
    run: async (args) => (await import("./commands/replay.ts")).replay(args),
  }),
  command({
    usage: "play",
    says: "Play a case yourself: one tool call as JSON a line on stdin, its answer on stdout",
    options: {
      case: { type: "string", requiresArg: true, demandOption: true, describe: "The id of a case" },
      tier: { type: "string", requiresArg: true, describe: "Of maintenance: easy, hard or extreme" },
      condition: { type: "string", requiresArg: true, describe: "Of deduction: open or naming" },
      mode: { type: "string", requiresArg: true, describe: "Of deduction: m1 or m2" },
      fold: { type: "string", requiresArg: true, describe: "Of deduction: the initial state, 1 to 5 (default: 1)" },
      out: { type: "string", requiresArg: true, demandOption: true, describe: "The folder of the set: runs/NAME" },
      "agent-name": {
        type: "string",
        requiresArg: true,
        default: "player",
        describe: "The name the run is recorded under",
      },
      repeat: { type: "number", requiresArg: true, default: 1, describe: "Which run of this kind it is" },
      stop: {
        type: "boolean",
        default: false,
        describe: "End the run after the lines of stdin, to be judged as it is",
      },
    },
    run: async (args) => (await import("./commands/play.ts")).play(args),
  }),
  command({
    usage: "demo",
    says: false,
    options: {
      out: { type: "string", requiresArg: true, default: "runs/demo", describe: "The folder of the set, made anew" },
    },
    run: async (args) => (await import("./commands/demo.ts")).demo(args),
  }),
];

const ids = { type: "string", array: true, describe: "Case ids and patterns (default: all)" } as const;
const id = { type: "string", demandOption: true, describe: "The id of a case" } as const;

/** Commands that stand below another: `cases list`. */
export const GROUPS: readonly {
  readonly name: string;
  readonly says: string;
  readonly commands: readonly Command[];
}[] = [
  {
    name: "cases",
    says: "Begin, list, show, verify and freeze cases",
    commands: [
      command({
        usage: "list",
        says: "List the cases",
        run: async (args) => (await import("./commands/cases.ts")).listAll(args),
      }),
      command({
        usage: "new <id>",
        says: "Begin a case: a small one that verifies, with every part explained",
        positionals: { id: { type: "string", demandOption: true, describe: "The id of the new case" } },
        options: {
          title: { type: "string", requiresArg: true, describe: "Its title" },
          family: { type: "string", requiresArg: true, describe: "ark, myth, li, or one of your own (default: myth)" },
          stratum: { type: "string", requiresArg: true, describe: "small, medium or large (default: small)" },
        },
        run: async (args) => (await import("./commands/case-new.ts")).newCase(args),
      }),
      command({
        usage: "show <id>",
        says: "Read a case as a book: world and rules, or round by round narrative, contract, reference",
        positionals: { id },
        options: {
          round: { type: "number", requiresArg: true, describe: "Only this round" },
          tier: {
            type: "string",
            requiresArg: true,
            describe: "Instead of the book, what an agent is given at this tier",
          },
          html: { type: "string", describe: "As a page, one file that needs nothing else; to FILE, or to stdout" },
        },
        run: async (args) => (await import("./commands/case-show.ts")).show(args),
      }),
      command({
        usage: "schema [file]",
        says: "Print the JSON Schema of a case file, for editors",
        positionals: {
          file: { type: "string", default: "case", describe: "case (case.yaml), round (rounds/NN.yaml) or deduction" },
        },
        run: async (args) => (await import("./commands/case-schema.ts")).showSchema(args),
      }),
      command({
        usage: "verify [ids..]",
        says: "Check that cases prove themselves; ends with 1 where one does not",
        positionals: { ids },
        options: {
          tier: { type: "string", array: true, requiresArg: true, describe: "Only these tiers" },
          items: { type: "boolean", default: false, describe: "List every item with the mutant that killed it" },
          jobs: { type: "number", requiresArg: true, describe: "Parts at once (default: one for each core)" },
          write: {
            type: "boolean",
            default: false,
            describe: "Keep in cases/admission what was found of each case that proves itself",
          },
          check: {
            type: "boolean",
            default: false,
            describe: "Replay nothing: say whether each case as it is has such a record",
          },
          cache: {
            type: "string",
            requiresArg: true,
            describe: "The folder in which parts that were found are kept (default: that of the user's caches)",
          },
          "no-cache": {
            type: "boolean",
            default: false,
            describe: "Find again what was found before, and keep nothing",
          },
        },
        run: async (args) => (await import("./commands/verify.ts")).verify(args),
      }),
      command({
        usage: "digest",
        says: "Print the digests of the cases, or compare or write cases/digests.json",
        options: {
          check: { type: "boolean", default: false, describe: "Compare with the file; ends with 1 where they differ" },
          write: { type: "boolean", default: false, describe: "Write the file" },
          file: {
            type: "string",
            requiresArg: true,
            describe: "The file (default: digests.json beside the folder of the cases)",
          },
        },
        run: async (args) => (await import("./commands/digest.ts")).digest(args),
      }),
      command({
        usage: "compare",
        says: "Say what cases share: sentences, capabilities and processes that are alike",
        run: async (args) => (await import("./commands/compare.ts")).compare(args),
      }),
    ],
  },
  {
    name: "agents",
    says: "List and show the agents",
    commands: [
      command({
        usage: "list",
        says: "List the agents",
        run: async (args) => (await import("./commands/agents.ts")).listAll(args),
      }),
      command({
        usage: "show <name>",
        says: "Print what an agent is and every setting of it",
        positionals: { name: { type: "string", demandOption: true, describe: "The name of an agent" } },
        run: async (args) => (await import("./commands/agents.ts")).show(args),
      }),
    ],
  },
];
