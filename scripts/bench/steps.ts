/** What a step costs as the world grows. */
import { admitCall, callTool, type Json, type Session } from "../../src/runtime/index.ts";
import { growthOf, measure, type Growth, type MeasureOptions, type Variant } from "./measure.ts";
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
  return grown;
}

/** Steps one after the other in one session; all of them must be accepted. */
export function stepping(name: string, begun: Session, make: Doing): Variant {
  let session = begun;
  let i = 0;
  return {
    name,
    run: () => {
      for (let n = 0; n < STEPS; n += 1) {
        session = submit(session, make(i));
        i += 1;
      }
      return STEPS;
    },
  };
}

function submit(session: Session, input: Json): Session {
  const turn = callTool(session, admitCall("commit_step", input));
  if (!turn.answer.ok) throw new Error(JSON.stringify(turn.answer));
  return turn.session;
}
