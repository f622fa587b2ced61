/** Whether a stream is a terminal on which a line can be drawn again in place. */

export const CLEAR_LINE = "\r\u001b[2K";

/** No where it is none, where it cannot (`TERM=dumb`), and where plain lines are asked for. */
export function isLive(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return (
    stream.isTTY === true &&
    environment["TERM"] !== "dumb" &&
    isUnset(environment["CI"]) &&
    isUnset(environment["NO_COLOR"])
  );
}

function isUnset(value: string | undefined): boolean {
  return value === undefined || value === "";
}
