import metadata from "../../package.json" with { type: "json" };

// A reader that has gone away (`worldagent score runs/x | head -1`) is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

const words = process.argv.slice(2);
// The one question that needs no parser, and that scripts ask most.
if (words.length === 1 && words[0] === "--version") process.stdout.write(`${metadata.version}\n`);
else {
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(words);
}
