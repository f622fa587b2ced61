/** All of the chat loop that is part of what a result means, as data: what is said, offered, set by default, and when it ends. */
import * as z from "zod";
import { endpointSettingsSchema, modelSettingsSchema } from "../../endpoint/index.ts";
import type { Json } from "../../runtime/index.ts";
import { loopSettingsSchema, LOOP_DEFAULTS, LOOP_VERSION } from "./defaults.ts";
import { STOP_RULES } from "./ends.ts";
import {
  CHAT_WORDS,
  NUDGE_UNPARSED,
  OPENING,
  PROMPT_DIGEST,
  PROMPT_VERSION,
  tooManyCalls,
  type ChatWords,
} from "./system-prompt.ts";
import { CHAT_TOOLS, TOOLS_DIGEST } from "./tools.ts";

/** One setting: its default where it has one, and what it means. */
export interface SettingFact {
  readonly name: string;
  readonly default?: Json;
  readonly says: string;
}

export interface ChatMethod {
  /** Of the loop. */
  readonly v: number;
  readonly prompt: {
    readonly v: number;
    /** SHA-256 of the texts below. */
    readonly digest: string;
    /** By what it is for: what is said in maintenance, and in both tracks. */
    readonly texts: Readonly<Record<"system" | "opening" | "nudge" | "nudgeUnparsed" | "beyond", string>>;
    /** What is said in deduction instead. */
    readonly deduction: ChatWords;
  };
  /** The tools bear the same names in both tracks; their words and schemas differ. */
  readonly tools: { readonly digest: string; readonly names: readonly string[] };
  readonly settings: Readonly<Record<"loop" | "model" | "endpoint", readonly SettingFact[]>>;
  readonly ends: typeof STOP_RULES;
}

export const CHAT_AGENT = {
  name: "model",
  says: "asks a model over an OpenAI-compatible endpoint, in a chat loop; needs --model and --base-url",
} as const;

export function chatMethod(): ChatMethod {
  return {
    v: LOOP_VERSION,
    prompt: {
      v: PROMPT_VERSION,
      digest: PROMPT_DIGEST,
      texts: {
        ...CHAT_WORDS.maintenance,
        opening: OPENING,
        nudgeUnparsed: NUDGE_UNPARSED,
        beyond: tooManyCalls(LOOP_DEFAULTS.callsPerAnswer),
      },
      deduction: CHAT_WORDS.deduction,
    },
    tools: { digest: TOOLS_DIGEST, names: CHAT_TOOLS.maintenance.map(({ name }) => name) },
    settings: {
      loop: factsOf(loopSettingsSchema),
      model: factsOf(modelSettingsSchema),
      endpoint: factsOf(endpointSettingsSchema),
    },
    ends: STOP_RULES,
  };
}

function factsOf(schema: z.ZodType): readonly SettingFact[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { default: preset, description = "Sent where stated" } = typeof property === "object" ? property : {};
    return { name, ...(preset === undefined ? {} : { default: preset as Json }), says: description };
  });
}
