/** The shape of a command. Only this is loaded to read the command line; what a command does is imported when it runs. */
import type { ArgumentsCamelCase, InferredOptionTypes, Options, PositionalOptions } from "yargs";
import type { ExitCode } from "./exit.ts";

/** Options every command takes. */
export const COMMON_OPTIONS = {
  json: { type: "boolean", default: false, describe: "Print the result as JSON, and nothing else, on stdout" },
  "cases-dir": {
    type: "string",
    requiresArg: true,
    describe: "The folder of the cases, or the one above it (default: those of the package)",
  },
} as const satisfies Record<string, Options>;

export type OptionTable = Readonly<Record<string, Options>>;
export type PositionalTable = Readonly<Record<string, PositionalOptions>>;

/** The arguments of a command with these options. */
export type ArgumentsOf<O extends OptionTable, P extends PositionalTable> = ArgumentsCamelCase<
  InferredOptionTypes<O> & InferredOptionTypes<P> & InferredOptionTypes<typeof COMMON_OPTIONS>
>;

export interface Command {
  /** As yargs reads it: `score <set>`. */
  readonly usage: string;
  /** One line; a hidden command has none. */
  readonly says: string | false;
  readonly options: OptionTable;
  readonly positionals: PositionalTable;
  readonly run: (args: never) => Promise<ExitCode>;
}

/** A command whose `run` is given the arguments its options and positionals make. */
export function command<const O extends OptionTable, const P extends PositionalTable>(parts: {
  readonly usage: string;
  readonly says: string | false;
  readonly options?: O;
  readonly positionals?: P;
  readonly run: (args: ArgumentsOf<O, P>) => Promise<ExitCode>;
}): Command {
  return { options: {}, positionals: {}, ...parts };
}

export function nameOfCommand({ usage }: Command): string {
  return usage.split(" ")[0] as string;
}
