import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { files } = z
  .object({ files: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
/** npm puts these in whatever `files` says. */
const ALWAYS = ["package.json", "README.md", "LICENSE"];

/** What the links of a page lead to in the package, as paths from its root. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, link]) => link ?? "")
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => normalize(join(dirname(page), link)));
}

it("an installed copy has its licences, its pages and whatever these link to", () => {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name));
  const wanted = ["LICENSE", "README.md", "cases/LICENSE", ...["README.md", ...docs].flatMap(linksOf)];
  expect(wanted.length).toBeGreaterThan(10);
  const packed = (path: string) => [...ALWAYS, ...files].some((one) => path === one || path.startsWith(`${one}/`));
  expect(wanted.filter((path) => !packed(path))).toEqual([]);
  expect(wanted.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
