import { expect, it } from "vitest";
import { compareCases, listCases, loadCase, MOST_SHARED_CAPABILITIES, type Case } from "../../src/cases/index.ts";
import { caseAfter, type Edit } from "./broken-case.ts";

const horn = caseAfter();
const other = (...edits: readonly Edit[]): Case => ({ ...caseAfter(...edits), id: "twin" });
const bare = (case_: Case): Case => ({ ...case_, world: { ...case_.world, capabilities: {} } });

it("CS9 a sentence of two narratives is found, whatever its marks and line ends; fewer than four words are chance", () => {
  const told = (narrative: string): Case => bare({ ...horn, id: "twin", narratives: [narrative] });
  const shared = (narrative: string) =>
    compareCases([told(narrative), bare(horn)]).flatMap(({ sentences }) => sentences);
  expect(shared("‘Bronze it does not\nmind,’ he said. She did not.")).toEqual([]);
  expect(shared("Then: I weigh nothing. “I would only sit by the door!”")).toEqual(["i would only sit by the door."]);
  expect(
    shared(
      "They say that she loosened my fingers one after the other, and the old woman stayed where the dead stay, ha.",
    ),
  ).toEqual(["loosened my fingers one after the other and the old woman stayed where the dead stay"]);
});

it("CS9 capabilities are alike whatever their names, parameters, types and sentences", () => {
  const renamed = other(
    {
      file: "case.yaml",
      from: "  lay_down:\n    says: Somebody lays down a thing where they are",
      to: "  drop_it:\n    says: Somebody drops what they have",
    },
    {
      file: "case.yaml",
      from: "params: { who: { type: person }, what: { type: thing } }\n    requires: [ { expr: what.at == who } ]\n    effects: [ { set: what.at, expr: who.at } ]",
      to: "params: { x: { type: person }, y: { type: thing } }\n    requires: [ { expr: y.at == x, says: held } ]\n    effects: [ { set: y.at, expr: x.at } ]",
    },
    ...["lay_down, args: { who: ilka, what: iron_knife }"].map((from): Edit => ({
      file: "rounds/01.yaml",
      from,
      to: "drop_it, args: { x: ilka, y: iron_knife }",
    })),
  );
  const [pair] = compareCases([renamed, horn]);
  expect(pair?.cases).toEqual(["horn", "twin"]);
  expect(pair?.capabilities).toContain("lay_down = drop_it");
  expect(pair?.isTooMuch).toBe(true);
  const harder = other({
    file: "case.yaml",
    from: "{ expr: horn.lined, says: bare horn burns through }",
    to: '{ expr: "horn.lined && fire.lit" }',
  });
  expect(compareCases([horn, harder])[0]?.capabilities).not.toContain("take_fire");
});

it("CS9 no two shipped cases share a sentence or more than a handful of capabilities", () => {
  const cases = listCases("cases/maintenance").flatMap(({ directory }) => {
    const loaded = loadCase(directory);
    return loaded.ok ? [loaded.value] : [];
  });
  const shared = compareCases([...cases, horn]);
  expect(shared.filter(({ isTooMuch }) => isTooMuch)).toEqual([]);
  expect(Math.max(0, ...shared.map(({ capabilities }) => capabilities.length))).toBeLessThanOrEqual(
    MOST_SHARED_CAPABILITIES,
  );
});
