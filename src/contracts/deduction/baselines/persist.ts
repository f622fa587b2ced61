import { answerAll, type Predictor } from "./knowledge.ts";

/** Nothing changes and nothing fires. */
export const persist: Predictor = ({ asked }, memory) => ({ predictions: answerAll(asked, {}), fires: [], memory });
