/** rounds/01.yaml of the case that `cases new` begins: one round, in which each kind of item is explained. */

export function starterRoundText({ schema }: { readonly schema: string }): string {
  return `# yaml-language-server: $schema=${schema}
#
# A round: an instalment of the story, and what is asked of whoever plays it. Players see the narrative and nothing else.
round: 1

# Read it aloud. Whatever the contract below asks for has to stand here, in the story's own words; what does not stand
# here, nobody can know. No ids, no wording of capabilities.
narrative: |
  You ask whether Wenna of the ferry took the pedlar over, the night the river was up. That is me, and I did, and he was
  paid for. I will tell it once.

  They came down to the alders together. Berit the midwife crosses so often that I chalk her sleeve on a Monday
  and it does for the week. Jory had his pack, and a silver buckle the size of a plum, and no money. Nobody is taken
  over without chalk on the sleeve, and there is no chalk before there is a copper in my hand: so my mother kept
  it, and so do I. He turned out his pockets to show me. It was Berit who paid. She had one copper for her bread
  and she put it into my hand, and since I had it in my hand I took his sleeve and chalked it.

  I saw their faces by the lantern. I had lit it before that, when I heard feet on the path, for the ferry does not leave
  the bank without a light aboard, high water or low.

  She lies on two ropes, my ferry, and they must come off in the same breath or she swings round and fills. I took the bow,
  and I gave Jory the stern, since his arms were no worse than another's. I said now, and off they came, his and
  mine. Free at both ends, she let herself be hauled, and I hauled us over.

  We were half across when the dogs came out on the bank behind us, and men after the dogs. Jory put his mouth to
  my ear. Put it out, he said, only until we touch, they cannot throw stones at what they cannot see. For that I could have the
  buckle. I looked at the buckle. But a ferry without a light is a log in the river, and it burned until he was
  across and after.

  So the buckle did not come to me. The ferry had scarcely touched the far stones when he had it off his belt, and without
  a word between he gave it to Berit. If that is what you are here about, the midwife lives at the top of the lane.

# EVENTS: what somebody does and what follows. Each changes a field of the world. "says" is one plain sentence, without
# order, rules or ids. "involves": who and what took part, exactly those whose state the doing changes or depends on by the
# story. "defining": the one or two paths whose change is this event; the value is the one the reference reaches.
# "given": a circumstance before it began, such as where somebody stood. It never repeats a cause (see RELATIONS).
events:
  - { id: lantern_lit, says: Wenna lights the lantern, involves: [wenna, lamp], defining: [lamp.lit] }
  - { id: copper_paid, says: Berit gives Wenna a copper, involves: [berit, copper, wenna], defining: [copper.at] }
  - { id: sleeve_chalked, says: Wenna chalks Jory's sleeve, involves: [wenna, jory], defining: [jory.chalked], given: "jory.at == alder_bank" }
  - { id: bow_slipped, says: Wenna slips the rope at the bow, involves: [wenna, bow_rope], defining: [bow_rope.tied] }
  - { id: stern_slipped, says: Jory slips the rope at the stern, involves: [jory, stern_rope], defining: [stern_rope.tied] }
  - { id: river_crossed, says: Wenna hauls the ferry over, involves: [wenna, ferry], defining: [ferry.at] }
  - { id: buckle_given, says: Jory gives Berit the buckle, involves: [jory, buckle, berit], defining: [buckle.at] }

# STRUCTURES: what a player must build well, here a capability. It is judged by what it refuses. "refusedWhen": the world as it
# was, but for these paths; then the doing that realises "usedBy" must be refused. "since" keeps the difference up from
# that event on. "told": the words that state the rule. "allowedWhen": harmless differences in what the rule looks at,
# under which it must still go through, so that only a rule passes and no list of this night's values.
structures:
  - id: no_chalk_no_crossing
    level: capability # type, entity or capability
    says: A way over the river that refuses passengers without chalk, and a ferry without a light
    usedBy: river_crossed
    reference: haul_over # the reference's own
    refusedWhen:
      - { jory.chalked: false, since: sleeve_chalked, told: "Nobody is taken over without chalk on the sleeve" }
      - { lamp.lit: false, since: lantern_lit, told: "the ferry does not leave the bank without a light aboard" }
    allowedWhen:
      - { berit.at: alder_bank, berit.chalked: false } # whoever stays ashore needs no chalk
      - { lamp.at: jory } # whoever holds the light, it is aboard

# PROBES: what the story tells as forbidden or left undone, and gives somebody a reason to do. It must be possible in the
# world, or leaving it is no merit. The window opens with "after" and closes before "until".
probes:
  - id: light_kept
    after: bow_slipped
    until: buckle_given
    says: Nobody puts out the light on the way over
    forbids: { changes: { lamp.lit: false } }
    told: "it burned until he was across and after"

# RELATIONS, each with the words of the narrative that carry it ("told"; ... stands for words left out).
relations:
  # causal: the effect could not have been without its causes. Every cause ends before the effect begins.
  - { causal: { causes: [copper_paid], effect: sleeve_chalked }, told: "since I had it in my hand I took his sleeve" }
  - { causal: { causes: [bow_slipped, stern_slipped], effect: river_crossed }, told: "Free at both ends, she let herself be hauled" }
  # temporal: one before the other, nothing more. Good ones are told out of order. "immediate": nothing between.
  - { precedes: { before: lantern_lit, after: copper_paid }, told: "I had lit it before that" }
  - { precedes: { before: river_crossed, after: buckle_given, immediate: true }, told: "without a word between he gave it" }
  # concurrency: start_together, overlap or end_together; because of what is done, and not because it is decreed.
  - { concurrent: { events: [bow_slipped, stern_slipped], mode: start_together }, told: "off they came, his and mine" }

# REFERENCE: one way to act it out, in the order in which it happened. Triggers of one step happen at once. "realises"
# says which events a trigger brings about; what is only needed on the way (going aboard) realises none. For hard and
# extreme the constructions are put in front of the steps by program.
reference:
  - { triggers: [ { capability: light, args: { who: wenna, what: lamp }, realises: [lantern_lit] } ] }
  - { triggers: [ { capability: hand_over, args: { giver: berit, what: copper, taker: wenna }, realises: [copper_paid] } ] }
  - { triggers: [ { capability: chalk, args: { keeper: wenna, passenger: jory, fare: copper }, realises: [sleeve_chalked] } ] }
  - triggers:
      - { capability: board, args: { who: wenna, vessel: ferry } }
      - { capability: board, args: { who: berit, vessel: ferry } }
      - { capability: board, args: { who: jory, vessel: ferry } }
  - triggers:
      - { capability: slip, args: { who: wenna, end: bow_rope }, realises: [bow_slipped] }
      - { capability: slip, args: { who: jory, end: stern_rope }, realises: [stern_slipped] }
  - { triggers: [ { capability: haul_over, args: { who: wenna, vessel: ferry, to: far_stones }, realises: [river_crossed] } ] }
  - { triggers: [ { capability: hand_over, args: { giver: jory, what: buckle, taker: berit }, realises: [buckle_given] } ] }
`;
}
