import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIRST_PREV, sealLine, type LogBody } from "../../src/records/index.ts";
import { entriesOf } from "./run-fixture.ts";

/** Writes the log of a run anew with the lines that `change` makes of its lines, in a chain of its own. */
export async function forgeLog(
  path: string,
  change: (bodies: readonly LogBody[]) => readonly LogBody[],
): Promise<void> {
  const bodies = (await entriesOf(path)).map((entry): LogBody => {
    const { seq: _seq, prev: _prev, hash: _hash, ...body } = entry;
    return body;
  });
  let prev = FIRST_PREV;
  const lines = change(bodies).map((body, seq) => {
    const sealed = sealLine(body, seq, prev);
    prev = sealed.hash;
    return `${sealed.text.trimEnd()}\n`;
  });
  writeFileSync(join(path, "log.jsonl"), lines.join(""));
}
