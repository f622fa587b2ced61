/** What one attempt brought, before secrets are cut out of it. */
import type { EndpointFault } from "../records/index.ts";
import type { Quirk } from "../records/index.ts";
import type { ErrorFacts } from "./error-facts.ts";
import type { Loose } from "./json.ts";

/** An assistant message as it came. */
export interface HeardAnswer {
  readonly kind: "answer";
  readonly message: Loose;
  readonly finish: string | null;
  readonly model: string | null;
  /** What was told of usage: one object, or those of a stream in their order. */
  readonly usage: readonly unknown[];
  readonly quirks: readonly { readonly quirk: Quirk; readonly says: string }[];
}

/** An error that the endpoint stated, in whatever place: its status is the HTTP one. */
export interface HeardError {
  readonly kind: "error";
  readonly facts: ErrorFacts;
  readonly status: number | null;
  readonly retryAfterMs: number | undefined;
  /** What was told of usage with it: the tokens are paid for all the same. */
  readonly usage?: readonly unknown[];
}

/** Something that is no answer and states no error. */
export interface HeardNothing {
  readonly kind: "nothing";
  readonly fault: EndpointFault;
  readonly usage?: readonly unknown[];
  /** An answer came, is paid for and cannot be taken; the next would be no other, so it is not asked for. */
  readonly isFinal?: true;
  /** How much of it was heard, in characters. */
  readonly characters?: number;
}

export type Heard = HeardAnswer | HeardError | HeardNothing;
