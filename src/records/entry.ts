/** The lines of a run's log: what each kind holds. `seq`, `prev` and `hash` are added and checked by chain.ts. */
import * as z from "zod";
import { effectRecordSchema, toolErrorSchema } from "../runtime/index.ts";
import { answerBodySchema, faultBodySchema, foldBodySchema, messageBodySchema } from "./exchange.ts";
import { jsonSchema } from "./json.ts";
import { digestSchema, timelessManifestSchema } from "./manifest.ts";
import { outcomeSchema } from "./outcome.ts";

/** Bytes of one line with its newline. A longer one is neither written nor read, so that memory stays flat. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const callSchema = z
  .strictObject({
    kind: z.literal("call"),
    tool: z.string().describe("The tool's name as the agent wrote it"),
    input: jsonSchema.optional(),
    refused: toolErrorSchema
      .optional()
      .describe("The input was refused at the border and is not kept (too large, not JSON, …)"),
    answer: jsonSchema,
    record: effectRecordSchema.optional().describe("What the call did; none where it only read"),
    digest: digestSchema.describe("Of the world after the call"),
  })
  .refine(
    (call) => (call.input === undefined) !== (call.refused === undefined),
    "a call has either an input or a refusal of it",
  );

/** The body of a log line. */
export const logBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("manifest"), manifest: timelessManifestSchema }).describe("Line 0, and only that"),
  callSchema,
  messageBodySchema.describe("What the harness said to the model; stored once, as every message"),
  answerBodySchema.describe("What the model answered, with tokens and retries"),
  faultBodySchema.describe("A request that brought no answer"),
  foldBodySchema.describe("Answers that later requests carry as one line"),
  z.strictObject({ kind: z.literal("note"), text: z.string() }),
  z.strictObject({ kind: z.literal("outcome"), outcome: outcomeSchema, detail: jsonSchema.optional() }),
  z.strictObject({ kind: z.literal("seal"), lines: z.int().min(1).describe("Lines before the seal") }),
]);
export type LogBody = z.infer<typeof logBodySchema>;
export type LogKind = LogBody["kind"];
export type CallBody = Extract<LogBody, { kind: "call" }>;

/** The lines an agent keeps beside its calls. */
const JOURNAL_KINDS = ["message", "answer", "fault", "fold"] as const;
export type JournalBody = Extract<LogBody, { kind: (typeof JOURNAL_KINDS)[number] }>;

export function isJournal<T extends LogBody>(line: T): line is Extract<T, JournalBody> {
  return (JOURNAL_KINDS as readonly LogKind[]).includes(line.kind);
}

/** Whether a line says that the run was played on: after an outcome it means that the run was taken up again. */
export function isPlay(line: LogBody): boolean {
  return line.kind === "call" || isJournal(line);
}

/** What every line has besides its body. */
export const envelopeSchema = z.object({
  seq: z.int().min(0).describe("0, 1, …: its line number less one"),
  prev: digestSchema.describe("The hash of the line before; 64 zeros on line 0"),
  hash: digestSchema.describe("SHA-256 of the canonical JSON of the line without `hash`"),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** One line of a log, read and checked. */
export type LogEntry = Readonly<Envelope & LogBody>;
