import { expect, it } from "vitest";
import { capabilitySchema, splitConjuncts, tryTrigger } from "../../src/runtime/index.ts";
import { built, toyParts } from "./toy-world.ts";

it.each([
  ["a", ["a"]],
  ["a && b && c", ["a", "b", "c"]],
  ["(a && b) && c", ["a", "b", "c"]],
  ["a && (b || c)", ["a", "b || c"]],
  ["a || b && c", ["a || b && c"]],
  ['x == "a && b" && c', ['x == "a && b"', "c"]],
  ["all(t).all(p, p.f && p.g) && c", ["all(t).all(p, p.f && p.g)", "c"]],
  ["a ? b : c && d", ["a ? b : c && d"]],
  ["a &&", ["a &&"]],
])("RT14 what && joins at the top of %s is taken apart, and nothing else", (text, parts) => {
  expect(splitConjuncts(text)).toEqual(parts);
});

it("a stripped trial says which part of a requirement does not hold, as if it were a requirement of its own", () => {
  const world = built(toyParts("easy"));
  const draft = {
    id: "act",
    params: { who: { type: "person" } },
    requires: [{ expr: "who.at == kitchen && who.at == yard" }],
  };
  const able = { ...world, capabilities: { act: { ...capabilitySchema.parse(draft), version: 1 } } };
  const trial = tryTrigger(able, { capability: "act", args: { who: "ana" } }, { alongside: {}, stripped: true });
  expect(trial.ok && trial.value.unmet).toEqual(["0.0"]);
});
