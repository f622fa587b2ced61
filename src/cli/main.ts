import { hideBin } from "yargs/helpers";
import { runProgram } from "./program.ts";

// A reader that has gone away (`worldagent score runs/x | head -1`) is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

process.exitCode = await runProgram(hideBin(process.argv));
