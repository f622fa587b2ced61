import { describe, expect, it } from "vitest";
import { findMissing } from "../../src/cases/told.ts";

const narrative =
  "The key hung where Bram\n  left it; she took it down. She did not\ngo below at once. Below, it was cold.";

describe("words of a narrative", () => {
  it.each([
    "The key hung where Bram left it",
    "where Bram\nleft   it; she took",
    "The key ... she took it down",
    "The key … go below at once … cold",
    "... go below",
    "go below at once; The key hung",
    "She did not ... at once; The key … left it",
  ])("CS2 are there: %j", (told) => {
    expect(findMissing(narrative, told)).toBeUndefined();
  });

  it("CS2 that are not there come back with as much of their beginning as is", () => {
    expect(findMissing(narrative, "The key lay")).toEqual({ piece: "The key lay", isEarlier: false, found: "The key" });
    expect(findMissing(narrative, "the key hung")).toEqual({ piece: "the key hung", isEarlier: false, found: "" });
    expect(findMissing(narrative, "go below; the key hung")).toEqual({
      piece: "the key hung",
      isEarlier: false,
      found: "",
    });
  });

  it("CS2 joined by dots follow one another and are not shared by two pieces", () => {
    expect(findMissing(narrative, "she took ... The key")).toEqual({ piece: "The key", isEarlier: true, found: "The" });
    expect(findMissing(narrative, "it was cold ... it was cold")).toEqual({
      piece: "it was cold",
      isEarlier: true,
      found: "it was",
    });
  });
});
