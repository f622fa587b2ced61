import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCase, listCases } from "../../src/cases/index.ts";
import { withCase } from "./broken-case.ts";

/** A folder with the cases ark_001 and horn, and things beside them that are none. */
function withRoot(use: (root: string) => void): void {
  withCase([], (directory, root) => {
    const cases = join(root, "maintenance");
    mkdirSync(join(cases, "empty"), { recursive: true });
    for (const id of ["horn", "ark_001", "Not-An-Id"]) cpSync(directory, join(cases, id), { recursive: true });
    symlinkSync(directory, join(cases, "linked"));
    writeFileSync(join(cases, "digests"), "{}");
    use(cases);
  });
}

describe("finding cases", () => {
  it("lists the folders that hold a case, sorted, and no link that leads elsewhere", () => {
    withRoot((root) => {
      expect(listCases(root)).toEqual([
        { id: "ark_001", directory: join(root, "ark_001") },
        { id: "horn", directory: join(root, "horn") },
      ]);
    });
    expect(listCases("nowhere")).toEqual([]);
  });

  it("finds a case by its id, and names the nearest where there is none", () => {
    withRoot((root) => {
      expect(findCase(root, "horn")).toEqual({ ok: true, value: { id: "horn", directory: join(root, "horn") } });
      expect(findCase(root, "ark_01")).toEqual({
        ok: false,
        error: { message: 'there is no case "ark_01"', hint: 'did you mean "ark_001"?' },
      });
      expect(findCase(root, "linked").ok).toBe(false);
      expect(findCase(root, "empty").ok).toBe(false);
    });
    expect(findCase("nowhere", "horn")).toEqual({
      ok: false,
      error: { message: 'there is no case "horn"', hint: "there are no cases in nowhere" },
    });
  });

  it.each(["..", ".", "", "../horn", "horn/../horn", "horn/", "/etc", "__proto__", "HORN", "horn\u0000"])(
    "never leaves its folder for %j",
    (id) => {
      withRoot((root) => {
        const found = findCase(root, id);
        expect(found).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^no case id: /) } });
      });
    },
  );
});
