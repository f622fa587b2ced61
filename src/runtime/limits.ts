/** Every limit of the runtime, what refuses more than it is met in test/runtime/limits.test.ts. */
export const LIMITS = {
  /** Entities in a world. */
  entities: 20_000,
  /** Entity types in a world. */
  types: 500,
  /** Capabilities in a world. */
  capabilities: 1_000,
  /** Fields of one type. */
  fieldsPerType: 200,
  /** Words of one enum. */
  enumValues: 200,
  /** Parameters of one capability. */
  paramsPerCapability: 32,
  /** Triggers submitted in one step. */
  triggersPerStep: 64,
  /** Requirements of one capability. */
  requirementsPerCapability: 32,
  /** Effects of one capability. */
  effectsPerCapability: 64,
  /** Entities one `for` effect may apply to. */
  matchesPerFor: 20_000,
  /** Characters of one expression. */
  expressionCharacters: 500,
  /** AST nodes of one expression. */
  expressionNodes: 200,
  /** Elements of a list that is written out in an expression. */
  listElements: 64,
  /** List macros (`exists`, `all`, …) inside one another. */
  macroNesting: 2,
  /** Evaluation cost of one step: nodes × sizes of what they range over. */
  stepCost: 1_000_000,
  /** Characters of a text value, a name, a sentence or a note. */
  textCharacters: 1_000,
  /** Characters of an id. */
  idCharacters: 64,
  /** Bytes of one tool input as JSON. */
  inputBytes: 64 * 1024,
  /** Nesting of one tool input. */
  inputDepth: 20,
  /** Bytes of one answer as JSON. */
  answerBytes: 8 * 1024,
  /** Ticks that one duration or one `advance` may take. */
  ticks: 1_000_000,
  /** Entries of one page of `read_data`. */
  pageEntries: 100,
  /** Entries of one page of `read_data` where the caller states no limit. */
  defaultPageEntries: 20,
  /** Failing triggers named in one refusal. */
  failuresShown: 8,
  /** Decimal digits of a `number` field. */
  decimalDigits: 12,
  /** Ticks of a deduction case. */
  caseTicks: 10_000,
  /** Ticks at which one entry of a schedule happens. */
  entryTicks: 1_000,
  /** Combinations of arguments that one action may have: all of them are tried when the possible ones are listed. */
  actionArguments: 2_000,
  /** Combinations of bound entities that the processes of one tick may look at together. */
  tickInstances: 20_000,
  /** Entries of one list of predicted changes, and ids of processes that are said to fire. */
  predictionEntries: 1_000,
  /** Changed paths of one closed round in the log. */
  changedPaths: 100_000,
} as const;
