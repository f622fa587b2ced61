/** Asks on behalf of the probes, and keeps count of what that cost and of what every answer taught. */
import type { Adaptation, EndpointFault, Quirk, Tolerated } from "../../records/index.ts";
import type { ChatReply, ChatRequest, Endpoint } from "../chat.ts";
import { adviceFor, type AdviceContext } from "../advice.ts";
import type { ModelSettings } from "../settings.ts";
import { cut, probe, type Probe, type ProbeName } from "./findings.ts";

export type Heard =
  | { readonly kind: "answered"; readonly reply: ChatReply }
  | { readonly kind: "failed"; readonly fault: EndpointFault }
  | { readonly kind: "stopped" };

export interface AskerParts {
  readonly model: ModelSettings;
  /** The endpoint with these settings in place of the model's own. */
  readonly open: (model: ModelSettings) => Endpoint;
  readonly stop: AbortSignal;
  readonly advice: AdviceContext;
}

export class Asker {
  readonly parts: AskerParts;
  #over: Partial<ModelSettings> = {};
  #tokens = 0;
  #answers = 0;
  #counted = 0;
  #adapted: readonly Adaptation[] = [];
  #stopped = false;

  constructor(parts: AskerParts) {
    this.parts = parts;
  }

  /** The settings as they stand: the model's, and what was found to be needed in their place. */
  get model(): ModelSettings {
    return { ...this.parts.model, ...this.#over };
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Parameters that were refused so far. */
  get adapted(): readonly Adaptation[] {
    return this.#adapted;
  }

  /** How many answers came, and how many of them told their usage. */
  get usage(): { readonly answers: number; readonly counted: number } {
    return { answers: this.#answers, counted: this.#counted };
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Later questions are asked with `over` in place of the model's settings. */
  goOnWith(over: Partial<ModelSettings>): void {
    this.#over = { ...this.#over, ...over };
  }

  async ask(request: Pick<ChatRequest, "messages" | "tools">, over: Partial<ModelSettings> = {}): Promise<Heard> {
    const { open, stop } = this.parts;
    if (stop.aborted) return this.#stop();
    const endpoint = open({ ...this.model, ...over });
    const asked = await endpoint.ask({ ...request, adapted: this.#adapted, label: "preflight" }, stop);
    if (asked.kind === "stopped") return this.#stop();
    this.#tokens += lostIn(asked.kind === "failed" ? [...asked.attempts, asked] : asked.reply.attempts);
    if (asked.kind === "failed") return { kind: "failed", fault: asked.fault };
    const { usage, estimatedTokens, adapted } = asked.reply;
    this.#answers += 1;
    if (usage !== null) this.#counted += 1;
    this.#tokens += usage?.total ?? estimatedTokens ?? 0;
    this.#adapted = adapted;
    return { kind: "answered", reply: asked.reply };
  }

  /** What a probe comes to that got no answer. */
  without(name: ProbeName, heard: Exclude<Heard, { readonly kind: "answered" }>): Probe {
    if (heard.kind === "stopped") return probe(name, "skipped", "stopped before it was made");
    const { fault } = heard;
    // A filter acts on some answers and not on others; runs count theirs by themselves.
    const status = fault.kind === "blocked" ? "warn" : "fail";
    return probe(name, status, sayFault(fault), { advice: adviceFor(fault, this.parts.advice), fault: fault.kind });
  }

  #stop(): Heard {
    this.#stopped = true;
    return { kind: "stopped" };
  }
}

/** Tokens that were told with what was no answer. */
function lostIn(failed: readonly { readonly fault: EndpointFault }[]): number {
  return failed.reduce((sum, { fault }) => sum + (fault.tokens ?? 0), 0);
}

/** A fault in one line: kind, status, and the endpoint's own words. */
export function sayFault({ kind, status, message }: EndpointFault): string {
  const said = message.replaceAll(/\s+/g, " ").trim();
  return `${kind}${status === null ? "" : ` (HTTP ${status})`}${said === "" ? "" : `: ${cut(said, 300)}`}`;
}

/** Quirks that a probe of their own speaks of. */
const SAID_ELSEWHERE: ReadonlySet<Quirk> = new Set(["adapted_parameter", "unknown_fields_kept", "missing_usage"]);

/** What was put up with in an answer, to be added to what was seen. */
export function sayTolerated(tolerated: readonly Tolerated[]): string {
  const quirks = [...new Set(tolerated.map(({ quirk }) => quirk))].filter((quirk) => !SAID_ELSEWHERE.has(quirk));
  return quirks.length === 0 ? "" : `; put up with: ${quirks.join(", ")}`;
}

/** The text of an answer; empty where it has none. */
export function textOf({ message }: Pick<ChatReply, "message">): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isPart(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

function isPart(part: unknown): part is Readonly<Record<string, unknown>> {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

/** A model's words in a few, quoted. */
export function quote(text: string): string {
  const said = text.replaceAll(/\s+/g, " ").trim();
  return `"${cut(said, 80)}"`;
}
