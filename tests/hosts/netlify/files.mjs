// A file server like Netlify's without a function: it applies forced redirects, files, other
// redirects, and headers by address. It runs as a web worker, which receives a folder and a port
// and answers with the copy of the folder and the port that it serves.

import { cpSync } from "node:fs";

import { parseAllHeaders } from "@netlify/headers-parser";
import { RedirectsHandler } from "@netlify/redirects";
import { StaticHandler } from "@netlify/static";

// Returns a function from a request to a response of the site in a folder.
async function makeHandler(folder) {
  const publicDir = `${folder}/public`;
  const files = new StaticHandler({ directory: publicDir });
  const redirects = new RedirectsHandler({
    projectDir: folder,
    publicDir,
    jwtRoleClaim: "",
    jwtSecret: "",
  });
  const rules = await readHeaderRules(`${publicDir}/_headers`);
  return async (request) => {
    const [rule, file] = await Promise.all([redirects.match(request), files.match(request)]);
    const found = rule && (rule.force || !file) ? await applyRedirect(rule, files) : await file?.handle();
    return addHeaders(request, found ?? new Response("Not found", { status: 404 }), rules);
  };
}

async function readHeaderRules(file) {
  const headersFiles = [file];
  const found = await parseAllHeaders({ headersFiles, minimal: false, configHeaders: [] });
  if (found.errors.length) {
    throw found.errors[0];
  }
  return found.headers;
}

async function applyRedirect(rule, files) {
  if (rule.redirect) {
    return new Response(null, { status: rule.statusCode, headers: { Location: rule.target.href } });
  }
  const file = await files.match(new Request(rule.target));
  const answer = await file?.handle();
  return answer && new Response(answer.body, { status: rule.statusCode, headers: answer.headers });
}

function addHeaders(request, answer, rules) {
  const { pathname } = new URL(request.url);
  for (const { forRegExp, values } of rules) {
    if (forRegExp.test(pathname)) {
      Object.entries(values).forEach(([name, value]) => answer.headers.set(name, value));
    }
  }
  return answer;
}

// Copies a folder, so that later changes of it are not served.
function copyUpload(folder) {
  const copy = Deno.makeTempDirSync({ dir: folder, prefix: "upload-" });
  for (const part of ["public", "netlify"]) {
    cpSync(`${folder}/${part}`, `${copy}/${part}`, { recursive: true });
  }
  return copy;
}

onmessage = async ({ data }) => {
  const folder = copyUpload(data.folder);
  const options = { hostname: "127.0.0.1", port: data.port, onListen() {} };
  postMessage({ folder, port: Deno.serve(options, await makeHandler(folder)).addr.port });
};
