import { describe, expect, it } from "vitest";
import { expectLines, faultsAfter, type Edit } from "./broken-case.ts";

const edit = (from: string, to: string): Edit => ({ file: "case.yaml", from, to });
const write = (text: string | Uint8Array): Edit => ({ file: "case.yaml", text });

describe("CS1 a case file that is not YAML, or YAML that case files do without", () => {
  expectLines([
    [
      "a tab as indentation",
      edit("  places:\n", "\tplaces:\n"),
      "horn/case.yaml:9:1 a tab stands in the indentation. Indent with spaces.",
    ],
    [
      "a key twice at the root",
      edit("title: The Fire from Below\n", "title: The Fire from Below\ntitle: Again\n"),
      'horn/case.yaml:3:1 the key "title" stands twice in one map, first in line 2. Keep one of the two.',
    ],
    [
      "a key twice in a map in braces",
      edit("{ type: gate, name: the bone gate,", "{ type: gate, name: a gate, name: the bone gate,"),
      'horn/case.yaml:43:42 the key "name" stands twice in one map, first in line 43. Keep one of the two.',
    ],
    [
      "an anchor and its alias",
      edit("start: 0 }", "start: &zero 0 }\nextra: *zero"),
      "horn/case.yaml:7:43 an anchor (&) has no place in a case file. Write the value out where it is needed.",
      "horn/case.yaml:8:8 an alias (*) has no place in a case file. Write the value out; a text that begins with * or & needs quotes.",
    ],
    [
      "a tag",
      edit("version: 1", "version: !!int 1"),
      "horn/case.yaml:5:10 a tag (!) has no place in a case file. Leave the tag away; a text that begins with ! needs quotes.",
    ],
    [
      "a directive",
      write("%YAML 1.1\n---\nid: horn\n"),
      "horn/case.yaml:1:1 a directive (%) has no place in a case file. Leave the line away.",
    ],
    [
      "a merge key",
      edit("  ilka: { type: person,", "  ilka: { <<: { at: ford }, type: person,"),
      "horn/case.yaml:33:11 a merge key (<<) has no place in a case file. Write the keys out.",
    ],
    [
      "the key __proto__",
      edit("  ilka: {", "  __proto__: {"),
      'horn/case.yaml:33:3 the key "__proto__" is not allowed.',
    ],
    [
      "the key constructor",
      edit("  ilka: {", "  constructor: {"),
      'horn/case.yaml:33:3 entities: "constructor" is reserved.',
    ],
    [
      "a list as a key",
      write("? [id]\n: horn\n"),
      "horn/case.yaml:1:3 a list or a map cannot be a key. Write a plain word before the colon.",
    ],
    [
      "two documents",
      write("id: horn\n---\nid: horn\n"),
      "horn/case.yaml:2:1 a second YAML document begins here. Keep one document in a file.",
    ],
    [
      "bytes that are no text",
      write(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff])),
      "horn/case.yaml:1:1 the file is not UTF-8 text.",
    ],
    [
      "a control character",
      write("id: horn\ntitle: a\u0000b\n"),
      "horn/case.yaml:2:9 a control character (U+0000): this is no text. Case files are YAML in UTF-8.",
    ],
    [
      "prose",
      write("Once upon a time\nthere was no case.\n"),
      'horn/case.yaml:1:1 the file is a text or a number, not a map of keys. Begin with "id: …" or "round: …".',
    ],
    [
      "prose with colons",
      write("Once: upon: a time\n"),
      "horn/case.yaml:1:7 not valid YAML: nested mappings are not allowed in compact mappings.",
    ],
    [
      "a list",
      write("- id: horn\n"),
      'horn/case.yaml:1:1 the file is a list, not a map of keys. Begin with "id: …" or "round: …".',
    ],
    ["nothing but a comment", write("# nothing\n"), "horn/case.yaml:1:1 the file is empty."],
    [
      "200,000 open brackets",
      write(`a: ${"[".repeat(200_000)}`),
      "horn/case.yaml:1:67 the file nests too deep. A case file needs about eight levels.",
    ],
    [
      "more than a megabyte",
      write(`a: ${"x".repeat(1024 * 1024)}`),
      "horn/case.yaml:1:1 the file has 1048579 bytes, more than 1048576.",
    ],
    ["no file", { file: "case.yaml", remove: true }, "horn/case.yaml:1:1 the file is missing."],
  ]);

  it("CS1 a bomb of aliases is refused at its anchors, without being expanded", () => {
    const bomb = [
      "a: &a [x, x]",
      ..."bcdefghij".split("").map((c, i) => `${c}: &${c} [${`*${"abcdefghi"[i]}, `.repeat(9)}]`),
    ].join("\n");
    const lines = faultsAfter(write(bomb));
    expect(lines[0]).toBe(
      "horn/case.yaml:1:4 an anchor (&) has no place in a case file. Write the value out where it is needed.",
    );
    expect(lines.every((line) => line.includes(" has no place in a case file. "))).toBe(true);
  });

  it("CS1 as many duplicate keys as fit are found without comparing every key with every other", () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`);
    expect(faultsAfter(write([...keys, "k7: 2"].join("\n")))).toEqual([
      'horn/case.yaml:20001:1 the key "k7" stands twice in one map, first in line 8. Keep one of the two.',
    ]);
  });
});

describe("CS1 a case file that says something else than a case file says", () => {
  expectLines([
    [
      "an unknown key, with the key it was meant to be",
      edit("canary:", "canery:"),
      'horn/case.yaml:1:1 "canary" is missing. It is a text.',
      'horn/case.yaml:6:1 unknown key "canery". Did you mean "canary"?',
    ],
    ["a missing key", edit("title: The Fire from Below\n", ""), 'horn/case.yaml:1:1 "title" is missing. It is a text.'],
    [
      "a text for a number",
      edit("version: 1", "version: one"),
      'horn/case.yaml:5:10 version: expected a number, seen the text "one".',
    ],
    [
      "a number for a text",
      edit("title: The Fire from Below", "title: 1984"),
      "horn/case.yaml:2:8 title: expected a text, seen the number 1984.",
    ],
    [
      "a word of no list",
      edit("stratum: small", "stratum: smal"),
      'horn/case.yaml:4:10 stratum: "smal" is not possible here. Did you mean "small"?',
    ],
    [
      "a canary of another shape",
      edit("worldagent-canary-4a", "worldagent-canary-xx"),
      "horn/case.yaml:6:9 canary: a canary is worldagent-canary- and a UUID.",
    ],
    [
      "an id that is not the folder's name",
      edit("id: horn", "id: horns"),
      'horn/case.yaml:1:5 id: is "horns", and the folder is "horn". Give both one name.',
    ],
    [
      "an id of no id's shape",
      edit("  bone_gate: {", "  Bone-gate: {"),
      'horn/case.yaml:43:3 entities: "Bone-gate" is no id: lower-case letters, digits and _, at most 64, beginning with a letter.',
    ],
    [
      "a kind of field there is not",
      edit("lit: { kind: bool, default: false }", "lit: { kind: boolean }"),
      'horn/case.yaml:29:60 type "hearth" fields lit kind: "boolean" is not possible here. Did you mean "bool"?',
    ],
    [
      "a number that is too small",
      edit("duration: 2", "duration: 0"),
      'horn/case.yaml:69:15 capability "hold_beast" duration: is 0, allowed is at least 1.',
    ],
    [
      "neither of two kinds",
      edit("duration: 2", "duration: true"),
      'horn/case.yaml:69:15 capability "hold_beast" duration: expected a number or a text, seen true.',
    ],
    [
      "an unknown key deep inside",
      edit("[ { set: gate.open, value: true } ]", "[ { sett: gate.open, value: true } ]"),
      'horn/case.yaml:74:18 capability "draw_bolt" effects 1: unknown key "sett". Did you mean "set"?',
    ],
    [
      "fields under a key of their own",
      edit("at: ilka, iron: true", "at: ilka, fields: { iron: true }"),
      'horn/case.yaml:37:65 entity "iron_knife": unknown key "fields". Fields stand directly beside type, name and at.',
    ],
    [
      "an unknown key of a budget",
      edit("invariants:", "budgets: { hard: { steps: 3 } }\ninvariants:"),
      'horn/case.yaml:45:20 budgets hard: unknown key "steps". There are: callsPerRound, stepsPerRound.',
    ],
    [
      "reasons for what is not there",
      edit("invariants:", "unused: { bronze_pinn: a distractor, thing.iron: told late, thing.irn: x }\ninvariants:"),
      'horn/case.yaml:45:11 unused: there is no type, entity, capability, place or type.field "bronze_pinn". Did you mean "bronze_pin"?',
      'horn/case.yaml:45:61 unused: there is no type, entity, capability, place or type.field "thing.irn". Did you mean "thing.iron"?',
    ],
  ]);
});

describe("a world that cannot be", () => {
  expectLines([
    [
      "a link to no place",
      edit("to: cold_spring, bothWays", "to: cold_sprin, bothWays"),
      'horn/case.yaml:17:32 map links 1 to: there is no place "cold_sprin". Did you mean "cold_spring"?',
    ],
    [
      "an entity of no type",
      edit("hound: { type: beast", "hound: { type: best"),
      'horn/case.yaml:44:18 entity "hound" type: there is no type "best". Did you mean "beast"?',
    ],
    [
      "an entity that is nowhere",
      edit("name: Ilka, at: hearthfield", "name: Ilka, at: heartfield"),
      'horn/case.yaml:33:41 entity "ilka" at: "heartfield" is no place and no entity. Did you mean "hearthfield"?',
    ],
    [
      "a field its type has not, at the key",
      edit("at: ilka, iron: true", "at: ilka, irn: true"),
      'horn/case.yaml:37:65 entity "iron_knife": type thing has no field "irn". Did you mean "iron"?',
    ],
    [
      "a value its field cannot hold",
      edit("at: ilka, iron: true", "at: ilka, iron: yes"),
      'horn/case.yaml:37:71 entity "iron_knife" iron: "yes" is not true or false.',
    ],
    [
      "an expression inside a capability that names no field",
      edit("expr: gate.open, says: the gate is shut", "expr: gate.opened, says: the gate is shut"),
      'horn/case.yaml:79:17 capability "pass_gate" requires 1 expr: gate.opened: type gate has no field "opened". Did you mean "open"?',
    ],
    [
      "an invariant that is broken at the beginning",
      edit('"king_fire.lit"', '"bone_gate.open"'),
      "horn/case.yaml:46:13 invariant 1 expr: the invariant does not hold at the beginning: bone_gate.open.",
    ],
  ]);
});
