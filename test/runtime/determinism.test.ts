import { spawn } from "node:child_process";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { WorldParts } from "../../src/runtime/build-world.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { reversed } from "./support/reversed.ts";
import { playedParts, transcriptOfPlay, type longPlay } from "./support/transcript.ts";
import { partsWith } from "./support/village.ts";

const EXPECTED = transcriptOfPlay();
const OUTCOMES = [
  "accepted",
  "conflict",
  "accepted",
  "requirement_not_met",
  "broken_reference",
  "accepted",
  "accepted",
  "accepted",
  "accepted",
  "accepted",
];

describe("the engine", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("RT47 accepts some steps of the play and refuses others", () => {
    const answers = JSON.parse(EXPECTED) as readonly { readonly kind?: string; readonly code?: string }[];
    expect(answers.slice(1).map((one) => one.code ?? one.kind)).toEqual(OUTCOMES);
  });

  it("RT47 runs where clock, randomness and waiting throw", () => {
    const never = (name: string) => () => {
      throw new Error(`the engine called ${name}`);
    };
    const RealDate = Date;
    class NoDate extends RealDate {
      constructor() {
        super(0);
        never("new Date")();
      }
      static override now = never("Date.now");
    }
    vi.stubGlobal("Date", NoDate);
    vi.spyOn(Math, "random").mockImplementation(never("Math.random"));
    vi.spyOn(performance, "now").mockImplementation(never("performance.now"));
    vi.spyOn(crypto, "randomUUID").mockImplementation(never("crypto.randomUUID"));
    vi.spyOn(crypto, "getRandomValues").mockImplementation(never("crypto.getRandomValues"));
    for (const name of ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch"])
      vi.stubGlobal(name, never(name));
    let seen: string;
    try {
      seen = transcriptOfPlay();
      expect(() => Date.now()).toThrow("the engine called Date.now");
      expect(() => Math.random()).toThrow("the engine called Math.random");
    } finally {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    }
    expect(seen).toBe(EXPECTED);
  });

  it("RT47 answers the same whatever the order in which its parts were written", () => {
    expect(transcriptOfPlay(reversed(playedParts()))).toBe(EXPECTED);
    const { invariants: _, ...rest } = playedParts();
    const parts = { ...rest, invariants: playedParts().invariants };
    expect(transcriptOfPlay(JSON.parse(canonicalJson(parts)) as WorldParts)).toBe(EXPECTED);
  });

  it("RT47 lists the faults of a world in one order, whatever the order of its parts", () => {
    const broken = (): WorldParts => ({
      ...partsWith({
        entities: {
          x: { type: "person", at: "nowhere" },
          b: { type: "person", fields: { coins: 200 } },
          a: { type: "jug", fields: { litres: -1, label: 3, home: "nowhere" } },
        },
        capabilities: {},
      }),
    });
    expect(transcriptOfPlay(reversed(broken()))).toBe(transcriptOfPlay(broken()));
    const faulty = (): WorldParts =>
      partsWith({
        capabilities: {
          b: { effects: [{ create: "crate", id: "x", fields: { weight: -1, wait: 3, height: 4 } }] },
          a: { params: { zed: { type: "nobody" }, ann: { kind: "int" }, mill: { kind: "int" } } },
        },
      });
    expect(transcriptOfPlay(reversed(faulty()))).toBe(transcriptOfPlay(faulty()));
  });

  it(
    "RT47 RT34 a log of 10,000 steps gives the same digests in fresh processes of other zones, languages and key orders",
    { timeout: 300_000 },
    async () => {
      const program = `
      import { reversed } from "./test/runtime/support/reversed.ts";
      import { longPlay, playedParts } from "./test/runtime/support/transcript.ts";
      const parts = process.env["KEYS"] === "reversed" ? reversed(playedParts()) : playedParts();
      process.stdout.write(JSON.stringify(longPlay(parts, 10_000)));
    `;
      const run = (env: Readonly<Record<string, string>>) =>
        new Promise<string>((done, fail) => {
          const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], {
            env: { PATH: process.env["PATH"] ?? "", ...env },
          });
          const out: string[] = [];
          child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
          child.stderr.setEncoding("utf8").on("data", (text: string) => out.push(text));
          child.on("error", fail);
          child.on("close", () => done(out.join("")));
        });
      const [here, ...elsewhere] = await Promise.all([
        run({ TZ: "UTC", LANG: "C" }),
        run({ TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", KEYS: "reversed" }),
      ]);
      const seen = JSON.parse(here) as ReturnType<typeof longPlay>;
      expect(seen.accepted).toBeGreaterThan(5_000);
      expect(seen.refused).toBeGreaterThan(500);
      expect(seen.replayedAlike).toBe(true);
      expect(elsewhere).toEqual([here]);
    },
  );
});
