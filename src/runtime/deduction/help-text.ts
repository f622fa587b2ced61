/** The words of `help` in deduction, topic by topic. Numbers come from where they are settled, so that they cannot grow old. */
import { LIMITS } from "../limits.ts";
import { TOY_CALLS, TOY_GOAL, TOY_INTRO, TOY_MISTAKE, TOY_RULES, TOY_WORLD, type ToyCall } from "./help-example.ts";
import { DEDUCTION_BUDGET, LOOKAHEAD_TICKS, type Condition, type Mode } from "./scenario.ts";

/** What a text turns on. */
export interface HelpOf {
  readonly condition: Condition;
  readonly mode: Mode;
  /** Ticks of a segment, and from one decision point to the next. */
  readonly segment: number;
  readonly decision: number;
}
export type HelpText = (of: HelpOf) => string;

const TOLD: Readonly<Record<Condition, string>> = {
  open: "**The rules are told with every number**: read_data from processes and schedule, where `says` is the rule in words and the other members are the same rule in machine-readable form.",
  naming:
    "**The rules are told by name and in words, without their numbers**: read_data from processes and schedule. What the numbers are is yours to infer.",
};

const PLAYED: Readonly<Record<Mode, HelpText>> = {
  M1: ({ segment }) =>
    `You are given the state at the beginning, values that are hidden in play among it. Nobody acts: the character waits. The case is cut into segments of ${segment} ticks, one a round. In each round you say which fields change over the segment, with their values at its end. **You are told nothing of how it went**: read_data shows the initial state throughout, and each segment goes on from where your own reckoning has led.`,
  M2: ({ decision }) =>
    `You act as one character. Each round is a decision point (every ${decision} ticks, later where an action lasts longer). You choose an action, and say how the world goes on: up to the next decision point, and ${LOOKAHEAD_TICKS} ticks ahead; from the second round on also what would be different now, had something gone otherwise. Then \`end_round\`: the true consequences come about, and you see them as far as your character does.`,
};

export const overview: HelpText = (of) => `## What you do

This world goes on by itself, by rules. **You predict it.** ${PLAYED[of.mode](of)}

${TOLD[of.condition]}

What you predict is compared with the world itself, field by field. There is also a goal${of.mode === "M1" ? ", which nobody pursues here" : ": whether it is reached is reported apart and never mixed with how well you predict"}.

## How a round goes

1. \`get_context\`: what this round asks (\`asked\`)${of.mode === "M1" ? "" : ", which actions are possible (`legal`), what you saw change (`changed`)"}, what is left of your budgets.
2. \`read_data\`: the world as you may know it. Topic reading.
3. \`commit_step\`: ${of.mode === "M1" ? "your list of changes" : "an action and your lists of changes"}. It changes nothing yet and may be sent again: **the last one before end_round counts, whole**. Topic predictions.
4. \`end_round\`: closes the round for good, and gives what the next one asks.

\`construct\` is not available. **Read example first**: a whole toy world, played, with a mistake and its mending. Then predictions and time.

An answer is \`{"ok": true, …}\` or \`{"ok": false, "error": {code, message, path, hint}}\`. A refused call changes nothing; mend it as the hint says. **Calls are answered one by one, and a refused one does not stop those sent after it**: look at the answer to commit_step before you send end_round.`;

const SPANS: Readonly<Record<Mode, HelpText>> = {
  M1: () => `- **segment**: the span \`asked.segment\`. An empty list says that nothing changes.`,
  M2: () => `- **interval**: from now up to the next decision point, your action's own effects included. Where it ends turns on the action: \`next\` of each possible action in \`legal\`, \`interval\` in the answer to commit_step. No action is \`wait\`.
- **lookahead**: from now, before your action, to ${LOOKAHEAD_TICKS} ticks on, if the action you choose now is followed by waiting; past the end of the case if need be.
- **counterfactuals**, from the second round on where there is something to ask. \`action\`: had you done this other thing at the last decision point. \`happening\`: had this entry of the schedule not happened, or this process not fired (for this entity), since the last decision point, everything else going by the rules. What is asked about may be behind a change that you saw, and need not be: where it made no difference, the list is empty. Of a happening, kind \`entry\` is one of the schedule, kind \`process\` names the entity it did not fire for, or null for none at all. The answer to both is a list of **every field whose value now would differ, with the value it would have now**. It compares now with now, not with the last decision point. Something that is there now and would not be is its id with \`destroyed\`; something that is not there and would be is its id with its type.`,
};

const FIRST_PATH: Readonly<Record<Mode, string>> = {
  M1: '{"predict": {"segment": [{"path": "kettle.heat", "value": 90}]}, "fires": ["heating"]}',
  M2: '{"action": {"action": "stoke", "args": {}}, "predict": {"interval": [{"path": "kettle.heat", "value": 100}], "lookahead": […], "counterfactuals": {"action": […], "happening": […]}}, "fires": ["heating"]}',
};

export const predictions: HelpText = (of) => `## Predictions

    commit_step ${FIRST_PATH[of.mode]}

${SPANS[of.mode](of)}

**A span (from, to]** compares the world at tick \`from\` with the world at tick \`to\`. A change is a field whose value at the end differs from its value at the beginning, and what counts is the value at the end. It is the net difference: what rose and fell back is no change, and what changed five times is one.

- \`entity_id.field\` or \`entity_id.at\`, with the value at the end: \`{"path": "ana.at", "value": "kitchen"}\`. Numbers are rounded to the field's digits.
- **What comes into being**: its id alone, with its type: \`{"path": "letter_7", "value": "letter"}\`.${of.mode === "M1" ? " In later segments it is an entity like any other." : ""} The fields of what comes into being do not count in the span in which it does. With which ids things of a type come into being, \`created\` of the type says (read_data from types): \`letter_<n>\` is letter_ and a whole number, \`<id>\` the id of an entity.
- **What is gone**: its id alone, with \`{"path": "letter_7", "value": "destroyed"}\`.
- **Hidden fields count**: \`hidden\` and unseen \`local\` values are part of what is true, though ${of.mode === "M1" ? "a player in the world would not see them" : "you do not see them"}.
- A path given twice: the last counts. An unknown path, or a value the field cannot have, refuses the whole call.

**How it is counted.** For each span: precision is the share of your changes that are right in path and value, recall the share of the true changes that you named, and F1 = 2 × right / (yours + true). It is two-sided: **an invented change costs as much as a missed one**. Spans in which nothing changes are *quiet*: they are counted apart, right where your list is empty.

**fires** (may be left out): ids of the processes that fire at least once in the ${of.mode === "M1" ? "segment" : "interval"}: whose condition holds, for any of their entities, at a tick at which they are due, whether anything then changes or not; one without a condition fires whenever it is due. Entries of the schedule are no processes. Reported apart.

**All that is asked is to be answered.** A submission, or an end_round, that leaves something out is refused once a round with what is missing; after that it is taken, and what is missing counts as wrong. An empty list is an answer. At most ${LIMITS.predictionEntries} entries a list.`;

export const time: HelpText = (of) => `## How the world goes on

The clock counts ticks (get_context says what a tick is). At each tick t, in this order:

1. **The schedule**: everything that is told for tick t, all at once.
2. **The processes that are due**, by ascending \`priority\`. A process is due at ticks t ≥ 1 with (t − phase) mod every = 0: \`every\` 1 is each tick, \`every\` 4 with \`phase\` 0 ticks 4, 8, 12, …
   - \`for\`: one instance for each combination of entities of these types for which \`where\` holds. Each fires where \`when\` holds. A condition that meets a null on its way does not hold.
   - **All processes of one priority see the same state**, and their effects are merged: what is added to one number is summed, equal settings agree. The next priority sees what came of it.
3. **Saturation**: after each merge, a number that would leave its range stops at its \`min\` or \`max\`.

Holding: \`at\` is a place, or the entity that holds it. What is held moves with its holder, and its own \`at\` stays the same. \`clock\` in a rule is the tick that is being computed.
${
  of.condition === "naming"
    ? "\nEvery, phase, priority and all other numbers are not told here: what is told is what a process does, in words."
    : ""
}
${
  of.mode === "M1"
    ? `Nobody acts. Segments are (0, ${of.segment}], (${of.segment}, ${2 * of.segment}], …: a segment begins after the tick at which the last one ended.`
    : `**Actions.** At a decision point at tick t the effects of your action take place at once, before tick t + 1. It lasts some ticks, in which nothing else can be chosen: the next decision point is the first multiple of ${of.decision} at or after t + its ticks. Whether an action is possible is judged by what you see: a requirement that turns on something unseen is not met.

**What you see.** \`public\` values always. \`local\` ones of yourself, and of what is in the same place as you (what is held there, too). \`hidden\` ones never. That something exists, its type and its name are always seen. What you see now tells of what you do not: a hidden number shows itself in what it does.`
}`;

export const expressions: HelpText = ({ condition }) => `## Expressions (CEL)

Used in \`where\` of read_data${condition === "open" ? ", and in the rules as they are shown" : ""}.

- Operators: \`== != < <= > >= && || ! + - * / %\`, \`a ? b : c\`, \`x in [a, b]\`, brackets.
- Names: entity ids, place ids, \`clock\`${condition === "open" ? "; in a rule also its bound entities, and `it` within an effect's `for`" : ""}. Fields: \`ana.at\`, \`kettle.heat\`; of any entity also \`name\` and \`type\`.
- **Ids and numbers stand without quotes, enum words and texts in double quotes**: \`ana.at == kitchen\`, \`door.state == "ajar"\`.
- There is one kind of number: \`5 / 2\` is 2.5; \`x - x % 1\` is x without its decimals.
- \`null\`: \`gauge.watcher == null\` asks whether a reference is empty.

Functions: \`all(type)\` every entity of a type; \`entity(id)\`; \`count(list)\`; \`linked(a, b)\` next to each other on the map; \`travelTicks(a, b)\` the shortest way; \`inside(x, y)\` whether x is at y or in something that is; \`min\`, \`max\`, \`abs\`, \`clamp(x, low, high)\`.

Lists have \`exists\`, \`all\`, \`exists_one\`, \`filter\`, \`map\`: \`all(person).exists(p, p.at == kitchen)\`, \`count(all(crate).filter(c, c.at == cart)) < 3\`.
${
  condition === "open"
    ? `
**Effects** of a rule: \`set\` a field to \`value\` or \`expr\`; \`add\` \`by\` to a number; \`insert\` or \`remove\` an entity into or out of a set; \`create\` an entity (its \`id\`, \`at\`, \`fields\`); \`destroy\` one. \`"for": {"each": "person", "where": "…"}\` applies an effect to every match, called \`it\`. All effects of a rule see the state before it.
`
    : ""
}
At most ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes, lists nested ${LIMITS.macroNesting} deep. What could never be true (different types compared, a field that does not exist) is refused, with what would be right. **A value that is not seen never matches**, neither \`==\` nor \`!=\`.`;

export const reading: HelpText = (of) => `## Reading

    read_data {"from": "entities", "type": "person", "where": "it.at == kitchen", "fields": ["name", "at"], "limit": 20}

- \`from\`: map (places, then links), types (fields with kind, range and visibility; the ids with which such things come into being), entities, capabilities (${of.mode === "M1" ? "none: nobody acts" : "the actions"}), processes, schedule, log (closed rounds). In a fixed order: by id; the log as rounds were closed.
- \`id\`: one entry. In the log the number of a round.
- \`type\`: entities of one type.
- \`where\`: an expression over \`it\`. Entities: \`it.heat > 50 && it.at == kitchen\`. ${of.mode === "M1" ? "" : 'Log: `"kettle.heat" in it.paths`, `it.action == "stoke"`. '}Links: \`it.kind == "link" && it.from == "yard"\` (outside of entities, ids are texts: in quotes).
- \`fields\`: only these members of each entry.
- \`limit\`: at most ${LIMITS.pageEntries} entries a page (${LIMITS.defaultPageEntries} where left out). A page never exceeds ${LIMITS.answerBytes / 1024} KB, so it may hold fewer. Where there is a \`cursor\`, the same query with it gives the next page.
- An entry too large for a page is cut and says so; asked for by \`id\` alone it comes whole, as pieces of its JSON text.

${
  of.mode === "M1"
    ? "Entities are shown as they are at the beginning, in every round. The log holds the spans of the closed rounds with what you predicted there (`predicted`), and nothing of what happened in them."
    : "Entities are shown as you see them now; what you do not see is left out of `fields` and named in `unseen`. The log holds for each closed round its span, what you did, the changes of values that you saw at both ends, and what you had predicted (`predicted`)."
} Reading changes nothing but the count of calls.`;

export const example: HelpText = ({ mode, condition }) => `## A toy world, worked

${TOY_INTRO} Wood ${wordsOf("stove", "wood")}, heat ${wordsOf("kettle", "heat")}, scale ${wordsOf("kettle", "scale")}. A segment is ${TOY_RULES.segment} ticks, decision points are ${TOY_RULES.decision} ticks apart, and the case ends at ${TOY_RULES.ticks}. The goal: ${TOY_GOAL.says}

${Object.values(TOY_RULES.processes)
  .map(
    ({ id, name, tells, says, priority }) =>
      `- \`${id}\` (${name}, priority ${priority}): ${tells}${condition === "naming" ? ` *Of this you would here be told:* ${says}` : ""}`,
  )
  .join("\n")}
${mode === "M1" ? "" : `- action \`stoke\`: ${TOY_WORLD.capabilities["stoke"]?.says ?? ""}\n`}
A first try, which is a **mistake**: ${
  mode === "M1"
    ? "4 ticks at 20 make 30 into 110. But at tick 4 the burning comes first and takes the last wood, so that the heating fires three times only; and 110 is no value that heat can have."
    : "4 ticks at 20 make 30 into 110. But a number stops at its bound: heat ends at 100."
}

${printCall(TOY_MISTAKE[mode])}

**Mended**. ${
  mode === "M1"
    ? "Wood burns at ticks 2 and 4; heat is 50, 70, 90 after ticks 1, 2, 3. Scale is hidden in play, and counts."
    : "She stokes: 5 pieces at once. Wood burns at ticks 2 and 4, which leaves 3; in all it lasts until tick 10, so that the heating fires nine times in the lookahead. Scale is hidden, and counts: it was 0 at the beginning and rises by 1 each time."
}

${TOY_CALLS[mode].slice(0, 2).map(printCall).join("\n")}

${
  mode === "M1"
    ? "The second segment is quiet: there is no wood, and nothing changes. That is said with an empty list."
    : "Second round: heat is at its bound and stays, so that it is no change any more. Had she waited, wood would be 0 now, heat 90, scale 3. Had the heating not fired, heat would still be 30 and scale 0, and the wood would have burnt all the same. She waits now: `action` is left out."
}

${TOY_CALLS[mode].slice(2).map(printCall).join("\n")}

Then \`end_round {}\`. Each list here is right in every entry and leaves nothing out: F1 is 1. Without scale, the first list would have recall 2 of 3 and precision 2 of 2: F1 0.8. With one invented change more, precision 3 of 4 and recall 3 of 3: F1 0.86.`;

/** A field of the toy world: its value and range. */
function wordsOf(entity: string, field: string): string {
  const draft = TOY_WORLD.entities[entity];
  const spec = draft && TOY_WORLD.types[draft.type]?.fields[field];
  const seen = draft && TOY_RULES.visibility[draft.type]?.[field];
  if (draft === undefined || spec?.kind !== "int") throw new Error(`help: no number ${entity}.${field}`);
  return `(\`${entity}.${field}\`, ${spec.min} to ${spec.max}, ${seen}) is ${String(draft.fields[field] ?? spec.default)}`;
}

function printCall({ tool, input, answer }: ToyCall): string {
  const call = `    ${tool} ${JSON.stringify(input)}`;
  return answer === undefined ? call : `${call}\n    → ${JSON.stringify(answer)}`;
}

export const limits: HelpText = () => `## Limits and budgets

- **Submissions of a round**: ${DEDUCTION_BUDGET.submissions}; refused ones count. **Calls of a round**: ${DEDUCTION_BUDGET.calls}, in the first round ${DEDUCTION_BUDGET.firstCalls}; every call counts, refused ones too. \`get_context\` shows what is left.
- When either is spent, only help, get_context and end_round answer, until you end the round.
- **Calls of the run**: the sum of its rounds' calls. Every call counts; when they are spent the run is over, and what was not answered counts as wrong.

One list of predictions: ${LIMITS.predictionEntries} entries; \`fires\`: ${LIMITS.predictionEntries} ids. One expression: ${LIMITS.expressionCharacters} characters, ${LIMITS.expressionNodes} nodes. One query: ${LIMITS.stepCost} operations of its \`where\`. One text: ${LIMITS.textCharacters} characters. One input: ${LIMITS.inputBytes / 1024} KB, ${LIMITS.inputDepth} deep. One answer: ${LIMITS.answerBytes / 1024} KB.`;

export const errors: HelpText = ({ mode }) => `## Errors

\`{"ok": false, "error": {"code": …, "message": …, "path": …, "hint": …}}\`: what was wrong, where in your input, what would be accepted. A refused call changes nothing (it counts as a call, a refused submission as a submission too). **A refused submission is not kept in part**: what stood before still stands.

- **The call**: unknown_tool, malformed_input (no JSON object), input_too_large, input_too_deep, unknown_key (keys are never ignored), missing_key (also: something that is asked is not answered), wrong_type (\`"100"\` is not 100), invalid_value, forbidden_id, text_too_long.
- **Predictions**: unknown_path (the hint names the nearest one), out_of_range (numbers stop at their bounds; an enum has its words alone), unknown_place, broken_reference, wrong_entity_type, unknown_process (in \`fires\`), too_many_predictions, not_asked (${mode === "M1" ? "an action, an interval, a lookahead, a counterfactual" : "a segment, a counterfactual that this round does not ask"}).
- **Actions**: ${mode === "M1" ? "nobody acts here (not_asked). Elsewhere " : ""}unknown_action, unknown_parameter, unknown_entity, requirement_not_met (not possible here, by what you see), bad_duration.
- **Reading**: unknown_type, unknown_field, unknown_round, unknown_topic, bad_cursor; of a \`where\` expression_syntax, expression_forbidden, expression_unknown_name, expression_type, expression_never_true, expression_too_long, expression_too_large, expression_too_nested, cost_exceeded.
- **Not here**: not_permitted (construct).
- **Budgets and the end**: round_budget_spent (call end_round), run_budget_spent, case_finished, engine_fault (the case's own rules met a fault: nothing you did, and the run is left out), internal_error (the program failed: nothing you did, and nothing of the call happened).`;
