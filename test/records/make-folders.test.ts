import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addPlanned } from "../../src/records/index.ts";
import { makeFolders } from "../../src/records/make-folders.ts";
import { tempFolder, thrown } from "./fixtures.ts";

it("makes a folder and what is missing above it; one that is there is fine", () => {
  const folder = join(tempFolder(), "a", "b", "c");
  makeFolders(folder);
  makeFolders(folder);
  expect(existsSync(folder)).toBe(true);
});

it("ends where a file system makes no folders: Node's own recursive way tries for ever there", async () => {
  expect((await thrown("missing", () => makeFolders("/proc/none/set"))).where).toBe("/proc/none");
});

it("says so where a file stands in the way", async () => {
  const root = mkdtempSync(join(tmpdir(), "worldagent-folders-"));
  writeFileSync(join(root, "file"), "");
  const set = join(root, "file", "set");
  expect((await thrown("not_a_directory", () => makeFolders(set))).where).toBe(set);
  expect((await thrown("not_a_directory", () => addPlanned(join(root, "file"), []))).where).toBe(join(root, "file"));
  rmSync(root, { recursive: true });
});
