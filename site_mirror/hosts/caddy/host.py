"""Caddy: tables by address, then a list of rules in order.

An address that is in no table is unknown. Caddy's file server only sends bytes: the rules remove
the headers with which it would apply its own validators, conditions and ranges.
"""

from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from api.headers import NO_STORE
from catalogue import addresses
from site_mirror.documents.headers import BODY_HEADERS, VARY_NEGOTIATED
from site_mirror.hosts import responses
from site_mirror.hosts.caddy import rules as cel
from site_mirror.hosts.caddy.tables import (
    ADDRESS_VARIABLES,
    ASKED_PATH,
    CHANGED,
    CODING,
    CODINGS,
    DOCUMENT,
    ETAG,
    FILE_VARIABLES,
    FORMER,
    IDENTITY,
    LINK,
    MIRROR,
    MIRROR_ADDRESS,
    MODIFIED,
    POLICY,
    VARIANT,
    VARIANT_VARIABLES,
    all_tables,
    lookup_lines,
    policy_names,
)
from site_mirror.hosts.caddy.text import (
    block_lines,
    directive,
    header_lines,
    join_blocks,
    matcher_line,
    quote,
)
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.host import Deployment
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE, ServedRelease
from site_mirror.live.negotiation import MAX_ACCEPT_BYTES
from site_mirror.snapshot.layout import PUBLIC

SENT_PATH = '{http.request.orig_uri}.split("?")[0].lowerAscii()'
IS_API = (
    f'(({ASKED_PATH}.matches("^/api(/|$)") && !{SENT_PATH}.startsWith("/api%2f"))'
    f' || {ASKED_PATH} == "{addresses.OPENAPI}")'
)
HAS_ENCODED_SLASH = f'{SENT_PATH}.contains("%2f")'
"""A check of the path as sent: Caddy decodes paths, but an encoded slash is not a separator."""
BELOW_VERSION = f'matches("^{addresses.API}(/|$)")'
IS_THIS_VERSION = (
    f'({ASKED_PATH} == "{addresses.OPENAPI}" || '
    f"{ASKED_PATH}.{BELOW_VERSION} && (!{HAS_ENCODED_SLASH} || {SENT_PATH}.{BELOW_VERSION}))"
)
STATUSES_WITHOUT_BUDGET = (400, 404, 405, 412, 500)
ERROR_SCOPES = ((API_SCOPE, "api"), (SITE_SCOPE, "site"))


class Caddy:
    """Caddy 2.6 or newer, as Debian packages it."""

    name = "caddy"
    cannot: Mapping[Capability, str] = {
        Capability.RATE_LIMIT: "Debian's package has no module that counts requests",
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: ServedRelease, deployment: Deployment) -> dict[str, bytes]:
        return {
            "Caddyfile": join_blocks(*complete_configuration(release, deployment)),
            "site.caddy": join_blocks(*site_configuration(release, deployment)),
            "errors.caddy": join_blocks(*error_configuration(release)),
        }


def complete_configuration(release: ServedRelease, deployment: Deployment) -> Iterator[list[str]]:
    """Yield a complete configuration for plain HTTP; one of your own imports the other files."""
    host, _, port = deployment.listen.rpartition(":")
    bound = [f"bind {host}"] if host else []
    name = urlsplit(release.root).hostname
    yield [
        "# Serves one release. Generated from its manifest: generate it again, do not edit it.",
        *block_lines("", ["admin off", "auto_https off"]),
    ]
    yield [import_line(deployment, "errors")]
    yield block_lines(f"http://{name}:{port}", [*bound, import_line(deployment, "site")])
    yield block_lines(f"http://:{port}", [*bound, "import refused-400"])


def import_line(deployment: Deployment, name: str) -> str:
    return directive("import", quote(str(deployment.configuration / f"{name}.caddy")))


def error_configuration(release: ServedRelease) -> Iterator[list[str]]:
    """Yield a snippet for each error of each scope, and one that selects the scope."""
    for status in STATUSES_WITHOUT_BUDGET:
        for scope, part in ERROR_SCOPES:
            yield block_lines(f"(refused-{part}-{status})", error_lines(release, scope, status))
        yield block_lines(f"(refused-{status})", error_by_scope(status))


def error_by_scope(status: int) -> list[str]:
    """Return lines that select the error of the API or that of the site."""
    api = matcher_line(f"api-{status}", IS_API)
    here = block_lines(f"handle @api-{status}", [f"import refused-api-{status}"])
    return [api, *here, *block_lines("handle", [f"import refused-site-{status}"])]


def error_lines(release: ServedRelease, scope: str, status: int) -> list[str]:
    """Return the text and the headers of an error; only headers if the manifest has no text."""
    own_error = release.find_error(scope, status)
    error = own_error or release.error(scope, 404)
    values = responses.without_announcement(error.headers)
    if own_error is None:
        values = {name: values[name] for name in values if not name.startswith("Content-")}
        return [*header_lines({**values, **NO_STORE}), f'respond "" {status}']
    body = release.bodies[own_error.scope, own_error.status].decode()
    announced = responses.lifecycle_headers_of(release) if responses.is_announced(own_error) else {}
    return [
        *header_lines(values),
        *version_header_lines(announced),
        f"respond {quote(body)} {status}",
    ]


def site_configuration(release: ServedRelease, deployment: Deployment) -> Iterator[list[str]]:
    """Yield the contents of the site's block."""
    yield [directive("root", "*", quote(str(deployment.release / PUBLIC)))]
    yield from all_tables(release)
    yield block_lines("route", [line for part in rule_lines(release) for line in part])
    yield block_lines("handle_errors", ["import refused-500"])


def rule_lines(release: ServedRelease) -> Iterator[list[str]]:
    """Yield the rules in order: the first that sends a response ends the request."""
    roots = f'{ASKED_PATH} != "/" && !{ASKED_PATH}.matches("^{addresses.VERSION_INDEX.pattern}$")'
    slashes = f'({ASKED_PATH}.contains("//") || {ASKED_PATH}.endsWith("/"))'
    astray = f"{roots} && {slashes} && !{HAS_ENCODED_SLASH}"
    yield ["header -Server", *lookup_lines(ADDRESS_VARIABLES)]
    yield route_lines("options", '{http.request.method} == "OPTIONS"', preflight_lines(release))
    yield route_lines("astray", astray, canonical_redirect_lines(release))
    reading = '{http.request.method} in ["GET", "HEAD"]'
    yield route_lines("writes", f"!({reading})", ["import refused-405"])
    yield route_lines("encoded", HAS_ENCODED_SLASH, ["import refused-404"])
    yield route_lines("former", f'{FORMER} != ""', redirect_lines(release, FORMER))
    yield route_lines("unknown", f'{DOCUMENT} == ""', ["import refused-404"])
    yield accept_lines()
    yield from representation_choice(release)
    yield from document_rules(release)


def accept_lines() -> list[str]:
    """Return lines that simplify `Accept` for CEL: no long values, only empty quoted strings."""
    long = f"size({cel.header_value('Accept')}) > {MAX_ACCEPT_BYTES}"
    return [
        matcher_line("long", long),
        directive("request_header", "@long", "Accept", "malformed"),
        directive("request_header", "Accept", f"`{cel.QUOTED_STRING_PATTERN}`", '`""`'),
    ]


def route_lines(name: str, condition: str, lines: list[str]) -> list[str]:
    return [matcher_line(name, condition), *block_lines(f"route @{name}", lines)]


def canonical_redirect_lines(release: ServedRelease) -> list[str]:
    one_form = rf'uri path_regexp "^({addresses.VERSION_INDEX.pattern})$|^(.+?)/$" "$1$2"'
    here = redirect_lines(release, release.root + "{http.request.uri}")
    return ['uri path_regexp "//+" "/"', one_form, *here]


def redirect_lines(release: ServedRelease, location: str) -> list[str]:
    """Return a 308, with the announced end of this version of the API at its addresses."""
    values = responses.location_headers(release, SITE_SCOPE, "")
    del values["Location"]
    announced = responses.lifecycle_headers_of(release)
    return [
        *header_lines(values),
        *version_header_lines(announced),
        f'header Location "{location}"',
        "respond 308",
    ]


def preflight_lines(release: ServedRelease) -> list[str]:
    values = responses.options_headers(release, SITE_SCOPE)
    return [
        *header_lines(values),
        *version_header_lines(responses.lifecycle_headers_of(release)),
        "respond 204",
    ]


def version_header_lines(announced: Mapping[str, str]) -> list[str]:
    """Return the lifecycle headers of this version, only for its own responses."""
    if not announced:
        return []
    return [matcher_line("version", IS_THIS_VERSION), *header_lines(announced, "@version")]


def representation_choice(release: ServedRelease) -> Iterator[list[str]]:
    """Yield lines that select the representation of a page and its coding."""
    page = f'{MIRROR} != ""'
    neither = not_acceptable_lines(release)
    yield route_lines("neither", f"{page} && {cel.ACCEPTS_NEITHER}", neither)
    yield [
        matcher_line("markdown", f"{page} && {cel.PREFERS_MARKDOWN}"),
        directive("vars", "file", DOCUMENT),
        directive("vars", "@markdown", "file", MIRROR),
        *lookup_lines(FILE_VARIABLES),
        directive("vars", "coding", IDENTITY),
    ]
    names = list(dict.fromkeys(c.encoding for entry in release.documents for c in entry.encodings))
    for name in names:
        yield [
            matcher_line(name, f'{CODINGS} != "" && {cel.coding_condition(name, names, CODINGS)}'),
            directive("vars", f"@{name}", "coding", name),
        ]
    yield lookup_lines(VARIANT_VARIABLES)


def not_acceptable_lines(release: ServedRelease) -> list[str]:
    body = responses.not_acceptable_body(release, ASKED_PATH, MIRROR_ADDRESS).decode()
    sentence = quote(body).replace("\\{", "{")
    return [*header_lines(responses.not_acceptable_headers(release)), f"respond {sentence} 406"]


def document_rules(release: ServedRelease) -> Iterator[list[str]]:
    """Yield lines that send 412, or the headers of the selected file and 304 or its bytes."""
    year = max(parsedate_to_datetime(e.headers["Last-Modified"]).year for e in release.documents)
    yield route_lines(
        "failed", cel.precondition_failed_condition(ETAG, CHANGED, year), ["import refused-412"]
    )
    for shared, number in policy_names(release).items():
        yield [
            matcher_line(number, f'{POLICY} == "{number}"'),
            *header_lines(dict(shared), f"@{number}"),
        ]
    yield [
        matcher_line("linked", f'{LINK} != ""'),
        f'header @linked Link "{LINK}"',
        *block_lines(
            "header @markdown",
            [f'Vary "{VARY_NEGOTIATED["Vary"]}"', f'Content-Location "{MIRROR_ADDRESS}"'],
        ),
    ]
    unchanged = cel.not_modified_condition(ETAG, CHANGED, year)
    yield route_lines("unchanged", unchanged, not_modified_lines())
    yield file_lines()


def not_modified_lines() -> list[str]:
    without = [f"-{name}" for name in BODY_HEADERS]
    own = [f'ETag "{ETAG}"', f'Last-Modified "{MODIFIED}"']
    return [*block_lines("header", [*without, *own]), "respond 304"]


def file_lines() -> list[str]:
    """Return lines that send a file without conditions and ranges, and set its headers last."""
    ignored = ("If-Match", "If-Unmodified-Since", "If-None-Match", "If-Modified-Since", "Range")
    own = ["defer", f'ETag "{ETAG}"', f'Last-Modified "{MODIFIED}"', "-Accept-Ranges"]
    return [
        *(f"request_header -{name}" for name in ignored),
        matcher_line("coded", f'{CODING} != "{IDENTITY}"'),
        *block_lines("header @coded", ["defer", f'Content-Encoding "{CODING}"']),
        *block_lines("header", own),
        f'rewrite * "/{VARIANT}"',
        "file_server",
    ]
