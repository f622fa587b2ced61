export { type Agent, type AgentCall, type AgentContext, type AgentEnd, type AgentPlay } from "./agent.ts";
export { endOf, manifestOf, playRun, type RunOptions, type RunPlan, type RunProgressEvent, type RunResult, type Surroundings } from "./maintenance/run.ts";
