/** `commit_step` in deduction: what is submitted, checked whole; a refusal drops nothing and keeps nothing. */
import { sortChanges, type Changes } from "../dynamics/changes.ts";
import { WAIT } from "../dynamics/dynamics.ts";
import { compareText } from "../canonical.ts";
import { refuse, succeed, toolError, type Result, type ToolError } from "../errors.ts";
import type { FieldValue } from "../field.ts";
import { checkChosen } from "./action.ts";
import type { Counts, SubmissionAnswer } from "./answers.ts";
import { checkPrediction, checkProcess } from "./paths.ts";
import { PARTS, type Part, type Predictions, type Submission } from "./record.ts";
import { endOf, type RoundState } from "./span.ts";
import type { Prediction, SubmissionInput } from "./tools.ts";
import type { DeductionView } from "./view.ts";

/** Where each part stands in an input. */
const PLACE: Readonly<Record<Part, string>> = {
  segment: "segment",
  interval: "interval",
  lookahead: "lookahead",
  action: "counterfactuals.action",
  happening: "counterfactuals.happening",
};

/** What the present round asks, part by part. */
export function askedParts({ scenario, questions }: RoundState): readonly Part[] {
  if (scenario.mode === "M1") return ["segment"];
  return PARTS.filter((part) => {
    if (part === "action" || part === "happening") return questions[part] !== undefined;
    return part !== "segment";
  });
}

/** The parts that are asked and not answered, as an input names them. */
export function missingParts(state: RoundState, submission: Submission | null): readonly string[] {
  return askedParts(state)
    .filter((part) => submission?.predict[part] === undefined)
    .map((part) => PLACE[part]);
}

/** The refusal of what leaves out something that is asked; given once a round. */
export function missingError(missing: readonly string[]): ToolError {
  const first = missing[0] ?? "interval";
  const [outer, inner] = first.split(".") as [string, string | undefined];
  const example = inner === undefined ? { [outer]: [] } : { [outer]: { [inner]: [] } };
  return toolError(
    "missing_key",
    `not answered: ${missing.join(", ")}. This is refused once a round; after that what is missing stays unanswered and counts as wrong`,
    {
      path: `predict.${first}`,
      hint: `commit_step with all that is asked; an empty list says that nothing changes: {"predict": ${JSON.stringify(example)}}`,
    },
  );
}

/** The submission as it is kept, or the first thing that is wrong with it. */
export function readSubmission(state: RoundState, view: DeductionView, input: SubmissionInput): Result<Submission> {
  const asked = askedParts(state);
  const given = givenParts(input);
  if (input.action !== undefined && view.mode === "M1") {
    return refuse("not_asked", "nobody acts here: only changes are predicted", {
      path: "action",
      hint: "leave `action` out",
    });
  }
  const odd = PARTS.find((part) => given[part] !== undefined && !asked.includes(part));
  if (odd !== undefined) {
    return refuse("not_asked", `${PLACE[odd]} is not asked in this round`, {
      path: `predict.${PLACE[odd]}`,
      hint: `asked: ${asked.map((part) => PLACE[part]).join(", ")}`,
    });
  }
  const use =
    input.action === undefined ? undefined : checkChosen(state.scenario.dynamics, state.world, view, input.action);
  if (use !== undefined && !use.ok) return use;
  const predict: { [P in Part]?: Changes } = {};
  for (const part of PARTS) {
    const list = given[part];
    if (list === undefined) continue;
    const read = readList(view, list, `predict.${PLACE[part]}`);
    if (!read.ok) return read;
    predict[part] = read.value;
  }
  const fires = input.fires === undefined ? undefined : readFires(view, input.fires);
  if (fires !== undefined && !fires.ok) return fires;
  return succeed({
    kind: "submission",
    round: state.round,
    ...(view.mode === "M2" && { action: use?.value.use ?? WAIT }),
    predict,
    ...(fires !== undefined && { fires: [...fires.value] }),
  });
}

function givenParts({ predict }: SubmissionInput): { readonly [P in Part]: readonly Prediction[] | undefined } {
  const { segment, interval, lookahead, counterfactuals } = predict;
  return { segment, interval, lookahead, action: counterfactuals?.action, happening: counterfactuals?.happening };
}

/** A path given twice: the last counts. */
function readList(view: DeductionView, list: readonly Prediction[], path: string): Result<Changes> {
  const changes = new Map<string, FieldValue>();
  for (const [i, prediction] of list.entries()) {
    const checked = checkPrediction(view, prediction.path, prediction.value);
    if (!checked.ok) return { ok: false, error: { ...checked.error, path: `${path}[${i}].${checked.error.path}` } };
    changes.set(prediction.path, checked.value);
  }
  return succeed(sortChanges(Object.fromEntries(changes)));
}

function readFires(view: DeductionView, ids: readonly string[]): Result<readonly string[]> {
  for (const [i, id] of ids.entries()) {
    const known = checkProcess(view, id);
    if (!known.ok) return { ok: false, error: { ...known.error, path: `fires[${i}]` } };
  }
  return succeed([...new Set(ids)].sort(compareText));
}

/** What stands submitted, counted. */
export function standingOf(state: RoundState, submission: Submission): Omit<SubmissionAnswer, "ok" | "round" | "note"> {
  const { action, predict, fires } = submission;
  return {
    ...(action !== undefined && { action: { action: action.action, args: { ...action.args } } }),
    predicted: countsOf(predict),
    fires: fires?.length ?? null,
    missing: [...missingParts(state, submission)],
  };
}

function countsOf({ segment, interval, lookahead, action, happening }: Predictions): Counts {
  const count = (changes: Changes | undefined): number | undefined => changes && Object.keys(changes).length;
  const counted = <K extends string>(key: K, changes: Changes | undefined) =>
    (changes === undefined ? {} : { [key]: count(changes) }) as { readonly [Key in K]?: number };
  const counterfactuals = { ...counted("action", action), ...counted("happening", happening) };
  return {
    ...counted("segment", segment),
    ...counted("interval", interval),
    ...counted("lookahead", lookahead),
    ...(Object.keys(counterfactuals).length > 0 && { counterfactuals }),
  };
}

/** The answer to an accepted submission. */
export function submissionAnswer(state: RoundState, submission: Submission): SubmissionAnswer {
  const { action } = submission;
  return {
    ok: true,
    round: state.round,
    ...standingOf(state, submission),
    ...(action !== undefined && { interval: { from: state.world.clock, to: endOf(state, action) } }),
    note: "it stands until another commit_step replaces it, whole; end_round closes the round with it",
  };
}
