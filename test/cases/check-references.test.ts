import { describe, expect, it } from "vitest";
import { expectLines, faultsAfter, secondRound, type Edit } from "./broken-case.ts";

const edit = (from: string, to: string): Edit => ({ file: "rounds/01.yaml", from, to });
describe("a round file", () => {
  it("of the fixture has no fault, and neither has a second round", () => {
    expect(faultsAfter()).toEqual([]);
    expect(faultsAfter(secondRound({}))).toEqual([]);
  });

  expectLines([
    [
      "that is missing",
      { file: "rounds/01.yaml", remove: true },
      "horn/rounds/01.yaml:1:1 the file is missing. Rounds go 01, 02, … without a gap.",
    ],
    [
      "that leaves a gap before it",
      { file: "rounds/03.yaml", text: "round: 3\nnarrative: Nothing.\nevents: []\nreference: []\n" },
      "horn/rounds/02.yaml:1:1 the file is missing. Rounds go 01, 02, … without a gap.",
    ],
    [
      "of another name",
      { file: "rounds/2.yml", text: "round: 2\n" },
      "horn/rounds/2.yml:1:1 this is no round file. Rounds are 01.yaml, 02.yaml, …",
    ],
    [
      "that says another number",
      edit("round: 1", "round: 2"),
      "horn/rounds/01.yaml:1:8 round: says 2, and the file's name says 1.",
    ],
    [
      "with a tab as indentation",
      edit("  - id: gate_knows_iron\n    level", "  - id: gate_knows_iron\n\tlevel"),
      "horn/rounds/01.yaml:45:1 a tab stands in the indentation. Indent with spaces.",
    ],
    [
      "with an unknown key",
      edit("probes:\n", "probe:\n"),
      'horn/rounds/01.yaml:76:1 unknown key "probe". Did you mean "probes"?',
    ],
    [
      "with an unknown key in an item",
      edit("    usedBy: hall_entered", "    usedBY: hall_entered"),
      'horn/rounds/01.yaml:44:5 structure "gate_knows_iron": "usedBy" is missing. It is a text.',
      'horn/rounds/01.yaml:47:5 structure "gate_knows_iron": unknown key "usedBY". Did you mean "usedBy"?',
    ],
    [
      "with __proto__ as a path of a perturbation",
      edit("{ iron_knife.at: ilka, since", "{ __proto__: ilka, since"),
      'horn/rounds/01.yaml:50:11 the key "__proto__" is not allowed.',
    ],
  ]);
});

describe("CT2 an event", () => {
  expectLines([
    [
      "involves an entity there is not",
      edit("involves: [ilka, ram_horn], defining", "involves: [ilka, ram_hornn], defining"),
      'horn/rounds/01.yaml:34:97 event "horn_lined" involves 2: there is no entity "ram_hornn". Did you mean "ram_horn"?',
    ],
    [
      "involves one twice",
      edit("involves: [ilka, ram_horn], defining", "involves: [ilka, ilka], defining"),
      'horn/rounds/01.yaml:34:97 event "horn_lined" involves 2: "ilka" stands twice.',
    ],
    [
      "is defined by a field there is not",
      edit("defining: [ram_horn.lined]", "defining: [ram_horn.line]"),
      'horn/rounds/01.yaml:34:119 event "horn_lined" defining 1: type "horn" has no field "line". Did you mean "lined"?',
    ],
    [
      "is defined by something that is no path",
      edit("defining: [ram_horn.lined]", "defining: [ram_horn]"),
      'horn/rounds/01.yaml:34:119 event "horn_lined" defining 1: a path is entity.field.',
    ],
    [
      "is given by a condition that names no place",
      edit('given: "ilka.at == cold_spring"', 'given: "ilka.at == cold_sprin"'),
      'horn/rounds/01.yaml:34:143 event "horn_lined" given: "cold_sprin" is no parameter, entity or place. Did you mean "cold_spring"?',
    ],
    [
      "accepts a value its path cannot reach",
      edit(
        "defining: [ram_horn.lined],",
        "defining: [ram_horn.lined], accepts: [ { defining: { ram_horn.lined: clay } } ],",
      ),
      'horn/rounds/01.yaml:34:177 event "horn_lined" accepts 1 defining ram_horn.lined: "clay" is not true or false.',
    ],
    [
      "has an id that an earlier round has",
      secondRound({ events: "{ id: gate_opened, says: Again, involves: [teo], defining: [teo.at] }" }),
      'horn/rounds/02.yaml:5:5 event "gate_opened": the reference never realises it. Add "realises: [gate_opened]" to a trigger.',
      'horn/rounds/02.yaml:5:11 event "gate_opened" id: the id "gate_opened" is taken by an event of round 1. Ids are unique in a case.',
    ],
    [
      "is never realised by the reference",
      edit(", realises: [horn_lined]", ""),
      'horn/rounds/01.yaml:34:5 event "horn_lined": the reference never realises it. Add "realises: [horn_lined]" to a trigger.',
    ],
  ]);
});

describe("a structure", () => {
  expectLines([
    [
      "is used by an event there is not",
      edit("usedBy: hall_entered", "usedBy: hall_enterd"),
      'horn/rounds/01.yaml:47:13 structure "gate_knows_iron" usedBy: there is no event "hall_enterd". Did you mean "hall_entered"?',
    ],
    [
      "is used by an event of an earlier round",
      secondRound({
        structures: "{ id: the_jug, level: entity, says: The jug, usedBy: milk_poured, reference: milk_jug }",
      }),
      'horn/rounds/02.yaml:6:58 structure "the_jug" usedBy: event "milk_poured" belongs to round 1. Only events of this round can stand here.',
    ],
    [
      "is available before an event of a later round",
      [secondRound({}), edit("    usedBy: hall_entered", "    usedBy: hall_entered\n    availableBefore: knife_home")],
      'horn/rounds/01.yaml:48:22 structure "gate_knows_iron" availableBefore: event "knife_home" belongs to round 2, which comes later.',
    ],
    [
      "has a reference that its level has not",
      edit("reference: pass_gate", "reference: bone_gate"),
      'horn/rounds/01.yaml:48:16 structure "gate_knows_iron" reference: there is no capability "bone_gate". Did you mean "pass_gate"?',
    ],
    [
      "is perturbed where there is no entity, at the key",
      edit("{ iron_knife.at: ilka, since", "{ iron_knif.at: ilka, since"),
      'horn/rounds/01.yaml:50:11 structure "gate_knows_iron" refusedWhen 1: there is no entity "iron_knif". Did you mean "iron_knife"?',
    ],
    [
      "is perturbed to a value that cannot be, at the value",
      edit("{ iron_knife.at: ilka, since", "{ iron_knife.at: ilk, since"),
      'horn/rounds/01.yaml:50:26 structure "gate_knows_iron" refusedWhen 1 iron_knife.at: "ilk" is no place and no entity. Did you mean "ilka"?',
    ],
    [
      "is perturbed by a key that is no path",
      edit("{ iron_knife.at: ilka, since", "{ iron_knife: ilka, since"),
      'horn/rounds/01.yaml:50:11 structure "gate_knows_iron" refusedWhen 1: unknown key "iron_knife". A perturbation has paths (entity.field), clock, args, since and told.',
    ],
    [
      "is perturbed by nothing",
      edit("allowedWhen: [ { teo.at: gate_mouth } ]", "allowedWhen: [ { since: word_told } ]"),
      'horn/rounds/01.yaml:68:20 structure "fire_needs_word_and_clay" allowedWhen 1: the perturbation changes nothing. Name a path and its value, e.g. { stokers_key.at: galley }.',
    ],
    [
      "is perturbed since an event there is not",
      edit("since: knife_left, told", "since: knife_let, told"),
      'horn/rounds/01.yaml:50:39 structure "gate_knows_iron" refusedWhen 1 since: there is no event "knife_let". Did you mean "knife_left"?',
    ],
    [
      "swaps an argument its capability has not",
      edit("allowedWhen: [ { teo.at: gate_mouth } ]", "allowedWhen: [ { args: { whoo: teo } } ]"),
      'horn/rounds/01.yaml:68:30 structure "fire_needs_word_and_clay" allowedWhen 1 args: capability "take_fire" has no parameter "whoo". Did you mean "who"?',
    ],
    [
      "swaps an argument for one of another type",
      edit("allowedWhen: [ { teo.at: gate_mouth } ]", "allowedWhen: [ { args: { who: hound } } ]"),
      'horn/rounds/01.yaml:68:35 structure "fire_needs_word_and_clay" allowedWhen 1 args who: hound is of type beast. The parameter is of type person.',
    ],
    [
      "of level capability allows nothing",
      edit("    allowedWhen: [ { teo.at: gate_mouth } ]\n", ""),
      'horn/rounds/01.yaml:60:5 structure "fire_needs_word_and_clay": "allowedWhen" is missing. State a harmless difference under which it must still be allowed.',
    ],
    [
      "of another level refuses something",
      [edit("level: capability", "level: type"), edit("reference: pass_gate", "reference: gate")],
      'horn/rounds/01.yaml:49:5 structure "gate_knows_iron": only a structure of level capability has "refusedWhen".',
      'horn/rounds/01.yaml:52:5 structure "gate_knows_iron": only a structure of level capability has "allowedWhen".',
    ],
  ]);
});

describe("a probe", () => {
  expectLines([
    [
      "forbids a change of a field there is not",
      edit("ram_horn.open: true", "ram_horn.opn: true"),
      'horn/rounds/01.yaml:77:133 probe "horn_stays_shut" forbids changes: type "horn" has no field "opn". Did you mean "open"?',
    ],
    [
      "forbids a value the field cannot hold",
      edit("ram_horn.open: true", "ram_horn.open: { not: 3 }"),
      'horn/rounds/01.yaml:77:148 probe "horn_stays_shut" forbids changes ram_horn.open: 3 is not true or false.',
    ],
    [
      "forbids a change of a field that no type has",
      edit("ram_horn.open: true", '"*.opn": { any: true }'),
      'horn/rounds/01.yaml:77:133 probe "horn_stays_shut" forbids changes: no type has a field "opn". Did you mean "open"?',
    ],
    [
      "forbids a change of a type there is not",
      edit("ram_horn.open: true", '"horns.*.open": true'),
      'horn/rounds/01.yaml:77:133 probe "horn_stays_shut" forbids changes: there is no type "horns". Did you mean "horn"?',
    ],
    [
      "forbids neither a change nor a state",
      edit("forbids: { changes: {", "forbids: { change: {"),
      'horn/rounds/01.yaml:77:122 probe "horn_stays_shut" forbids: unknown key "change". Did you mean "changes"?',
    ],
    [
      "forbids a state that cannot be told",
      edit('"grandmother.at != black_hall"', '"grandmother.att != black_hall"'),
      'horn/rounds/01.yaml:78:111 probe "dead_stay" forbids holds: grandmother.att: type shade has no field "att". Did you mean "at"?',
    ],
    [
      "ends where it begins",
      edit("until: hearth_lit", "until: fire_taken"),
      'horn/rounds/01.yaml:77:54 probe "horn_stays_shut" until: its window opens and ends with "fire_taken". Leave until out, or name a later event.',
    ],
    [
      "holds while something that is no condition",
      edit("until: hearth_lit", "while: ilka.at"),
      'horn/rounds/01.yaml:77:54 probe "horn_stays_shut" while: ilka.at is a place or an entity, not true or false.',
    ],
    [
      "opens with an event of an earlier round",
      secondRound({
        probes: "{ id: milk_gone, after: milk_poured, says: No milk, forbids: { changes: { milk_jug.full: true } } }",
      }),
      'horn/rounds/02.yaml:6:29 probe "milk_gone" after: event "milk_poured" belongs to round 1. Only events of this round can stand here.',
    ],
    [
      "bears the id that a relation gets",
      edit("id: dead_stay", "id: r1_ca1"),
      'horn/rounds/01.yaml:78:11 probe "r1_ca1" id: the id "r1_ca1" is taken by a relation of round 1. Ids are unique in a case.',
    ],
  ]);
});

describe("the reference", () => {
  expectLines([
    [
      "uses a capability there is not",
      edit("capability: line_horn", "capability: lin_horn"),
      'horn/rounds/01.yaml:91:33 reference step 2 triggers 1 capability: there is no capability "lin_horn". Did you mean "line_horn"?',
    ],
    [
      "uses a parameter there is not, and leaves one out",
      edit(
        "args: { who: ilka, horn: ram_horn }, realises: [horn_lined]",
        "args: { whom: ilka, horn: ram_horn }, realises: [horn_lined]",
      ),
      'horn/rounds/01.yaml:91:19 reference step 2 triggers 1: capability "line_horn" needs the argument "who".',
      'horn/rounds/01.yaml:91:52 reference step 2 triggers 1 args: capability "line_horn" has no parameter "whom". Did you mean "who"?',
    ],
    [
      "hands over an entity of another type",
      edit(
        "args: { who: ilka, horn: ram_horn }, realises: [horn_lined]",
        "args: { who: ilka, horn: milk_jug }, realises: [horn_lined]",
      ),
      "horn/rounds/01.yaml:91:69 reference step 2 triggers 1 args horn: milk_jug is of type jug. The parameter is of type horn.",
    ],
    [
      "realises an event there is not",
      edit("realises: [gate_opened]", "realises: [gate_opened, gate_opend]"),
      "horn/rounds/01.yaml:95:178 reference step 6 triggers 2 realises: one trigger realises 2 events. One doing, one event; two only where a concurrent relation joins them.",
      'horn/rounds/01.yaml:95:192 reference step 6 triggers 2 realises 2: there is no event "gate_opend". Did you mean "gate_opened"?',
    ],
    [
      "realises an event of an earlier round",
      secondRound({
        reference:
          "{ triggers: [ { capability: lay_down, args: { who: teo, what: iron_knife }, realises: [knife_left] } ] }",
      }),
      'horn/rounds/02.yaml:7:92 reference step 2 triggers 1 realises 1: event "knife_left" belongs to round 1. Only events of this round can stand here.',
    ],
    [
      "waits for no time",
      edit("reference:\n", "reference:\n  - { triggers: [] }\n"),
      "horn/rounds/01.yaml:90:5 reference step 1: a step without triggers is a wait and needs an advance. Add advance: 1, or triggers.",
    ],
  ]);

  it("CT5 may realise two events by one trigger where a concurrency joins them", () => {
    expect(faultsAfter(edit("realises: [hound_held]", "realises: [hound_held, gate_opened]"))).toEqual([]);
  });
});

describe("CS2 words of the narrative", () => {
  expectLines([
    [
      "that are not there, with how much of them is",
      edit('told: "that was from the spring, earlier"', 'told: "that was from the brook, earlier"'),
      'horn/rounds/01.yaml:80:66 relation 1 told: the narrative does not say "that was from the brook, earlier". "that was from the" is there, what follows is not.',
    ],
    [
      "that stand in another order",
      edit('told: "I went in at her side. ... I poured it out"', 'told: "I poured it out ... I went in at her side."'),
      'horn/rounds/01.yaml:85:69 relation 6 told: the narrative does not say "I went in at her side.". It does, but before the words that should come first.',
    ],
    [
      "that a relation must quote",
      edit(', told: "that was from the spring, earlier" }', " }"),
      'horn/rounds/01.yaml:80:5 relation 1: "told" is missing. It is a text.',
    ],
    [
      "that a refusal must quote",
      edit(', told: "Nobody passes a shut gate" }', " }"),
      'horn/rounds/01.yaml:51:9 structure "gate_knows_iron" refusedWhen 2: "told" is missing. Quote the words of the narrative that state the rule.',
    ],
    [
      "that a relation quotes from an earlier round",
      secondRound({ relations: '{ causal: { causes: [knife_left], effect: knife_home }, told: "what there was" }' }),
      'horn/rounds/02.yaml:6:67 relation 1 told: the narrative does not say "what there was".',
    ],
  ]);

  it("CS2 state a rule in an earlier round than the one that needs it", () => {
    const rule = (told: string): Edit =>
      secondRound({
        structures: `{ id: own_hands, level: capability, says: Laying down what one has, usedBy: knife_home, reference: lay_down, refusedWhen: [ { iron_knife.at: ilka, told: "${told}" } ], allowedWhen: [ { hound.at: ford } ] }`,
      });
    expect(faultsAfter(rule("no iron at all"))).toHaveLength(1);
    expect(faultsAfter(rule("nobody passes the bone gate with iron on them"))).toEqual([]);
  });
});

describe("faults of several files", () => {
  it("CS1 are told together, in the order of files and lines", () => {
    expect(
      faultsAfter(
        { file: "case.yaml", from: "expr: gate.open, says", to: "expr: gate.opened, says" },
        edit("involves: [teo, bone_gate], defining", "involves: [teo, bone_gat], defining"),
        { file: "rounds/02.yaml", text: "round: 2\n\tnarrative: x\n" },
      ),
    ).toEqual([
      'horn/case.yaml:79:17 capability "pass_gate" requires 1 expr: gate.opened: type gate has no field "opened". Did you mean "open"?',
      'horn/rounds/01.yaml:37:83 event "gate_opened" involves 2: there is no entity "bone_gat". Did you mean "bone_gate"?',
      "horn/rounds/02.yaml:2:1 a tab stands in the indentation. Indent with spaces.",
    ]);
  });
});
