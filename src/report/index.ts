export { caseLines, summaryOf, type CaseSummary, type CaseTextOptions } from "./case-text.ts";
export { contractLines } from "./contract-text.ts";
export { escapeJson, escapeLines, escapeText } from "./escape.ts";
export { evidenceLines, type Evidence } from "./evidence.ts";
export { figuresOf, isFault, judgesOf, type GroupFigures, type Means } from "./figures.ts";
export { progressLine, sayTime, type SetProgress } from "./progress.ts";
export { sayRate } from "./rates.ts";
export { scoreLines } from "./score-table.ts";
export { tableLines, type Column } from "./table.ts";
