/** The words of `help`, topic by topic. Numbers come from where they are settled, so that they cannot grow old. */
import { BUDGET_FORMULA } from "../budget.ts";
import { TOY_MISTAKE, TOY_STEPS, TOY_STORY, toyConstructs, type ToyCall } from "./help-example.ts";
import { LIMITS } from "../limits.ts";
import { mayConstruct, type Tier } from "../tier.ts";

/** One topic: its text in a tier. */
export type HelpText = (tier: Tier) => string;

const MADE: Readonly<Record<Tier, string>> = {
  easy: "The world is complete: places, types, entities, capabilities and invariants are there. **You construct nothing; you act the story out in steps**, with the capabilities that are there (`read_data` from capabilities).",
  hard: "Places, types, entities and invariants are there; capabilities are not. **You construct the capabilities, then act the story out in steps.**",
  extreme:
    "Only the map is there. **You construct the types, entities and capabilities that the story needs, then act it out in steps.** There are no invariants: what the world forbids is up to your capabilities.",
};

const DUTY = `**A capability must refuse what the rules of the world forbid; one trigger for one doing.** A rule of the story ("nobody lights it alone", "never below four") belongs into \`requires\`, as the rule and not as the one moment you have in mind: a capability that only allows the exact values of this occasion is no rule.`;

export const overview: HelpText = (tier) => `## How you play

You are given a world and a story in instalments, one a round. ${MADE[tier]}

The story is not always told in the order in which things happened. Work out what happened, in which order, what at the same time, what made what possible, and which rules hold. Then make exactly that happen, through the people and things it happened to. When the instalment is acted out, call \`end_round\`: it closes the round and gives the next instalment. Later instalments build on the world as you left it.

${tier === "easy" ? "**One trigger for one doing.**" : DUTY}
- What the story tells as forbidden, or as left undone, nobody does.
- What is not told as done need not be done. A doing that is only implied (walking somewhere first) is not needed for its own sake and does no harm.
- **An argument on whose state nothing depends took no part.** Somebody takes part in a doing when it changes them or theirs, or when their state decides whether or how it happens; it does not matter whether the capability takes them as a parameter or names them by their id.
- Setting something to what it already is, is no doing.
- What happens by itself (oil burns down, a cup slips) is a doing too: of its own, or among the effects of the doing that brings it about.

## The tools

- \`get_context\`: the story, where you are, what is left of your budgets.
- \`read_data\`: the world, its log, what is constructed. Topic reading.
- \`construct\`: ${tier === "easy" ? "nothing is constructed in this tier." : `${tier === "hard" ? "capabilities" : "types, entities, capabilities"}. Topic construction.`}
- \`commit_step\`: doings that happen at once. Topics steps, time.
- \`end_round\`: closes the round for good.
- \`help\` with a \`topic\`: capabilities, expressions, steps, time, construction, reading, example, limits, errors. **Read example first**: it is a whole toy world, played, with a mistake and its mending.

An answer is \`{"ok": true, …}\` or \`{"ok": false, "error": {code, message, path, hint}}\`. A refused call changes nothing; mend it as the hint says. **Calls are answered one by one, and a refused one does not stop those sent after it**: where each step builds on the one before, look at the answer first.`;

export const capabilities: HelpText = (tier) => `## Capabilities

A capability is something that can be done: who or what it takes (params), what must hold (requires), what it changes (effects), how long it lasts (duration).${
  tier === "easy"
    ? ' In this tier they are given: `read_data {"from": "capabilities"}` shows them in this shape.'
    : " `construct` takes it in this shape."
}

    {"id": "hand_over", "says": "One person gives a thing they hold to another beside them",
     "params":   {"giver": {"type": "person"}, "what": {"type": "thing"}, "taker": {"type": "person"}},
     "requires": [{"expr": "what.at == giver", "says": "the giver must hold it"}, {"expr": "giver.at == taker.at"}],
     "effects":  [{"set": "what.at", "expr": "taker"}],
     "duration": 1}

- **params**: an entity (\`{"type": "person"}\`; of any type: \`{}\`) or a value (\`{"kind": "int"}\`; kinds int, number, text, bool, place, enum with \`values\`). At most ${LIMITS.paramsPerCapability}. A parameter may not bear the id of an entity or a place.
- **requires**: all must be true in the world before the step, or the trigger is refused. At most ${LIMITS.requirementsPerCapability}.
- **effects**: at most ${LIMITS.effectsPerCapability}; **none at all is allowed** (\`[]\`), but a doing without effects changes nothing. A target is \`parameter.field\`, \`it.field\` or \`entity_id.field\`; the field is one of its type's, or \`at\`.
  - \`{"set": "gate.open", "value": true}\` (a literal: true, 3, "mill", null) or \`{"set": "who.at", "expr": "to"}\` (an expression).
  - \`{"add": "jug.litres", "by": -1}\`; \`by\` is a number, or an expression in quotes.
  - \`{"insert": "crew.members", "expr": "who"}\`, \`{"remove": …}\`: an entity into or out of a set (a refs field).
  - \`{"create": "crate", "id": "crate_2", "name": "a crate", "at": "who.at", "fields": {"full": true}}\`; here \`at\` is an expression, and \`id\` or a field may be \`{"expr": …}\`. \`{"destroy": "crate"}\` for a parameter, \`it\` or an entity.
  - \`{"claim": "jug.litres"}\`: no other trigger of the same step may write or claim it. For what serves one only: the milk poured for one is not poured for another in the same breath.
  - \`"for": {"each": "person", "where": "it.at == gate.at"}\` applies any effect to every match, called \`it\`.
- **duration**: ticks, a whole number of at least 1 (1 where left out), or an expression such as \`"travelTicks(who.at, to)"\`.

**Holding**: \`at\` is a place, or the entity that holds it, or null. What is held stays held when its holder moves. Taking is \`{"set": "what.at", "expr": "who"}\`; **letting go** is setting \`at\` to where the holder is: \`{"set": "what.at", "expr": "who.at"}\`; nowhere, or nobody, is \`null\`: \`{"set": "lamp.keeper", "value": null}\`.

**Done together**: \`alongside("row")\` is how many *other* triggers of the same step use \`row\`: \`{"expr": "alongside(\\"row\\") >= 1", "says": "it takes two to row"}\` (\`row\` may be constructed later). Since every trigger sees the world before the step, this, \`claim\` and equal targets are the only ways in which triggers of one step notice each other. Where one doing of two people is meant, give it both as params instead.

Only effects change anything. What can never be true, an unknown field or a wrong type is refused when the capability is constructed.`;

export const expressions: HelpText = () => `## Expressions (CEL)

Used in requires, effects, durations, invariants and in \`where\` of read_data.

- Operators: \`== != < <= > >= && || ! + - * / %\`, \`a ? b : c\`, \`x in [a, b]\`, brackets.
- Names: parameters, entity ids, place ids, \`clock\`. Fields: \`who.at\`, \`gate.open\`; of any entity also \`name\` and \`type\`.
- **Ids and numbers stand without quotes, enum words and texts in double quotes**: \`who.at == mill\`, \`jug.litres >= 2\`, \`door.state == "ajar"\`.
- An entity where a reference is expected means its id; a place is its id. \`what.at == who\` asks whether who holds it.
- There is one kind of number: \`5 / 2\` is 2.5.
- \`null\`: \`gauge.watcher == null\` asks whether a reference is empty. A requirement that meets a null on its way (\`gauge.watcher.at\` while nobody watches) is **not met**: guard it, \`gauge.watcher != null && gauge.watcher.at == mill\`.

Functions: \`all(type)\` every entity of a type; \`entity(id)\` the entity of a computed id; \`count(list)\`; \`linked(a, b)\` next to each other on the map; \`travelTicks(a, b)\` the shortest way; \`inside(x, y)\` whether x is at y or in something that is; \`alongside("capability")\` other triggers of this step that use it (in capabilities only); \`min\`, \`max\`, \`abs\`, \`clamp(x, low, high)\`.

Lists have \`exists\`, \`all\`, \`exists_one\`, \`filter\`, \`map\`: \`all(person).exists(p, p != who && p.at == who.at)\` (somebody else is there), \`count(all(crate).filter(c, c.at == cart)) < 3\` (room for one more).

At most ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes, lists nested ${LIMITS.macroNesting} deep; no regular expressions. What could never be true (different types compared, a field that does not exist, a word the enum has not) is refused at once, with what would be right.`;

export const steps: HelpText = () => `## Steps

    commit_step {"triggers": [{"capability": "heat", "args": {"who": "ana", "k": "kettle"}}], "advance": 0}

A step is one or more triggers (at most ${LIMITS.triggersPerStep}), each one use of a capability with arguments: ids of entities and places, numbers, texts, true or false. A trigger may carry a \`note\` for the log: \`{"capability": "heat", "args": {…}, "note": "at dusk"}\`.

- **All triggers of a step are simultaneous, and all see the world before the step.** What needs something done first goes into a later step.
- **Accepted whole or refused whole.** One requirement not met, one value out of range, a broken invariant, a reference to nothing, a circle of holding, or a conflict, and nothing happens. The answer names every failing trigger (up to ${LIMITS.failuresShown}) with the values that made it fail.
- **Conflict**: two triggers set one field differently, set what another adds to, put in what another takes out, change what another destroys. \`add\`s to one field are summed; equal \`set\`s agree.
- **One trigger for one doing.** A doing may take several triggers in several steps (three strokes of filling): it then lasts from the first to the last.
- Accepted steps are numbered 1, 2, …, their triggers t1_1, t1_2, …; refused steps r1, r2, … They are in the log, and both count as steps. An input that is no step at all (a misspelt key, a number in quotes) counts as a call only.
- \`changes\` of an answer shows what is different now. A trigger that changes nothing is no doing.

Topic time: what begins, ends and overlaps when.`;

export const time: HelpText = () => `## Time

The clock counts ticks (get_context says what a tick is). **All triggers of a step start at the clock**; each lasts its own duration: \`[start, end)\`. Afterwards the clock stands at the latest end, plus \`advance\`.

- **Begin together**: put them into one step.
- **End together**: one step, equal durations.
- **Overlap** ("while", "meanwhile"): one step; or a long doing that goes on, below. It need not lie inside the other.
- **One after the other**: two steps. The first has ended when the second begins.
- **A long doing beside two short ones**: \`"until": "first"\` lets the clock stop at the earliest end. The long doing goes on while the next step begins: heat of 4 ticks with sweep of 2 in one step until first, then the next short doing in the next step; both lie inside the heating.
  The long doing's effects count from its own step on, so what only its end makes possible goes into a step after its end: wait, or use \`advance\`.
- **Wait**: a step without triggers, \`{"advance": 5}\`. Use it where the story lets time pass, and not between things that follow at once.

\`advance\` and a duration are at most ${LIMITS.ticks} ticks. A rule about time uses \`clock\` in a requirement: \`clock >= bread.due\`. The story's hours ("by nine", "at noon") need not be met on the clock: what counts is order, what overlaps, and what follows at once. One long way or hops from place to place are the same.`;

const FIELD_KINDS = `Field kinds, each with \`says\` and a \`default\` if you like: \`{"kind": "bool"}\`, \`{"kind": "int", "min": 0, "max": 9}\`, \`{"kind": "number", "digits": 1}\` (decimal digits kept), \`{"kind": "text"}\`, \`{"kind": "enum", "values": ["shut", "open"]}\` (the first is the default), \`{"kind": "place", "default": "mill"}\`, \`{"kind": "ref", "of": "person"}\` (an entity of that type, or null, as it is at first), \`{"kind": "refs", "of": "person"}\` (a set of them, empty at first).`;

export const construction: HelpText = (tier) => {
  if (tier === "easy") {
    return `## Construction

In this tier nothing is constructed: types, entities and capabilities are given, and \`construct\` answers not_permitted. Read them with \`read_data\` and act with \`commit_step\`.`;
  }
  return `## Construction

In this tier you construct ${tier === "hard" ? "capabilities; types and entities are given" : "types, then entities of them, then capabilities over them"}. One item a call; constructions count as calls, not as steps, and take no time.

**Construction is for what exists, steps are for what happens.** ${
    mayConstruct(tier, "entity")
      ? "An entity's fields and place are set by construct only when it is created: create it as it is **before** anything told has happened to it. Afterwards they change by steps alone."
      : "Entities change by steps alone."
  }

${DUTY}

- Create: \`{"op": "create", "capability": {…}}\` (topic capabilities).${
    mayConstruct(tier, "type")
      ? `
  \`{"op": "create", "type": {"id": "gate", "says": "A gate", "fields": {"open": {"kind": "bool"}, "keeper": {"kind": "ref", "of": "person"}}}}\`
  \`{"op": "create", "entity": {"id": "east_gate", "type": "gate", "name": "the east gate", "at": "wall", "fields": {"keeper": "tomas"}}}\``
      : ""
  }
- Update: \`{"op": "update", "capability": {…}}\` is its whole new version; steps already taken keep the version they used.${
    mayConstruct(tier, "type")
      ? ' A type\'s update only adds fields (entities that are there get the default). An entity\'s update only mends its name: `{"op": "update", "entity": {"id": "tomas", "name": "Tomas"}}`.'
      : ""
  }
- Delete: \`{"op": "delete", "level": "capability", "id": "heat"}\`. What an accepted trigger used or something refers to stays.
- **Ids** are lower-case letters, digits and _, beginning with a letter; an id is never used again.
- When a structure is needed, it must be there before it is used, and stay as it was used.
${mayConstruct(tier, "type") ? `\n${FIELD_KINDS}\n\nGive every person, thing and group of the story that does something, or to which something is done, one entity with a type whose fields hold what the story changes; do not make two of one.` : `\nTypes and entities: \`read_data {"from": "types"}\`, \`{"from": "entities"}\`. ${FIELD_KINDS}`}
`;
};

export const reading: HelpText = () => `## Reading

    read_data {"from": "entities", "type": "person", "where": "it.at == kitchen", "fields": ["name", "at"], "limit": 20}

- \`from\`: map (places, then links), types, entities, capabilities, invariants, log, constructions. In a fixed order: by id; the log and constructions as they were submitted.
- \`id\`: one entry. In the log a step ("12", "r1") or a trigger ("t12_1").
- \`type\`: entities of one type.
- \`where\`: an expression over \`it\`. Entities: \`it.litres > 0 && it.at == ana\`. Log: \`it.round == 2 && "heat" in it.capabilities\`, \`"ana" in it.arguments\`, \`!it.accepted\`. Links: \`it.kind == "link" && it.from == "yard"\` (outside of entities, ids are texts: in quotes).
- \`fields\`: only these members of each entry.
- \`limit\`: at most ${LIMITS.pageEntries} entries a page (${LIMITS.defaultPageEntries} where left out). A page never exceeds 8 KB, so it may hold fewer. Where there is a \`cursor\`, the same query with it gives the next page; steps in between neither repeat nor skip an entry of the log.
- An entry too large for a page is cut and says so; asked for by \`id\` alone it comes whole, as pieces of its JSON text.

An accepted step in the log shows for each trigger its interval, reads (what it looked at) and writes (path, before, after; \`same\` where nothing changed). Reading changes nothing but the count of calls.`;

export const example: HelpText = (tier) => {
  const constructs = toyConstructs(tier);
  return `## A toy world, worked

Ana and Ben are in the yard; in the kitchen stands a kettle with 2 litres in it. The story: *${TOY_STORY}*
${
  constructs.length === 0
    ? "\nThe capabilities are there: go(who, to); heat(who, k), of duration 4, which needs who beside k and water in it; sweep(who, what), of duration 2.\n"
    : `\nFirst what exists. The rule about the empty kettle is a requirement of heat.\n\n${constructs.map(printCall).join("\n")}\n`
}
A first try, which is a **mistake**: Ana is still in the yard when heat looks at the world.

${printCall(TOY_MISTAKE)}
    → ${JSON.stringify(TOY_MISTAKE.answer)}

**Mended**: first she goes, then she heats. Ben sweeps at the same time; the heating goes on (\`until\`) while he comes in.

${TOY_STEPS.map((call) => `${printCall(call)}${call.answer === undefined ? "" : `\n    → ${JSON.stringify(call.answer)}`}`).join("\n")}

The heating lasts [1,5): it **begins** in step 2, and **ends** at 5 while Ben's sweeping [1,3) and his coming in [3,4) lie inside it. The wait of the last step brings the clock from 4 to 5, so that whatever needs boiling water follows. Then \`end_round {}\`.

Ben, sweeping, changes only the floor; he takes part because his place decides whether he can. Nobody filled the kettle: it is not told.`;
};

function printCall({ tool, input }: ToyCall): string {
  return `    ${tool} ${JSON.stringify(input)}`;
}

export const limits: HelpText = (tier) => `## Limits and budgets

- **Steps of a round**: ${BUDGET_FORMULA.stepsFactor} × those of a worked solution + ${BUDGET_FORMULA.stepsExtra}; refused steps count. **Calls of a round**: ${BUDGET_FORMULA.callsFactor} × its calls + ${BUDGET_FORMULA.callsExtra}; every call counts, ${tier === "easy" ? "" : "constructions and "}refused ones too. \`get_context\` shows what is left.
- When either is spent, only help, get_context and end_round answer, free of charge, until you end the round.
- **Calls of the run**: each round adds ${BUDGET_FORMULA.runFactor} × its calls. Every call counts, free ones too; when they are spent the run is over.

One world: ${LIMITS.types} types, ${LIMITS.entities} entities, ${LIMITS.capabilities} capabilities. One type: ${LIMITS.fieldsPerType} fields. One capability: ${LIMITS.paramsPerCapability} parameters, ${LIMITS.requirementsPerCapability} requirements, ${LIMITS.effectsPerCapability} effects. One \`for\`: ${LIMITS.matchesPerFor} matches. One step: ${LIMITS.triggersPerStep} triggers, ${LIMITS.stepCost} operations of its expressions. One expression: ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes. One text: ${LIMITS.textCharacters} characters; one id: ${LIMITS.idCharacters}. One input: ${LIMITS.inputBytes / 1024} KB, ${LIMITS.inputDepth} deep. One answer: ${LIMITS.answerBytes / 1024} KB.`;

export const errors: HelpText = (tier) => `## Errors

\`{"ok": false, "error": {"code": …, "message": …, "path": …, "hint": …}}\`: what was wrong, where in your input, what would be accepted. A refused call changes nothing (it counts as a call, a refused step as a step too). Read the message: it holds the values that made it fail. For a step, \`failures\` lists each failing trigger.

- **The call**: unknown_tool, malformed_input (no JSON object), input_too_large, input_too_deep, unknown_key (keys are never ignored), missing_key, wrong_type (\`"100"\` is not 100; null is not "left out"), invalid_value, forbidden_id, text_too_long.
- **What is named**: unknown_capability, unknown_entity, unknown_type, unknown_field, unknown_place, unknown_parameter, unknown_topic, unknown_round, wrong_entity_type.
- **Expressions**: expression_syntax, expression_forbidden, expression_unknown_name, expression_type, expression_never_true, expression_too_long, expression_too_large, expression_too_nested, cost_exceeded. Of a capability also too_many_requirements, too_many_effects, too_many_parameters.
- **Steps**: requirement_not_met (perhaps something must be done in an earlier step), effect_failed, bad_duration, conflict (put them into different steps), out_of_range, broken_reference, containment_circle, invariant_broken (a law of the world: \`read_data {"from": "invariants"}\`), empty_step (a wait needs \`advance\`), too_many_triggers, too_many_matches.
- **Construction**: not_permitted${tier === "easy" ? " (always, in this tier)" : ""}, already_exists, id_was_used, in_use (the message lists what is in the way), incompatible_update, too_many_entities, too_many_types, too_many_capabilities.
- **Reading**: bad_cursor.
- **Budgets and the end**: round_budget_spent (call end_round), run_budget_spent, case_finished, internal_error (the program failed: nothing you did, and nothing of the call happened).`;
