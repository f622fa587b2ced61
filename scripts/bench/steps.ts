/** What a step costs as the world grows: in memory by the kind of step, and one kind with its line in the log. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admitCall, callTool, type Json, type Session } from "../../src/runtime/index.ts";
import { growthOf, measure, type Growth, type MeasureOptions, type Variant } from "./measure.ts";
import { caseOfTown, recordTown } from "./recorded-town.ts";
import { DOINGS, sessionIn, townOf, type Doing } from "./town.ts";

const SIZES = [20, 2_000, 19_900] as const;
/** An even number, so that each run of a variant ends as it began. */
const STEPS = 200;

/** One kind of step, at each size. */
export interface StepGrowth {
  readonly doing: string;
  readonly sizes: readonly Growth[];
}

export async function benchSteps(options: MeasureOptions): Promise<readonly StepGrowth[]> {
  const kinds = Object.entries<Doing>(DOINGS).map(([doing, make]) => ({ doing, make, lawful: false }));
  const lawful = { doing: "a field of one, under a rule for everybody", make: DOINGS["a field of one"], lawful: true };
  const grown: StepGrowth[] = [];
  for (const { doing, make, lawful: isLawful } of [...kinds, lawful]) {
    const variants = SIZES.map((entities) =>
      stepping(`${entities} entities`, sessionIn(townOf({ entities, lawful: isLawful })), make),
    );
    grown.push({ doing, sizes: growthOf(await measure(variants, options)) });
  }
  return [...grown, await benchWholeSteps(options)];
}

/** The line is handed to the operating system and not waited for: a disk's time is the same at each size and would hide what grows. */
async function benchWholeSteps(options: MeasureOptions): Promise<StepGrowth> {
  const make = DOINGS["a move, a gift, a wage"];
  const folder = mkdtempSync(join(tmpdir(), "bench-steps-"));
  const runs = await Promise.all(
    SIZES.map(async (entities) => ({
      name: `${entities} entities`,
      run: await recordTown(mkdtempSync(join(folder, "run-")), caseOfTown({ entities }), false),
    })),
  );
  try {
    const variants = runs.map(({ name, run }) =>
      repeating(name, (i) => {
        const answer = run.call(admitCall("commit_step", make(i)));
        if (!answer.ok) throw new Error(JSON.stringify(answer));
      }),
    );
    return {
      doing: "a move, a gift, a wage, with its line in the log",
      sizes: growthOf(await measure(variants, options)),
    };
  } finally {
    for (const { run } of runs) run.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Steps one after the other in one session; all of them must be accepted. */
export function stepping(name: string, begun: Session, make: Doing): Variant {
  let session = begun;
  return repeating(name, (i) => {
    session = submit(session, make(i));
  });
}

function repeating(name: string, step: (i: number) => void): Variant {
  let i = 0;
  return {
    name,
    run: () => {
      for (let n = 0; n < STEPS; n += 1, i += 1) step(i);
      return STEPS;
    },
  };
}

function submit(session: Session, input: Json): Session {
  const turn = callTool(session, admitCall("commit_step", input));
  if (!turn.answer.ok) throw new Error(JSON.stringify(turn.answer));
  return turn.session;
}
