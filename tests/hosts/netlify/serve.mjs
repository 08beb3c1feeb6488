// Serves a folder as Netlify does, with the runtime of its edge functions in front of a file server;
// with `files-only`, without functions: deno run … serve.mjs PORT FOLDER [files-only]
//
// The file `pid` has the id of the process. After SIGUSR2 it deploys the present contents of the
// folder, then writes the file `served`.

import { handleRequest } from "./node_modules/@netlify/edge-functions-dev/dist/deno/bootstrap.mjs";

const [port, folder, mode] = Deno.args;
const filesOnly = mode === "files-only";
const NAME = "answer";
const ROUTE = { function: NAME, path: "/*", pattern: "^/.*$" };

// The file server is a web worker, because the runtime of functions forbids reading files.
async function deploy() {
  const files = new Worker(new URL("./files.mjs", import.meta.url), { type: "module" });
  const reply = new Promise((resolve) => (files.onmessage = ({ data }) => resolve(data)));
  files.postMessage({ folder, port: filesOnly ? Number(port) : 0 });
  const { folder: upload, port: origin } = await reply;
  const { default: answer } = await import(`file://${upload}/netlify/edge-functions/${NAME}.js`);
  return { origin, answer };
}

// Adds the headers with which Netlify's edge passes a request to the runtime.
function addNetlifyHeaders(request, origin) {
  const headers = new Headers(request.headers);
  const encode = (value) => btoa(JSON.stringify(value));
  const added = {
    "accept-encoding": "identity",
    "x-nf-client-connection-ip": "127.0.0.1",
    "x-nf-deploy-id": "0",
    "x-nf-edge-functions": NAME,
    "x-nf-edge-functions-metadata": encode({ function_config: {}, req_routes: [0], routes: [ROUTE] }),
    "x-nf-geo": encode({}),
    "x-nf-passthrough": "passthrough",
    "x-nf-passthrough-host": `127.0.0.1:${origin}`,
    "x-nf-passthrough-proto": "http:",
    "x-nf-request-id": "0",
    "x-nf-site-info": encode({ id: "0", name: NAME, url: "http://127.0.0.1" }),
  };
  Object.entries(added).forEach(([name, value]) => headers.set(name, value));
  return new Request(request, { headers });
}

Deno.writeTextFileSync(`${folder}/pid`, String(Deno.pid));
let current = await deploy();
if (!filesOnly) {
  Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen() {} }, (request) =>
    handleRequest(addNetlifyHeaders(request, current.origin), { [NAME]: current.answer }),
  );
}

Deno.addSignalListener("SIGUSR2", async () => {
  current = await deploy();
  Deno.writeTextFileSync(`${folder}/served`, "");
});
