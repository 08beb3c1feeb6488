// A folder as Netlify serves it: the runtime of its edge functions before its file server,
// or, where its function fails, the file server alone: deno run … serve.mjs PORT FOLDER [alone]
//
// On SIGUSR2, what lies in the folder by then is deployed, and once it is, there is a file
// `served`; the process to tell is in the file `pid`.

import { handleRequest } from "./node_modules/@netlify/edge-functions-dev/dist/deno/bootstrap.mjs";

const [port, folder, alone] = Deno.args;
const NAME = "answer";
const ROUTE = { function: NAME, path: "/*", pattern: "^/.*$" };

// The runtime forbids its functions to read files: whoever serves them has a world of its own.
async function deployed() {
  const files = new Worker(new URL("./files.mjs", import.meta.url), { type: "module" });
  const told = new Promise((found) => (files.onmessage = ({ data }) => found(data)));
  files.postMessage({ folder, port: alone ? Number(port) : 0 });
  const { folder: upload, port: origin } = await told;
  const { default: answer } = await import(`file://${upload}/netlify/edge-functions/${NAME}.js`);
  return { origin, answer };
}

// What Netlify's edge tells the runtime of a request.
function told(request, origin) {
  const headers = new Headers(request.headers);
  const encoded = (value) => btoa(JSON.stringify(value));
  const own = {
    "accept-encoding": "identity",
    "x-nf-client-connection-ip": "127.0.0.1",
    "x-nf-deploy-id": "0",
    "x-nf-edge-functions": NAME,
    "x-nf-edge-functions-metadata": encoded({ function_config: {}, req_routes: [0], routes: [ROUTE] }),
    "x-nf-geo": encoded({}),
    "x-nf-passthrough": "passthrough",
    "x-nf-passthrough-host": `127.0.0.1:${origin}`,
    "x-nf-passthrough-proto": "http:",
    "x-nf-request-id": "0",
    "x-nf-site-info": encoded({ id: "0", name: NAME, url: "http://127.0.0.1" }),
  };
  Object.entries(own).forEach(([name, value]) => headers.set(name, value));
  return new Request(request, { headers });
}

Deno.writeTextFileSync(`${folder}/pid`, String(Deno.pid));
let current = await deployed();
if (!alone) {
  Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen() {} }, (request) =>
    handleRequest(told(request, current.origin), { [NAME]: current.answer }),
  );
}

Deno.addSignalListener("SIGUSR2", async () => {
  current = await deployed();
  Deno.writeTextFileSync(`${folder}/served`, "");
});
