import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  compareDigests,
  computeDigests,
  formatDigests,
  readDigests,
  unraised,
  type Digests,
} from "../../cases/index.ts";
import { escapeText } from "../../report/index.ts";
import { besideCases } from "../cases/beside.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { note, print, printJson } from "../output.ts";
import { requirePath } from "../paths.ts";
import { allFolders, loadAnyCases } from "../cases/of-track.ts";
import { UserError } from "../user-error.ts";

export interface DigestArguments {
  readonly check: boolean;
  readonly write: boolean;
  readonly file?: string | undefined;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Prints, compares or writes the digests of all cases, of both tracks. */
export async function digest(args: DigestArguments): Promise<ExitCode> {
  if (args.check && args.write) throw new UserError("--check and --write are two things: give one of them");
  const { roots, folder } = besideCases(args.casesDir);
  const file = args.file ?? join(folder, "digests.json");
  const present = computeDigests(loadAnyCases(allFolders(roots)));
  if (args.check) return check(file, present, args.json);
  if (args.write) {
    const refused = existsSync(file) ? unraised(frozenIn(file), present) : [];
    if (refused.length > 0) {
      if (args.json) printJson({ ok: false, differences: refused });
      else print(refused.map(({ message }) => escapeText(message)));
      note(`Nothing was frozen. Of a case that was never given to anybody, take the line out of ${file} first.`);
      return EXIT.failed;
    }
    write(file, formatDigests(present));
  }
  if (args.json) printJson(present);
  else if (args.write) print([`Frozen in ${file}: ${Object.keys(present).join(", ")}.`]);
  else print([formatDigests(present).trimEnd()]);
  return EXIT.done;
}

function check(file: string, present: Digests, json: boolean): ExitCode {
  requirePath(file, "file", "write it with --write");
  const differences = compareDigests(frozenIn(file), present);
  if (json) printJson({ ok: differences.length === 0, differences });
  else
    print(
      differences.length === 0
        ? [`As they were frozen: ${Object.keys(present).join(", ")}.`]
        : differences.map(({ message }) => escapeText(message)),
    );
  return differences.length === 0 ? EXIT.done : EXIT.failed;
}

function frozenIn(file: string): Digests {
  const frozen = readDigests(file);
  if (!frozen.ok) throw new UserError(frozen.error);
  return frozen.value;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
    throw new UserError(`${file} cannot be written`);
  }
}
