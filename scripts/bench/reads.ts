/** What a page of `read_data` costs as the world grows. */
import { admitCall, callTool, type Json } from "../../src/runtime/index.ts";
import { growthOf, measure, type Growth, type MeasureOptions, type Variant } from "./measure.ts";
import { sessionIn, townOf } from "./town.ts";

const SIZES = [20, 2_000, 20_000] as const;

const QUERIES = {
  "by id": { from: "entities", id: "person_4" },
  "by type, the first page": { from: "entities", type: "person", limit: 5 },
  "by an expression over a type that nobody meets": { from: "entities", type: "person", where: "it.coins > 100" },
  "by an expression over all that nobody meets": { from: "entities", where: "it.coins > 100" },
} as const satisfies Readonly<Record<string, Json>>;

export interface ReadGrowth {
  readonly query: string;
  readonly sizes: readonly Growth[];
}

export async function benchReads(options: MeasureOptions): Promise<readonly ReadGrowth[]> {
  const towns = SIZES.map((entities) => ({ entities, session: sessionIn(townOf({ entities })) }));
  const grown: ReadGrowth[] = [];
  for (const [query, input] of Object.entries<Json>(QUERIES)) {
    const variants = towns.map(({ entities, session }): Variant => ({
      name: `${entities} entities`,
      run: () => {
        const { answer } = callTool(session, admitCall("read_data", input));
        if (!answer.ok) throw new Error(JSON.stringify(answer));
        return 1;
      },
    }));
    grown.push({ query, sizes: growthOf(await measure(variants, options)) });
  }
  return grown;
}
