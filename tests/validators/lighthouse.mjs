// Counts, as a phone: every category of each page must score 100 in nine of ten counts.
// usage: node lighthouse.mjs HOST ADDRESS...; HOST is this machine, and its certificate is trusted.

import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const [host, ...addresses] = process.argv.slice(2);
const chrome = await launch({
  chromePath: "/usr/bin/chromium",
  chromeFlags: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--host-resolver-rules=MAP ${host} 127.0.0.1`,
    "--ignore-certificate-errors",
  ],
});

const COUNTS = 10;
const SHORT_COUNTS = 1; // at most
const ATTEMPTS = 3;
const LONGEST = 300; // characters of a reason

/** What keeps a category from its full score, in words. */
function reasons(category, audits) {
  return category.auditRefs
    .map((ref) => audits[ref.id])
    .filter((audit) => audit.score !== null && audit.score < 1)
    .map((audit) => {
      const where = [audit.details?.items ?? []]
        .flat()
        .map((item) => item.node?.selector ?? item.url ?? item.source?.url ?? item.description)
        .filter(Boolean)
        .slice(0, 5);
      const words = [audit.title, audit.displayValue, audit.explanation, ...where];
      return words.filter(Boolean).join("; ").slice(0, LONGEST);
    });
}

/** A report on a page; Lighthouse asks for another attempt where its own recording failed. */
async function report(address) {
  let lhr;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    ({ lhr } = await lighthouse(address, { port: chrome.port, output: "json", logLevel: "error" }));
    if (!lhr.runtimeError) break;
  }
  return lhr;
}

/** The scores of a page, and what is said against it. */
async function judged(address) {
  const lhr = await report(address);
  const categories = Object.values(lhr.categories);
  const faults = categories
    .filter(({ score }) => score < 1)
    .flatMap((category) => [
      ...(category.score === null ? [`${category.title}: not scored`] : []),
      ...reasons(category, lhr.audits).map((each) => `${category.title}: ${each}`),
    ]);
  if (lhr.runtimeError) faults.push(lhr.runtimeError.message);
  const scores = categories.map(({ title, score }) => `${title} ${Math.round(score * 100)}`);
  return { scores: scores.join(", "), faults };
}

/** What a page scored in all counts, and how many of them were short of 100. */
async function countAgain(address) {
  const lines = [];
  let short = 0;
  for (let count = 0; count < COUNTS; count += 1) {
    const { scores, faults } = await judged(address);
    if (faults.length) short += 1;
    if (faults.length || !count) lines.push([scores, ...faults].join("\n    "));
  }
  console.log([`${new URL(address).pathname}: ${COUNTS - short} of ${COUNTS}`, ...lines].join("\n  "));
  return short;
}

let failed = 0;
try {
  for (const address of addresses) {
    if (await countAgain(address) > SHORT_COUNTS) failed += 1;
  }
} finally {
  await chrome.kill();
}
console.log(`${addresses.length} pages, ${failed} of them too often short of 100.`);
process.exitCode = failed || !addresses.length ? 1 : 0;
