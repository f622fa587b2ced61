import { DEDUCTION_TOOLS } from "./deduction/tools.ts";
import { TOOLS, type Tool, type ToolName } from "./tools.ts";

export type Track = "maintenance" | "deduction";

/** The six tools as a track has them. */
export function toolsOf(track: Track): Readonly<Record<ToolName, Tool>> {
  return track === "maintenance" ? TOOLS : DEDUCTION_TOOLS;
}
