/** A window that is too small: what is old is folded, and the run goes on, whatever words the server has for it. */
import { expect, it } from "vitest";
import { horn } from "../contracts/horn-plays.ts";
import { OVERFLOWS, solver, type OverflowName } from "../endpoint/scripted/index.ts";
import { serve, settingsOf } from "./support/model.ts";
import { playModel } from "./support/play.ts";
import { guardedFolder } from "./support/secret.ts";

const policy = solver([horn], { parallel: 4 });

it.each(Object.keys(OVERFLOWS) as OverflowName[])("in the words of %s", async (wording) => {
  const { url } = await serve({ policy, window: { tokens: 4500, wording } });
  const { outcome, isWhole, entries } = await playModel(horn, "hard", settingsOf(url), guardedFolder());
  const folds = entries.filter((entry) => entry.kind === "fold");
  expect({ outcome, isWhole }).toEqual({ outcome: "finished", isWhole: true });
  expect(folds.length).toBeGreaterThan(0);
  expect(folds.every(({ why }) => why === "overflow")).toBe(true);
});

it("a window that is stated is never passed: answers are folded before", async () => {
  const { url, requests } = await serve({ policy, window: { tokens: 4500, wording: "openai" } });
  const asked = settingsOf(url, { contextTokens: 5000, maxTokens: 500 });
  const { outcome, isWhole, entries } = await playModel(horn, "hard", asked, guardedFolder());
  expect({ outcome, isWhole }).toEqual({ outcome: "finished", isWhole: true });
  expect(entries.some((entry) => entry.kind === "fold" && entry.why === "window")).toBe(true);
  expect(requests().filter((one) => one.outcome === "refused")).toEqual([]);
});

it("where nothing is left to fold the run ends, and says why", async () => {
  const { url, requests } = await serve({ policy, window: { tokens: 600, wording: "llama_cpp" } });
  const { outcome, entries } = await playModel(horn, "easy", settingsOf(url), guardedFolder());
  expect(outcome).toBe("context_overflow");
  // Asked once and never again in the same words.
  const sizes = requests().map(({ body }) => JSON.stringify(body).length);
  expect(new Set(sizes).size).toBe(sizes.length);
  expect(entries.map(({ kind }) => kind).slice(-3)).toEqual(["fault", "outcome", "seal"]);
});
