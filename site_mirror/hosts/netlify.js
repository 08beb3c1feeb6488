// The worker as an edge function of Netlify's. What it calls assets are the files that Netlify
// would serve without it; Netlify compresses by itself, and counts nothing.

import site from "../site/site.js";
import tables from "../site/tables.js";
import worker from "../site/worker.js";

const TABLE = /^\/tables\/(\d+)\.json$/;
const FILE = /^\/files(\/.*?)(?:~(\d+))?$/;
const WITHOUT_A_BODY = [204, 304];
const BUDGET = { limit: async () => ({ success: true }) };

// Of Cloudflare's runtime alone; here lengths are known without it.
globalThis.FixedLengthStream ??= class extends TransformStream {
  constructor() {
    super();
  }
};

export const config = { onError: "bypass" };

export default async function answer(request, context) {
  const fetch = (asset) => found(new URL(asset.url).pathname, request, context);
  const answered = await worker.fetch(asked(request), { ASSETS: { fetch }, BUDGET });
  const { status, headers } = answered;
  const body = WITHOUT_A_BODY.includes(status) ? null : await answered.arrayBuffer();
  return new Response(body, { status, headers });
}

// The same request of the site, whatever name it came by. The body of a HEAD is Netlify's to
// leave out: it knows a length from nothing else.
function asked(request) {
  const url = new URL(request.url);
  url.hostname = site.host;
  url.port = "";
  const method = request.method === "HEAD" ? "GET" : request.method;
  return new Request(url, { method, headers: request.headers });
}

// What lies in parts elsewhere is whole here: the first part has all of it.
async function found(path, request, context) {
  const table = TABLE.exec(path);
  if (table) {
    return new Response(tables[Number(table[1])]);
  }
  const [, file, part] = FILE.exec(path);
  return Number(part) > 0 ? new Response("") : context.next(new Request(new URL(file, request.url)));
}
