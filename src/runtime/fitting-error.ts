import type { ToolError } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { bytesOf } from "./page.ts";
import { shorten } from "./show.ts";

/** An error that fits an answer: its texts cut where they are very long, its failures as many as there is room for. */
export function fittingError(error: ToolError): ToolError {
  for (const length of [1_000, 400, 150]) {
    const cut = cutError(error, length);
    if (bytesOf(cut) <= LIMITS.answerBytes - 100) return cut;
  }
  return cutError({ ...error, failures: undefined }, 150);
}

function cutError({ code, message, path, hint, failures }: ToolError, length: number): ToolError {
  return {
    code,
    message: shorten(message, 2 * length),
    ...(path === undefined ? {} : { path: shorten(path, 300) }),
    ...(hint === undefined ? {} : { hint: shorten(hint, length) }),
    ...(failures === undefined
      ? {}
      : {
          failures: failures.slice(0, LIMITS.failuresShown).map((one) => ({
            ...one,
            capability: shorten(one.capability, LIMITS.idCharacters),
            message: shorten(one.message, length),
            ...(one.hint === undefined ? {} : { hint: shorten(one.hint, length) }),
          })),
        }),
  };
}
