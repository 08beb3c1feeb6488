// A worker that serves one release. All requests for its assets reach this worker first, so an
// address that is in no table is unknown.

import rules from "./rules.js";
import site from "./site.json";

const ENCODER = new TextEncoder();
const TARGET = /^[^/]*\/\/([^/?#]*?)(?::\d*)?((?:[/#][^?]*)?)(\?.*)?$/s;
const ENCODED_SLASH = /%2f/i;
const SAFE_METHODS = ["GET", "HEAD"];
const API = "/api/";
const VIETNAMESE = "/vi/";
const MAX_CACHED_TABLES = 256;

const cachedTables = new Map();

export default {
  async fetch(received, env) {
    const request = parseRequest(received);
    try {
      return await respond(request, env);
    } catch (error) {
      console.error(error);
      return respondWithError(request, 500);
    }
  },
};

// Returns the parts of a request on which responses depend. Cloudflare replaces `Accept-Encoding`
// before it calls the worker; the client's value is in `cf`.
function parseRequest(request) {
  const [, host, path, query] = TARGET.exec(request.url);
  const header = (name) => request.headers.get(name) || "";
  return {
    path,
    query: query || "",
    scope: scopeOf(path),
    isOfThisVersion: path === site.description || `${path}/`.startsWith(`${site.base}/`),
    method: request.method,
    host: host.toLowerCase(),
    client: header("CF-Connecting-IP"),
    accept: header("Accept"),
    acceptEncoding: request.cf?.clientAcceptEncoding ?? "",
    conditions: {
      match: header("If-Match"),
      unmodifiedSince: header("If-Unmodified-Since"),
      noneMatch: header("If-None-Match"),
      modifiedSince: header("If-Modified-Since"),
    },
  };
}

// Returns the part of the site that a path belongs to, which has errors of its own.
function scopeOf(path) {
  const scope = [API, VIETNAMESE].find((each) => `${path}/`.startsWith(each));
  return path === site.description ? API : scope || "/";
}

// Applies the rules in their order: the first one that matches determines the response.
async function respond(request, env) {
  if (request.host !== site.host && request.path !== site.health) {
    return respondWithError(request, 400);
  }
  if (request.method === "OPTIONS") {
    const headers = addLifecycleHeaders(request, site.preflight);
    return new Response(null, { status: 204, headers });
  }
  if (request.scope === API && !(await isWithinBudget(request.client, env))) {
    return respondWithError(request, 429);
  }
  if (needsRedirect(request.path)) {
    return respondWithRedirect(request, site.root + rules.canonicalPath(request.path));
  }
  if (!SAFE_METHODS.includes(request.method)) {
    return respondWithError(request, 405);
  }
  const row = await findRow(decodePath(request.path), env);
  if (!row) {
    return respondWithError(request, 404);
  }
  if (row.location) {
    return respondWithRedirect(request, row.location);
  }
  return respondWithDocument(request, row, env);
}

async function isWithinBudget(client, env) {
  const { success } = await env.BUDGET.limit({ key: clientKey(client) });
  return success;
}

function needsRedirect(path) {
  const hasSlashes = path.includes("//") || path.endsWith("/");
  return hasSlashes && !rules.isRoot(path) && !ENCODED_SLASH.test(path);
}

// Returns the key of a client in the budget: its IPv4 address, also if mapped to IPv6, or its /64.
function clientKey(address) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped || !address.includes(":")) {
    return mapped ? mapped[1] : address;
  }
  const [before, after] = address.split("::");
  const left = before ? before.split(":") : [];
  const right = after ? after.split(":") : [];
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = after === undefined ? left : [...left, ...zeros, ...right];
  return groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(":");
}

// Decodes a path. Returns "" for invalid escapes, and for an encoded slash, which is data and not a
// separator, so no address contains it.
function decodePath(path) {
  try {
    return ENCODED_SLASH.test(path) ? "" : decodeURIComponent(path);
  } catch (error) {
    return "";
  }
}

async function findRow(address, env) {
  const table = await loadTable(address, env);
  return Object.hasOwn(table, address) ? table[address] : undefined;
}

// Loads the table of an address. The cache has a limit, because the worker has only 128 MB.
async function loadTable(address, env) {
  const digest = await crypto.subtle.digest("SHA-256", ENCODER.encode(address));
  const number = new DataView(digest).getUint32(0) % site.tables;
  if (!cachedTables.has(number)) {
    if (cachedTables.size >= MAX_CACHED_TABLES) {
      cachedTables.clear();
    }
    cachedTables.set(number, await (await fetchAsset(`tables/${number}.json`, env)).json());
  }
  return cachedTables.get(number);
}

async function fetchAsset(file, env) {
  const path = file.split("/").map(encodeURIComponent).join("/");
  const response = await env.ASSETS.fetch(new Request(`https://assets.invalid/${path}`));
  if (!response.ok) {
    throw new Error(`${file}: status ${response.status} instead of 200`);
  }
  return response;
}

// Selects the representation, the coding and the status of a page or another document.
async function respondWithDocument(request, page, env) {
  const wanted = page.mirror ? rules.chooseRepresentation(request.accept) : "html";
  if (wanted === "none") {
    return respondWithNotAcceptable(request, page);
  }
  const negotiated = wanted === "markdown";
  const row = negotiated ? await findRow(page.mirror, env) : page;
  const coding = rules.chooseCoding(request.acceptEncoding, Object.keys(row.codings));
  const variant = coding ? row.codings[coding] : row;
  const headers = { ...site.policies[row.policy], ...row.own, ...variant.own };
  if (negotiated) {
    Object.assign(headers, site.negotiated, { "Content-Location": page.mirror });
  }
  const modified = headers["Last-Modified"] || "";
  const status = rules.evaluateCondition(request.conditions, headers.ETag, modified);
  if (status === "412") {
    return respondWithError(request, 412);
  }
  if (status === "304") {
    return respondWithNotModified(headers);
  }
  return respondWithFile(request, headers, variant.file, env);
}

function respondWithNotModified(headers) {
  const remaining = Object.entries(headers).filter(([name]) => !site.bodyHeaders.includes(name));
  return new Response(null, { status: 304, headers: remaining });
}

async function respondWithFile(request, headers, file, env) {
  const body = request.method === "HEAD" ? null : await streamFile(file, headers, env);
  return new Response(body, { headers, encodeBody: "manual" });
}

// Streams a file. The stream has a fixed length, so that the response has `Content-Length`.
async function streamFile(file, headers, env) {
  const { body } = await fetchAsset(`files/${file}`, env);
  const { readable, writable } = new FixedLengthStream(Number(headers["Content-Length"]));
  // A failure aborts the stream, so the client sees that the response is not whole.
  body.pipeTo(writable).catch(() => {});
  return readable;
}

function respondWithNotAcceptable(request, page) {
  const { headers, body } = site.notAcceptable[request.scope];
  const text = body.replaceAll("/{page}", page.page).replaceAll("/{mirror}", page.mirror);
  return respondWithText(request, 406, headers, text);
}

function respondWithRedirect(request, target) {
  const location = target + rules.encodeUri(request.query);
  const headers = { ...addLifecycleHeaders(request, site.moved), Location: location };
  return respondWithText(request, 308, headers, "");
}

function respondWithError(request, status) {
  const error = site.errors[request.scope][status];
  const headers = error.announced ? addLifecycleHeaders(request, error.headers) : error.headers;
  return respondWithText(request, status, headers, error.body);
}

// Only responses of this version of the API announce its end.
function addLifecycleHeaders(request, headers) {
  return request.isOfThisVersion ? { ...headers, ...site.announced } : headers;
}

function respondWithText(request, status, headers, text) {
  const bytes = ENCODER.encode(text);
  const complete = { ...headers, "Content-Length": String(bytes.length) };
  return new Response(request.method === "HEAD" ? null : bytes, { status, headers: complete });
}
