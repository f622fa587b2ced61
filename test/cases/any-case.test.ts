import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { loadAnyCase, printFault } from "../../src/cases/index.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const MAINTENANCE = fileURLToPath(new URL("../../cases/maintenance/ark_001", import.meta.url));
const DEDUCTION = fileURLToPath(new URL("../fixtures/admission/salt_weir", import.meta.url));

/** A copy of a case whose case.yaml is edited. */
function copyOf(folder: string, id: string, edit: (text: string) => string): string {
  const root = mkdtempSync(join(tmpdir(), "worldagent-any-case-"));
  folders.push(root);
  const copy = join(root, id);
  mkdirSync(copy);
  cpSync(folder, copy, { recursive: true });
  const file = join(copy, "case.yaml");
  writeFileSync(file, edit(readFileSync(file, "utf8")));
  return copy;
}

function faultsOf(directory: string): readonly string[] {
  const loaded = loadAnyCase(directory);
  return loaded.ok ? [] : loaded.error.map((fault) => printFault(fault).replace(`${directory}/`, ""));
}

describe("the track of a case", () => {
  it("DD37 may be said of a maintenance case, which is the same case then", () => {
    const said = loadAnyCase(
      copyOf(MAINTENANCE, "ark_001", (text) => text.replace(/^id:.*$/m, "$&\ntrack: maintenance")),
    );
    const unsaid = loadAnyCase(MAINTENANCE);
    if (!said.ok || !unsaid.ok || said.value.track === "deduction" || unsaid.value.track === "deduction")
      throw new Error("not two maintenance cases");
    expect(said.value.worldDigest).toBe(unsaid.value.worldDigest);
    expect(said.value.contractDigest).toBe(unsaid.value.contractDigest);
  });

  it("DD37 that is unknown is said, with the nearest, and nothing else is", () => {
    const track = (word: string) =>
      copyOf(DEDUCTION, "salt_weir", (text) => text.replace("track: deduction", `track: ${word}`));
    expect(faultsOf(track("deducton"))).toEqual([
      expect.stringMatching(/^case\.yaml:2:8 .*there is no track "deducton"\. .*deduction/),
    ]);
    expect(faultsOf(track("[1]"))).toEqual([
      expect.stringMatching(/^case\.yaml:2:8 .*there is no track \[1\]\. It is maintenance or deduction\.$/),
    ]);
  });

  it("DD37 cannot be told of a file that is no YAML: rounds are looked for where there are some", () => {
    const broken = (text: string): string => `${text}\n\tbroken`;
    const found = faultsOf(copyOf(DEDUCTION, "salt_weir", broken));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((line) => !line.startsWith("case.yaml:"))).toEqual([]);
    expect(faultsOf(copyOf(MAINTENANCE, "ark_001", broken)).some((line) => line.startsWith("case.yaml:"))).toBe(true);
  });
});
