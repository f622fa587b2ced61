import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import metadata from "../../package.json" with { type: "json" };

await yargs(hideBin(process.argv))
  .scriptName("worldagent")
  .version(metadata.version)
  .demandCommand(1, "Name a command.")
  .strict()
  .help()
  .parseAsync();
