/** Bytes on the connection, and the ways in which they fail to come. */
import type { ServerResponse } from "node:http";
import type { Json } from "../../../src/runtime/index.ts";
import type { Transport } from "./faults.ts";
import type { JsonObject } from "./wire.ts";

export type Sent = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fault?: Transport;
} & ({ readonly body: Json } | { readonly chunks: readonly JsonObject[] });

const DRIP_MS = 20;

const HTML =
  "<!DOCTYPE html>\n<html><head><title>Welcome to nginx!</title></head><body><h1>Welcome to nginx!</h1></body></html>\n";

const INNER_ERROR = { error: { message: "Internal server error: the worker died", type: "server_error", code: 500 } };

/** Sends an answer, or what a fault makes of it. Resolves when nothing more will come: whether all of it left. */
export async function send(response: ServerResponse, sent: Sent): Promise<boolean> {
  const gone = new Promise<false>((resolve) => response.on("close", () => resolve(false)));
  const left = new Promise<true>((resolve) => response.on("finish", () => resolve(true)));
  const pieces = "body" in sent ? [JSON.stringify(sent.body)] : [...sent.chunks.map(eventOf), "data: [DONE]\n\n"];
  const type = "body" in sent ? "application/json" : "text/event-stream; charset=utf-8";
  const begin = (kind = type): void => {
    response.writeHead(sent.status, { "content-type": kind, ...sent.headers });
  };
  switch (sent.fault) {
    case undefined:
      begin();
      for (const piece of pieces) response.write(piece);
      response.end();
      break;
    case "cut":
      begin();
      response.write(halfOf(pieces), () => response.destroy());
      break;
    case "cut_quietly":
      begin();
      response.end(halfOf(pieces));
      break;
    case "error_inside":
      begin();
      response.end(
        pieces.length === 1 ? JSON.stringify(INNER_ERROR) : `${halfOf(pieces)}${eventOf(INNER_ERROR)}data: [DONE]\n\n`,
      );
      break;
    case "html":
      begin("text/html");
      response.end(HTML);
      break;
    case "reset":
      response.destroy();
      break;
    case "stall":
      break;
    case "drip":
      begin();
      drip(response, "body" in sent ? " " : ": still here\n\n");
      break;
  }
  return await Promise.race([left, gone]);
}

/** A stream's first chunks, cut between two of them or in the middle; of a plain answer half of its text. */
function halfOf(pieces: readonly string[]): string {
  const [first = ""] = pieces;
  return pieces.length === 1
    ? first.slice(0, Math.ceil(first.length / 2))
    : pieces.slice(0, Math.ceil((pieces.length - 2) / 2)).join("");
}

function eventOf(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** Keeps a connection alive without ever saying anything. */
function drip(response: ServerResponse, piece: string): void {
  const timer = setInterval(() => response.write(piece), DRIP_MS);
  response.on("close", () => clearInterval(timer));
}
