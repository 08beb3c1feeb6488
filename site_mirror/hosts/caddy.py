"""Caddy: tables by address, then a list of rules in order.

An address that is in no table is unknown. Caddy's file server sends the bytes alone: its own
validators, conditions and ranges are kept from it.
"""

from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from api.headers import NO_STORE
from catalogue import addresses
from site_mirror.headers import VARY_NEGOTIATED
from site_mirror.hosts import answers, caddy_rules
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.caddy_tables import (
    ASKED,
    CHANGED,
    CODING,
    CODINGS,
    DOCUMENT,
    ETAG,
    FORMER,
    LINK,
    MIRROR,
    MIRROR_ADDRESS,
    MODIFIED,
    OF_ADDRESS,
    OF_FILE,
    OF_VARIANT,
    PLAIN,
    POLICY,
    VARIANT,
    looked_up,
    policies,
    tables,
)
from site_mirror.hosts.caddy_text import block, directive, headers, matcher, quoted, text
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import API, SITE, Release
from site_mirror.snapshot.layout import PUBLIC

AS_SENT = '{http.request.orig_uri}.split("?")[0].lowerAscii()'
OF_THE_API = (
    f'(({ASKED}.matches("^/api(/|$)") && !{AS_SENT}.startsWith("/api%2f"))'
    f' || {ASKED} == "{addresses.OPENAPI}")'
)
ENCODED_SLASH = f'{AS_SENT}.contains("%2f")'
"""Caddy looks up the decoded path; an encoded slash is data and separates nothing."""
BELOW = f'matches("^{addresses.API}(/|$)")'
OF_THIS_VERSION = (
    f'({ASKED} == "{addresses.OPENAPI}" || '
    f"{ASKED}.{BELOW} && (!{ENCODED_SLASH} || {AS_SENT}.{BELOW}))"
)
STATUSES = (400, 404, 405, 412, 500)
SITE_OF_ERRORS = ((API, "api"), (SITE, "site"))


class Caddy:
    """Caddy 2.6 or newer, as Debian packages it."""

    name = "caddy"
    cannot: Mapping[Ability, str] = {
        Ability.RATE_LIMIT: "Debian's Caddy has no module that counts requests",
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> dict[str, bytes]:
        return {
            "Caddyfile": text(*whole(release, place)),
            "site.caddy": text(*site(release, place)),
            "errors.caddy": text(*errors(release)),
        }


def whole(release: Release, place: Place) -> Iterator[list[str]]:
    """A complete configuration for plain HTTP; in one of your own, import the other files."""
    host, _, port = place.listen.rpartition(":")
    bound = [f"bind {host}"] if host else []
    name = urlsplit(release.root).hostname
    yield [
        "# Serves one release. Generated from its manifest: generate it again, do not edit it.",
        *block("", ["admin off", "auto_https off"]),
    ]
    yield [imported(place, "errors")]
    yield block(f"http://{name}:{port}", [*bound, imported(place, "site")])
    yield block(f"http://:{port}", [*bound, "import refused-400"])


def imported(place: Place, name: str) -> str:
    return directive("import", quoted(str(place.configuration / f"{name}.caddy")))


def errors(release: Release) -> Iterator[list[str]]:
    """A snippet for each way to fail, and one that chooses by the part of the site."""
    for status in STATUSES:
        for scope, part in SITE_OF_ERRORS:
            yield block(f"(refused-{part}-{status})", refusal(release, scope, status))
        yield block(f"(refused-{status})", chosen(status))


def chosen(status: int) -> list[str]:
    """Below `/api/`, and elsewhere."""
    api = matcher(f"api-{status}", OF_THE_API)
    here = block(f"handle @api-{status}", [f"import refused-api-{status}"])
    return [api, *here, *block("handle", [f"import refused-site-{status}"])]


def refusal(release: Release, scope: str, status: int) -> list[str]:
    """An error's text and headers; none but the headers where the manifest has no text."""
    known = release.known(scope, status)
    error = known or release.error(scope, 404)
    values = answers.unannounced(error.headers)
    if known is None:
        values = {name: values[name] for name in values if not name.startswith("Content-")}
        return [*headers({**values, **NO_STORE}), f'respond "" {status}']
    body = release.bodies[known.scope, known.status].decode()
    announced = answers.lifecycle(release) if answers.is_announced(known) else {}
    return [*headers(values), *of_this_version(announced), f"respond {quoted(body)} {status}"]


def site(release: Release, place: Place) -> Iterator[list[str]]:
    """What belongs into the block of the site."""
    yield [directive("root", "*", quoted(str(place.release / PUBLIC)))]
    yield from tables(release)
    yield block("route", [line for part in rules(release) for line in part])
    yield block("handle_errors", ["import refused-500"])


def rules(release: Release) -> Iterator[list[str]]:
    """In order: the first that answers ends the request."""
    roots = f'{ASKED} != "/" && !{ASKED}.matches("^{addresses.VERSION_INDEX.pattern}$")'
    slashes = f'({ASKED}.contains("//") || {ASKED}.endsWith("/"))'
    astray = f"{roots} && {slashes} && !{ENCODED_SLASH}"
    yield ["header -Server", *looked_up(OF_ADDRESS)]
    yield answered("options", '{http.request.method} == "OPTIONS"', preflight(release))
    yield answered("astray", astray, canonical(release))
    reading = '{http.request.method} in ["GET", "HEAD"]'
    yield answered("writes", f"!({reading})", ["import refused-405"])
    yield answered("encoded", ENCODED_SLASH, ["import refused-404"])
    yield answered("former", f'{FORMER} != ""', moved(release, FORMER))
    yield answered("unknown", f'{DOCUMENT} == ""', ["import refused-404"])
    yield readable_accept()
    yield from chosen_document(release)
    yield from documents(release)


def readable_accept() -> list[str]:
    """An `Accept` without what its expressions cannot read: much text, and quoted separators."""
    long = f"size({caddy_rules.header('Accept')}) > {caddy_rules.LONGEST}"
    return [
        matcher("long", long),
        directive("request_header", "@long", "Accept", "malformed"),
        directive("request_header", "Accept", f"`{caddy_rules.QUOTED}`", '`""`'),
    ]


def answered(name: str, condition: str, lines: list[str]) -> list[str]:
    return [matcher(name, condition), *block(f"route @{name}", lines)]


def canonical(release: Release) -> list[str]:
    one_form = rf'uri path_regexp "^({addresses.VERSION_INDEX.pattern})$|^(.+?)/$" "$1$2"'
    here = moved(release, release.root + "{http.request.uri}")
    return ['uri path_regexp "//+" "/"', one_form, *here]


def moved(release: Release, location: str) -> list[str]:
    """308, with the announced end of this version of the API at its addresses."""
    values = answers.moved(release, SITE, "")
    del values["Location"]
    announced = answers.lifecycle(release)
    return [
        *headers(values),
        *of_this_version(announced),
        f'header Location "{location}"',
        "respond 308",
    ]


def preflight(release: Release) -> list[str]:
    values = answers.preflight(release, SITE)
    return [*headers(values), *of_this_version(answers.lifecycle(release)), "respond 204"]


def of_this_version(announced: Mapping[str, str]) -> list[str]:
    """The announced end of this version, on its own answers alone."""
    if not announced:
        return []
    return [matcher("version", OF_THIS_VERSION), *headers(announced, "@version")]


def chosen_document(release: Release) -> Iterator[list[str]]:
    """Which representation of a page, in which coding."""
    page = f'{MIRROR} != ""'
    neither = unacceptable(release)
    yield answered("neither", f"{page} && {caddy_rules.NEITHER}", neither)
    yield [
        matcher("markdown", f"{page} && {caddy_rules.MARKDOWN}"),
        directive("vars", "file", DOCUMENT),
        directive("vars", "@markdown", "file", MIRROR),
        *looked_up(OF_FILE),
        directive("vars", "coding", PLAIN),
    ]
    names = list(dict.fromkeys(c.encoding for entry in release.documents for c in entry.encodings))
    for name in names:
        yield [
            matcher(name, f'{CODINGS} != "" && {caddy_rules.coding(name, names, CODINGS)}'),
            directive("vars", f"@{name}", "coding", name),
        ]
    yield looked_up(OF_VARIANT)


def unacceptable(release: Release) -> list[str]:
    body = answers.not_acceptable(release, ASKED, MIRROR_ADDRESS).decode()
    sentence = quoted(body).replace("\\{", "{")
    return [*headers(answers.not_acceptable_headers(release)), f"respond {sentence} 406"]


def documents(release: Release) -> Iterator[list[str]]:
    """The chosen file's headers, then 412, 304 or its bytes."""
    year = max(parsedate_to_datetime(e.headers["Last-Modified"]).year for e in release.documents)
    yield answered("failed", caddy_rules.failed(ETAG, CHANGED, year), ["import refused-412"])
    for shared, number in policies(release).items():
        yield [matcher(number, f'{POLICY} == "{number}"'), *headers(dict(shared), f"@{number}")]
    yield [
        matcher("linked", f'{LINK} != ""'),
        f'header @linked Link "{LINK}"',
        *block(
            "header @markdown",
            [f'Vary "{VARY_NEGOTIATED["Vary"]}"', f'Content-Location "{MIRROR_ADDRESS}"'],
        ),
    ]
    unchanged = caddy_rules.unchanged(ETAG, CHANGED, year)
    yield answered("unchanged", unchanged, not_modified())
    yield of_the_bytes()


def not_modified() -> list[str]:
    without = [f"-{name}" for name in answers.OF_A_BODY]
    own = [f'ETag "{ETAG}"', f'Last-Modified "{MODIFIED}"']
    return [*block("header", [*without, *own]), "respond 304"]


def of_the_bytes() -> list[str]:
    """The file, sent as if nothing but it was asked for; its headers are set at the very end."""
    ignored = ("If-Match", "If-Unmodified-Since", "If-None-Match", "If-Modified-Since", "Range")
    own = ["defer", f'ETag "{ETAG}"', f'Last-Modified "{MODIFIED}"', "-Accept-Ranges"]
    return [
        *(f"request_header -{name}" for name in ignored),
        matcher("coded", f'{CODING} != "{PLAIN}"'),
        *block("header @coded", ["defer", f'Content-Encoding "{CODING}"']),
        *block("header", own),
        f'rewrite * "/{VARIANT}"',
        "file_server",
    ]
