import { tableLines } from "../../report/index.ts";
import type { Setting } from "./layers.ts";

/** Settings in force as a table: what, its value as JSON, where it came from. */
export function settingLines(said: readonly Setting[]): readonly string[] {
  return tableLines<Setting>(
    [
      { head: "setting", cell: ({ name }) => name },
      { head: "value", cell: ({ value }) => JSON.stringify(value) },
      { head: "from", cell: ({ from }) => from },
    ],
    said,
  );
}
