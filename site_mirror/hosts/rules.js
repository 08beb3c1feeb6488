// The decisions that a request's headers ask for, as pure functions: for nginx's own JavaScript
// as for any other. RFC 9110, sections 5.6.7, 12.5.1, 12.5.3 and 13.

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = "(\\d\\d):(\\d\\d):(\\d\\d)";
const FIXDATE = new RegExp("^\\w{3}, (\\d\\d) (\\w{3}) (\\d{4}) " + TIME + " GMT$");
const RFC850 = new RegExp("^\\w{6,9}, (\\d\\d)-(\\w{3})-(\\d\\d) " + TIME + " GMT$");
const ASCTIME = new RegExp("^\\w{3} (\\w{3}) ([ \\d]\\d) " + TIME + " (\\d{4})$");
const TAG = /^(W\/)?("[^"]*")$/;
const VERSION_INDEX = /^\/api\/v[1-9][0-9]*\/$/;
const UNQUOTED = /[^A-Za-z0-9_.~\/:@!$&'()*+,;=?%-]/g;

// An `Accept` is read by the grammar of RFC 9110, in ASCII; one that differs from it in any place,
// or is longer than 2,048 bytes, is malformed.
const LONGEST = 2048;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const NAME = new RegExp("^(" + TOKEN + ")/(" + TOKEN + ")$");
const PARAMETER = new RegExp("^(" + TOKEN + ")=(" + TOKEN + '|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*")$');
const CODING_WEIGHT = /^q=([0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;
const WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

// The parts of a text between separators that are outside of quoted strings.
function parts(text, separator) {
  const found = [];
  let start = 0;
  let inside = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      inside = !inside;
    } else if (character === "\\" && inside) {
      at += 1;
    } else if (character === separator && !inside) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  found.push(text.slice(start));
  return found.map(trimmed);
}

// Without spaces and tabs at both ends.
function trimmed(text) {
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

// A media range: its type, subtype, whether it has parameters, and its weight; undefined for a
// malformed one.
function range(text) {
  const pieces = parts(text, ";");
  const name = NAME.exec(pieces[0]);
  const parameters = pieces.slice(1).filter((part) => part);
  const read = parameters.map((part) => PARAMETER.exec(part));
  if (!name || (name[1] === "*" && name[2] !== "*") || !read.every((found) => found)) {
    return undefined;
  }
  const weights = read.filter((found) => found[1].toLowerCase() === "q").map((found) => found[2]);
  if (weights.length > 1 || !weights.every((weight) => WEIGHT.test(weight))) {
    return undefined;
  }
  return {
    main: name[1].toLowerCase(),
    sub: name[2].toLowerCase(),
    specific: read.length > weights.length,
    weight: weights.length ? Number(weights[0]) : 1,
  };
}

function specificity(item) {
  if (item.main === "*") {
    return 0;
  }
  if (item.sub === "*") {
    return 1;
  }
  return item.specific ? 3 : 2;
}

// The weight of the most specific range that matches text/SUB; undefined where none does.
function weightOf(sub, ranges) {
  const matching = ranges.filter(
    (item) => (item.main === "text" || item.main === "*") && (item.sub === sub || item.sub === "*"),
  );
  let best;
  matching.forEach((item) => {
    if (best === undefined || specificity(item) > specificity(best)) {
      best = item;
    }
  });
  return best === undefined ? undefined : best.weight;
}

// "html", "markdown" or "none": HTML unless Markdown is asked for by name.
function representation(accept) {
  const elements = accept.length > LONGEST ? [] : parts(accept, ",").filter((part) => part);
  const ranges = elements.map(range);
  if (!ranges.length || !ranges.every((item) => item)) {
    return "html";
  }
  const html = weightOf("html", ranges);
  const markdown = weightOf("markdown", ranges);
  const named = ranges.some(
    (item) => item.main === "text" && item.sub === "markdown" && item.weight > 0,
  );
  if (named && (markdown || 0) >= (html || 0)) {
    return "markdown";
  }
  if (html) {
    return "html";
  }
  return markdown ? "markdown" : notExcluded(html, markdown, ranges);
}

// What a header that only excludes has left.
function notExcluded(html, markdown, ranges) {
  if (!ranges.every((item) => item.weight === 0)) {
    return "none";
  }
  if (html === undefined) {
    return "html";
  }
  return markdown === undefined ? "markdown" : "none";
}

// The coding to send of those offered, the server's favourite first; "" for none.
function coding(acceptEncoding, offered) {
  const weights = {};
  acceptEncoding.split(",").forEach((part) => {
    const name = trimmed(part).toLowerCase();
    const semicolon = name.indexOf(";");
    weights[trimmed(semicolon < 0 ? name : name.slice(0, semicolon))] =
      semicolon < 0 ? 1 : codingWeight(trimmed(name.slice(semicolon + 1)));
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

function codingWeight(parameter) {
  const found = CODING_WEIGHT.exec(parameter);
  return found ? Math.min(Number(found[1]), 1) : 0;
}

// Entity tags of a condition: ["*"], or each with whether it is weak.
function tags(header) {
  if (header.trim() === "*") {
    return ["*"];
  }
  return header
    .split(",")
    .map((part) => TAG.exec(part.trim()))
    .filter((found) => found)
    .map((found) => ({ weak: Boolean(found[1]), tag: found[2] }));
}

// Seconds since 1970 of a date in one of the three formats of HTTP; NaN for anything else.
function seconds(text) {
  const fixdate = FIXDATE.exec(text);
  if (fixdate) {
    return utc(fixdate[3], fixdate[2], fixdate[1], fixdate.slice(4));
  }
  const asctime = ASCTIME.exec(text);
  if (asctime) {
    return utc(asctime[6], asctime[1], asctime[2], asctime.slice(3));
  }
  const rfc850 = RFC850.exec(text);
  return rfc850 ? utc(nearest(Number(rfc850[3])), rfc850[2], rfc850[1], rfc850.slice(4)) : NaN;
}

// A year of two digits is at most fifty years ahead.
function nearest(year) {
  const now = new Date().getUTCFullYear();
  const here = now - (now % 100) + year;
  return here - now > 50 ? here - 100 : here;
}

function utc(year, month, day, time) {
  const number = MONTHS.indexOf(month.toLowerCase());
  const moment = Date.UTC(Number(year), number, Number(day), +time[0], +time[1], +time[2]);
  return number < 0 ? NaN : moment / 1000;
}

// "304", "412" or "": what the conditions of a GET or HEAD come to. Absent headers are "".
function condition(asked, etag, lastModified) {
  const changed = seconds(lastModified);
  const match = tags(asked.match);
  if (match.length) {
    if (match[0] !== "*" && !match.some((item) => !item.weak && item.tag === etag)) {
      return "412";
    }
  } else if (changed > seconds(asked.unmodifiedSince)) {
    return "412";
  }
  const none = tags(asked.noneMatch);
  if (none.length) {
    return none[0] === "*" || none.some((item) => item.tag === etag) ? "304" : "";
  }
  return changed <= seconds(asked.modifiedSince) ? "304" : "";
}

// Whether a path ends with a slash in its one form: the home page, and the index of a version of
// the API.
function isRoot(path) {
  return path === "/" || VERSION_INDEX.test(path);
}

// The one form of a path: single slashes, and a final one at roots alone.
function canonical(path) {
  const collapsed = path.replace(/\/{2,}/g, "/");
  return quoted(isRoot(collapsed) ? collapsed : collapsed.replace(/\/$/, ""));
}

// What RFC 3986 wants encoded, encoded; what is encoded already stays.
function quoted(text) {
  return text.replace(UNQUOTED, percent).replace(/%(?![0-9A-Fa-f]{2})/g, "%25");
}

function percent(character) {
  try {
    return encodeURIComponent(character);
  } catch (error) {
    return "%EF%BF%BD";
  }
}

export default { representation, coding, condition, canonical, isRoot, quoted };
