/** case.yaml of the case that `cases new` begins: the world of a small story, each part explained where it stands. */

/** What differs from one begun case to the next; each as it stands in the YAML. */
export interface StarterCaseWords {
  readonly id: string;
  readonly title: string;
  readonly family: string;
  readonly stratum: string;
  readonly uuid: string;
  readonly schema: string;
}

export function starterCaseText({ id, title, family, stratum, uuid, schema }: StarterCaseWords): string {
  return `# yaml-language-server: $schema=${schema}
#
# The world of a case: what there is, and what can be done in it. The story, and what is asked of a player, stand in
# rounds/01.yaml. This is a small case that verifies. Put your own in its place, a part at a time, and verify as you go.
id: ${id}
title: ${title}
family: ${family} # ark, myth or li
stratum: ${stratum} # scored items over the three tiers: small 450-700, medium 1,000-1,350, large 1,500 and more
version: 1 # a change of content is a new version, with a line below
canary: worldagent-canary-${uuid} # this case's own; it must never stand in training data
licence: CC-BY-4.0
changelog:
  - { version: 1, says: "First version." }

# One tick of the clock. Whatever is done takes one tick, or what its capability says under "duration".
clock: { unit: minute, start: 0 }

# Places, in words, and the ways between them. The map is all that is given to a player in extreme.
map:
  places:
    alder_bank: the bank under the alders
    far_stones: the stones on the far side
  links:
    - { from: alder_bank, to: far_stones, bothWays: true, ticks: 6 }

# What kinds of things there are. "says" is read by players in easy and hard: it explains every field in plain words.
# Every entity also has "at": a place, or the entity that holds or carries it.
types:
  person:
    says: "Somebody; chalked or not on the sleeve"
    fields: { chalked: { kind: bool, default: false } }
  thing: { says: "A thing one can carry; whoever carries it is its place" }
  lantern:
    says: "A lantern, carried like a thing; lit or not"
    fields: { lit: { kind: bool, default: false } }
  boat: { says: "A boat; whoever is aboard has it as their place" }
  rope:
    says: "A rope at one end of a boat; tied to the bank or not"
    fields: { tied: { kind: bool, default: true } }

# Who and what there is when the story begins; fields that are not named have their defaults. What the story creates
# later is better here from the beginning, with a field that says whether it is there yet.
entities:
  wenna: { type: person, name: "Wenna, who tells it", at: alder_bank }
  berit: { type: person, name: Berit the midwife, at: alder_bank, chalked: true }
  jory: { type: person, name: Jory the pedlar, at: alder_bank }
  copper: { type: thing, name: Berit's copper, at: berit }
  buckle: { type: thing, name: Jory's silver buckle, at: jory }
  pack: { type: thing, name: Jory's pack, at: jory }
  lamp: { type: lantern, name: the lantern, at: wenna }
  ferry: { type: boat, name: the ferry, at: alder_bank }
  bow_rope: { type: rope, name: the rope at the bow, at: ferry }
  stern_rope: { type: rope, name: the rope at the stern, at: ferry }

# What can be done. Easy hands these to the player; in hard and extreme the player makes their own. Keep them general:
# who and what are parameters, and a rule of the story is a requirement that says itself in words.
capabilities:
  light:
    says: Somebody lights a lantern they carry
    params: { who: { type: person }, what: { type: lantern } }
    requires: [ { expr: "what.at == who && !what.lit" } ]
    effects: [ { set: what.lit, value: true } ]
  put_out:
    says: Somebody puts out a lantern beside them
    params: { who: { type: person }, what: { type: lantern } }
    requires: [ { expr: "what.at == who || inside(what, who.at)" }, { expr: what.lit, says: it must be burning } ]
    effects: [ { set: what.lit, value: false } ]
  hand_over:
    says: Somebody gives a thing they carry to somebody beside them
    params: { giver: { type: person }, what: { type: thing }, taker: { type: person } }
    requires: [ { expr: what.at == giver, says: the giver carries it }, { expr: giver.at == taker.at } ]
    effects: [ { set: what.at, expr: taker } ]
  chalk:
    says: Somebody chalks the sleeve of a passenger, against a copper in the hand
    params: { keeper: { type: person }, passenger: { type: person }, fare: { type: thing } }
    requires: [ { expr: fare.at == keeper, says: "no copper, no chalk" }, { expr: keeper.at == passenger.at } ]
    effects: [ { set: passenger.chalked, value: true } ]
  board:
    says: Somebody goes aboard
    params: { who: { type: person }, vessel: { type: boat } }
    requires: [ { expr: who.at == vessel.at } ]
    effects: [ { set: who.at, expr: vessel } ]
  slip:
    says: Somebody aboard slips a rope
    params: { who: { type: person }, end: { type: rope } }
    requires: [ { expr: "who.at == end.at && end.tied" } ]
    effects: [ { set: end.tied, value: false } ]
  haul_over:
    says: Somebody aboard hauls the boat over to the other side
    params: { who: { type: person }, vessel: { type: boat }, to: { kind: place } }
    requires:
      - { expr: "who.at == vessel && linked(vessel.at, to)" }
      - { expr: "all(rope).all(r, r.at != vessel || !r.tied)", says: both ropes must be off }
      - { expr: "all(person).all(p, p.at != vessel || p == who || p.chalked)", says: whoever is taken over has chalk on the sleeve }
      - { expr: "all(lantern).exists(l, l.lit && inside(l, vessel))", says: a light must be aboard }
    effects: [ { set: vessel.at, expr: to } ]
    duration: travelTicks(vessel.at, to) # an expression, or a whole number of ticks

# "invariants" (none here) are what no step may ever break: { expr: "…", says: "…" }.

# Whatever neither the reference nor a contract uses, each with why it is there.
unused:
  put_out: what Jory begs for; only who gives in uses it
  pack: he carries it all the way, and nobody asks for it
`;
}
