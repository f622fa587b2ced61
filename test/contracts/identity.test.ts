/** Who is who in a world of the agent's own ids, and what follows from it in the audit. */
import { describe, expect, it } from "vitest";
import type { Call, Case } from "../../src/cases/index.ts";
import {
  namedEntities,
  settleRun,
  scoreJudgedRun,
  type Identity,
  type Judgment,
  type SettledRun,
} from "../../src/contracts/index.ts";
import type { TriggerId } from "../../src/runtime/index.ts";
import type { PlayedCalls } from "../../src/tracks/index.ts";
import { caseAfter } from "../cases/broken-case.ts";
import { construct, identities, identity, OWN_NAMES, ownCalls, playOwn, truthOf } from "./own-world.ts";
import { horn, ofRound } from "./horn-plays.ts";

/** The horn case with a structure that is an entity. */
const withEntity = caseAfter(
  ofRound(
    "probes:\n",
    `  - { id: horn_exists, level: entity, says: "The ram's horn", usedBy: fire_taken, availableBefore: horn_lined, reference: ram_horn }
  - { id: horn_type, level: type, says: A type of horn, usedBy: fire_taken, reference: horn }
probes:
`,
  ),
);
const truth = truthOf(withEntity);
const own = playOwn(withEntity);

function settle(
  who: readonly Identity[] | undefined,
  play: PlayedCalls = own,
  judgments: readonly Judgment[] = truth,
): SettledRun {
  const { contract } = withEntity;
  return settleRun({
    contract,
    trace: play.trace,
    judgments,
    identities: who,
    roundsPlayed: contract.rounds.length,
    marks: undefined,
  });
}

/** Items that do not pass, with why. */
function failing(of: SettledRun): Readonly<Record<string, readonly [string, string]>> {
  return Object.fromEntries(
    [...of.audited.values()].flatMap(({ id, status, reason }) => (status === "pass" ? [] : [[id, [status, reason]]])),
  );
}

/** True identities, but for those given. */
const but = (...others: readonly Identity[]): readonly Identity[] => [
  ...identities().filter(({ entity }) => !others.some((other) => other.entity === entity)),
  ...others,
];

const involving = (case_: Case, entity: string): readonly string[] =>
  case_.contract.rounds.flatMap(({ events }) =>
    events.filter(({ involves }) => involves.includes(entity)).map(({ id }) => id),
  );

describe("who is who", () => {
  it("CT32 is asked of the entities that events involve or a structure is, in the order of the contract", () => {
    expect(namedEntities(withEntity.contract)).toEqual([
      "ilka",
      "ram_horn",
      "iron_knife",
      "hound",
      "teo",
      "bone_gate",
      "milk_jug",
      "grandmother",
      "king_fire",
      "village_hearth",
    ]);
    expect(namedEntities(withEntity.contract, 0)).toEqual([]);
  });

  it("CT32 leads from the contract's names to the agent's: the reference under other names passes as it does under its own", () => {
    expect(failing(settle(identities()))).toEqual({});
    expect(Object.keys(failing(settle([])))).toEqual(
      expect.arrayContaining(["horn_lined", "horn_exists", "dead_stay"]),
    );
    expect(failing(settle([]))["horn_lined"]).toEqual(["fail", "nobody was asked who ilka is in this world"]);
  });

  it("CT32 is not asked where ids are as given: there each is itself, whatever a file says", () => {
    const { contract } = horn;
    const judged = truthOf(horn);
    const play = playOwn(horn, ownCalls(horn, {}));
    const base = { contract, trace: play.trace, judgments: judged, roundsPlayed: 1, marks: undefined };
    expect(failing(settleRun(base))).toEqual({});
    expect(settleRun(base).identity).toBeUndefined();
  });

  it("CT33 an entity that was not found took no part in anything", () => {
    const found = failing(settle(but(identity("teo", null))));
    for (const event of involving(withEntity, "teo"))
      expect(found[event]).toEqual(["fail", "no entity of this world is teo"]);
    expect(Object.keys(found)).not.toContain("horn_lined");
  });

  it.each<[string, Identity, readonly [string, string]]>([
    [
      "that never was in this world",
      identity("hound", "black_dog"),
      ["fail", "no entity of this world is hound: there never was black_dog in it"],
    ],
    [
      "that is a place",
      identity("hound", "ford"),
      ["fail", "no entity of this world is hound: there never was ford in it"],
    ],
    [
      "that somebody is already whom the contract names before",
      identity("hound", "girl"),
      ["fail", "no entity of this world is hound: girl is ilka already"],
    ],
    [
      "of nobody, though it was found",
      { ...identity("hound", "white_dog"), is: null },
      ["fail", "no entity of this world is hound: it was said to be found, and no id was named"],
    ],
    ["that took no part", identity("hound", "home_fire", {}), ["fail", "hound took no part in it"]],
  ])("CT33 an id %s is refused", (_, wrong, expected) => {
    const others = identities().filter(({ entity }) => entity !== "village_hearth" || wrong.is !== "home_fire");
    const who = [...others.filter(({ entity }) => entity !== "hound"), wrong];
    const found = failing(settle(who));
    expect(found["hound_held"]).toEqual(expected);
    expect(Object.keys(found)).not.toContain("horn_lined");
  });

  it("CT33 the one whom the contract names first keeps an id, in whatever order the judgments stand", () => {
    const who = [...but(identity("hound", "girl"))].reverse();
    expect(Object.keys(failing(settle(who)))).toContain("hound_held");
    expect(Object.keys(failing(settle(who)))).not.toContain("horn_lined");
  });

  it("CT34 is one map for the whole run: a second Odile does not escape what happened to the first", () => {
    // The hall is entered by a second girl; the judge says that either of the two is Ilka, and that she entered.
    const second = { ...OWN_NAMES, ilka: "girl" };
    const calls = ownCalls(withEntity, second).map((round): readonly Call[] => {
      const entrance = round.findIndex(({ input }) => JSON.stringify(input).includes('"to":"black_hall"'));
      const twin = construct({
        op: "create",
        entity: { id: "girl_2", type: "person", name: "Ilka", at: "gate_mouth" },
      });
      const swapped = JSON.parse(JSON.stringify(round[entrance]).replaceAll('"girl"', '"girl_2"')) as Call;
      return [...round.slice(0, entrance), twin, swapped];
    });
    const play = playOwn(withEntity, calls);
    for (const [is, entered, lined] of [
      ["girl", "fail", "pass"],
      ["girl_2", "pass", "fail"],
    ] as const) {
      const { audited } = settle(but(identity("ilka", is)), play);
      const statusOf = (id: string) => [...audited.values()].find((item) => item.id === id)?.status;
      expect([is, statusOf("hall_entered"), statusOf("horn_lined")]).toEqual([is, entered, lined]);
    }
  });

  it("CT34 that is not settled leaves undecided what rests on it, and nothing that fails in any case", () => {
    const open = identity("teo", null, { verdict: "undecided" });
    const found = failing(settle(but(open)));
    for (const event of involving(withEntity, "teo"))
      expect(found[event]).toEqual(["undecided", "it is not settled which entity of this world is teo"]);
    const wrong = truth.map((one): Judgment =>
      one.item === "milk_poured" ? { ...one, triggers: ["t99_1" as TriggerId] } : one,
    );
    expect(failing(settle(but(open), own, wrong))["milk_poured"]).toEqual(["fail", "t99_1 is no accepted trigger"]);
  });

  it("CT34 that is not settled leaves undecided the structures and probes that hang on what rests on it", () => {
    const why = ["undecided", "it is not settled which entity of this world is ilka"];
    const found = failing(settle(but(identity("ilka", null, { verdict: "undecided" }))));
    const events = involving(withEntity, "ilka");
    const [round] = withEntity.contract.rounds;
    const structures = round?.structures.filter(({ usedBy }) => events.includes(usedBy)) ?? [];
    const probes = round?.probes.filter(({ after }) => events.includes(after)) ?? [];
    expect([structures.length, probes.length].every((count) => count > 0)).toBe(true);
    for (const { id } of [...structures, ...probes]) expect([id, found[id]]).toEqual([id, why]);
    // What the judge itself failed stays failed.
    const failed = truth.map((one): Judgment => (one.kind === "A" ? { ...one, verdict: "fail" } : one));
    const again = failing(settle(but(identity("ilka", null, { verdict: "undecided" })), own, failed));
    for (const { id } of structures) expect([id, again[id]?.[0]]).toEqual([id, "fail"]);
  });

  it("CT36 that is not settled for want of an answer counts as the endpoint's fault", () => {
    const { contract, id } = withEntity;
    const open = identity("teo", null, { verdict: "undecided", noAnswer: true });
    const score = scoreJudgedRun({
      case: id,
      tier: "extreme",
      contract,
      trace: own.trace,
      judgments: truth,
      identities: but(open),
      roundsPlayed: 1,
      outcome: "finished",
      judge: "model",
      marks: undefined,
      model: { judgedBy: { model: "m", settings: "0" }, exact: undefined, looksAgain: false },
    });
    const events = involving(withEntity, "teo").length;
    expect([score.undecided, score.judgeFaults]).toEqual([events, events]);
    expect(score.items.find((item) => item.id === "milk_poured")).toMatchObject({
      status: "undecided",
      noAnswer: true,
    });
  });
});

describe("a structure that is an entity", () => {
  it("CT17 is what the agent calls so, there in time, and took part in its use", () => {
    const horned = truth.find(({ item }) => item === "horn_exists") as Judgment;
    const other = caseAfter(
      ofRound(
        "probes:\n",
        `  - { id: horn_exists, level: entity, says: A jug, usedBy: fire_taken, reference: milk_jug }
  - { id: lamp_exists, level: entity, says: A miller, usedBy: fire_taken, reference: drowned_miller }
probes:
`,
      ),
    );
    const { contract } = other;
    const judgments = [
      ...truthOf(horn),
      { ...horned, constructions: [] },
      { ...horned, item: "lamp_exists" as Judgment["item"], constructions: [] },
    ];
    const play = playOwn(other);
    const by = (who: readonly Identity[]) =>
      failing(
        settleRun({ contract, trace: play.trace, judgments, identities: who, roundsPlayed: 1, marks: undefined }),
      );
    expect(by(identities())).toEqual({
      horn_exists: ["fail", "pitcher took no part in fire_taken"],
      lamp_exists: ["fail", "nobody was asked who drowned_miller is in this world"],
    });
    expect(by(but(identity("milk_jug", null)))["horn_exists"]).toEqual(["fail", "no entity of this world is milk_jug"]);
    expect(by(but(identity("milk_jug", null, { verdict: "undecided" })))["horn_exists"]).toEqual([
      "undecided",
      "it is not settled which entity of this world is milk_jug",
    ]);
  });

  it("CT32 a type of the agent's own is the one whose construction the judge names", () => {
    const typed = (constructions: readonly number[]) =>
      truth.map((one): Judgment => (one.item === "horn_type" ? { ...one, constructions: [...constructions] } : one));
    const horned = own.trace.entries.flatMap((entry) =>
      entry.kind === "construction" && entry.record.item.level === "type" && entry.record.item.id === "horn"
        ? [entry.record.construction]
        : [],
    );
    expect(failing(settle(identities(), own, typed(horned)))).toEqual({});
    expect(failing(settle(identities(), own, typed([])))["horn_type"]).toEqual([
      "fail",
      "no construction of a type is named",
    ]);
  });
});
