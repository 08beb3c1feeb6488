// The rules as nginx variables.

import rules from "rules.js";

function representation(r) {
  return rules.representation(r.headersIn.Accept || "");
}

function coding(r) {
  const offered = r.variables.codings;
  return rules.coding(r.headersIn["Accept-Encoding"] || "", offered ? offered.split(" ") : []);
}

function condition(r) {
  const asked = {
    match: r.headersIn["If-Match"] || "",
    unmodifiedSince: r.headersIn["If-Unmodified-Since"] || "",
    noneMatch: r.headersIn["If-None-Match"] || "",
    modifiedSince: r.headersIn["If-Modified-Since"] || "",
  };
  return rules.condition(asked, r.variables.etag, r.variables.last_modified);
}

function destination(r) {
  const question = r.variables.request_uri.indexOf("?");
  const query = question < 0 ? "" : r.variables.request_uri.slice(question);
  return rules.canonical(r.variables.path) + rules.quoted(query);
}

export default { representation, coding, condition, destination };
