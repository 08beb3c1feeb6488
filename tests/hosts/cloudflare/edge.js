// Adds the client's address and its accepted codings, as Cloudflare does before it calls a worker.
export default {
  fetch(request, env) {
    const headers = new Headers(request.headers);
    const client = { clientAcceptEncoding: request.headers.get("Accept-Encoding") ?? undefined };
    headers.set("CF-Connecting-IP", request.cf.clientIp.replace(/:\d+$/, ""));
    headers.set("Accept-Encoding", "gzip, br");
    headers.set("MF-CF-Blob", JSON.stringify(client));
    return env.SITE.fetch(new Request(request, { headers }));
  },
};
