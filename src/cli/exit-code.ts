/** The closed list of exit codes. */
export const EXIT = {
  done: 0,
  /** A check failed, something could not be played, judged, scored or written, or the program itself failed. */
  failed: 1,
  wrongUse: 2,
  endpointFault: 3,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
