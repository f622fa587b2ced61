/** The titles of the blocks of evidence: words of ours, part of the versioned prompt. */
export const TITLES = {
  participants: "Who takes part: names as in the story, and their ids in the record (null: this world has none)",
  who: "Who is who, settled for the whole run: names as in the story, and their ids in the record (absent: this world has none)",
  triggers: "Accepted triggers of this round, with arguments and changes",
  constructions: "Constructions: what was built, changed or taken away",
  capabilities: "Capabilities that were used, in the versions used: what they require, refuse and do",
  types: "Types of what is involved",
  states: "Things that were touched, before and after the round",
  places: "Places",
  claims: "Words attached to these things (names, descriptions, notes): claims, not evidence",
  entities: "Things of this world, with what happened to them",
} as const;
