/**
 * Cursors: opaque texts that say where to read on. A cursor carries the key of the last entry that was read, not
 * an offset into something that moves, and a digest that binds it to its query.
 */
import { canonicalJson, type Json } from "./canonical.ts";
import { sha256 } from "./digest.ts";
import { refuse, succeed, type Result } from "./errors.ts";
import { isHighSurrogate } from "./show.ts";

const SEAL_CHARACTERS = 16;

/** A cursor for `query` after the entry whose key is `key`. */
export function makeCursor(query: Json, key: string): string {
  return `${sealOf(query, key)}${Buffer.from(key, "utf8").toString("base64url")}`;
}

/** The key a cursor carries; refused when it was not made for this query. */
export function readCursor(query: Json, cursor: string): Result<string> {
  const key = Buffer.from(cursor.slice(SEAL_CHARACTERS), "base64url").toString("utf8");
  return makeCursor(query, key) === cursor ? succeed(key) : refuseCursor();
}

/**
 * The offset into `text` that a cursor carries; refused where it was not made for this query, or where no text is ever
 * cut. Whoever knows how cursors are made can make one: then it is a place in the text, or no cursor.
 */
export function readOffset(query: Json, cursor: string, text: string): Result<number> {
  const key = readCursor(query, cursor);
  if (!key.ok) return key;
  const offset = Number(key.value);
  const isPlace = /^[1-9][0-9]{0,9}$/.test(key.value) && offset < text.length;
  return isPlace && !isHighSurrogate(text.charCodeAt(offset - 1)) ? succeed(offset) : refuseCursor();
}

function refuseCursor(): Result<never> {
  return refuse("bad_cursor", "the cursor belongs to another query, or was changed", {
    path: "cursor",
    hint: "send it unchanged, with the query that it came from; leave it out to begin anew",
  });
}

function sealOf(query: Json, key: string): string {
  return sha256(canonicalJson([query, key])).slice(0, SEAL_CHARACTERS);
}
