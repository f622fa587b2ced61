/** The speed of rollouts, in instances of processes a second: of the shipped cases, and how it grows. */
import { FOLDS, listCases, loadDeductionCase } from "../../src/cases/index.ts";
import { LOOKAHEAD_TICKS, rollout, type Dynamics, type World } from "../../src/runtime/index.ts";
import { growWorld } from "./grown-world.ts";
import { growthOf, measure, type Growth, type Measured, type MeasureOptions, type Variant } from "./measure.ts";

export interface RolloutBench {
  readonly cases: readonly Measured[];
  /** Instances a second, by entities. */
  readonly byEntities: readonly Growth[];
  /** Ticks a second, by the ticks rolled at once. */
  readonly byTicks: readonly Growth[];
}

const PEOPLE = [20, 200, 2_000] as const;
const TICKS = [100, 1_000, 10_000] as const;

export async function benchRollouts(casesFolder: string, options: MeasureOptions): Promise<RolloutBench> {
  const grown = PEOPLE.map((people) => ({ people, ...growWorld(people) }));
  const [small] = grown;
  if (small === undefined) throw new Error("benchRollouts: no sizes");
  return {
    cases: await measure(caseVariants(casesFolder), options),
    byEntities: growthOf(
      await measure(
        grown.map(({ people, world, dynamics }) => ({
          name: `${people} people`,
          run: () => roll(dynamics, world, Math.max(4, 8_000 / people)),
        })),
        options,
      ),
    ),
    byTicks: growthOf(
      await measure(
        TICKS.map((ticks) => ({
          name: `${ticks} ticks`,
          run: () => {
            roll(small.dynamics, small.world, ticks);
            return ticks;
          },
        })),
        options,
      ),
    ),
  };
}

/** Each case: its folds one after the other, waiting, to the end and as far beyond as a lookahead looks. */
function caseVariants(folder: string): readonly Variant[] {
  return listCases(folder).map(({ id, directory }) => {
    const loaded = loadDeductionCase(directory);
    if (!loaded.ok) throw new Error(`${id} has faults: worldagent cases verify ${id} lists them`);
    const { dynamics, worlds } = loaded.value;
    return {
      name: id,
      run: () =>
        FOLDS.reduce((sum, fold) => sum + roll(dynamics, worlds[fold] as World, dynamics.ticks + LOOKAHEAD_TICKS), 0),
    };
  });
}

/** Rolls a world; returns the instances that were looked at. */
function roll(dynamics: Dynamics, world: World, ticks: number): number {
  const rolled = rollout(dynamics, world, { ticks });
  if (!rolled.ok) throw new Error(rolled.error.message);
  return rolled.value.instances;
}
