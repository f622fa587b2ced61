/** Writes the pages of docs/ that are made from the code: `npm run docs`. */
import { writeFileSync } from "node:fs";
import { toolsPage } from "../src/report/tools-page.ts";

writeFileSync(new URL("../docs/tools.md", import.meta.url), toolsPage());
