/** A process for the ledger's tests: plans runs and adds agents in a set, one by one, as fast as it can. */
import { addPlanned, addSetAgent, requireRunId } from "../../src/records/index.ts";

const [set = "", me = "", count = "0"] = process.argv.slice(2);
for (let i = 1; i <= Number(count); i += 1) {
  addPlanned(set, [requireRunId(`mill.easy.${me}.${i}`), requireRunId(`mill.hard.shared.${i}`)]);
  addSetAgent(set, { name: `${me}_${i}`, settings: { v: 1 }, preflight: null });
  addSetAgent(set, { name: `shared_${i}`, settings: { v: 1 }, preflight: { by: me } });
}
