/** What a call costs by itself, before a protocol carries it: admission, the schema, the answer, its bounds. */
import { admitText, callTool, type Json } from "../../src/runtime/index.ts";
import { measure, type Measured, type MeasureOptions } from "./measure.ts";
import { sessionIn, townOf } from "./town.ts";

const CALLS: readonly (readonly [name: string, tool: string, input: Json])[] = [
  ["help", "help", {}],
  ["get_context", "get_context", {}],
  ["read_data by id", "read_data", { from: "entities", id: "person_4" }],
  ["read_data, 20 entities", "read_data", { from: "entities" }],
  ["commit_step, a wait", "commit_step", { advance: 1 }],
  ["commit_step, refused by its schema", "commit_step", { triggers: "go" }],
  ["a tool that there is not", "commit", {}],
];

export async function benchCalls(options: MeasureOptions): Promise<readonly Measured[]> {
  const session = sessionIn(townOf({ entities: 20 }));
  return await measure(
    CALLS.map(([name, tool, input]) => {
      const text = JSON.stringify(input);
      return {
        name,
        run: () => {
          let bytes = 0;
          for (let n = 0; n < 50; n += 1)
            bytes += JSON.stringify(callTool(session, admitText(tool, text)).answer).length;
          if (bytes === 0) throw new Error(`${name}: no answer`);
          return 50;
        },
      };
    }),
    options,
  );
}
