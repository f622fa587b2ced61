import { writeSync } from "node:fs";
import metadata from "../../package.json" with { type: "json" };
import { EXIT } from "./exit-code.ts";
import { catchInterrupts } from "./interrupt.ts";

/** Ends with one line on stderr, where stderr can still be written. */
function endWith(message: string, error: Error): never {
  const stack = process.env["WORLDAGENT_DEBUG"] === "1" ? `${error.stack ?? ""}\n` : "";
  try {
    writeSync(process.stderr.fd, `worldagent: ${message.replaceAll(/\p{Cc}+/gu, " ")}\n${stack}`);
  } catch {
    // It is stderr that is full, closed or gone: nobody can be told.
  }
  process.exit(EXIT.failed);
}

catchInterrupts();
process.on("uncaughtException", (error) =>
  endWith(`internal error: ${error.message} (WORLDAGENT_DEBUG=1 shows where)`, error),
);
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has gone away (`worldagent score runs/x | head -1`) is no fault.
    if (error.code === "EPIPE") process.exit();
    endWith(`the ${stream === process.stdout ? "result" : "progress"} could not be written: ${error.message}`, error);
  });
}

const words = process.argv.slice(2);
// The one question that needs no parser, and that scripts ask most.
if (words.length === 1 && words[0] === "--version") process.stdout.write(`${metadata.version}\n`);
else {
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(words);
}
