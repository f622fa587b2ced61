import type { ErrorCode } from "../errors.ts";

/** Why an expression is refused. Thrown inside this folder only; its index turns it into a value. */
export class ExpressionFault extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
