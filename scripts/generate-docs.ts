/** Writes the pages of docs/ that are made from the code, or the part of a page that is: `npm run docs`. */
import { readFileSync, writeFileSync } from "node:fs";
import { chatMethod } from "../src/agents/index.ts";
import { withMethod } from "../src/cli/method-text.ts";
import { toolsPage } from "../src/report/tools-page.ts";

const docs = new URL("../docs/", import.meta.url);
const chatLoop = new URL("chat-loop.md", docs);

writeFileSync(new URL("tools.md", docs), toolsPage());
writeFileSync(chatLoop, withMethod(readFileSync(chatLoop, "utf8"), chatMethod()));
