export { FAULTS, type FaultName, type FaultPlan } from "./faults.ts";
export { judgeByOracle, obedientJudge, type JudgedQuestion, type JudgeVerdict, type Oracle } from "./judge.ts";
export { obliging } from "./obliging.ts";
export { OVERFLOWS, type OverflowName } from "./overflow.ts";
export { chatty, firstOf, idle, looper, scripted, type Policy } from "./policy.ts";
export { QUIRKS, type QuirkName } from "./quirks.ts";
export { startScriptedEndpoint, type Account, type ScriptedEndpoint, type ScriptedOptions } from "./server.ts";
export { solver, type SolverOptions } from "./solver.ts";
export { type SeenRequest } from "./wire.ts";
