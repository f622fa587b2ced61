/** Reads the command line and runs the command. Loads nothing that reading it does not need. */
import yargs, { type Argv } from "yargs";
import metadata from "../../package.json" with { type: "json" };
import { COMMON_OPTIONS, nameOfCommand, type Command } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import type { ExitCode } from "./exit-code.ts";
import { UserError } from "./user-error.ts";

/** Runs the command that the words name and returns the code to end with. Never throws. */
export async function runProgram(words: readonly string[]): Promise<ExitCode> {
  try {
    await refuseUnknown(words);
    return await parse(words);
  } catch (error) {
    const { explain } = await import("./exit.ts");
    return explain(error);
  }
}

async function parse(words: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = yargs([...words])
    .scriptName("worldagent")
    .usage("$0 <command>\n\nA benchmark harness that asks whether a language model can keep a world running.")
    .locale("en")
    .version(metadata.version)
    .help()
    .alias("help", "h")
    .parserConfiguration({
      "greedy-arrays": false,
      "boolean-negation": false,
      "dot-notation": false,
      "parse-positional-numbers": false,
    })
    .options(COMMON_OPTIONS)
    .strict()
    .exitProcess(false)
    .demandCommand(1, "name a command")
    .fail((message: string | null, error: unknown) => {
      throw error instanceof Error && error.name !== "YError" ? error : new UsageFault(message ?? String(error));
    });
  const add = (parent: Argv, one: Command): void => {
    parent.command(
      one.usage,
      // yargs hides a command whose description is false; its types say so of one overload only.
      one.says as string,
      (builder) => {
        for (const [name, options] of Object.entries(one.positionals)) builder.positional(name, options);
        builder.options(one.options);
      },
      async (args) => {
        refuseTwice(one, args);
        code = await one.run(args as never);
      },
    );
  };
  for (const one of COMMANDS) add(program, one);
  for (const { name, says, commands } of GROUPS) {
    program.command(name, says, (builder) => {
      for (const one of commands) add(builder, one);
      builder.demandCommand(1, `name one of: ${commands.map(nameOfCommand).join(", ")}`);
    });
  }
  try {
    await program.parseAsync();
  } catch (error) {
    throw error instanceof UsageFault ? sayUsage(error.message, words) : error;
  }
  return code;
}

/** What yargs found wrong, in its words. */
class UsageFault extends Error {}

/**
 * A command or an option that is none. yargs would speak of an unknown argument, name nothing that is near, and first
 * complain of the option that was meant and is missing.
 */
async function refuseUnknown(words: readonly string[]): Promise<void> {
  const [first, second] = commandWords(words);
  const group = GROUPS.find(({ name }) => name === first);
  if (
    first !== undefined &&
    !first.startsWith("-") &&
    group === undefined &&
    !COMMANDS.some((one) => nameOfCommand(one) === first)
  ) {
    const shown = [
      ...COMMANDS.filter(({ says }) => says !== false).map(nameOfCommand),
      ...GROUPS.map(({ name }) => name),
    ];
    throw await noneSuch(`there is no command "${first}"`, first, shown);
  }
  const below = group?.commands.map(nameOfCommand) ?? [];
  if (group !== undefined && second !== undefined && !second.startsWith("-") && !below.includes(second)) {
    throw await noneSuch(`there is no command "${first} ${second}"`, second, below);
  }
  const known = [
    ...Object.keys(COMMON_OPTIONS),
    "help",
    "version",
    ...Object.keys(commandOf(words)?.command?.options ?? {}),
  ];
  for (const word of words) {
    if (word === "--") return;
    const [, dashes, name] = /^(--?)([^=]+)/.exec(word) ?? [];
    if (name === undefined || (dashes === "--" ? known.includes(name) : word === "-h" || /^-\d/.test(word))) continue;
    throw await noneSuch(`there is no option ${dashes}${name}`, name, known, "--");
  }
}

/** yargs' words in ours, in one line. */
function sayUsage(message: string, words: readonly string[]): UserError {
  const which = commandOf(words);
  const usage =
    which === undefined ? "worldagent --help lists the commands" : `usage: worldagent ${which.path} (--help says more)`;
  const named = (pattern: RegExp): readonly string[] => pattern.exec(message)?.[1]?.split(", ") ?? [];
  const [unknown] = named(/^Unknown arguments?: (.*)$/s);
  const missing = named(/^Missing required arguments?: (.*)$/s);
  const [lacking] = named(/^Not enough arguments following: (.*)$/s);
  const said =
    unknown !== undefined
      ? `"${unknown}" is one argument too many`
      : missing.length > 0
        ? `${missing.map((name) => `--${name}`).join(", ")} must be given`
        : lacking !== undefined
          ? `--${lacking} needs a value`
          : message.startsWith("Not enough non-option arguments")
            ? sayMissingPositional(which?.command)
            : message.replaceAll(/\s+/g, " ");
  return new UserError(`${said}; ${usage}`);
}

/** No command takes more than one argument that must be there. */
function sayMissingPositional(one: Command | undefined): string {
  const missing = Object.entries(one?.positionals ?? {}).find(([, { demandOption }]) => demandOption === true);
  return missing === undefined
    ? "a command is missing"
    : `<${missing[0]}> must be given (${uncapitalised(missing[1].describe ?? "")})`;
}

function uncapitalised(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The word of the command and the one that follows it, whichever options that every command takes stand before them. */
function commandWords(words: readonly string[]): readonly [first: string | undefined, second: string | undefined] {
  const [first, ...rest] = behindCommon(words);
  return [first, behindCommon(rest)[0]];
}

/** The words behind leading common options and their values. */
function behindCommon(words: readonly string[]): readonly string[] {
  const [word, value, ...rest] = words;
  const [, name, equals] = /^--([^=]+)(=?)/s.exec(word ?? "") ?? [];
  const option = Object.entries(COMMON_OPTIONS).find(([key]) => key === name)?.[1];
  if (option === undefined) return words;
  const takesNext = equals === "" && (option.type === "string" || value === "true" || value === "false");
  return behindCommon(takesNext ? rest : words.slice(1));
}

function commandOf(words: readonly string[]): { readonly path: string; readonly command?: Command } | undefined {
  const [first, second] = commandWords(words);
  const top = COMMANDS.find((one) => nameOfCommand(one) === first);
  if (top !== undefined) return { path: top.usage, command: top };
  const group = GROUPS.find(({ name }) => name === first);
  if (group === undefined) return undefined;
  const below = group.commands.find((one) => nameOfCommand(one) === second);
  return below === undefined
    ? { path: `${group.name} <command>` }
    : { path: `${group.name} ${below.usage}`, command: below };
}

/** yargs makes a list of an option that is given twice, which nobody means where one value is wanted. */
function refuseTwice({ options }: Command, args: Readonly<Record<string, unknown>>): void {
  for (const [name, option] of Object.entries({ ...COMMON_OPTIONS, ...options })) {
    const value = args[name];
    if (Array.isArray(value) && !("array" in option && option.array === true))
      throw new UserError(`--${name} is given twice`);
    // What may be given without a value (--html) is empty then.
    if (value === "" && "requiresArg" in option && option.requiresArg) throw new UserError(`--${name} needs a value`);
  }
}

async function noneSuch(message: string, seen: string, known: readonly string[], prefix = ""): Promise<UserError> {
  const { nearestWord } = await import("../runtime/index.ts");
  const near = nearestWord(seen, known);
  if (near !== undefined) return new UserError(message, `did you mean "${prefix}${near}"?`);
  return new UserError(message, `there are: ${known.map((one) => prefix + one).join(", ")}`);
}
