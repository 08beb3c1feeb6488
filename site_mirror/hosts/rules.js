// Content negotiation and conditional requests as pure functions, for any JavaScript engine, also
// that of nginx. Source: RFC 9110, sections 12.5.1, 12.5.3 and 13.

const ENTITY_TAG = /^(W\/)?("[^"]*")$/;
const VERSION_INDEX = /^\/api\/v[1-9][0-9]*\/$/;
const UNSAFE_CHARACTERS = /[^A-Za-z0-9_.~\/:@!$&'()*+,;=?%-]/g;

// A value of `Accept` is malformed if it does not match the grammar of RFC 9110 in ASCII, or is
// longer than 2,048 bytes. An element may have a comma in a quoted string.
const MAX_ACCEPT_LENGTH = 2048;
const ELEMENT = /(?:"(?:\\.|[^"\\])*"?|[^",])+/g;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const VALUE = "(?:" + TOKEN + '|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*")';
const PARAMETERS = "((?:[\\t ]*;(?![\\t ]*[qQ]=)(?:[\\t ]*" + TOKEN + "=" + VALUE + ")?)*)";
const WEIGHT = "(?:[\\t ]*;[\\t ]*[qQ]=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?))?";
const TYPE = "(\\*/\\*|(?!\\*/)" + TOKEN + "/" + TOKEN + ")";
const MEDIA_RANGE = new RegExp("^" + TYPE + PARAMETERS + WEIGHT + PARAMETERS + "$");
const CODING_WEIGHT = /^q=([0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;

// Removes spaces and tabs at both ends; `String.trim` would remove other characters, too.
function trim(text) {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) {
    start += 1;
  }
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t")) {
    end -= 1;
  }
  return text.slice(start, end);
}

// Parses a media range, or returns undefined if it is malformed.
function parseRange(text) {
  const match = MEDIA_RANGE.exec(text);
  if (!match) {
    return undefined;
  }
  const weight = match[3] === undefined ? 1 : Number(match[3]);
  return { name: match[1].toLowerCase(), specific: (match[2] + match[4]).includes("="), weight };
}

function specificityOf(item, type) {
  if (item.name === type) {
    return item.specific ? 4 : 3;
  }
  return { "text/*": 2, "*/*": 1 }[item.name] || 0;
}

// Returns the weight of the most specific range that matches a type, or undefined.
function weightOf(type, ranges) {
  let best = ranges[0];
  ranges.forEach((item) => {
    if (specificityOf(item, type) > specificityOf(best, type)) {
      best = item;
    }
  });
  return specificityOf(best, type) ? best.weight : undefined;
}

// Returns "html", "markdown" or "none". HTML wins unless the header names Markdown, because
// browsers accept `*/*`.
function chooseRepresentation(accept) {
  const elements = accept.length > MAX_ACCEPT_LENGTH ? [] : accept.match(ELEMENT) || [];
  const ranges = elements.map(trim).filter((element) => element).map(parseRange);
  if (!ranges.length || !ranges.every((item) => item)) {
    return "html";
  }
  let html = weightOf("text/html", ranges);
  let markdown = weightOf("text/markdown", ranges);
  const named = ranges.some((item) => item.name === "text/markdown" && item.weight > 0);
  if (named && (markdown || 0) >= (html || 0)) {
    return "markdown";
  }
  if (!ranges.some((item) => item.weight > 0)) {
    // The header only excludes: types that it does not name are acceptable.
    html = html === undefined;
    markdown = markdown === undefined;
  }
  if (html) {
    return "html";
  }
  return markdown ? "markdown" : "none";
}

// Returns the coding to send, or ""; `offered` is in the server's order of preference.
function chooseCoding(acceptEncoding, offered) {
  const weights = {};
  acceptEncoding.split(",").forEach((part) => {
    const name = trim(part).toLowerCase();
    const semicolon = name.indexOf(";");
    weights[trim(semicolon < 0 ? name : name.slice(0, semicolon))] =
      semicolon < 0 ? 1 : parseCodingWeight(trim(name.slice(semicolon + 1)));
  });
  const weight = (name, otherwise) => (weights[name] === undefined ? otherwise : weights[name]);
  let best = "";
  let most = 0;
  offered.forEach((name) => {
    const wanted = weight(name, weight("*", 0));
    if (wanted > most) {
      best = name;
      most = wanted;
    }
  });
  return most < weight("identity", 0) ? "" : best;
}

function parseCodingWeight(parameter) {
  const match = CODING_WEIGHT.exec(parameter);
  return match ? Math.min(Number(match[1]), 1) : 0;
}

// Parses a list of entity tags. Returns ["*"] for `*`.
function parseTags(header) {
  if (header.trim() === "*") {
    return ["*"];
  }
  return header
    .split(",")
    .map((part) => ENTITY_TAG.exec(part.trim()))
    .filter((match) => match)
    .map((match) => ({ weak: Boolean(match[1]), tag: match[2] }));
}

// Evaluates the conditions of a GET or HEAD. Returns "304", "412" or "". A missing header is "".
// A date matches only exactly, because that of a document goes back with a rollback.
function evaluateCondition(conditions, etag, lastModified) {
  const match = parseTags(conditions.match);
  if (match.length) {
    if (match[0] !== "*" && !match.some((item) => !item.weak && item.tag === etag)) {
      return "412";
    }
  } else if (Date.parse(lastModified) > Date.parse(conditions.unmodifiedSince)) {
    return "412";
  }
  const none = parseTags(conditions.noneMatch);
  if (none.length) {
    return none[0] === "*" || none.some((item) => item.tag === etag) ? "304" : "";
  }
  return lastModified && lastModified === conditions.modifiedSince ? "304" : "";
}

// Whether the canonical form of a path ends with a slash: the home page and the index of a version
// of the API.
function isRoot(path) {
  return path === "/" || VERSION_INDEX.test(path);
}

// Returns the canonical form of a path: no double slashes, and a final one only at roots.
function canonicalPath(path) {
  const collapsed = path.replace(/\/{2,}/g, "/");
  return encodeUri(isRoot(collapsed) ? collapsed : collapsed.replace(/\/$/, ""));
}

// Encodes the characters that a URI may not contain (RFC 3986); existing escapes stay.
function encodeUri(text) {
  return text.replace(UNSAFE_CHARACTERS, encodeCharacter).replace(/%(?![0-9A-Fa-f]{2})/g, "%25");
}

function encodeCharacter(character) {
  try {
    return encodeURIComponent(character);
  } catch (error) {
    return "%EF%BF%BD";
  }
}

export default {
  chooseRepresentation,
  chooseCoding,
  evaluateCondition,
  canonicalPath,
  isRoot,
  encodeUri,
};
