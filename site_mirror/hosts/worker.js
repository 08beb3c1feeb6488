// Answers for one release: what an address is, which representation of it, what is said instead.
// Every asset is behind this worker, so that what is in no table is unknown.

import rules from "./rules.js";
import site from "./site.json";

const ENCODER = new TextEncoder();
const TARGET = /^[^/]*\/\/([^/?#]*?)(?::\d*)?((?:[/#][^?]*)?)(\?.*)?$/s;
const ENCODED_SLASH = /%2f/i;
const READING = ["GET", "HEAD"];
const API = "/api/";
const KEPT = 256;

const tables = new Map();

export default {
  async fetch(request, env) {
    const asked = read(request);
    try {
      return await answer(asked, env);
    } catch (fault) {
      console.error(fault);
      return refused(asked, 500);
    }
  },
};

// A request, as far as answers depend on it. Which codings a client accepts, Cloudflare says in
// `cf`: the header is the same for all.
function read(request) {
  const [, host, path, query] = TARGET.exec(request.url);
  const header = (name) => request.headers.get(name) || "";
  const below = path === site.description || `${path}/`.startsWith(API);
  return {
    path,
    query: query || "",
    scope: below ? API : "/",
    ofThisVersion: path === site.description || `${path}/`.startsWith(`${site.base}/`),
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

// In order: the first that fits is the answer.
async function answer(asked, env) {
  if (asked.host !== site.host) {
    return refused(asked, 400);
  }
  if (asked.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: announced(asked, site.preflight) });
  }
  if (asked.scope === API && !(await env.BUDGET.limit({ key: network(asked.client) })).success) {
    return refused(asked, 429);
  }
  if (isAstray(asked.path)) {
    const path = rules.canonical(asked.path);
    return moved(asked, site.root + path + rules.quoted(asked.query));
  }
  if (!READING.includes(asked.method)) {
    return refused(asked, 405);
  }
  const row = await rowAt(decoded(asked.path), env);
  if (!row) {
    return refused(asked, 404);
  }
  return row.location ? moved(asked, row.location) : represented(asked, row, env);
}

function isAstray(path) {
  const hasSlashes = path.includes("//") || path.endsWith("/");
  return hasSlashes && !rules.isRoot(path) && !ENCODED_SLASH.test(path);
}

// The client that is counted: an IPv4 address, also one written as IPv6, or an IPv6 /64.
function network(address) {
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

// A path whose escapes stand for characters; "" where they stand for none. An encoded slash is
// data and separates nothing, so it is in no address.
function decoded(path) {
  try {
    return ENCODED_SLASH.test(path) ? "" : decodeURIComponent(path);
  } catch (error) {
    return "";
  }
}

async function rowAt(address, env) {
  const table = await tableOf(address, env);
  return Object.hasOwn(table, address) ? table[address] : undefined;
}

// The table that would have an address. An instance of the worker keeps some, not all of a large
// site: it has 128 MB.
async function tableOf(address, env) {
  const digest = await crypto.subtle.digest("SHA-256", ENCODER.encode(address));
  const number = new DataView(digest).getUint32(0) % site.tables;
  if (!tables.has(number)) {
    if (tables.size >= KEPT) {
      tables.clear();
    }
    tables.set(number, await (await asset(`tables/${number}.json`, env)).json());
  }
  return tables.get(number);
}

async function asset(file, env) {
  const path = file.split("/").map(encodeURIComponent).join("/");
  const found = await env.ASSETS.fetch(new Request(`https://assets.invalid/${path}`));
  if (!found.ok) {
    throw new Error(`${file}: status ${found.status} instead of 200`);
  }
  return found;
}

// A document, as the request's headers decide.
async function represented(asked, page, env) {
  const wanted = page.mirror ? rules.representation(asked.accept) : "html";
  if (wanted === "none") {
    return unacceptable(asked, page);
  }
  const negotiated = wanted === "markdown";
  const row = negotiated ? await rowAt(page.mirror, env) : page;
  const coding = rules.coding(asked.acceptEncoding, Object.keys(row.codings));
  const variant = coding ? row.codings[coding] : row;
  const headers = { ...site.policies[row.policy], ...row.own, ...variant.own };
  if (negotiated) {
    Object.assign(headers, site.negotiated, { "Content-Location": page.mirror });
  }
  const status = rules.condition(asked.conditions, headers.ETag, headers["Last-Modified"]);
  if (status === "412") {
    return refused(asked, 412);
  }
  return status === "304" ? unchanged(headers) : whole(asked, headers, variant.files, env);
}

function unchanged(headers) {
  const kept = Object.entries(headers).filter(([name]) => !site.ofABody.includes(name));
  return new Response(null, { status: 304, headers: kept });
}

async function whole(asked, headers, files, env) {
  const body = asked.method === "HEAD" ? null : await content(files, headers, env);
  return new Response(body, { headers, encodeBody: "manual" });
}

// A file lies in one asset, or in several where it is larger than an asset may be. Its length is
// said, whether Cloudflare knows it or not.
async function content([first, ...others], headers, env) {
  const { body } = await asset(`files/${first}`, env);
  const { readable, writable } = new FixedLengthStream(Number(headers["Content-Length"]));
  join(body, others, writable, env).catch((fault) => writable.abort(fault));
  return readable;
}

async function join(start, others, writable, env) {
  await start.pipeTo(writable, { preventClose: true });
  for (const file of others) {
    const { body } = await asset(`files/${file}`, env);
    await body.pipeTo(writable, { preventClose: true });
  }
  await writable.close();
}

function unacceptable(asked, page) {
  const { headers, body } = site.notAcceptable;
  const text = body.replaceAll("{page}", page.page).replaceAll("{mirror}", page.mirror);
  return said(asked, 406, headers, text);
}

function moved(asked, location) {
  return said(asked, 308, { ...announced(asked, site.moved), Location: location }, "");
}

function refused(asked, status) {
  const error = site.errors[asked.scope][status];
  const headers = error.announced ? announced(asked, error.headers) : error.headers;
  return said(asked, status, headers, error.body);
}

// The announced end of this version of the API is on its own answers.
function announced(asked, headers) {
  return asked.ofThisVersion ? { ...headers, ...site.announced } : headers;
}

function said(asked, status, headers, text) {
  const bytes = ENCODER.encode(text);
  const own = { ...headers, "Content-Length": String(bytes.length) };
  return new Response(asked.method === "HEAD" ? null : bytes, { status, headers: own });
}
