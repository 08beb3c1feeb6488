// Adapters that nginx calls for the values of variables (`js_set`).

import rules from "rules.js";

function chooseRepresentation(r) {
  return rules.chooseRepresentation(r.headersIn.Accept || "");
}

function chooseCoding(r) {
  const offered = r.variables.codings ? r.variables.codings.split(" ") : [];
  return rules.chooseCoding(r.headersIn["Accept-Encoding"] || "", offered);
}

function evaluateCondition(r) {
  const conditions = {
    match: r.headersIn["If-Match"] || "",
    unmodifiedSince: r.headersIn["If-Unmodified-Since"] || "",
    noneMatch: r.headersIn["If-None-Match"] || "",
    modifiedSince: r.headersIn["If-Modified-Since"] || "",
  };
  return rules.evaluateCondition(conditions, r.variables.etag, r.variables.last_modified);
}

function canonicalPath(r) {
  return rules.canonicalPath(r.variables.path);
}

function encodeQuery(r) {
  const question = r.variables.request_uri.indexOf("?");
  return question < 0 ? "" : rules.encodeUri(r.variables.request_uri.slice(question));
}

export default {
  chooseRepresentation,
  chooseCoding,
  evaluateCondition,
  canonicalPath,
  encodeQuery,
};
