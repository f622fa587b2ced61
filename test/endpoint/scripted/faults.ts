/** What servers do instead of answering. A fault is decided by the count of requests, so that trying again can help. */
import { randomAt } from "./random.ts";
import { wireError, type WireError } from "./wire.ts";

/** A fault of the transport: what is done to an answer that was ready. */
export type Transport = "cut" | "cut_quietly" | "stall" | "drip" | "error_inside" | "html" | "reset";

type Fault =
  | { readonly kind: "refuse"; readonly with: (nowMs: number) => WireError }
  | { readonly kind: "transport"; readonly how: Transport };

const refuse = (error: (nowMs: number) => WireError): Fault => ({ kind: "refuse", with: error });
const transport = (how: Transport): Fault => ({ kind: "transport", how });

const tooMany = (headers: Readonly<Record<string, string>>): WireError => ({
  ...wireError(429, "Rate limit reached for requests. Please try again later.", {
    type: "requests",
    code: "rate_limit_exceeded",
  }),
  headers,
});

export const FAULTS = {
  /** A good while; a client that does not wait is a client that is banned. */
  rate_limited_seconds: refuse(() => tooMany({ "retry-after": "1" })),
  rate_limited_date: refuse((nowMs) => tooMany({ "retry-after": new Date(nowMs + 1000).toUTCString() })),
  rate_limited_milliseconds: refuse(() => tooMany({ "retry-after-ms": "20" })),
  rate_limited_now: refuse(() => tooMany({ "retry-after": "0" })),
  rate_limited_bare: refuse(() => tooMany({})),
  rate_limited_long: refuse(() => tooMany({ "retry-after": "86400" })),
  quota_used_up: refuse(() =>
    wireError(429, "You exceeded your current quota, please check your plan and billing details.", {
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
  ),
  server_error: refuse(() =>
    wireError(500, "The server had an error while processing your request. Sorry about that!", {
      type: "server_error",
    }),
  ),
  overloaded: refuse(() =>
    wireError(503, "That model is currently overloaded with other requests.", { type: "server_error" }),
  ),
  content_filter_refuses: refuse(() =>
    wireError(
      400,
      "The response was filtered due to the prompt triggering the content management policy. Please modify your prompt and retry.",
      { code: "content_filter", param: "prompt" },
    ),
  ),
  /** Half of an answer, and the connection is gone. */
  cut: transport("cut"),
  /** Half of a stream, ended as if that were all. */
  cut_quietly: transport("cut_quietly"),
  /** Nothing ever comes. */
  stall: transport("stall"),
  /** A byte now and then, for ever. */
  drip: transport("drip"),
  /** Status 200, an error object in place of an answer or in the middle of a stream. */
  error_inside: transport("error_inside"),
  /** A page for people, status 200. */
  html: transport("html"),
  /** The connection is closed without a word. */
  reset: transport("reset"),
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

/** Which requests meet a fault: a share of all, or some by number, or all from one on. */
export type FaultPlan = { readonly kinds: readonly FaultName[] } & (
  | { readonly rate: number }
  | { readonly numbers: readonly number[] }
  | { readonly from: number }
);

/** The fault that request `number` meets, the same for one seed each time. */
export function faultAt(plan: FaultPlan | undefined, seed: number, number: number): FaultName | undefined {
  if (plan === undefined || !isHit(plan, seed, number)) return undefined;
  return plan.kinds[Math.floor(randomAt(seed + 1, number) * plan.kinds.length)];
}

function isHit(plan: FaultPlan, seed: number, number: number): boolean {
  if ("rate" in plan) return randomAt(seed, number) < plan.rate;
  return "numbers" in plan ? plan.numbers.includes(number) : number >= plan.from;
}
