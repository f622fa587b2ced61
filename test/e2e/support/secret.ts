/** The key of the end-to-end tests, and the folders in which it must not be found after any of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

/** With characters that URLs and JSON write in other ways. */
export const KEY = 'sk-e2e/secret+key="0123456789abcdef"=unlike-any-other';

/** Every spelling under which a key may stand in a file. */
const SPELLINGS: readonly string[] = [
  KEY,
  JSON.stringify(KEY).slice(1, -1),
  JSON.stringify(JSON.stringify(KEY).slice(1, -1)).slice(1, -1),
  encodeURIComponent(KEY),
  encodeURI(KEY),
  ...base64Of(KEY),
];

/** In base64 a text looks otherwise by where in a longer one it begins: the part that is the same whatever is before it. */
function base64Of(text: string): readonly string[] {
  return ["base64", "base64url"].flatMap((encoding) =>
    [0, 1, 2].map((before) => {
      const whole = Buffer.from(`${"x".repeat(before)}${text}`).toString(encoding as BufferEncoding);
      return whole.replace(/=+$/, "").slice(before === 0 ? 0 : 4, -2);
    }),
  );
}

/** The files below a folder that hold the key, with the spelling. */
export function leaksIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      const bytes = readFileSync(file);
      return SPELLINGS.filter((spelling) => bytes.includes(spelling)).map((spelling) => `${file}: ${spelling}`);
    });
}

/** Whether a text that a person is shown holds the key. */
export function leaksInText(text: string): readonly string[] {
  return SPELLINGS.filter((spelling) => text.includes(spelling));
}

const folders: string[] = [];
afterEach(() => {
  const leaks = folders.flatMap(leaksIn);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  if (leaks.length > 0) throw new Error(`the key was kept:\n${leaks.join("\n")}`);
});

/** A fresh folder, searched for the key after the test and removed. */
export function guardedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "e2e-"));
  folders.push(folder);
  return folder;
}
