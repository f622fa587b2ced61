import { describe, expect, it } from "vitest";
import { capabilitySchema } from "../../src/runtime/capability.ts";
import { compileCapability } from "../../src/runtime/compile-capability.ts";
import { built, toyParts } from "./toy-world.ts";

const world = built(toyParts("easy"));

const faultOf = (draft: object) => {
  const compiled = compileCapability(world, capabilitySchema.parse({ id: "x", ...draft }));
  return compiled.ok ? undefined : { code: compiled.error.code, path: compiled.error.path };
};

describe("what turns on nothing is settled when a capability is constructed", () => {
  it.each(["false", "1 > 2", "1 / 0 == 1", "!(2 in [1, 2])"])(
    "RT18 a requirement that never holds is refused: %s",
    (expr) => {
      expect(faultOf({ requires: [{ expr: "true" }, { expr }] })).toEqual({
        code: "expression_never_true",
        path: "requires[1].expr",
      });
    },
  );

  it.each(["0 - 1", "1.5", "1 / 0", "1000001"])("RT13 a duration that never lasts is refused: %s", (duration) => {
    expect(faultOf({ duration })).toEqual({ code: "bad_duration", path: "duration" });
  });

  it.each(["2 + 1", "max(1, 2)"])(
    "RT13 a duration that is computed from nothing but numbers is taken: %s",
    (duration) => {
      expect(faultOf({ requires: [{ expr: "1 < 2" }], duration })).toBeUndefined();
    },
  );
});
