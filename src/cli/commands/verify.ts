import { listCases, loadCase, printFault, type CaseFolder } from "../../cases/index.ts";
import { countItems, escapeText, verificationLines } from "../../report/index.ts";
import { TIERS, type Tier } from "../../runtime/index.ts";
import { verifyCase, type CaseVerification } from "../../tracks/index.ts";
import { caseFolders, casesFolder, tierOf, wordsOf } from "../choose.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { leaveInterrupts } from "../interrupt.ts";
import { note, print, printJson } from "../output.ts";
import { CLEAR_LINE, isLive } from "../terminal.ts";

export interface VerifyArguments {
  readonly ids?: readonly string[] | undefined;
  readonly tier?: readonly string[] | undefined;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** What is printed of one case, and its entry in the JSON. */
interface Verified {
  readonly ok: boolean;
  readonly lines: readonly string[];
  readonly json: unknown;
}

/** Makes cases prove themselves. Ends with 1 where one does not. */
export async function verify(args: VerifyArguments): Promise<ExitCode> {
  const root = casesFolder(args.casesDir);
  const tiers = args.tier === undefined ? TIERS : wordsOf("tier", args.tier).map(tierOf);
  const folders =
    args.ids === undefined || args.ids.length === 0 ? listCases(root) : caseFolders(root, wordsOf("ids", args.ids));
  // Minutes of work in which the event loop does not turn: Ctrl-C has to end it without us.
  leaveInterrupts();
  const say = progressWriter();
  const verified: Verified[] = [];
  for (const folder of folders) {
    const one = await verifyFolder(folder, tiers, say);
    say("");
    if (!args.json) print(one.lines);
    verified.push(one);
  }
  const bad = verified.filter(({ ok }) => !ok).length;
  if (args.json) printJson({ ok: bad === 0, cases: verified.map(({ json }) => json) });
  else if (folders.length > 1)
    print([bad === 0 ? "Every case proves itself." : `${bad} of ${folders.length} cases do not prove themselves.`]);
  return bad === 0 ? EXIT.done : EXIT.failed;
}

async function verifyFolder(
  { id, directory }: CaseFolder,
  tiers: readonly Tier[],
  say: (text: string) => void,
): Promise<Verified> {
  const loaded = loadCase(directory);
  if (!loaded.ok) {
    const faults = loaded.error.map((fault) => escapeText(printFault(fault)));
    const problems = loaded.error.map(({ file, line, column, message, hint }) => ({
      file,
      line,
      column,
      message,
      ...(hint === undefined ? {} : { hint }),
    }));
    return {
      ok: false,
      lines: [`${id}: its files have faults`, ...faults],
      json: { case: id, ok: false, tiers: {}, problems },
    };
  }
  let found: CaseVerification;
  try {
    found = await verifyCase(loaded.value, { tiers, onProgress: say });
  } catch (error) {
    debug(error);
    const message = `internal error: ${error instanceof Error ? error.message : String(error)}`;
    // The other cases are still to be verified.
    return {
      ok: false,
      lines: [escapeText(`${id}: ${message}`)],
      json: { case: id, ok: false, tiers: {}, problems: [{ message }] },
    };
  }
  return { ok: found.ok, lines: verificationLines(found), json: jsonOf(found) };
}

function jsonOf(found: CaseVerification): unknown {
  const tiers = Object.fromEntries(
    Object.entries(found.tiers).map(([tier, line]) => [
      tier,
      { ...line, items: countItems(line), itemsByKind: line.items },
    ]),
  );
  return { case: found.case, ok: found.ok, tiers, problems: found.problems };
}

const REDRAW_MS = 100;
const PLAIN_MS = 10_000;

/** Says on stderr how far it has come: in place on a terminal, else a line now and then. "" takes the line away. */
function progressWriter(): (text: string) => void {
  const live = isLive(process.stderr, process.env);
  let saidMs = performance.now();
  return (text) => {
    if (text === "") return void (live && process.stderr.write(CLEAR_LINE));
    const now = performance.now();
    if (now - saidMs < (live ? REDRAW_MS : PLAIN_MS)) return;
    saidMs = now;
    if (live) process.stderr.write(`${CLEAR_LINE}${escapeText(text)}`);
    else note(escapeText(text));
  };
}
