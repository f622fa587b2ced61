/** Something the user asked for that cannot be: said in one line, without a stack trace, and the command ends with 2. */
export class UserError extends Error {
  /** Lines that follow the message, such as the faults of a file; none as a rule. */
  readonly details: readonly string[];

  constructor(message: string, hint?: string, details: readonly string[] = []) {
    super(hint === undefined ? message : `${message}: ${hint}`);
    this.name = "UserError";
    this.details = details;
  }
}
