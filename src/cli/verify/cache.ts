/**
 * Parts of verifications that were found already, a file each, named by the digest of all that they follow from. A file
 * that is damaged, or of something else, is passed over and written again. The folder is bounded: what was used longest
 * ago goes first.
 */
import { createHash } from "node:crypto";
import { readdirSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { makeFolders, readIfThere, RecordError, replaceFile } from "../../records/index.ts";
import type { Tier } from "../../runtime/index.ts";
import { partFoundSchema, type PartFound, type PartName } from "../../tracks/index.ts";

/** What a part follows from. */
export interface PartKey {
  /** The digest of everything in the case. */
  readonly content: string;
  /** The digest of the code that verifies. */
  readonly code: string;
  readonly tiers: readonly Tier[];
  readonly part: PartName;
}

export interface PartCache {
  readonly find: (key: PartKey) => PartFound | undefined;
  /** Keeps a part; the error is one sentence, where the disk would not. */
  readonly keep: (key: PartKey, found: PartFound) => string | undefined;
}

export const NO_CACHE: PartCache = { find: () => undefined, keep: () => undefined };

/** The most files that stay, and the most bytes they may have together and each. */
export interface CacheBounds {
  readonly files: number;
  readonly bytes: number;
  readonly fileBytes: number;
}

export const BOUNDS: CacheBounds = { files: 2_000, bytes: 256 * 1024 * 1024, fileBytes: 8 * 1024 * 1024 };

/** Where parts are kept unless somebody says otherwise. */
export function defaultCacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const own = environment["WORLDAGENT_CACHE"];
  if (own !== undefined && own !== "") return own;
  const xdg = environment["XDG_CACHE_HOME"];
  return join(xdg !== undefined && xdg.startsWith("/") ? xdg : join(homedir(), ".cache"), "worldagent-benchmark");
}

const keptSchema = z.strictObject({ v: z.literal(1), key: z.string(), found: partFoundSchema });

const NAME = /^[0-9a-f]{64}\.json$/;

/** The cache in a folder, which is made when the first part is kept. */
export function openPartCache(folder: string, bounds: CacheBounds = BOUNDS): PartCache {
  const parts = join(folder, "verify");
  return {
    find: (key) => {
      const name = nameOf(key);
      const found = readPart(join(parts, `${name}.json`), name, bounds);
      return found?.part === key.part ? found : undefined;
    },
    keep: (key, found) => {
      const name = nameOf(key);
      const text = JSON.stringify({ v: 1, key: name, found });
      if (Buffer.byteLength(text) > bounds.fileBytes) return undefined;
      try {
        makeFolders(parts);
        replaceFile(join(parts, `${name}.json`), text);
        prune(parts, bounds);
        return undefined;
      } catch (error) {
        if (error instanceof RecordError) return error.message;
        throw error;
      }
    },
  };
}

function nameOf({ content, code, tiers, part }: PartKey): string {
  return createHash("sha256")
    .update(JSON.stringify([1, content, code, [...tiers].sort(), part]))
    .digest("hex");
}

function readPart(file: string, name: string, bounds: CacheBounds): PartFound | undefined {
  try {
    if (statSync(file).size > bounds.fileBytes) return undefined;
    const text = readIfThere(file);
    const kept = keptSchema.safeParse(JSON.parse(text ?? ""));
    if (!kept.success || kept.data.key !== name) return undefined;
    touch(file);
    return kept.data.found;
  } catch {
    // Not there, not to be read, or not JSON: it is found again.
    return undefined;
  }
}

/** So that it is not among those used longest ago; a folder that cannot be written to is still read. */
function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // It is read all the same.
  }
}

/** Takes away what was used longest ago, until the rest is within bounds. What others put into the folder stays. */
function prune(folder: string, { files, bytes }: CacheBounds): void {
  const kept = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .flatMap((name) => factsOf(join(folder, name)))
    .sort((a, b) => b.usedMs - a.usedMs || (a.file < b.file ? -1 : 1));
  let sum = 0;
  kept.forEach(({ file, size }, i) => {
    sum += size;
    if (i < files && sum <= bytes) return;
    try {
      unlinkSync(file);
    } catch {
      // Another command took it away first.
    }
  });
}

function factsOf(file: string): readonly { readonly file: string; readonly size: number; readonly usedMs: number }[] {
  try {
    const { size, mtimeMs } = statSync(file);
    return [{ file, size, usedMs: mtimeMs }];
  } catch {
    return [];
  }
}
