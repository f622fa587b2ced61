/** Bounds on what comes back from an endpoint, each met with a fault of its own words. docs/endpoints.md states them. */

/** Bytes of a body that is read whole. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Bytes of a stream, which is not held: its frame takes up some two hundred bytes for each token. */
export const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/** Bytes of one event of a stream. */
export const MAX_EVENT_BYTES = 2 * 1024 * 1024;

/** Bytes of an error's body that are looked at. */
export const MAX_ERROR_BYTES = 64 * 1024;

/** Bytes of one assistant message as JSON, so that its line of the log can be written: the same plain and streamed. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

/** Calls of one message; no model makes as many. */
export const MAX_CALLS = 1024;

/** Nesting of an assistant message: what a log line may have, less the members around it. */
export const MAX_ANSWER_DEPTH = 190;

/** Characters of a fault's message. */
export const MAX_FAULT_CHARACTERS = 2000;
