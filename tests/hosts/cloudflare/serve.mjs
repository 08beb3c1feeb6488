// Serves a generated project on Cloudflare's runtime: node serve.mjs FOLDER PORT
//
// `wrangler` builds the project as for an upload. The file `pid` has the id of the process. After
// SIGUSR2 it builds and serves the present contents of the folder, then writes the file `served`.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";
import workerd from "workerd";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

const [folder, port] = process.argv.slice(2);
const project = join(folder, "wrangler.jsonc");
const upload = join(folder, "upload");
const wrangler = join(import.meta.dirname, "node_modules/wrangler/bin/wrangler.js");

function build() {
  const words = [wrangler, "deploy", "--dry-run", "--config", project, "--outdir", upload];
  execFileSync(process.execPath, words, { stdio: "inherit" });
  const { modulesRules, ...options } = unstable_getMiniflareWorkerOptions(project).workerOptions;
  rmSync(join(upload, "assets"), { recursive: true, force: true });
  cpSync(options.assets.directory, join(upload, "assets"), { recursive: true });
  options.assets.directory = join(upload, "assets");
  const program = { modules: true, modulesRoot: upload, scriptPath: join(upload, "worker.js") };
  const sockets = [{ host: "127.0.0.1", port: 0 }];
  const worker = { ...options, ...program, name: "site", unsafeDirectSockets: sockets };
  return convertV4MiniflareOptions({ cf: false, telemetry: { enabled: false }, workers: [worker] });
}

const site = new Miniflare(build());
const behind = await site.unsafeGetDirectURL("site");
const edge = spawn(
  workerd.default,
  [
    ...["serve", join(import.meta.dirname, "edge.capnp"), "edge"],
    ...["--socket-addr", `edge=127.0.0.1:${port}`, "--external-addr", `site=${behind.host}`],
  ],
  { stdio: "inherit" },
);

process.on("exit", () => edge.kill("SIGKILL"));
process.on("SIGUSR2", async () => {
  await site.setOptions(build());
  writeFileSync(join(folder, "served"), "");
});
writeFileSync(join(folder, "pid"), String(process.pid));
