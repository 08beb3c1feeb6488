// A folder as Netlify serves it without a function: redirects that are forced, files, other
// redirects, and headers by address. A worker: it is told a folder and a port, and tells which
// copy of the folder it serves, and where.

import { cpSync } from "node:fs";

import { parseAllHeaders } from "@netlify/headers-parser";
import { RedirectsHandler } from "@netlify/redirects";
import { StaticHandler } from "@netlify/static";

// The site in a folder: a request in, an answer out.
async function serving(folder) {
  const publicDir = `${folder}/public`;
  const files = new StaticHandler({ directory: publicDir });
  const redirects = new RedirectsHandler({
    projectDir: folder,
    publicDir,
    jwtRoleClaim: "",
    jwtSecret: "",
  });
  const rules = await rulesOf(`${publicDir}/_headers`);
  return async (request) => {
    const [rule, file] = await Promise.all([redirects.match(request), files.match(request)]);
    const found = rule && (rule.force || !file) ? await followed(rule, files) : await file?.handle();
    return dressed(request, found ?? new Response("Not found", { status: 404 }), rules);
  };
}

async function rulesOf(file) {
  const headersFiles = [file];
  const found = await parseAllHeaders({ headersFiles, minimal: false, configHeaders: [] });
  if (found.errors.length) {
    throw found.errors[0];
  }
  return found.headers;
}

async function followed(rule, files) {
  if (rule.redirect) {
    return new Response(null, { status: rule.statusCode, headers: { Location: rule.target.href } });
  }
  const file = await files.match(new Request(rule.target));
  const answer = await file?.handle();
  return answer && new Response(answer.body, { status: rule.statusCode, headers: answer.headers });
}

function dressed(request, answer, rules) {
  const { pathname } = new URL(request.url);
  for (const { forRegExp, values } of rules) {
    if (forRegExp.test(pathname)) {
      Object.entries(values).forEach(([name, value]) => answer.headers.set(name, value));
    }
  }
  return answer;
}

// As an upload has it: what is written into the folder later is not in it.
function uploaded(folder) {
  const copy = Deno.makeTempDirSync({ dir: folder, prefix: "upload-" });
  for (const part of ["public", "netlify"]) {
    cpSync(`${folder}/${part}`, `${copy}/${part}`, { recursive: true });
  }
  return copy;
}

onmessage = async ({ data }) => {
  const folder = uploaded(data.folder);
  const options = { hostname: "127.0.0.1", port: data.port, onListen() {} };
  postMessage({ folder, port: Deno.serve(options, await serving(folder)).addr.port });
};
