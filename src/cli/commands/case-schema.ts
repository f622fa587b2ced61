import { CASE_SCHEMAS, caseJsonSchema } from "../../cases/index.ts";
import { suggest } from "../../runtime/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printJson } from "../output.ts";
import { UserError } from "../user-error.ts";

/** Prints the JSON Schema of a case.yaml of either track, or of a round file, for editors. */
export async function showSchema({ file }: { readonly file: string }): Promise<ExitCode> {
  const name = CASE_SCHEMAS.find((one) => one === file);
  if (name === undefined) throw new UserError(`there is no schema "${file}"`, suggest(file, CASE_SCHEMAS));
  printJson(caseJsonSchema(name));
  return EXIT.done;
}
