import { faultAt, type PathFault } from "./fault.ts";
import type { CaseParts } from "./parts.ts";
import type { CaseFile } from "./schema.ts";

/** What changed between versions is told: a line for every version from the second on, newest last, none for what is not yet there. */
export function checkChangelog({ caseFile }: CaseParts): readonly PathFault[] {
  return caseFile === undefined ? [] : faultsOfChangelog(caseFile.file);
}

/** As checkChangelog, of the file of either track. */
export function faultsOfChangelog({
  version,
  changelog = [],
}: Pick<CaseFile, "version" | "changelog">): readonly PathFault[] {
  const tooNew = changelog.flatMap((line, i) =>
    line.version > version
      ? [faultAt(["changelog", i, "version"], `is ${line.version}, and the case is version ${version}`)]
      : [],
  );
  const unordered = changelog.flatMap((line, i) => {
    const before = changelog[i - 1]?.version ?? 0;
    return line.version < before
      ? [faultAt(["changelog", i, "version"], `is ${line.version} after ${before}`, "the newest version stands last")]
      : [];
  });
  const missing =
    version === 1 || changelog.some((line) => line.version === version)
      ? []
      : [faultAt(["version"], `is ${version}, and the changelog has no line for it`, "say in changelog what changed")];
  return [...tooNew, ...unordered, ...missing];
}
