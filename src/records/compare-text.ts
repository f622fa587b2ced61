import { readIfThere } from "./atomic-file.ts";
import { showJson, type Difference } from "./difference.ts";

/** Names the first line in which a file differs from what it should be to the byte. */
export function compareText(
  path: string,
  expected: string,
  kind: Difference["kind"],
  file: string,
  differences: Difference[],
): void {
  const seen = readIfThere(path);
  if (seen === expected || seen === undefined) return;
  const [wanted, found] = [expected.split("\n"), seen.split("\n")];
  const line = wanted.findIndex((text, i) => text !== found[i]);
  const at = line === -1 ? wanted.length : line;
  differences.push({ kind, where: `${file}:${at + 1}`, expected: showJson(wanted[at]), seen: showJson(found[at]) });
}
