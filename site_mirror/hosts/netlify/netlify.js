// An edge function of Netlify that runs Cloudflare's worker. Its assets are the files that Netlify
// serves without it. Netlify compresses by itself and has no request budget.

import site from "../site/site.js";
import tables from "../site/tables.js";
import worker from "../site/worker.js";

const TABLE_PATH = /^\/tables\/(\d+)\.json$/;
const FILE_PATH = /^\/files(\/.*?)(?:~(\d+))?$/;
const STATUSES_WITHOUT_BODY = [204, 304];
const BUDGET = { limit: async () => ({ success: true }) };

// The worker needs this class of Cloudflare's runtime; here the length of a body is known anyway.
globalThis.FixedLengthStream ??= class extends TransformStream {
  constructor() {
    super();
  }
};

export const config = { onError: "bypass" };

export default async function respond(request, context) {
  const fetch = (asset) => readAsset(new URL(asset.url).pathname, request, context);
  const response = await worker.fetch(makeSiteRequest(request), { ASSETS: { fetch }, BUDGET });
  const { status, headers } = response;
  const body = STATUSES_WITHOUT_BODY.includes(status) ? null : await response.arrayBuffer();
  return new Response(body, { status, headers });
}

// Returns a request to the name of the site. A HEAD becomes a GET, because Netlify computes the
// length from the body and then removes the body itself.
function makeSiteRequest(request) {
  const url = new URL(request.url);
  url.hostname = site.host;
  url.port = "";
  const method = request.method === "HEAD" ? "GET" : request.method;
  return new Request(url, { method, headers: request.headers });
}

// Returns a table or a file. Files are not divided here: the first part has all bytes.
async function readAsset(path, request, context) {
  const table = TABLE_PATH.exec(path);
  if (table) {
    return new Response(tables[Number(table[1])]);
  }
  const [, file, part] = FILE_PATH.exec(path);
  if (Number(part) > 0) {
    return new Response("");
  }
  return context.next(new Request(new URL(file, request.url)));
}
